import {PROCESS_STAMP} from './supervisor.ts';

/** Names of jobs, which are also names of folders. They need no quoting anywhere. */
export const JOB_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Folder of all jobs, below the folder in which the server's kernels start. */
export const JOBS_FOLDER = 'svc-jobs';

/**
 * Python code that executes one order about the jobs of a server. Inputs: `given`, a JSON text, and
 * `main`, the globals of the kernel. It prints its reply as JSON between two marks, and defines no
 * variables.
 */
export const PROGRAM = String.raw`
import base64, json, os, re, shutil, signal, subprocess, sys, time, uuid
${PROCESS_STAMP}
given = json.loads(given)
NAME = re.compile('[A-Za-z0-9][A-Za-z0-9._-]{0,63}')

def home():
    # IPython's start folder: cells may have changed the current one.
    try:
        return os.path.abspath(os.fspath(main['_dh'][0]))
    except Exception:
        return os.getcwd()

base = os.path.join(home(), '${JOBS_FOLDER}')

def read(name):
    with open(os.path.join(base, name, 'job.json'), encoding='utf-8') as file:
        job = json.load(file)
    if not isinstance(job, dict):
        raise ValueError('no job')
    return job

def alive(job, which):
    pid, was = job.get(which), job.get(which + '_stamp')
    return isinstance(pid, int) and pid > 1 and was is not None and stamp(pid) == was

def look(name):
    job = read(name)
    if job.get('state') in ('starting', 'running') and not alive(job, 'pid') and not alive(job, 'keeper'):
        # It may have ended since the file was read.
        job = read(name)
        if job.get('state') == 'running' or job.get('state') == 'starting' and time.time() - os.stat(os.path.join(base, name)).st_mtime > 30:
            job.update(state='unknown', why='restarted' if job.get('boot') != boot() else 'unseen')
    job['name'] = name
    try:
        job['seconds'] = (job.get('ended') or time.time()) - job['started'] if job.get('state') != 'unknown' else None
    except Exception:
        job['seconds'] = None
    job['left'] = bool(rest(job))
    return job

def rest(job):
    # Processes of its group after the first has ended. The number may be reused by then; the mark is not.
    pid, mark = job.get('pid'), ('SVC_JOB=%s' % job.get('id')).encode()
    found = []
    if not isinstance(pid, int) or pid < 2 or not os.path.isdir('/proc/self') or job.get('state') == 'running':
        return found
    for each in os.listdir('/proc'):
        try:
            if each.isdigit() and os.getpgid(int(each)) == pid:
                with open('/proc/%s/environ' % each, 'rb') as file:
                    if mark in file.read().split(b'\0'):
                        found.append(int(each))
        except OSError:
            continue
    return found

def names():
    try:
        return [each for each in os.listdir(base) if NAME.fullmatch(each)]
    except OSError:
        return []

def all_jobs():
    jobs = []
    for name in names():
        try:
            jobs.append(look(name))
        except (OSError, ValueError):
            continue
    return {'jobs': jobs}

def make(folder):
    try:
        os.mkdir(folder, 0o700)
        return True
    except FileExistsError:
        return False

def run():
    if os.name != 'posix' or sys.platform in ('emscripten', 'wasi') or not sys.executable:
        return {'trouble': 'no-programs'}
    if make(base):
        with open(os.path.join(base, '.gitignore'), 'w') as file:
            file.write('*\n')
    name = given['name']
    if name is None:
        number = 1
        while not make(os.path.join(base, '%s-%d' % (given['stem'], number))):
            number += 1
        name = '%s-%d' % (given['stem'], number)
    elif not make(os.path.join(base, name)):
        return {'trouble': 'taken'}
    folder = os.path.join(base, name)
    try:
        with open(os.path.join(folder, 'job.json'), 'w', encoding='utf-8') as file:
            json.dump({
                'name': name, 'command': given['command'], 'cwd': os.path.dirname(base), 'id': uuid.uuid4().hex,
                'host': os.uname().nodename, 'boot': boot(), 'started': time.time(), 'state': 'starting',
            }, file)
        with open(os.path.join(folder, 'output.log'), 'ab') as log:
            # The supervisor's code comes through a pipe: every list of processes shows arguments.
            subprocess.Popen(
                [sys.executable, '-c', 'import sys; exec(sys.stdin.read())', folder],
                stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=os.path.dirname(base), start_new_session=True,
            ).communicate(given['keeper'].encode())
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        return {'trouble': 'not-started', 'says': error.strerror or str(error)}
    until = time.monotonic() + 10
    while read(name).get('state') == 'starting' and time.monotonic() < until:
        time.sleep(0.01)
    job = look(name)
    if job.get('state') == 'failed':
        shutil.rmtree(folder, ignore_errors=True)
        return {'trouble': 'not-started', 'says': job.get('why')}
    return {'job': job}

def logs():
    job = look(given['name'])
    try:
        with open(os.path.join(base, given['name'], 'output.log'), 'rb') as file:
            size = file.seek(0, 2)
            start = given['start'] if given['start'] is not None else last_lines(file, size)
            file.seek(start)
            data = file.read(given['most'])
    except FileNotFoundError:
        start, size, data = 0, 0, b''
    return {'job': job, 'data': base64.b64encode(data).decode(), 'next': start + len(data), 'size': size}

def last_lines(file, size):
    lines, at, end = given['lines'], size, True
    while at > 0:
        step = min(at, 1 << 16)
        at -= step
        file.seek(at)
        part = file.read(step)
        while True:
            found = part.rfind(b'\n', 0, len(part) - 1 if end else len(part))
            end = False
            if found < 0:
                break
            lines -= 1
            if lines <= 0:
                return at + found + 1
            part = part[:found]
    return 0

def cancel():
    job = look(given['name'])
    number = signal.SIGKILL if given['kill'] else signal.SIGTERM
    try:
        if job.get('state') == 'running' and alive(job, 'pid') or job['left']:
            os.killpg(job['pid'], number)
    except ProcessLookupError:
        pass
    except OSError as error:
        return {'trouble': 'refused', 'says': error.strerror or str(error)}
    return {'job': job}

def remove():
    job = look(given['name'])
    if job.get('state') in ('starting', 'running') or job['left']:
        return {'trouble': 'running'}
    shutil.rmtree(os.path.join(base, given['name']))
    return {'job': job}

try:
    answer = {'run': run, 'list': all_jobs, 'look': lambda: {'job': look(given['name'])}, 'logs': logs, 'cancel': cancel, 'remove': remove}[given['do']]()
except FileNotFoundError as error:
    answer = {'trouble': 'refused', 'says': error.strerror} if given['do'] == 'run' else {'trouble': 'none', 'names': names()}
except (OSError, ValueError) as error:
    answer = {'trouble': 'refused', 'says': getattr(error, 'strerror', None) or str(error)}
print(given['mark'] + json.dumps(answer) + given['mark'])
`;
