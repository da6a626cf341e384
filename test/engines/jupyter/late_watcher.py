"""Connects to a real kernel after its code has started, as Jupyter may. Prints the states that Jupyter would list."""
import json
import os
import sys
import tempfile

from jupyter_client.manager import KernelManager
from jupyter_client.session import Session
from jupyter_server.services.kernels.kernelmanager import MappingKernelManager

sys.path.insert(0, sys.argv[1])
import kernel_state

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
kernel = KernelManager(kernel_name='python3')
kernel.start_kernel()
client = kernel.client()
client.start_channels()
client.wait_for_ready(timeout=60)
session = Session(key=kernel.session.key)
states = {}
try:
    cell = client.execute("""
import os, time
while not os.path.exists('done'):
    print('.', end='', flush=True)
    time.sleep(0.01)
""")
    while client.get_iopub_msg(timeout=60)['msg_type'] != 'stream':
        pass

    late = kernel.connect_iopub()
    kernel.execution_state = 'starting'
    record = kernel_state.recorder(MappingKernelManager(), kernel)

    def record_until(kind, parent, state=None):
        """Records messages of the kernel, up to one of this type that belongs to this request."""
        while True:
            parts = late.recv_multipart()
            record(list(parts))
            message = session.deserialize(session.feed_identities(parts)[1])
            if message['msg_type'] != kind or message['content'].get('execution_state') != state:
                continue
            if parent in (None, message['parent_header'].get('msg_id')):
                return

    record_until('stream', cell)
    states['output'] = kernel.execution_state
    asked = client.session.msg('kernel_info_request')
    client.control_channel.send(asked)
    record_until('status', asked['header']['msg_id'], 'idle')
    states['answered'] = kernel.execution_state
    open('done', 'w').close()
    record_until('status', cell, 'idle')
    states['ended'] = kernel.execution_state

    thread = client.execute("""
import threading
def speak():
    while not os.path.exists('heard'):
        print('!', end='', flush=True)
        time.sleep(0.01)
threading.Thread(target=speak).start()
""")
    record_until('status', thread, 'idle')
    record_until('stream', None)
    states['thread'] = kernel.execution_state
    open('heard', 'w').close()
finally:
    client.stop_channels()
    kernel.shutdown_kernel(now=True)
    os.chdir('/')
    folder.cleanup()
print(json.dumps(states))
