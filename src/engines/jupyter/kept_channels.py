"""
Channels that lose nothing when their connection breaks. Jupyter Server drops what is on its way, and keeps what comes meanwhile for one session
of a kernel only. A client that says with `Last-Event-ID` how many messages of its session have come gets the others, in order.
Import it before the server's handlers are used. Jupyter Server 1; later ones are left as they are.
"""
import json
from collections import deque

from jupyter_server.base.zmqhandlers import WebSocketMixin, json_default, serialize_binary_message
from jupyter_server.services.kernels import handlers
from tornado.websocket import WebSocketClosedError

# Characters that wait for one session, of replies and states twice as many; and those that may be on their way.
WAITING = 64 << 20
FLYING = 2 << 20
# Sessions that are kept for a client that comes back.
KEPT = 8
OUTPUTS = {'stream', 'display_data', 'update_display_data', 'execute_result'}


class Mailbox:
    """What a kernel tells one session, until the session says that it has come. It owns the session's sockets to the kernel."""

    def __init__(self, handler, number):
        self.handler = handler
        self.log = handler.log
        self.channels = handler.channels
        self.session = handler.session
        self.kernel_id = handler.kernel_id
        self.manager = handler.kernel_manager
        self.waiting = deque()
        self.waiting_size = 0
        self.flying = deque()
        self.flying_size = 0
        # Messages of the session before the first that flies, and those of which it was last asked whether they have come.
        self.gone = self.asked = number
        self.lost = 0
        self.lost_parent = None
        self.manager.add_restart_callback(self.kernel_id, self.restarted)
        self.manager.add_restart_callback(self.kernel_id, self.died, 'dead')

    def listen(self):
        for stream in self.channels.values():
            if not stream.closed():
                stream.on_recv_stream(self.receive)

    def receive(self, stream, parts):
        try:
            message = self.session.deserialize(self.session.feed_identities(parts)[1])
        except Exception:
            self.log.warning('Malformed message of kernel %s', self.kernel_id, exc_info=True)
            return
        message['channel'] = stream.channel
        self.add(message)

    def add(self, message):
        data = serialize_binary_message(message) if message['buffers'] else json.dumps(message, default=json_default)
        limit = WAITING if message['header']['msg_type'] in OUTPUTS else 2 * WAITING
        if self.waiting_size + len(data) > limit:
            if self.lost_parent is not None and self.lost_parent != message['parent_header']:
                self.tell_lost()
            self.lost += 1
            self.lost_parent = message['parent_header']
            return
        self.tell_lost()
        self.keep(data)
        self.pump()

    def keep(self, data):
        self.waiting.append(data)
        self.waiting_size += len(data)

    def tell_lost(self):
        if self.lost == 0:
            return
        text = f'… {self.lost} pieces of output were left out here: they came faster than they were taken …\n'
        message = self.session.msg('stream', content={'name': 'stderr', 'text': text}, parent={'header': self.lost_parent})
        message.update(channel='iopub', buffers=[])
        self.lost = 0
        self.lost_parent = None
        self.keep(json.dumps(message, default=json_default))

    def pump(self):
        try:
            while self.handler is not None and self.waiting and self.flying_size < FLYING:
                data = self.waiting.popleft()
                self.waiting_size -= len(data)
                self.flying.append(data)
                self.flying_size += len(data)
                sent = self.handler.write_message(data, binary=isinstance(data, bytes))
                # A connection that broke is told of by its end.
                sent.add_done_callback(lambda future: future.exception())
            # Behind what was sent; one at a time.
            if self.handler is not None and self.flying and self.asked <= self.gone:
                self.asked = self.gone + len(self.flying)
                self.handler.ping(str(self.asked).encode())
        except WebSocketClosedError:
            pass

    def came(self, number):
        while self.gone < number and self.flying:
            self.flying_size -= len(self.flying.popleft())
            self.gone += 1

    def open(self, handler, number):
        """`number`: so many messages of the session have come; the connection goes on behind them."""
        self.came(number)
        self.gone = self.asked = number
        self.waiting.extendleft(reversed(self.flying))
        self.waiting_size += self.flying_size
        self.flying.clear()
        self.flying_size = 0
        self.handler = handler
        self.tell_lost()
        self.pump()

    def tell_state(self, state):
        iopub = self.channels['iopub']
        if not iopub.closed():
            iopub.flush()
        message = self.session.msg('status', {'execution_state': state})
        message.update(channel='iopub', buffers=[])
        self.add(message)

    def restarted(self):
        self.tell_state('restarting')

    def died(self):
        self.tell_state('dead')

    def close(self):
        if self.kernel_id in self.manager:
            self.manager.remove_restart_callback(self.kernel_id, self.restarted)
            self.manager.remove_restart_callback(self.kernel_id, self.died, 'dead')
        for stream in self.channels.values():
            if not stream.closed():
                stream.on_recv(None)
                stream.close()


# By kernel and session, those that were left last at the end.
mailboxes = {}


def tidy(manager):
    """Forgets those whose kernel is gone, and of each kernel's those that were left long ago."""
    away = {}
    for key, box in list(mailboxes.items()):
        if box.handler is None:
            away.setdefault(box.kernel_id, []).append(key)
    for kernel_id, keys in away.items():
        for key in keys if kernel_id not in manager else keys[:-KEPT]:
            mailboxes.pop(key).close()


class KeptChannelsHandler(handlers.ZMQChannelsHandler):
    box = None

    async def _register_session(self):
        key = f'{self.kernel_id}:{self.session.session}'
        stale = self._open_sessions.get(key)
        if stale is not None and stale.box is not None:
            # Not waited for: its other end may never answer.
            stale.leave()
            stale.close()
        await super()._register_session()

    def open(self, kernel_id):
        came = self.request.headers.get('Last-Event-ID', '')
        if not (came.isascii() and came.isdigit() and len(came) <= 12):
            return super().open(kernel_id)
        manager = self.kernel_manager
        WebSocketMixin.open(self)
        manager.notify_connect(kernel_id)
        box = mailboxes.get(self.session_key)
        if box is not None and not manager.ports_changed(kernel_id):
            self.box = box
            self.channels = box.channels
            box.open(self, int(came))
            return None
        if box is not None:
            mailboxes.pop(self.session_key).close()
        self.create_stream()
        self.box = mailboxes[self.session_key] = Mailbox(self, int(came))
        connected = self.nudge()
        connected.add_done_callback(lambda _: self.box.listen())
        return connected

    def on_pong(self, data):
        super().on_pong(data)
        if self.box is not None and self.box.handler is self and data.isdigit():
            self.box.came(int(data))
            self.box.pump()

    def leave(self):
        """The session has this connection no more; what comes waits for its next one."""
        if self._open_sessions.get(self.session_key) is self:
            self._open_sessions.pop(self.session_key)
        if self.box.handler is not self:
            return
        self.box.handler = None
        if mailboxes.get(self.session_key) is self.box:
            mailboxes[self.session_key] = mailboxes.pop(self.session_key)

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
        tidy(self.kernel_manager)


handlers.default_handlers[:] = [
    (path, KeptChannelsHandler if handler is handlers.ZMQChannelsHandler else handler)
    for path, handler in handlers.default_handlers
]
