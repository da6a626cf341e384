"""Replay buffers, which store the kernel messages of a session until its client confirms them."""
import asyncio
import json
from collections import deque

from jupyter_client.jsonutil import json_default
from jupyter_server.base.zmqhandlers import serialize_binary_message
from tornado.websocket import WebSocketClosedError

# Limits in characters. KEPT: buffered outputs of one kernel; twice that for replies and states.
# FLYING: messages sent to one session that its client has not confirmed.
KEPT = 64 << 20
FLYING = 512 << 10
# Maximum number of characters of printed text in one message, because the service reads messages
# one at a time.
TEXT = 64 << 10
# Maximum number of disconnected sessions of a kernel whose buffers are retained.
AWAY = 8
OUTPUTS = {'stream', 'display_data', 'update_display_data', 'execute_result'}

# Buffers by kernel and session. Buffers of disconnected sessions are in the order of disconnection.
mailboxes = {}


class Mailbox:
    """Replay buffer of a session and its kernel sockets. `socket`: the client's, or None."""

    def __init__(self, connection, manager, socket, number):
        self.socket = socket
        self.manager = manager
        self.log = connection.log
        self.channels = connection.channels
        self.session = connection.session
        self.session_key = connection.session_key
        self.kernel_id = connection.kernel_id
        self.waiting = deque()
        self.waiting_size = 0
        self.flying = deque()
        self.flying_size = 0
        # `gone`: number of messages that the client has confirmed. `asked`: number up to which the
        # last ping requested confirmation.
        self.gone = self.asked = number
        self.lost = 0
        self.lost_parent = None
        manager.add_restart_callback(self.kernel_id, self.restarted)
        manager.add_restart_callback(self.kernel_id, self.died, 'dead')

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
        if stream.channel == 'iopub' and message['msg_type'] == 'error' and not self.manager.allow_tracebacks:
            replacement = [self.manager.traceback_replacement_message]
            message['content'].update(ename='ExecutionError', evalue='Execution error', traceback=replacement)
        for part in parts_of(message):
            self.add(part)

    def add(self, message):
        data = serialize_binary_message(message) if message['buffers'] else json.dumps(message, default=json_default)
        if not self.make_room(len(data), KEPT if message['header']['msg_type'] in OUTPUTS else 2 * KEPT):
            if self.lost_parent is not None and self.lost_parent != message['parent_header']:
                self.tell_lost()
            if self.lost == 0:
                self.log.warning('Output is left out for session %s: as much as is kept of a kernel waits', self.session_key)
            self.lost += 1
            self.lost_parent = message['parent_header']
            return
        self.tell_lost()
        self.keep(data)
        self.pump()

    def held(self):
        return self.waiting_size if self.socket else self.waiting_size + self.flying_size

    def make_room(self, size, limit):
        """Drops disconnected clients' buffers, oldest first. False if that is not enough."""
        boxes = mailboxes[self.kernel_id]
        while sum(box.held() for box in boxes.values()) + size > limit:
            away = [box for box in boxes.values() if box.socket is None]
            if away in ([], [self]):
                return False
            self.log.warning('Session %s, whose client is away, is forgotten: later ones need the room', away[0].session_key)
            away[0].forget()
            if away[0] is self:
                return False
        return True

    def keep(self, data):
        self.waiting.append(data)
        self.waiting_size += len(data)

    def tell_lost(self):
        if self.lost == 0:
            return
        text = f'… {self.lost} outputs dropped: they arrived faster than they could be read …\n'
        message = self.session.msg('stream', content={'name': 'stderr', 'text': text}, parent={'header': self.lost_parent})
        message.update(channel='iopub', buffers=[])
        self.lost = 0
        self.lost_parent = None
        self.keep(json.dumps(message, default=json_default))

    def pump(self):
        try:
            while self.socket is not None and self.waiting and self.flying_size < FLYING:
                data = self.waiting.popleft()
                self.waiting_size -= len(data)
                self.flying.append(data)
                self.flying_size += len(data)
                sent = self.socket.write_message(data, binary=isinstance(data, bytes))
                # Retrieves the exception, so that Python does not log it. The end of the connection
                # reports it too.
                sent.add_done_callback(lambda future: future.exception())
            # Pings after the sent messages. Only one ping is sent at a time.
            if self.socket is not None and self.flying and self.asked <= self.gone:
                self.asked = self.gone + len(self.flying)
                self.socket.ping(str(self.asked).encode())
        except WebSocketClosedError:
            pass

    def came(self, number):
        while self.gone < number and self.flying:
            self.flying_size -= len(self.flying.popleft())
            self.gone += 1

    def answered(self, socket, data):
        """Handles a pong of `socket`."""
        if socket is self.socket and data.isdigit():
            self.came(int(data))
            self.pump()

    def open(self, socket, number):
        """Sends the messages that follow the `number` messages already received by the client."""
        self.came(number)
        # A connection attempt may arrive late, after its client has already used another
        # connection. Its number is then too low. With that number, a later confirmation would cover
        # messages that the client never received.
        self.gone = self.asked = max(self.gone, number)
        self.waiting.extendleft(reversed(self.flying))
        self.waiting_size += self.flying_size
        self.flying.clear()
        self.flying_size = 0
        self.socket = socket
        self.tell_lost()
        self.pump()

    def leave(self, socket):
        """Buffers messages for the session's next connection."""
        boxes = mailboxes.get(self.kernel_id, {})
        if self.socket is not socket or boxes.get(self.session_key) is not self:
            return
        self.socket = None
        boxes[self.session_key] = boxes.pop(self.session_key)
        tidy(self.manager)

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

    def forget(self):
        mailboxes[self.kernel_id].pop(self.session_key)
        if self.kernel_id in self.manager:
            self.manager.remove_restart_callback(self.kernel_id, self.restarted)
            self.manager.remove_restart_callback(self.kernel_id, self.died, 'dead')
        for stream in self.channels.values():
            if not stream.closed():
                stream.on_recv(None)
                stream.close()


