"""Searches files for a pattern, in pages.

A kernel calls `search`. Where the machine can start programs, `search` hands each page to a process
of its own: `re` holds the interpreter while it matches, and a hostile pattern matches for years.
"""

import json
import os
import re
import stat
import subprocess
import sys
import time

# Longest beginning of a line that is searched, in characters. The second limit holds where a
# pattern cannot be ended from outside.
LINE = 10_000
LINE_INSIDE = 500
# Characters of a line that are sent.
SHOWN = 400
BESIDE = 200
# Bytes of a file that are searched.
FILE = 16 << 20
# Files that are listed.
FILES = 200_000
# Time for which a matching pattern may exceed the time of a page, in seconds.
GRACE = 4
SKIPPED = {'node_modules', '__pycache__', 'venv', 'site-packages'}
GIT = ['git', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false']


class Trouble(Exception):
    pass


def has_programs():
    return os.name == 'posix' and sys.platform not in ('emscripten', 'wasi') and bool(sys.executable)


def git(folder, *words):
    """Output of git, or None if it fails or is missing."""
    try:
        done = subprocess.run(
            [*GIT, '-C', folder, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, 'GIT_OPTIONAL_LOCKS': '0', 'GIT_TERMINAL_PROMPT': '0'},
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def walk(folder, prefix, asks_git):
    """Paths of the files below a folder, hidden and ignored ones left out."""
    if asks_git and os.path.exists(os.path.join(folder, '.git')):
        listed = listed_by_git(folder, prefix)
        if listed is not None:
            yield from listed
            return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        name = entry.name
        if name.startswith('.'):
            continue
        try:
            if entry.is_symlink():
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
        except OSError:
            continue
        if not is_folder:
            yield prefix + name
        elif name not in SKIPPED and not os.path.exists(os.path.join(entry.path, 'pyvenv.cfg')):
            yield from walk(entry.path, prefix + name + '/', asks_git)


def listed_by_git(folder, prefix):
    out = git(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
    if out is None:
        return None
    found = []
    for path in sorted(set(out.decode('utf-8', 'surrogateescape').split('\0'))):
        if path == '' or any(part.startswith('.') for part in path.split('/')):
            continue
        if path.endswith('/'):
            # A repository within this one.
            found.extend(walk(os.path.join(folder, path), prefix + path, True))
        else:
            found.append(prefix + path)
    return found


def list_files(root, path):
    """Paths relative to the root, in a stable order."""
    start = os.path.join(root, path)
    if not os.path.lexists(start):
        raise Trouble('missing')
    if not os.path.isdir(start):
        return [path]
    prefix = path + '/' if path else ''
    asks_git = has_programs()
    if asks_git and (git(start, 'rev-parse', '--is-inside-work-tree') or b'').strip() == b'true':
        # Git lists nothing in a folder that it ignores, which the user has named here.
        listed = listed_by_git(start, prefix)
        if listed:
            return sorted(listed)[:FILES]
    found = []
    for each in walk(start, prefix, asks_git):
        found.append(each)
        if len(found) == FILES:
            break
    return sorted(found)


def choices(parsed):
    """Upper bound of the ways in which a parsed pattern can match at one place."""
    try:
        from re import _constants as names
    except ImportError:
        import sre_constants as names
    total = 1
    for op, value in parsed:
        if op in (names.MAX_REPEAT, names.MIN_REPEAT, getattr(names, 'POSSESSIVE_REPEAT', None)):
            low, high, inner = value
            within = choices(inner)
            if within > 1 and high > 1:
                return 1 << 60
            total *= within * (min(high, LINE_INSIDE) - low + 1)
        elif op is names.SUBPATTERN:
            total *= choices(value[-1])
        elif op is names.BRANCH:
            total *= sum(choices(each) for each in value[1])
        elif op in (names.GROUPREF, names.GROUPREF_EXISTS):
            return 1 << 60
        elif op in (names.ASSERT, names.ASSERT_NOT):
            total *= choices(value[1])
        elif op is getattr(names, 'ATOMIC_GROUP', None):
            total *= choices(value)
    return total


def compiled(given):
    pattern = re.escape(given['pattern']) if given['fixed'] else given['pattern']
    flags = re.IGNORECASE if given['ignoreCase'] else 0
    try:
        made = re.compile(pattern, flags)
        if not has_programs() and not given['fixed']:
            try:
                from re import _parser as parser
            except ImportError:
                import sre_parse as parser
            if choices(parser.parse(pattern, flags)) > LINE_INSIDE**2 * 4:
                raise Trouble('costly')
    except (re.error, OverflowError, RecursionError) as error:
        raise Trouble('pattern', str(error)) from None
    return made


def lines_of(full):
    """Lines of a text file. None if it is binary, no plain file or unreadable."""
    try:
        if not stat.S_ISREG(os.lstat(full).st_mode):
            return None
        with open(full, 'rb') as file:
            data = file.read(FILE)
    except OSError:
        return None
    if b'\0' in data[:8192]:
        return None
    lines = data.split(b'\n')
    if lines[-1] == b'':
        lines.pop()
    return lines


def text_of(line):
    return line[: LINE * 4].rstrip(b'\r').decode('utf-8', 'replace')


def shown(line, match):
    """Part of a line around a match, and where the match is in it."""
    text, start = line, 0
    if len(line) > SHOWN:
        start = max(0, min(match.start() - SHOWN // 4, len(line) - SHOWN))
        text = line[start : start + SHOWN]
    at = match.start() - start
    return text, at, max(at, min(match.end() - start, len(text)))


def page(given, emit):
    """Searches for one page, and calls `emit` with each match and with the end."""
    until = time.monotonic() + given['seconds']
    pattern = compiled(given)
    after, line_after = given['after'] or ('', 0)
    longest = LINE if has_programs() else LINE_INSIDE
    found = searched = 0
    for path in list_files(given['root'], given['path']):
        if path < after or path == after and line_after is None:
            continue
        lines = lines_of(os.path.join(given['root'], path))
        if lines is None:
            continue
        searched += 1
        emit({'at': path})
        first = line_after if path == after else 0
        for number in range(first, len(lines)):
            line = text_of(lines[number])
            match = pattern.search(line[:longest])
            if match is not None:
                text, start, end = shown(line, match)
                emit({
                    'path': path,
                    'line': number + 1,
                    'text': text,
                    'start': start,
                    'end': end,
                    'before': text_of(lines[number - 1])[:BESIDE] if number > 0 else None,
                    'after': text_of(lines[number + 1])[:BESIDE] if number + 1 < len(lines) else None,
                })
                found += 1
            if found == given['count'] or time.monotonic() > until:
                emit({'next': [path, number + 1], 'searched': searched})
                return
        if time.monotonic() > until:
            emit({'next': [path, None], 'searched': searched})
            return
    emit({'next': None, 'searched': searched})


def guarded(given, emit):
    try:
        page(given, emit)
    except Trouble as trouble:
        emit({'trouble': trouble.args[0], 'says': (trouble.args[1:] or ('',))[0]})


def work():
    """Process of one page."""
    import signal

    given = json.loads(sys.stdin.readline())
    # Ends a pattern that keeps matching, also after the kernel has ended.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(given['seconds']) + GRACE)
    guarded(given, lambda event: print(json.dumps(event), flush=True))


def events_of(given, source):
    if not has_programs():
        events = []
        guarded(given, events.append)
        return events
    # The program comes through a pipe: every list of processes shows arguments.
    child = subprocess.Popen(
        [sys.executable, '-I', '-c', 'import sys; exec(sys.stdin.read(int(sys.stdin.readline())))'],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, 'PYTHONIOENCODING': 'utf-8'},
        start_new_session=True,
    )
    try:
        code = source + '\nwork()\n'
        out, _ = child.communicate(f'{len(code)}\n{code}{json.dumps(given)}\n'.encode())
    finally:
        # An interrupt of the kernel ends the search too.
        if child.poll() is None:
            child.kill()
            child.wait()
    return [json.loads(line) for line in out.decode().split('\n') if line.endswith('}')]


def home(main):
    # IPython's start folder: cells may have changed the current one.
    try:
        return os.path.abspath(os.fspath(main['_dh'][0]))
    except Exception:
        return os.getcwd()


def search(text, source, main):
    """A page as JSON."""
    given = json.loads(text)
    given['root'] = home(main)
    events = events_of(given, source)
    answer = {'matches': [each for each in events if 'line' in each], 'searched': 0, 'next': None}
    last = events[-1] if events else {}
    if 'searched' in last or 'trouble' in last:
        return json.dumps({**answer, **last})
    at = [each['at'] for each in events if 'at' in each]
    return json.dumps({**answer, 'trouble': 'slow', 'says': at[-1] if at else ''})


class Reply:
    """What a user expression shows of it is the reply."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return 'reply'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {'application/vnd.svc-tui.data': self.text}
