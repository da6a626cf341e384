# Gives another machine of the user access to the server `id`: adds its `client_key` to the
# authorized keys of the job.
run=$base/servers/$id
[ -d "$run" ] && [ ! -e "$run/ended" ] || fail gone
[ -O "$run" ] || fail foreign
keys=$run/authorized_keys
if [ -e "$keys" ] && ! grep -qxF "$client_key" "$keys"; then
	printf '%s\n' "$client_key" 2>/dev/null >>"$keys" || fail no-space
fi
finish
