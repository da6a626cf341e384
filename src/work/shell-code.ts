/** Exception of the wrapper if the command fails or cannot start. */
export const SHELL_ERROR = 'RuntimeError';

/**
 * Python code that runs a command in the server's shell, prints its output as it arrives, and
 * raises an error for an exit code other than 0. It ends when the shell ends, even if background
 * processes still hold the pipe. It leaves no variables behind.
 */
export const shellCode = (command: string): string => `def _svc_shell(command):
    import codecs, os, selectors, signal, subprocess, time
    try:
        process = subprocess.Popen(command, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    except OSError:
        raise ${SHELL_ERROR}("this server has no shell") from None
    text = codecs.getincrementaldecoder("utf-8")("replace")
    try:
        with selectors.DefaultSelector() as pipe:
            pipe.register(process.stdout, selectors.EVENT_READ)
            last = None
            while last is None or time.monotonic() < last:
                over = process.poll() is not None
                if over and last is None:
                    last = time.monotonic() + 1
                if pipe.select(0 if over else 0.05):
                    piece = os.read(process.stdout.fileno(), 65536)
                    print(text.decode(piece, not piece), end="", flush=True)
                    if not piece:
                        break
                elif over:
                    break
        if process.wait() != 0:
            raise ${SHELL_ERROR}(f"exit code {process.returncode}") from None
    finally:
        process.stdout.close()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
try:
    _svc_shell(${JSON.stringify(command)})
finally:
    del _svc_shell
`;
