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

# Number of characters that are searched at the start of a line. The second limit holds where a
# pattern cannot be ended from outside.
LINE = 10_000
LINE_INSIDE = 500
# Number of characters sent of a line, and of the lines around it.
SHOWN = 400
BESIDE = 200
# Number of bytes searched in a file.
FILE = 16 << 20
# Number of lines read from a .gitignore.
RULES = 1000
# Time in seconds by which a slow pattern may exceed the time of a page.
GRACE = 4
# Time in seconds for listing files, before the first file is read.
LISTING = 60
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


def rule_of(line):
    """A line of .gitignore as (expression, only folders, negated), or None."""
    line = line.rstrip('\n\r').rstrip(' ')
    negated = line.startswith('!')
    text = line[negated:]
    only_folders = text.endswith('/')
    text = text.rstrip('/')
    # Ignores a pattern with many stars, because matching a long name could take years.
    if text == '' or text.startswith('#') or len(text) > 200 or text.count('*') > 5:
        return None
    parts = text.lstrip('/').split('/')
    made = '' if '/' in text else '(?:.*/)?'
    for at, part in enumerate(parts):
        if part == '**':
            made += '.+' if at + 1 == len(parts) else '(?:.+/)?'
            continue
        made += re.sub(
            r'\*+|\?|\[!?[^]]+\]|\\.|[^*?[\\]+|.',
            lambda found: expression_of(found.group()),
            part,
        )
        made += '' if at + 1 == len(parts) else '/'
    try:
        return re.compile(made, re.DOTALL), only_folders, negated
    except re.error:
        return None


def expression_of(piece):
    if piece[0] == '*':
        return '[^/]*'
    if piece == '?':
        return '[^/]'
    if piece[0] == '[' and len(piece) > 2:
        inner = piece[1:-1].replace('\\', '\\\\').replace('[', '\\[')
        return '[^' + inner[1:] + ']' if inner[0] == '!' else '[' + inner.replace('^', '\\^') + ']'
    return re.escape(piece[1:] if piece[0] == '\\' and len(piece) > 1 else piece)


def rules_in(folder):
    try:
        with open(os.path.join(folder, '.gitignore'), encoding='utf-8', errors='replace') as file:
            lines = file.read(1 << 16).split('\n')[:RULES]
    except OSError:
        return []
    return [rule for rule in map(rule_of, lines) if rule is not None]


def is_ignored(path, is_folder, rules):
    """True if .gitignore files exclude the path. `rules`: by folder, with its prefix."""
    for prefix, of_folder in reversed(rules):
        for expression, only_folders, negated in reversed(of_folder):
            if (is_folder or not only_folders) and expression.fullmatch(path[len(prefix) :]):
                return not negated
    return False


def walk(folder, prefix, asks_git, after, rules):
    """Files below a folder in the order of their paths, hidden and ignored ones left out.

    Folders that come before `after` are not read. The path of each folder itself comes first, with
    a slash at its end.
    """
    if asks_git and os.path.exists(os.path.join(folder, '.git')):
        listed = listed_by_git(folder, prefix, after)
        if listed is not None:
            yield from listed
            return
    yield prefix
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    own = rules_in(folder)
    rules = [*rules, (prefix, own)] if own else rules
    found = []
    for entry in entries:
        try:
            if not entry.name.startswith('.') and not entry.is_symlink():
                is_folder = entry.is_dir(follow_symlinks=False)
                found.append((entry.name + '/' if is_folder else entry.name, entry.path, is_folder))
        except OSError:
            continue
    for name, full, is_folder in sorted(found):
        path = prefix + name
        if is_ignored(path.rstrip('/'), is_folder, rules):
            continue
        if not is_folder:
            yield path
        elif path < after and not after.startswith(path) or name[:-1] in SKIPPED:
            continue
        elif not os.path.exists(os.path.join(full, 'pyvenv.cfg')):
            yield from walk(full, path, asks_git, after, rules)


