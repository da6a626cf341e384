# Starts a server. Set before: id, order, kind, python, setup, settings, about, root, version,
# files, and file_1 … file_N with name_1 … name_N.
run=$base/servers/$id
code=$base/code-$version
mkdir -p "$run" 2>/dev/null || fail no-space
if [ ! -e "$code/.whole" ]; then
	rm -rf "$code" 2>/dev/null
	n=1
	while [ $n -le "$files" ]; do
		eval "name=\$name_$n text=\$file_$n"
		mkdir -p "$(dirname "$code/$name")" 2>/dev/null && printf %s "$text" 2>/dev/null >"$code/$name" || fail no-space
		n=$((n + 1))
	done
	: 2>/dev/null >"$code/.whole" || fail no-space
fi
# The same order was sent again because its result was lost.
if [ "$(cat "$run/order" 2>/dev/null)" = "$order" ]; then
	[ -e "$run/job" ] && say job "$(cat "$run/job")"
	say started again
	finish
fi
if [ -e "$run/where" ] && [ ! -e "$run/ended" ] && is_alive "$(where pid)" "$(where started)"; then fail running; fi
rm -f "$run/where" "$run/ended" "$run/log" "$run/job" "$run/order" "$run/begun"
case $root in '~') root=$HOME ;; '~/'*) root=$HOME/${root#'~/'} ;; esac
root=${root:-$HOME}
[ -d "$root" ] || fail no-folder "$root"
printf '%s' "$settings" 2>/dev/null >"$run/settings.json" || fail no-space
printf '%s' "$root" 2>/dev/null >"$run/root" || fail no-space
printf '%s\n' "$setup" 2>/dev/null >"$run/setup.sh" || fail no-space
printf '%s' "$about" 2>/dev/null >"$run/about.json" || fail no-space
printf '%s' "$kind" 2>/dev/null >"$run/kind" || fail no-space
cat 2>/dev/null >"$run/run.sh" <<END || fail no-space
#!/bin/bash -l
# Not another shell: setup lines use functions of the login shell, such as module and conda.
run=$(quoted "$run") code=$(quoted "$code") python=$(quoted "$python")
. $(quoted "$code/run.sh")
END
chmod 700 "$run/run.sh"
# Written before the launch, so that the same order never launches a second server if the result is
# lost.
printf '%s' "$order" 2>/dev/null >"$run/order" || fail no-space
"launch_$kind"
say started yes
finish
