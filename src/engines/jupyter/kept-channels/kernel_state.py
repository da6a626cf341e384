"""
Corrects the state of kernels in Jupyter's list: `busy` until the running code has ended. Jupyter
Server 1, and early versions of 2, report `idle` after each reply on the control channel, even while
code runs. Such a kernel would be shut down as unused.
"""
from jupyter_client.session import Session
from jupyter_server._tz import utcnow
from jupyter_server.services.kernels.kernelmanager import MappingKernelManager


def recorder(manager, kernel):
    """Receives the published messages of a kernel. Replaces Jupyter's own function."""
    session = Session(config=kernel.session.config, key=kernel.session.key)
    # `running`: id of the request whose code runs. `process`: the kernel process that reported it.
    # `reported`: whether a message about its code has arrived.
    running = None
    process = None
    reported = False

    def record(parts):
        nonlocal running, process, reported
        manager.last_kernel_activity = kernel.last_activity = utcnow()
        _, frames = session.feed_identities(parts)
        # Does not parse the content, because output may be large.
        message = session.deserialize(frames, content=False)
        parent = message['parent_header']
        is_code = parent.get('msg_type') == 'execute_request'
        if message['header']['session'] != process:
            process = message['header']['session']
            running = None
            reported = False
        if message['msg_type'] != 'status':
            # Jupyter may subscribe to a new process only after the `busy` of its first code. In
            # that case the first output shows that code is running. Later output may come from a
            # thread after the code has ended.
            if is_code and not reported:
                reported = True
                running = parent.get('msg_id')
                kernel.execution_state = 'busy'
            return
        state = session.deserialize(frames)['content']['execution_state']
        if is_code:
            reported = True
        if state == 'busy' and is_code:
            running = parent.get('msg_id')
        elif state != 'busy' and parent.get('msg_id') == running:
            running = None
        kernel.execution_state = 'busy' if running else state

    return record


def use():
    """Patches the server's kernels. Call it before they start."""
    if hasattr(MappingKernelManager, 'untracked_message_types'):
        return
    start = MappingKernelManager.start_watching_activity

    def start_watching_activity(self, kernel_id):
        start(self, kernel_id)
        kernel = self.get_kernel(kernel_id)
        kernel._activity_stream.on_recv(recorder(self, kernel))

    MappingKernelManager.start_watching_activity = start_watching_activity
