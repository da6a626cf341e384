# Script for `npm start` in the root of a clone. Needed because after `npm ci --ignore-scripts` npm
# would only report "not found".
if [ ! -x dist/svc-tui ]; then
	echo 'svc-tui is not built, since npm ran without scripts. Build it with: npm run build' >&2
	exit 69
fi
exec dist/svc-tui "$@"