def parts_of(message):
    content = message['content']
    text = content.get('text') if message['msg_type'] == 'stream' else None
    if not isinstance(text, str) or len(text) <= TEXT or message['buffers']:
        return [message]
    return [{**message, 'content': {**content, 'text': text[at:at + TEXT]}} for at in range(0, len(text), TEXT)]


def tidy(manager):
    """Drops the buffers of removed kernels, and of sessions that have been disconnected longest."""
    for kernel_id, boxes in list(mailboxes.items()):
        away = [box for box in boxes.values() if box.socket is None]
        for box in away if kernel_id not in manager else away[:-AWAY]:
            box.forget()
        if not boxes:
            mailboxes.pop(kernel_id)


def came_before(socket):
    """Number of messages that the client reports as received. None if it reports no number."""
    came = socket.request.headers.get('Last-Event-ID', '')
    if socket.selected_subprotocol or not (came.isascii() and came.isdigit() and len(came) <= 12):
        return None
    return int(came)


def take_up(connection, manager, socket, number):
    """Replay buffer for a new connection, and a future that completes when it is ready."""
    # Discards Jupyter's own buffer, as Jupyter does for each new client.
    manager.stop_buffering(connection.kernel_id)
    tidy(manager)
    boxes = mailboxes.setdefault(connection.kernel_id, {})
    box = boxes.get(connection.session_key)
    if box is not None and not manager.ports_changed(connection.kernel_id):
        connection.channels = box.channels
        box.open(socket, number)
        connected = asyncio.get_running_loop().create_future()
        connected.set_result(None)
        return box, connected
    if box is not None:
        box.forget()
    connection.create_stream()
    box = boxes[connection.session_key] = Mailbox(connection, manager, socket, number)
    connected = connection.nudge()
    connected.add_done_callback(lambda _: box.listen())
    return box, connected
