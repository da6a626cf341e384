# `npm run test:plain` runs the journeys with the tag `plain` on the plain build. The normal build
# is moved aside during that time, which is faster than building it again.
npm run built || exit
aside=node_modules/.cache/whole-build
stamp=node_modules/.cache/built
rm -rf "$aside" && mkdir -p "$aside" && cp -a dist "$stamp" "$aside" || exit
SVC_BUILD=plain npm run build &&
	NODE_DISABLE_COMPILE_CACHE=1 npm run vitest -- --tags-filter='plain' --outputFile.json=node_modules/.cache/test-report-plain.json test/journeys
status=$?
rm -rf dist && mv "$aside/dist" dist && mv "$aside/built" "$stamp"
exit $status
