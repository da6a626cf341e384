"""
Configuration of a Jupyter Server on another machine. Its settings are in a file that only its user
can read.
"""
import json
import os
import signal
import sys

c = get_config()  # noqa: F821
# A shell makes its background processes ignore interrupts, and kernels would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
with open(os.path.join(os.environ['SVC_RUN'], 'settings.json')) as file:
    own = json.load(file)
place = os.environ['SVC_PLACE']
# The socket is in a folder with mode 0700, so that other users of the machine cannot connect.
c.ServerApp.sock = os.path.join(place, 's')
c.ServerApp.sock_mode = '0600'
c.ServerApp.base_url = own['base_url']
c.ServerApp.root_dir = os.getcwd()
c.ServerApp.token = own['token']
c.ServerApp.password = ''
c.ServerApp.open_browser = False
c.ServerApp.allow_root = hasattr(os, 'getuid') and os.getuid() == 0
# Requests contain the host name of the tunnel, not of this machine.
c.ServerApp.allow_remote_access = True
c.ServerApp.quit_button = False
c.ServerApp.iopub_msg_rate_limit = 0
c.ServerApp.iopub_data_rate_limit = 0
c.ContentsManager.allow_hidden = True
c.KernelRestarter.time_to_dead = 0.5
c.KernelManager.shutdown_wait_time = 1.0
# Kernels would by default listen on ports, which all users of the machine can access.
c.KernelManager.transport = 'ipc'
if own['grace']:
    # Seconds without activity after which kernels end, and then the server.
    c.MappingKernelManager.cull_idle_timeout = own['grace']
    c.MappingKernelManager.cull_interval = 60
    c.ServerApp.shutdown_no_activity_timeout = own['grace']
here = os.environ['JUPYTER_CONFIG_DIR']
sys.path[:0] = [here, os.path.join(here, 'kept-channels')]
if int(__import__('jupyter_server').__version__.split('.')[0]) >= 2:
    c.IdentityProvider.token = own['token']
    c.ZMQChannelsWebsocketConnection.iopub_msg_rate_limit = 0
    c.ZMQChannelsWebsocketConnection.iopub_data_rate_limit = 0
try:
    import kept_channels
    kept_channels.use(c)
except Exception as error:  # The server works without it, too.
    print(f'svc-tui: output on its way will be lost when a connection breaks: {error!r}', file=sys.stderr)
try:
    import server_load  # noqa: F401
except Exception as error:  # The server works without it, too.
    print(f'svc-tui: the load of this server cannot be shown: {error!r}', file=sys.stderr)
del sys.path[:2]
