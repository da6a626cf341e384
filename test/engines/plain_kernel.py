"""A kernel that behaves like R's: one loop for all sockets, a slow start, and a control channel for shutdown only."""
import contextlib
import io
import json
import sys
import time

import zmq
from jupyter_client.session import Session

time.sleep(1)
with open(sys.argv[-1]) as file:
    connection = json.load(file)
session = Session(key=connection['key'].encode(), signature_scheme=connection['signature_scheme'])
context = zmq.Context()


def bound(kind, name):
    socket = context.socket(kind)
    separator = '-' if connection['transport'] == 'ipc' else ':'
    socket.bind(f"{connection['transport']}://{connection['ip']}{separator}{connection[name + '_port']}")
    return socket


shell, control, iopub, heartbeat, _ = [bound(kind, name) for kind, name in ((zmq.ROUTER, 'shell'), (zmq.ROUTER, 'control'), (zmq.PUB, 'iopub'), (zmq.REP, 'hb'), (zmq.ROUTER, 'stdin'))]
count = 0
names = {}


def publish(kind, content, parent):
    session.send(iopub, kind, content, parent=parent, ident=kind.encode())


def execute(content, parent):
    global count
    count += 1
    publish('execute_input', {'code': content['code'], 'execution_count': count}, parent)
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            exec(content['code'], names)
        reply = {'status': 'ok', 'execution_count': count, 'payload': [], 'user_expressions': {}}
    except BaseException as error:
        failure = {'ename': type(error).__name__, 'evalue': str(error), 'traceback': []}
        publish('error', failure, parent)
        reply = {'status': 'error', 'execution_count': count, **failure}
    if output.getvalue():
        publish('stream', {'name': 'stdout', 'text': output.getvalue()}, parent)
    return reply


ABOUT = {'status': 'ok', 'protocol_version': '5.0', 'implementation': 'plain', 'implementation_version': '1', 'banner': '', 'help_links': [], 'language_info': {'name': 'plain', 'version': '1', 'mimetype': 'text/plain', 'file_extension': '.txt'}}
poller = zmq.Poller()
for socket in (shell, control, heartbeat):
    poller.register(socket, zmq.POLLIN)
while True:
    try:
        ready = dict(poller.poll())
        if heartbeat in ready:
            heartbeat.send(heartbeat.recv())
        if control in ready:
            _, message = session.recv(control, mode=0)
            if message and message['header']['msg_type'] == 'shutdown_request':
                sys.exit(0)
        if shell in ready:
            identity, message = session.recv(shell, mode=0)
            kind = message['header']['msg_type'] if message else ''
            if kind in ('execute_request', 'kernel_info_request'):
                publish('status', {'execution_state': 'busy'}, message)
                content = ABOUT if kind == 'kernel_info_request' else execute(message['content'], message)
                session.send(shell, kind.replace('request', 'reply'), content, parent=message, ident=identity)
                publish('status', {'execution_state': 'idle'}, message)
            elif kind == 'shutdown_request':
                sys.exit(0)
    except KeyboardInterrupt:
        pass
