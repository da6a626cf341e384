"""
Configuration for servers of a JupyterHub, and others that svc-tui does not start: add this folder to
JUPYTER_CONFIG_PATH.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import kept_channels
    kept_channels.use(get_config())  # noqa: F821
except Exception as error:  # The server works without it, too.
    print(f'svc-tui: what is on its way when a connection breaks will be lost: {error!r}', file=sys.stderr)
try:
    import kernel_state
    kernel_state.use()
except Exception as error:
    print(f'svc-tui: a kernel may be listed as idle while code runs in it: {error!r}', file=sys.stderr)
del sys.path[0]
