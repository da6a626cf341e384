"""
Resource use of the server and its kernels at `api/metrics/v1`, like jupyter-resource-usage, with the
memory of each kernel and the GPUs. Reads /proc on Linux and runs nvidia-smi. Values are unknown elsewhere.
Import it before the server's handlers are used.
"""
import asyncio
import json
import os
import shutil
import subprocess
import time

from jupyter_server.base.handlers import APIHandler
from jupyter_server.services.kernels import handlers
from tornado import web

PAGE = os.sysconf('SC_PAGE_SIZE') if hasattr(os, 'sysconf') else 0
TICKS = os.sysconf('SC_CLK_TCK') if hasattr(os, 'sysconf') else 0

MIB = 1 << 20
# GPU_LIMIT: time limit of the GPU query, in seconds. The query takes longer on idle GPUs.
# GPU_PATIENCE: seconds for which a response waits for the query.
GPU_LIMIT = 10
GPU_PATIENCE = 0.5

# Maximum age of earlier values that are still used, in seconds.
RECENT = 30


def processes():
    """Parent, resident memory in bytes and CPU seconds of each process, by id."""
    found = {}
    for name in os.listdir('/proc') if os.path.isdir('/proc/self') else ():
        if not name.isdigit():
            continue
        try:
            with open(f'/proc/{name}/stat') as file:
                # The fields follow the process name, which is in parentheses and may contain any
                # character.
                fields = file.read().rpartition(')')[2].split()
            found[int(name)] = (int(fields[1]), int(fields[21]) * PAGE, (int(fields[11]) + int(fields[12])) / TICKS)
        except (OSError, ValueError, IndexError):
            continue
    return found


def shared_memory(pid, resident):
    """Memory in bytes, with the process's share of shared pages. `resident` if unknown."""
    try:
        with open(f'/proc/{pid}/smaps_rollup') as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith('Pss:'))
    except (OSError, ValueError, IndexError, StopIteration):
        return resident


def gpus():
    """Utilisation in percent and memory in bytes of each NVIDIA GPU. None if unknown."""
    program = shutil.which('nvidia-smi')
    if program is None:
        return None
    asked = [program, '--query-gpu=utilization.gpu,memory.used,memory.total', '--format=csv,noheader,nounits']
    try:
        told = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=GPU_LIMIT, check=True).stdout
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    # Treats `[N/A]` and `[Not Supported]` as missing.
    rows = [[float(word) if word.strip().replace('.', '', 1).isdigit() else None for word in line.split(',')] for line in told.splitlines() if line.strip()]
    return [
        {'percent': percent, 'memory': used and used * MIB, 'memory_limit': most and most * MIB}
        for percent, used, most in (row for row in rows if len(row) == 3)
    ] or None


def children(all_processes):
    """Ids of child processes by parent."""
    below = {}
    for pid, (parent, _, _) in all_processes.items():
        below.setdefault(parent, []).append(pid)
    return below


def family(root, all_processes, below):
    """A process with all its descendants."""
    members, left = set(), [root]
    while left:
        pid = left.pop()
        if pid in all_processes and pid not in members:
            members.add(pid)
            left.extend(below.get(pid, ()))
    return members


class LoadHandler(APIHandler):
    # Time of the last sample, and CPU seconds of each process at that time.
    last = (float('-inf'), {})
    # `gpus_asked`: the last GPU query. `gpus_told`: time and result of the last completed query.
    gpus_asked = None
    gpus_told = (float('-inf'), None)
    # Requests for the load do not count as use of the server.
    _track_activity = False

    async def known_gpus(self):
        """Recent GPU values, or None. Waits only briefly, so that responses are not delayed."""
        if LoadHandler.gpus_asked is None or LoadHandler.gpus_asked.done():
            async def ask():
                found = await asyncio.get_running_loop().run_in_executor(None, gpus)
                LoadHandler.gpus_told = (time.monotonic(), found)
            LoadHandler.gpus_asked = asyncio.ensure_future(ask())
        await asyncio.wait([LoadHandler.gpus_asked], timeout=GPU_PATIENCE)
        when, found = LoadHandler.gpus_told
        return found if time.monotonic() - when < RECENT else None

    @web.authenticated
    async def get(self):
        loop = asyncio.get_running_loop()
        asking_gpus = asyncio.ensure_future(self.known_gpus())
        # Run in a thread, because it is slow with thousands of processes.
        found = await loop.run_in_executor(None, processes)
        below = children(found)
        ours = family(os.getpid(), found, below)
        memory = await loop.run_in_executor(None, lambda: {pid: shared_memory(pid, found[pid][1]) for pid in ours})
        answer = {'limits': {}, 'cpu_count': len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count(), 'kernels': {}}
        if ours:
            answer['rss'] = sum(found[pid][1] for pid in ours)
            answer['pss'] = sum(memory.values())
            now, seconds = time.monotonic(), {pid: found[pid][2] for pid in ours}
            then, before = LoadHandler.last
            LoadHandler.last = (now, seconds)
            if 0 < now - then < RECENT:
                # A new process counts with all its CPU time.
                answer['cpu_percent'] = 100 * sum(max(0.0, spent - before.get(pid, 0.0)) for pid, spent in seconds.items()) / (now - then)
        for kernel_id in self.kernel_manager.list_kernel_ids():
            pid = getattr(getattr(self.kernel_manager.get_kernel(kernel_id), 'provisioner', None), 'pid', None)
            members = family(pid, found, below) if pid else []
            if members:
                answer['kernels'][kernel_id] = sum(memory.get(each, found[each][1]) for each in members)
        answer['gpus'] = await asking_gpus
        self.finish(json.dumps(answer))


handlers.default_handlers.append((r'/api/metrics/v1', LoadHandler))
