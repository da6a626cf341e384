"""
Configuration of a Jupyter Server on another machine. Its settings are in a file that only its user
can read.
"""
import json
import os
import signal
import sys

c = get_config()  # noqa: F821
# A shell lets its background processes ignore interrupts, and kernels inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
with open(os.path.join(os.environ['SVC_RUN'], 'settings.json')) as file:
    own = json.load(file)
place = os.environ['SVC_PLACE']
# A socket in a folder of mode 0700: other users of the machine cannot connect.
c.ServerApp.sock = os.path.join(place, 's')
c.ServerApp.sock_mode = '0600'
c.ServerApp.base_url = own['base_url']
c.ServerApp.root_dir = os.getcwd()
c.ServerApp.token = own['token']
c.ServerApp.password = ''
c.ServerApp.open_browser = False
c.ServerApp.allow_root = hasattr(os, 'getuid') and os.getuid() == 0
# Requests arrive with the host name of the tunnel.
c.ServerApp.allow_remote_access = True
c.ServerApp.quit_button = False
c.ServerApp.iopub_msg_rate_limit = 0
c.ServerApp.iopub_data_rate_limit = 0
c.ContentsManager.allow_hidden = True
c.KernelRestarter.time_to_dead = 0.5
c.KernelManager.shutdown_wait_time = 1.0
# Kernels would listen on ports by default, which all users of the machine can reach.
c.KernelManager.transport = 'ipc'
if own['grace']:
    # Seconds without any activity until kernels end, then the server.
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
except Exception as error:  # The server works without it.
    print(f'svc-tui: output on its way will be lost when a connection breaks: {error!r}', file=sys.stderr)
try:
    import server_load  # noqa: F401
except Exception as error:  # The server works without it.
    print(f'svc-tui: the load of this server cannot be shown: {error!r}', file=sys.stderr)
del sys.path[:2]