def listed_by_git(folder, prefix, after):
    out = git(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
    return None if out is None else of_listing(out, folder, prefix, after)


def of_listing(out, folder, prefix, after):
    for path in sorted(set(out.decode('utf-8', 'surrogateescape').split('\0'))):
        if path == '' or any(part.startswith('.') for part in path.split('/')):
            continue
        full = prefix + path
        if not path.endswith('/'):
            yield full
        elif full >= after or after.startswith(full):
            # A repository inside this repository.
            yield from walk(os.path.join(folder, path), full, True, after, [])


def list_files(root, path, after):
    """Paths relative to the root, in the order of their names; those of folders end in a slash."""
    start = os.path.join(root, path)
    if not os.path.lexists(start):
        raise Trouble('missing')
    if not os.path.isdir(start):
        return iter([path])
    prefix = path + '/' if path else ''
    asks_git = has_programs()
    if asks_git and (git(start, 'rev-parse', '--is-inside-work-tree') or b'').strip() == b'true':
        # The list is empty if the user has named a folder that git ignores.
        out = git(start, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
        if out:
            return of_listing(out, start, prefix, after)
    above = prefix.split('/')[:-2]
    rules = []
    for count in range(len(above) + 1):
        parent = ''.join(each + '/' for each in above[:count])
        if parent != prefix:
            rules.append((parent, rules_in(os.path.join(root, parent))))
    return walk(start, prefix, asks_git, after, rules)


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


def texts_of(lines):
    return [text_of(line)[:BESIDE] for line in lines]


def shown(line, match):
    """Part of a line around a match, and the position of the match in that part."""
    text, start = line, 0
    if len(line) > SHOWN:
        start = max(0, min(match.start() - SHOWN // 4, len(line) - SHOWN))
        text = line[start : start + SHOWN]
    at = match.start() - start
    return text, at, max(at, min(match.end() - start, len(text)))


def page(given, emit):
    """Searches for one page, and calls `emit` with each match and with the end."""
    pattern = compiled(given)
    after, line_after = given['after'] or ('', 0)
    longest = LINE if has_programs() else LINE_INSIDE
    beside = given.get('context', 0)
    found = searched = 0
    until = None
    for path in list_files(given['root'], given['path'], after):
        # The time limit starts at the first path, because git may need long for its list.
        until = until or time.monotonic() + given['seconds']
        if path < after or path == after and line_after is None:
            continue
        if path.endswith('/') or path == '':
            if path != '' and time.monotonic() > until:
                emit({'next': [path, None], 'searched': searched})
                return
            continue
        if given.get('names'):
            place = {'line': 1, 'text': '', 'start': 0, 'end': 0, 'before': [], 'after': []}
            emit({'path': path, **place})
            found += 1
            if found == given['count'] or time.monotonic() > until:
                emit({'next': [path, None], 'searched': searched})
                return
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
                    'before': texts_of(lines[max(0, number - beside) : number]),
                    'after': texts_of(lines[number + 1 : number + 1 + beside]),
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
    # Stops a pattern that takes too long, even after the kernel has ended.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LISTING)

    def emit(event):
        print(json.dumps(event), flush=True)
        if 'at' in event:
            signal.alarm(int(given['seconds']) + GRACE)

    guarded(given, emit)


def events_of(given, source):
    if not has_programs():
        events = []
        guarded(given, events.append)
        return events
    # The program is sent through a pipe, because all users can see the arguments of a process.
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
        # Also runs if the kernel is interrupted.
        if child.poll() is None:
            child.kill()
            child.wait()
    return [json.loads(line) for line in out.decode().split('\n') if line.endswith('}')]


def home(main):
    # Folder in which IPython started, because cells may have changed the current folder.
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
    """Holds a page as JSON text, which Jupyter sends as the display data of a user expression."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return 'reply'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {'application/vnd.svc-tui.data': self.text}
