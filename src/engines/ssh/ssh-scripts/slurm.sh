# Servers that run as Slurm jobs: launch_job, look_job and end_job. `probe_slurm` prints the
# partitions.

# Unsets Slurm's variables, because they would tie a new job to an outer job, or change the output
# of commands.
slurm_environment() {
	for name in $(env | sed -n 's/^\(SLURM_[A-Z0-9_]*\|SBATCH_[A-Z0-9_]*\|SQUEUE_[A-Z0-9_]*\|SINFO_[A-Z0-9_]*\|SCANCEL_[A-Z0-9_]*\|SACCT_[A-Z0-9_]*\)=.*/\1/p'); do
		[ "$name" = SLURM_CONF ] || unset "$name"
	done
	LC_ALL=C TZ=UTC0 SLURM_TIME_FORMAT=%s
	export LC_ALL TZ SLURM_TIME_FORMAT
}
# Runs a command with a limit in seconds and a limit in bytes. The time limit is needed because a
# controller that is down makes its clients wait. A command with too much output fails. Inside, the
# exit code is written to descriptor 3 and the output to descriptor 4.
limited() {
	seconds=$1 bytes=$2
	shift 2
	{ exit_code=$({ { timeout "$seconds" "$@" 3>&- 4>&-; echo $? >&3; } | head -c "$bytes" >&4; } 3>&1); } 4>&1
	return "$exit_code"
}
slurm() { limited 5 400000 "$@"; }
# Reports the error of a command, cut if it is long.
say_queue_error() { say queue_error "$(printf %s "$1" | head -c 300)"; }
is_silent() { case $1 in *'nable to contact'* | *'imed out'* | *onnection* | *'ocket'*) return 0 ;; *) return 1 ;; esac; }

probe_slurm() {
	command -v sbatch >/dev/null 2>&1 || return 0
	slurm_environment
	say slurm "$(sbatch --version 2>/dev/null)"
	if told=$(limited 10 4000000 sinfo -h -O "$sinfo_columns" 2>&1); then
		printf '%s\n' "$told" | head -n 4000 | cut -c "$sinfo_ranges" --output-delimiter='|' | sed 's/  *|/|/g' | while read -r line; do say nodes "$line"; done
	else
		say slurm_error "$(printf %s "${told:-sinfo does not answer}" | head -c 300)"
		return 0
	fi
	told=$(limited 10 4000000 squeue -h -t PENDING -o '%P|%S' 2>/dev/null) || return 0
	say queue_known yes
	printf '%s\n' "$told" | head -n 4000 | while read -r line; do [ -z "$line" ] || say waiting "$line"; done
}

keep_job() { [ -z "$1" ] || { printf '%s\n' "$1" >"$run/job.new" && mv "$run/job.new" "$run/job"; }; }

