"""
What the server and its kernels use, at `api/metrics/v1` as jupyter-resource-usage tells it, with the memory of each kernel besides. Linux tells it in
/proc; elsewhere nothing is known. Import it before the server's handlers are used.
"""
import asyncio
import json
import os
import time

from jupyter_server.base.handlers import APIHandler
from jupyter_server.services.kernels import handlers
from tornado import web

PAGE = os.sysconf('SC_PAGE_SIZE') if hasattr(os, 'sysconf') else 0
TICKS = os.sysconf('SC_CLK_TCK') if hasattr(os, 'sysconf') else 0

# Seconds for which what was seen before says something of now.
RECENT = 30


def processes():
    """Of each process its parent, its bytes of resident memory and its seconds of processors, by id."""
    found = {}
    for name in os.listdir('/proc') if os.path.isdir('/proc/self') else ():
        if not name.isdigit():
            continue
        try:
            with open(f'/proc/{name}/stat') as file:
                # A name in brackets comes before them, which may hold anything.
                fields = file.read().rpartition(')')[2].split()
            found[int(name)] = (int(fields[1]), int(fields[21]) * PAGE, (int(fields[11]) + int(fields[12])) / TICKS)
        except (OSError, ValueError, IndexError):
            continue
    return found


def children(all_processes):
    """The ids of the processes below each."""
    below = {}
    for pid, (parent, _, _) in all_processes.items():
        below.setdefault(parent, []).append(pid)
    return below


def family(root, all_processes, below):
    """A process with all below it."""
    members, left = set(), [root]
    while left:
        pid = left.pop()
        if pid in all_processes and pid not in members:
            members.add(pid)
            left.extend(below.get(pid, ()))
    return members


class LoadHandler(APIHandler):
    # When, and the seconds of each process then.
    last = (float('-inf'), {})
    # Whoever looks does not use the server.
    _track_activity = False

    @web.authenticated
    async def get(self):
        # Of a machine with thousands of processes this takes a while: what cells print goes on meanwhile.
        found = await asyncio.get_running_loop().run_in_executor(None, processes)
        below = children(found)
        ours = family(os.getpid(), found, below)
        answer = {'limits': {}, 'cpu_count': len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count(), 'kernels': {}}
        if ours:
            answer['rss'] = sum(found[pid][1] for pid in ours)
            now, seconds = time.monotonic(), {pid: found[pid][2] for pid in ours}
            then, before = LoadHandler.last
            LoadHandler.last = (now, seconds)
            if 0 < now - then < RECENT:
                # Of one that is new all that it took.
                answer['cpu_percent'] = 100 * sum(max(0.0, spent - before.get(pid, 0.0)) for pid, spent in seconds.items()) / (now - then)
        for kernel_id in self.kernel_manager.list_kernel_ids():
            pid = getattr(getattr(self.kernel_manager.get_kernel(kernel_id), 'provisioner', None), 'pid', None)
            members = family(pid, found, below) if pid else []
            if members:
                answer['kernels'][kernel_id] = sum(found[each][1] for each in members)
        self.finish(json.dumps(answer))


handlers.default_handlers.append((r'/api/metrics/v1', LoadHandler))
