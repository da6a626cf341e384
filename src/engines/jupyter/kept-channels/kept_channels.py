"""
Kernel channels that lose no messages when a connection breaks. Jupyter Server itself loses messages in
transit, and buffers later messages for only one session of a kernel. A client that sends the number
of messages received in its session in `Last-Event-ID` gets the rest in order. Other clients, such as browsers,
are not affected. Jupyter Server authorises connections before any of this.
"""
import os

import jupyter_server


def use(config):
    """Turns the replay buffers on. Call it in a Jupyter configuration file with its object `c`."""
    # Kernels of a gateway and their connections are on another server, so nothing can be buffered
    # here.
    if os.environ.get('JUPYTER_GATEWAY_URL') or 'url' in config.GatewayClient:
        return
    major = int(jupyter_server.__version__.split('.')[0])
    if major == 1:
        import kept_handler
        kept_handler.use()
    elif major == 2:
        import kept_connection
        kept_connection.use(config)
