"""
Configuration of a Jupyter Server. Its settings are in a file beside this one that only its user can
read, because all users of the machine can read a process's arguments.
"""
import json
import os
import resource
import signal
import sys
import threading
import time
from importlib.util import find_spec

c = get_config()  # noqa: F821
with open(os.path.join(os.path.dirname(__file__), 'settings.json')) as file:
    own = json.load(file)

c.ServerApp.ip = '127.0.0.1'
c.ServerApp.port = own['port']
c.ServerApp.port_retries = 100
c.ServerApp.base_url = own['base_url']
c.ServerApp.root_dir = own['root']
c.ServerApp.token = own['token']
c.ServerApp.password = ''
c.ServerApp.open_browser = False
c.ServerApp.allow_root = hasattr(os, 'getuid') and os.getuid() == 0
c.ServerApp.quit_button = False
# The service itself limits the output of a cell. Jupyter's limits would drop output.
c.ServerApp.iopub_msg_rate_limit = 0
c.ServerApp.iopub_data_rate_limit = 0
c.ContentsManager.allow_hidden = True
# Seconds between checks whether a kernel has died, and seconds that a kernel has for shutting down.
c.KernelRestarter.time_to_dead = 0.5
c.KernelManager.shutdown_wait_time = 1.0
here = os.path.dirname(__file__)
sys.path[:0] = [here, os.path.join(here, 'kept-channels')]
if int(__import__('jupyter_server').__version__.split('.')[0]) >= 2:
    c.IdentityProvider.token = own['token']
    c.ZMQChannelsWebsocketConnection.iopub_msg_rate_limit = 0
    c.ZMQChannelsWebsocketConnection.iopub_data_rate_limit = 0
import kept_channels  # noqa: E402
kept_channels.use(c)
try:
    import kernel_state
    kernel_state.use()
except Exception as error:  # A kernel may then be listed as idle while its code runs.
    print(f'the states of kernels are not corrected: {error!r}', file=sys.stderr)
try:
    import server_load  # noqa: F401
except Exception as error:  # The server works without it.
    print(f'the load of this server cannot be shown: {error}', file=sys.stderr)
del sys.path[:2]
# The classic Notebook before version 7 is not part of this server. Later versions include
# JupyterLab.
for package, page in (('jupyterlab', '/lab'), ('nbclassic', '/tree')):
    if find_spec(package):
        c.ServerApp.default_url = page
        break

# TCP_NODELAY is needed: without it, every message of a kernel would wait 40 ms for a network
# acknowledgement.
import tornado.websocket  # noqa: E402

receive = tornado.websocket.WebSocketProtocol13._receive_frame_loop


async def receive_without_delay(self):
    self.stream.set_nodelay(True)
    await receive(self)


tornado.websocket.WebSocketProtocol13._receive_frame_loop = receive_without_delay

if hasattr(os, 'sched_setaffinity'):
    cpus = sorted(os.sched_getaffinity(0))
    first = os.getpid() % len(cpus)
    os.sched_setaffinity(0, {cpus[(first + n) % len(cpus)] for n in range(min(own['cpus'], len(cpus)))})
if sys.platform == 'linux' and own['memory']:
    # Applies to each process separately, because the system has no such limit for a group of
    # processes. RLIMIT_DATA does not count reserved memory.
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (own['memory'] if hard == resource.RLIM_INFINITY else min(own['memory'], hard), hard))


def end_kernels():
    from jupyter_server.serverapp import ServerApp
    manager = ServerApp.instance().kernel_manager
    for kernel_id in manager.list_kernel_ids():
        kernel = manager.get_kernel(kernel_id)
        pid = getattr(getattr(kernel, 'provisioner', None), 'pid', None)
        if pid:
            try:
                os.killpg(pid, signal.SIGKILL)
            except OSError:
                pass


def watch_parent():
    """Ends the kernels and the server when the service closes standard input or ends."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(1.0)
    try:
        end_kernels()
    finally:
        os._exit(1)


if not any(thread.name == 'watch-parent' for thread in threading.enumerate()):
    threading.Thread(target=watch_parent, name='watch-parent', daemon=True).start()
