# State of each server in `ids`, or of all: one block each, ended by `id`.
LC_ALL=C; export LC_ALL
for id in ${ids:-$(ls "$base/servers" 2>/dev/null)}; do
	run=$base/servers/$id
	if [ -d "$run" ]; then
		kind=$(cat "$run/kind" 2>/dev/null)
		say kind "${kind:-process}"
		[ -e "$run/order" ] && say order "$(cat "$run/order")"
		[ -e "$run/where" ] && while read -r key value; do say "$key" "$value"; done <"$run/where"
		[ -e "$run/ended" ] && say ended "$(cat "$run/ended")"
		case $kind in job) look_job ;; *) look_process ;; esac
		# Seconds since the launch, or since a job began. Sockets of nodes are not seen here.
		wanted=$want_log
		if [ ! -e "$run/listening" ] && [ ! -S "$(where socket)" ]; then
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
		[ -S "$(where socket)" ] && say listens yes
	fi
	say id "$id"
done
finish
