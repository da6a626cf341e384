# `npm start` in a clone, from its root. After `npm ci --ignore-scripts` npm would only report "not
# found".
if [ ! -x dist/svc-tui ]; then
	echo 'svc-tui is not built, since npm ran without scripts. Build it with: npm run build' >&2
	exit 69
fi
exec dist/svc-tui "$@"
