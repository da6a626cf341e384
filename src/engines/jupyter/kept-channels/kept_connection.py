"""Jupyter Server 2: kernel connections with a replay buffer, for clients that count messages."""
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from kept_mailbox import came_before, take_up


class KeptConnection(ZMQChannelsWebsocketConnection):
    box = None

    async def _register_session(self):
        stale = self._open_sessions.get(f'{self.kernel_id}:{self.session.session}')
        connection = getattr(stale, 'connection', None)
        if connection is not None and connection.box is not None:
            connection.leave()
            stale.close()
        await super()._register_session()

    def connect(self):
        socket = self.websocket_handler
        came = came_before(socket)
        if came is None:
            return super().connect()
        manager = self.multi_kernel_manager
        manager.notify_connect(self.kernel_id)
        self.box, connected = take_up(self, manager, socket, came)
        told = socket.on_pong

        def on_pong(data):
            told(data)
            self.box.answered(socket, data)

        socket.on_pong = on_pong
        return connected

    def leave(self):
        if self._open_sessions.get(self.session_key) is self.websocket_handler:
            self._open_sessions.pop(self.session_key)
        self.box.leave(self.websocket_handler)

    def disconnect(self):
        if self.box is None:
            super().disconnect()
            return
        # Jupyter calls this twice: when the connection is closed, and when it has ended.
        if self._close_future.done():
            return
        self.leave()
        if self.kernel_id in self.multi_kernel_manager:
            self.multi_kernel_manager.notify_disconnect(self.kernel_id)
        self.channels = {}
        self._close_future.set_result(None)


def use(config):
    config.ServerApp.kernel_websocket_connection_class = KeptConnection
