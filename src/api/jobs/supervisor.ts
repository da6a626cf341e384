/**
 * Python code that identifies a process by the boot and its start time, because its number is
 * reused later. None if the process does not exist or is only a zombie.
 */
export const PROCESS_STAMP = String.raw`
def boot():
    try:
        with open('/proc/sys/kernel/random/boot_id') as file:
            return file.read().strip()
    except OSError:
        return ''

def stamp(pid):
    if os.path.isdir('/proc/self'):
        try:
            with open('/proc/%d/stat' % pid, 'rb') as file:
                fields = file.read().rpartition(b')')[2].split()
        except OSError:
            return None
        return None if fields[0] in (b'Z', b'X', b'x') else boot() + ' ' + fields[19].decode()
    told = subprocess.run(
        ['ps', '-o', 'state=,lstart=', '-p', str(pid)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(os.environ, LC_ALL='C', TZ='UTC')
    ).stdout.decode().split(None, 1)
    return None if len(told) < 2 or told[0].startswith('Z') else told[1].strip()
`;

/**
 * Python code that starts a job's program and waits for its end. It runs in its own session, not as
 * a child of the kernel. All data of the job is in one file, which is replaced atomically.
 */
export const SUPERVISOR = String.raw`
import sys
# Files in the current folder must not shadow Python's modules.
sys.path[:] = [each for each in sys.path if each]
import json, os, signal, subprocess, time
${PROCESS_STAMP}
if os.fork():
    os._exit(0)
folder = sys.argv[1]
path = os.path.join(folder, 'job.json')
with open(path, encoding='utf-8') as file:
    job = json.load(file)

def keep(**more):
    job.update(more)
    while True:
        try:
            with open(path + '.new', 'w', encoding='utf-8') as file:
                json.dump(job, file)
            os.replace(path + '.new', path)
            return
        except OSError:
            if not os.path.isdir(folder):
                os._exit(1)
            # A full disk: waiting is better than losing the exit code.
            time.sleep(5)

child = None
def pass_on(number, frame):
    if child is not None:
        try:
            os.killpg(child.pid, signal.SIGTERM)
        except OSError:
            pass
signal.signal(signal.SIGTERM, pass_on)
# Handlers, not SIG_IGN: the program would inherit that.
for number in (signal.SIGHUP, signal.SIGINT):
    signal.signal(number, lambda *_: None)

keep(keeper=os.getpid(), keeper_stamp=stamp(os.getpid()))
env = dict(os.environ, SVC_JOB=job['id'])
env.setdefault('PYTHONUNBUFFERED', '1')
beside = os.path.dirname(sys.executable)
if beside not in env.get('PATH', '').split(os.pathsep):
    env['PATH'] = os.pathsep.join(each for each in (beside, env.get('PATH', os.defpath)) if each)
command = list(job['command'])
if command[0] in ('python', 'python3'):
    command[0] = sys.executable
try:
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd=job['cwd'], env=env, start_new_session=True)
except (OSError, ValueError) as error:
    keep(state='failed', why=getattr(error, 'strerror', None) or str(error))
    os._exit(1)
keep(state='running', pid=child.pid, pid_stamp=stamp(child.pid))
code = child.wait()
keep(state='ended', code=code if code >= 0 else 128 - code, signal=-code if code < 0 else None, ended=time.time())
`;
