# Runs in a login shell on the server's machine. Set before: the folders run and code, and python.
umask 077
# A requeued job starts here again, so the results of its earlier run are removed.
rm -f "$run/ended" "$run/where" "$run/time-nearly-up"
export SVC_RUN="$run"
: >"$run/begun"
ended() { echo "$1" >"$run/ended.new" && mv "$run/ended.new" "$run/ended"; }
# If the server is stopped while the setup lines run, Jupyter is not started.
place=
trap '[ -z "$place" ] || rm -rf "$place"; ended "exit 143 told"; exit 143' TERM INT HUP
[ -s "$run/setup.sh" ] && . "$run/setup.sh"
unset XDG_RUNTIME_DIR JUPYTER_PATH
# The path of a socket may have at most 107 bytes, and network file systems do not support sockets.
place=$(mktemp -d "${TMPDIR:-/tmp}/svc-XXXXXXXX" 2>/dev/null) || place=$(mktemp -d /tmp/svc-XXXXXXXX) || { echo 'svc-tui: no folder for the socket' >&2; ended 'exit 73'; exit 73; }
[ ${#place} -lt 90 ] || { rmdir "$place"; place=$(mktemp -d /tmp/svc-XXXXXXXX); }
export SVC_PLACE="$place" JUPYTER_CONFIG_DIR="$code" JUPYTER_RUNTIME_DIR="$place" IPYTHONDIR="$place/ipython"
trap 'date +%s >"$run/time-nearly-up"' USR1
trap 'told=" told"; kill -TERM $child 2>/dev/null' TERM INT HUP
cd "$(cat "$run/root")" || { ended 'exit 72'; exit 72; }
# Names the configuration explicitly, so that the server fails if the file is missing. Without it,
# the server would listen on a port, which all users of the machine can access.
set -- --no-browser --MappingKernelManager.cull_busy=False --config="$code/jupyter_server_config.py"
case $python in
uv\ *)
	# Folders used by uv's installer are not on the PATH of every login shell.
	PATH=$PATH:$HOME/.local/bin:$HOME/.cargo/bin
	$python python -m jupyter_server "$@" & ;;
*) "$python" -m jupyter_server "$@" & ;;
esac
child=$!
start_of() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
echo "pid $child
started $(start_of $child)
runner $$
runner_started $(start_of $$)
boot $(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
host $(hostname 2>/dev/null || uname -n)
node ${SLURMD_NODENAME:-}
socket $place/s
job ${SLURM_JOB_ID:-}
restarts ${SLURM_RESTART_COUNT:-0}" >"$run/where.new" && mv "$run/where.new" "$run/where"
# `wait` also returns when a signal arrives, so it is repeated until the server has ended.
while kill -0 $child 2>/dev/null; do wait $child; result=$?; done
ended "exit $result${told-}"
rm -rf "$place"
exit $result
