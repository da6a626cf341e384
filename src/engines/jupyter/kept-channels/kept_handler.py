"""Jupyter Server 1: kernel handlers with a replay buffer, for clients that count messages."""
from jupyter_server.base.zmqhandlers import WebSocketMixin
from jupyter_server.services.kernels import handlers
from kept_mailbox import came_before, take_up


class KeptChannelsHandler(handlers.ZMQChannelsHandler):
    box = None

    async def _register_session(self):
        stale = self._open_sessions.get(f'{self.kernel_id}:{self.session.session}')
        if stale is not None and stale.box is not None:
            # Does not wait for the connection to close, because the client may never respond.
            stale.leave()
            stale.close()
        await super()._register_session()

    def open(self, kernel_id):
        came = came_before(self)
        if came is None:
            return super().open(kernel_id)
        WebSocketMixin.open(self)
        self.kernel_manager.notify_connect(kernel_id)
        self.box, connected = take_up(self, self.kernel_manager, self, came)
        return connected

    def on_pong(self, data):
        super().on_pong(data)
        if self.box is not None:
            self.box.answered(self, data)

    def leave(self):
        if self._open_sessions.get(self.session_key) is self:
            self._open_sessions.pop(self.session_key)
        self.box.leave(self)

    def on_close(self):
        if self.box is None:
            super().on_close()
            return
        self.leave()
        if self.kernel_id in self.kernel_manager:
            self.kernel_manager.notify_disconnect(self.kernel_id)
        self.channels = {}
        if not self._close_future.done():
            self._close_future.set_result(None)


def use():
    """Patches the server's handlers. Call it before they are used."""
    handlers.default_handlers[:] = [
        (path, KeptChannelsHandler if handler is handlers.ZMQChannelsHandler else handler)
        for path, handler in handlers.default_handlers
    ]
