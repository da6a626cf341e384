# Ends the server `id` and its remaining processes, and removes its socket.
run=$base/servers/$id
kind=$(cat "$run/kind" 2>/dev/null)
case $kind in job) end_job ;; *) end_process ;; esac
place=$(where socket)
place=${place%/s}
case $place in */svc-????????) [ -O "$place" ] && rm -rf "$place" ;; esac
[ -d "$run" ] && [ ! -e "$run/ended" ] && echo 'stopped' 2>/dev/null >"$run/ended"
finish
