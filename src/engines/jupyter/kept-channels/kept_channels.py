"""
Channels that lose no messages when a connection breaks. Jupyter Server drops messages in transit, and
buffers later ones for a single session of a kernel. A client that reports the number of received
messages of its session in `Last-Event-ID` gets the rest in order. Other clients, such as browsers,
are not affected. Jupyter Server authorises connections before any of this.
"""
import os

import jupyter_server


def use(config):
    """Turns kept channels on. For a Jupyter configuration file, with its `c`."""
    # Kernels of a gateway, and their connections, are on another server.
    if os.environ.get('JUPYTER_GATEWAY_URL') or 'url' in config.GatewayClient:
        return
    major = int(jupyter_server.__version__.split('.')[0])
    if major == 1:
        import kept_handler
        kept_handler.use()
    elif major == 2:
        import kept_connection
        kept_connection.use(config)