# The file `submitting` identifies the process that runs sbatch. The file `job` is written before
# the result is printed.
launch_job() {
	slurm_environment
	printf '%s\n' "$client_key" 2>/dev/null >"$run/authorized_keys" || fail no-space
	rm -f "$run/listening" "$run/beat" "$run/refused"
	if [ ! -s "$run/host_key.pub" ]; then
		rm -f "$run/host_key"
		ssh-keygen -q -t ed25519 -N '' -C svc-tui -f "$run/host_key" >/dev/null 2>&1
	fi
	cat 2>/dev/null >"$run/batch.sh" <<END || fail no-space
#!/bin/sh
cd $(quoted "$run") || exit 73
rm -f where ended listening
{
	until s=\$(sed -n 's/^socket //p' where 2>/dev/null) && [ -S "\$s" ]; do sleep 0.3; done
	: >listening
	while :; do : >beat; sleep 30; done
} &
exec ./run.sh
END
	# Script for nodes that accept no ssh: it starts an sshd for this user only, within the job.
	# With -i, sshd serves one connection on its standard input.
	cat 2>/dev/null >"$run/enter.sh" <<END || fail no-space
cd $(quoted "$run") || exit 73
SVC_RUN=$(quoted "$run") && export SVC_RUN
for sshd in /usr/sbin/sshd /usr/bin/sshd /usr/lib/ssh/sshd; do [ -x "\$sshd" ] && break; done
exec srun --jobid="\$(cat job)" --overlap --unbuffered --ntasks=1 --nodes=1 --quiet "\$sshd" -i -f /dev/null -o UsePAM=no -o StrictModes=no -o HostKey=$(quoted "$run/host_key") -o AuthorizedKeysFile=$(quoted "$run/authorized_keys") -o AllowStreamLocalForwarding=yes -o PermitTTY=no -o X11Forwarding=no
END
	chmod 700 "$run/batch.sh"
	printf '%s %s %s' "$(host_name)" $$ "$(start_of $$)" 2>/dev/null >"$run/submitting" || fail no-space
	output=$(printf %s "$run/log" | sed 's/%/%%/g')
	eval "set -- $sbatch_words"
	if said=$(cd "$run" && timeout 50 sbatch --parsable --job-name="svc-$id-$order" --output="$output" --open-mode=append --signal=B:USR1@60 --export=HOME,USER,LOGNAME,SHELL --nodes=1 --ntasks=1 "$@" "$run/batch.sh" 2>&1); then
		# The name of a cluster may follow the ID, and messages of the site may precede it.
		job=$(printf '%s\n' "$said" | sed -n 's/^\([0-9][0-9]*\)\(;.*\)\{0,1\}$/\1/p' | tail -n 1)
		keep_job "$job"
		rm -f "$run/submitting"
		say job "$job"
		return 0
	fi
	rm -f "$run/submitting"
	# Slurm may have accepted the job despite the error. In that case find_job finds it by its name.
	printf '%s\n' "$said" >"$run/refused"
	is_silent "${said:-imed out}" || fail refused "$(printf '%s\n' "$said" | sed -n 's/^sbatch: error: //p' | tail -n 1)"
}

start_of() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

# Finds and stores the ID of a job whose submission was interrupted.
find_job() {
	found=$(slurm squeue -h -t all -u "$(id -un)" -n "svc-$id-$(cat "$run/order" 2>/dev/null)" -o '%A' 2>&1) || return 1
	job=$(printf '%s\n' "$found" | sed -n '/^[0-9][0-9]*$/p' | tail -n 1)
	keep_job "$job"
}

# Queries the jobs of all servers at once. Sets `queue`, or `queue_error` if the query failed.
ask_queue() {
	[ -z "${queue_asked-}" ] || return 0
	queue_asked=yes queue='' queue_error=''
	slurm_environment
	jobs=$(for each in ${ids:-$(ls "$base/servers" 2>/dev/null)}; do cat "$base/servers/$each/job" 2>/dev/null; done | paste -sd, -)
	[ -n "$jobs" ] || return 0
	queue=$(slurm squeue -h -t all -j "$jobs" -o '%A|%T|%N|%S|%e|%P|%l|%r' 2>&1) && return 0
	case $queue in
	*'nvalid job id'*) queue='' ;;
	*) queue_error=${queue:-squeue does not answer} queue='' ;;
	esac
}

