# First part of every script. `ssh HOST 'exec /bin/sh'` reads the script from standard input.
# `nonce` is set before this part. Output of the login shell comes before the first marker.
umask 077
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/opt/slurm/bin:/usr/local/slurm/bin; export PATH
nl='
'
cr=$(printf '\r')
# Prints a line: key, space, value. Rarely runs other programs, so that checking many servers is
# fast.
say() {
	case ${2-} in
	*"$nl"* | *"$cr"*) printf '%s %s\n' "$1" "$(printf %s "$2" | tr '\n\r' '  ')" ;;
	*) printf '%s %s\n' "$1" "${2-}" ;;
	esac
}
# Sets `value` to the first line of a file.
first_line() {
	value=''
	IFS= read -r value 2>/dev/null <"$1"
	[ -n "$value" ]
}
finish() { printf '\n%s-end\n' "$nonce"; exit 0; }
fail() { say error "$1"; say detail "${2-}"; finish; }
base=${XDG_DATA_HOME:-$HOME/.local/share}/svc-tui/remote
# Prints its argument as a quoted word for a POSIX shell.
quoted() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }
host_name() { hostname 2>/dev/null || uname -n; }
boot_id() { cat /proc/sys/kernel/random/boot_id 2>/dev/null; }
# Prints the value of a key in the server's file `where`.
where() { sed -n "s/^$1 //p" "$run/where" 2>/dev/null; }
printf '\n%s-begin\n' "$nonce"
