# Servers that run as processes of the host: launch_process, look_process and end_process.
# `status.sh` sets the variables at_… from the file `where`, and this_host, this_boot and this_user.

launch_process() {
	shell='/bin/bash -l'
	[ -x /bin/bash ] || shell=/bin/sh
	# The server gets a separate session and none of our open files. Otherwise ssh would wait for
	# the server, or end it. SVC_RUN marks its processes from the start, even while the login shell
	# reads its startup files.
	SVC_RUN=$run; export SVC_RUN
	if command -v setsid >/dev/null 2>&1; then setsid $shell "$run/run.sh" </dev/null >"$run/log" 2>&1 &
	else nohup $shell "$run/run.sh" </dev/null >"$run/log" 2>&1 & fi
}

# True if the process with this id has this start time. Both are needed, because process ids are
# reused. A zombie still has both, so its state is checked too.
is_alive() {
	[ -n "$1" ] && kill -0 "$1" 2>/dev/null || return 1
	[ -r "/proc/$1/stat" ] || return 0
	first_line "/proc/$1/stat"
	# The program's name may contain spaces and parentheses. The state and start time follow it.
	set -- "$2" ${value##*) }
	[ "${2-}" != Z ] && [ "${21-}" = "$1" ]
}

look_process() {
	[ -e "$run/where" ] || return 0
	if [ "$at_host" != "$this_host" ]; then say alive elsewhere
	elif [ "$at_boot" != "$this_boot" ]; then say alive rebooted
	elif is_alive "$at_pid" "$at_started"; then say alive yes
	else say alive no; fi
}

# Lists all processes that the server has started, in any process group.
own_processes() { grep -slzxF "SVC_RUN=$run" /proc/[0-9]*/environ 2>/dev/null | sed 's#/proc/\([0-9]*\)/.*#\1#'; }

end_process() {
	[ -e "$run/where" ] && [ "$(where host)" != "$(host_name)" ] && fail elsewhere "$(where host)"
	# The script that waits for the server (run.sh) forwards the signal and cleans up.
	is_alive "$(where runner)" "$(where runner_started)" && kill -TERM "$(where runner)" 2>/dev/null
	n=0
	while is_alive "$(where pid)" "$(where started)" && [ $n -lt 50 ]; do n=$((n + 1)); sleep 0.1; done
	n=0
	while left=$(own_processes) && [ -n "$left" ] && [ $n -lt 30 ]; do
		if [ $n -lt 5 ]; then kill -TERM $left 2>/dev/null; else kill -KILL $left 2>/dev/null; fi
		n=$((n + 1)); sleep 0.1
	done
	n=0
	while is_alive "$(where runner)" "$(where runner_started)" && [ $n -lt 20 ]; do n=$((n + 1)); sleep 0.1; done
	return 0
}