look_job() {
	ask_queue
	first_line "$run/job"
	job=$value
	read -r key_type key_text rest 2>/dev/null <"$run/host_key.pub" && say host_key "$key_type $key_text"
	say run "$run"
	say user "$this_user"
	[ "$at_host" = "$this_host" ] && say here yes
	[ -e "$run/time-nearly-up" ] && say nearly_up yes
	[ -e "$run/listening" ] && say listens yes
	[ -e "$run/beat" ] && say beat $(($(date +%s) - $(stat -c %Y "$run/beat" 2>/dev/null || echo 0)))
	if [ -z "$job" ]; then
		read -r machine pid started 2>/dev/null <"$run/submitting"
		if [ -e "$run/submitting" ] && [ "$machine" = "$this_host" ] && is_alive "$pid" "$started"; then
			say submitting yes
			return 0
		fi
		find_job || { say_queue_error "${found:-squeue does not answer}"; return 0; }
		[ -n "$job" ] || { say submitting no; say refused "$(cat "$run/refused" 2>/dev/null)"; return 0; }
	fi
	say number "$job"
	[ -z "$queue_error" ] || { say_queue_error "$queue_error"; return 0; }
	line=''
	case $nl$queue in
	*"$nl$job|"*)
		line=$nl$queue
		line="$job|${line##*"$nl$job|"}"
		line=${line%%"$nl"*}
		;;
	esac
	if [ -z "$line" ]; then
		# Verifies that a job is missing, because squeue also omits jobs while Slurm has no
		# information about them.
		said=$(slurm scontrol -o show job "$job" 2>&1)
		case $said in
		*JobState=*) line=$(printf '%s\n' "$said" | sed -n 's/.* JobState=\([A-Z_]*\) Reason=\([^ ]*\).* TimeLimit=\([^ ]*\).* StartTime=\([^ ]*\).* EndTime=\([^ ]*\).* Partition=\([^ ]*\).* NodeList=\([^ ]*\).*/'"$job"'|\1|\7|\4|\5|\6|\3|\2/p' | tail -n 1) ;;
		*'nvalid job id'*)
			say gone yes
			said=$(slurm sacct -nXP -j "$job" -o jobid,state,nodelist,start,end,partition,timelimit,reason 2>/dev/null | grep "^$job|" | tail -n 1) && [ -n "$said" ] && line=$said
			;;
		*) say_queue_error "${said:-scontrol does not answer}"; return 0 ;;
		esac
	fi
	[ -z "$line" ] || say queue "$line"
	case $line in
	*'|PENDING|'*)
		ahead=$(slurm squeue -h -t PENDING -p "$(printf %s "$line" | cut -d'|' -f6)" -o '%A' --sort=-p,i 2>/dev/null) &&
			say place "$(printf '%s\n' "$ahead" | grep -nx "$job" | cut -d: -f1)" && say waiting "$(printf '%s\n' "$ahead" | grep -c .)"
		;;
	esac
	# A running or waiting job has not ended, so the log is not searched.
	case $line in *'|RUNNING|'* | *'|PENDING|'*) return 0 ;; esac
	said=$(grep -a -o 'DUE TO [A-Z ]*\|CANCELLED AT [0-9T:-]*' "$run/log" 2>/dev/null | tail -n 1)
	[ -z "$said" ] || say killed "$said"
	# Message of Slurm's accounting, or of its handler for the cgroup's memory limit.
	said=$(grep -a -o '^slurmstepd.*xceeded .*memory limit\|^slurmstepd.*oom.kill event' "$run/log" 2>/dev/null | tail -n 1)
	[ -z "$said" ] || say memory "$said"
}

cancel_job() {
	slurm_environment
	job=$(cat "$run/job" 2>/dev/null)
	[ -n "$job" ] || find_job || fail silent "$found"
	[ -n "$job" ] || return 0
	said=$(slurm scancel "$job" 2>&1)
	code=$?
	case $said in
	*'nvalid job id'* | *'lready complet'*) ;;
	*) [ $code -eq 0 ] || { [ $code -eq 124 ] || is_silent "$said" && fail silent "$job"; fail refused "$said"; } ;;
	esac
	n=0
	while [ $n -lt 90 ]; do
		n=$((n + 1))
		said=$(slurm squeue -h -j "$job" -o '%T' 2>&1)
		code=$?
		case $said in
		'' | *'nvalid job id'*) [ $code -ne 124 ] && { [ -e "$run/ended" ] || [ ! -e "$run/where" ] || [ $n -gt 10 ]; } && return 0 ;;
		esac
		sleep 0.5
	done
	fail lingers "$job"
}

end_job() {
	cancel_job
	# An srun waits forever if the controller was down when its step ended, so it is killed.
	left=$(own_processes)
	[ -z "$left" ] || kill -KILL $left 2>/dev/null
	return 0
}
