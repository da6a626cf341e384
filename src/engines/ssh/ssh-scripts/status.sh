# Prints the state of each server in `ids`, or of all servers. Each block of lines ends with `id`.
LC_ALL=C; export LC_ALL
this_host=$(host_name) this_boot=$(boot_id) this_user=$(id -un 2>/dev/null)
for id in ${ids:-$(ls "$base/servers" 2>/dev/null)}; do
	run=$base/servers/$id
	if [ -d "$run" ]; then
		first_line "$run/kind"
		kind=$value
		say kind "${kind:-process}"
		first_line "$run/order" && say order "$value"
		at_host='' at_boot='' at_pid='' at_started='' at_socket=''
		[ -e "$run/where" ] && while read -r key value; do
			say "$key" "$value"
			case $key in host | boot | pid | started | socket) eval "at_$key=\$value" ;; esac
		done <"$run/where"
		[ -e "$run/ended" ] && say ended "$(cat "$run/ended")"
		case $kind in job) look_job ;; *) look_process ;; esac
		# Seconds since the launch, or since the job started running. Sockets of other nodes are not
		# visible here, so the file `listening` is checked as well.
		wanted=$want_log
		if [ ! -e "$run/listening" ] && [ ! -S "$at_socket" ]; then
			begun=$run/begun
			[ -e "$begun" ] || [ "$kind" = job ] || begun=$run/order
			[ -e "$begun" ] && say starting_for $(($(date +%s) - $(stat -c %Y "$begun" 2>/dev/null || date +%s)))
			wanted=yes
		fi
		if [ "$want_about" = yes ]; then
			[ -O "$run" ] || say foreign yes
			say about "$(cat "$run/about.json" 2>/dev/null)"
			say settings "$(cat "$run/settings.json" 2>/dev/null)"
			say root "$(cat "$run/root" 2>/dev/null)"
			say since "$(stat -c %Y "$run/order" 2>/dev/null)"
		fi
		if [ "$wanted" = yes ] || [ -e "$run/ended" ]; then say log "$(tail -c 2000 "$run/log" 2>/dev/null | tr '\n' '\037')"; fi
		[ -S "$at_socket" ] && say listens yes
	fi
	say id "$id"
done
finish
