"""
Channels that lose nothing when their connection breaks. Jupyter Server drops what is on its way, and keeps what comes meanwhile for one session
of a kernel only. A client that says with `Last-Event-ID` how many messages of its session have come gets the others, in order; for all others,
such as a browser, which cannot say it, nothing changes. Who may connect is asked by Jupyter Server before any of this.
"""
import os

import jupyter_server


def use(config):
    """In a file of Jupyter's configuration, with its `c`."""
    # The kernels of a gateway are elsewhere, and their connections too.
    if os.environ.get('JUPYTER_GATEWAY_URL') or 'url' in config.GatewayClient:
        return
    major = int(jupyter_server.__version__.split('.')[0])
    if major == 1:
        import kept_handler
        kept_handler.use()
    elif major == 2:
        import kept_connection
        kept_connection.use(config)
