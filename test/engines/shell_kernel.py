"""A kernel for bash, as a language other than Python. Each cell runs in a new bash, with the variables of the last cell."""
import os
import subprocess
import tempfile

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel

# Removed with the kernel, even after a crash.
state = tempfile.TemporaryFile()
STATE = f'/proc/{os.getpid()}/fd/{state.fileno()}'
CELL = 'source "$STATE" 2>/dev/null\n{}\ncode=$?\ndeclare -p | grep -v "^declare -[a-zA-Z]*r" > "$STATE"\nexit $code'


class ShellKernel(Kernel):
    implementation = 'shell'
    implementation_version = '1'
    language_info = {'name': 'bash', 'mimetype': 'text/x-sh', 'file_extension': '.sh'}
    banner = 'bash'

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False, **_):
        run = subprocess.Popen(['bash', '-c', CELL.format(code)], env={**os.environ, 'STATE': STATE}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            texts = run.communicate()
        except KeyboardInterrupt:
            run.kill()
            run.wait()
            return self.failed('KeyboardInterrupt', 'interrupted')
        for name, text in zip(('stdout', 'stderr'), texts):
            if text:
                self.send_response(self.iopub_socket, 'stream', {'name': name, 'text': text})
        if run.returncode:
            return self.failed('ExitStatus', str(run.returncode))
        return {'status': 'ok', 'execution_count': self.execution_count, 'payload': [], 'user_expressions': {}}

    def failed(self, ename, evalue):
        error = {'ename': ename, 'evalue': evalue, 'traceback': [f'{ename}: {evalue}']}
        self.send_response(self.iopub_socket, 'error', error)
        return {'status': 'error', 'execution_count': self.execution_count, **error}


IPKernelApp.launch_instance(kernel_class=ShellKernel)
