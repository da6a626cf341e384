# Prints the resources of the host: machine, GPUs, Pythons. `python` is the Python that the user
# chose. `setup` contains the user's shell lines, which may select a Python.
LC_ALL=C; export LC_ALL
say host "$(host_name)"
say home "$HOME"
say system "$(uname -sm)"
say user "$(id -un 2>/dev/null || id -u)"
say cpus "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)"
[ -r /proc/meminfo ] && say memory_kb "$(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo)"
command -v nvidia-smi >/dev/null 2>&1 && nvidia-smi --query-gpu=index,name,memory.total,uuid --format=csv,noheader,nounits 2>/dev/null </dev/null | head -n 64 | while read -r line; do say gpu "$line"; done
# Writes content to the file, because a full disk often still accepts an empty file.
if mkdir -p "$base" 2>/dev/null && head -c 4096 /dev/zero 2>/dev/null >"$base/.probe" && [ "$(wc -c 2>/dev/null <"$base/.probe")" -eq 4096 ]; then say writable yes; else say writable no; fi
rm -f "$base/.probe" 2>/dev/null
PATH=$PATH:$HOME/.local/bin:$HOME/.cargo/bin
for tool in uv conda sbatch; do command -v $tool >/dev/null 2>&1 && say tool "$tool"; done
# Checks each Python for packages without importing them, because a first import over NFS is slow.
look='import importlib.util as u, sys
try: from importlib.metadata import version
except ImportError: version = lambda name: "?"
has = lambda name: u.find_spec(name) is not None
print(sys.version.split()[0], version("jupyter_server") if has("jupyter_server") else "-", version("ipykernel") if has("ipykernel") else "-")'
# Runs the setup lines as for a server, and checks the Python that they select in the same shell,
# because it may need their variables.
setup_python() {
	[ -n "$setup" ] && printf '%s\n' "$setup" "own=\$(command -v python3 || command -v python) && said=\$(\"\$own\" -c $(quoted "$look")) && printf '\n%s %s %s\n' $nonce-setup \"\$said\" \"\$own\"" 2>/dev/null >"$base/.setup" || return 0
	shell='/bin/bash -l'
	[ -x /bin/bash ] || shell=/bin/sh
	timeout 10 $shell "$base/.setup" 2>/dev/null </dev/null | sed -n "s/^$nonce-setup //p"
	rm -f "$base/.setup"
}
selected=$(setup_python)
[ -z "$selected" ] || say python "$selected"
selected=${selected##* /}
{
	case $python in '~/'*) printf '%s\n' "$HOME/${python#'~/'}" ;; ?*) printf '%s\n' "$python" ;; esac
	for place in "$HOME"/.venv "$HOME"/venv "$HOME"/*/.venv "$HOME"/miniconda3 "$HOME"/miniforge3 "$HOME"/anaconda3 "$HOME"/miniconda3/envs/* "$HOME"/miniforge3/envs/* "$HOME"/anaconda3/envs/*; do
		[ -x "$place/bin/python" ] && printf '%s\n' "$place/bin/python"
	done
	[ -r "$HOME/.conda/environments.txt" ] && sed 's#$#/bin/python#' "$HOME/.conda/environments.txt"
	command -v python3 2>/dev/null
} | awk '!seen[$0]++' | head -n 40 | while read -r each; do
	[ "${selected:+/$selected}" != "$each" ] && [ -x "$each" ] && said=$("$each" -c "$look" 2>/dev/null </dev/null) && say python "$said $each"
done
probe_slurm
finish
