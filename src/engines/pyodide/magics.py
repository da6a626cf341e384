"""IPython syntax in cells, such as `name?` and `%time`. Other magics raise a UsageError."""
import __main__
import re
import runpy
import shlex
import statistics
import sys
import time
import timeit
from importlib import metadata

import engine_assist as assist

HELP = re.compile(r'(\s*)(?:(\?\??)\s*([\w.]+)|([\w.]+)\s*(\?\??))\s*$')
MAGIC = re.compile(r'(\s*)%(%?)(\w+)\s?(.*)$')
ASSIGNED = re.compile(r'(\s*[^\W\d][\w.]*\s*=\s*)([!%].*)$')
SHELL = re.compile(r'(\s*)!(.*)$')
NO_PROGRAMS = 'The embedded engine cannot start programs. Write it in Python: os.listdir() for !ls, open(name).read() for !cat.'
INSTEAD = {
    'autoreload': 'Write: import importlib; importlib.reload(module)',
    'cd': 'Write: import os; os.chdir("folder")',
    'env': 'Write: import os; os.environ["NAME"]',
    'load_ext': 'The embedded engine has no extensions of IPython.',
    'ls': 'Write: import os; os.listdir()',
    'pwd': 'Write: import os; os.getcwd()',
    'reset': 'Restart the kernel, which deletes all variables.',
    'writefile': 'Write: open("name", "w").write("""text""")',
    **dict.fromkeys(('bash', 'cmd', 'perl', 'ruby', 'script', 'sh', 'sx', 'system'), NO_PROGRAMS),
}
STARTING_NAMES = frozenset(__main__.__dict__)


class UsageError(Exception):
    """Has the same name as in IPython, which users recognise."""

    __module__ = 'builtins'


def call(indent, function, *arguments):
    return f"{indent}__import__('engine_magics').{function}({', '.join(map(repr, arguments))})"


def translate_line(line):
    found = HELP.match(line)
    if found:
        indent, before, first, second, after = found.groups()
        return call(indent, 'show', first or second, len(before or after) - 1)
    found = SHELL.match(line)
    if found:
        installs = re.match(r'pip3?\s+(.*)$', found.group(2))
        return call(found.group(1), 'magic', 'pip', installs.group(1)) if installs else call(found.group(1), 'shell')
    found = ASSIGNED.match(line)
    if found:
        return found.group(1) + translate_line(found.group(2))
    found = MAGIC.match(line)
    return call(found.group(1), 'magic', found.group(3), found.group(4)) if found else line


def translate(code):
    """Translates a cell into plain Python. None if it contains no IPython syntax."""
    first, _, rest = code.lstrip('\n').partition('\n')
    found = MAGIC.match(first)
    if found and found.group(2):
        return call('', 'magic', found.group(3), f'{found.group(4)}\n{rest}'.strip('\n'), '%%')
    result = '\n'.join(map(translate_line, code.split('\n')))
    return None if result == code else result


def show(name, detail):
    try:
        value = assist.resolve(name.split('.'))
    except (KeyError, AttributeError):
        print(f'Object `{name}` not found.')
        return
    print(assist.describe(name, value, detail))


def shell():
    raise UsageError(NO_PROGRAMS)


def run_code(code):
    """Runs code and returns the value of an expression, or None for statements."""
    try:
        compiled = compile(code, '<cell magic>', 'eval')
    except SyntaxError:
        exec(compile(code, '<cell magic>', 'exec'), __main__.__dict__)
        return None
    return eval(compiled, __main__.__dict__)


def in_words(seconds):
    for unit, size in (('s', 1), ('ms', 1e-3), ('µs', 1e-6)):
        if seconds >= size:
            return f'{seconds / size:.3g} {unit}'
    return f'{seconds / 1e-9:.3g} ns'


def measure(code):
    began, used = time.perf_counter(), time.process_time()
    try:
        return run_code(code)
    finally:
        print(f'CPU times: total: {in_words(time.process_time() - used)}\nWall time: {in_words(time.perf_counter() - began)}')


def measure_often(code):
    repeat, number = 7, None
    options = re.match(r'((?:-[nr]\s*\d+\s+)*)', code).group()
    for name, count in re.findall(r'-([nr])\s*(\d+)', options):
        if name == 'n':
            number = int(count)
        else:
            repeat = max(1, int(count))
    timer = timeit.Timer(code[len(options) :], globals=__main__.__dict__)
    number = max(1, number or timer.autorange()[0])
    times = [each / number for each in timer.repeat(repeat, number)]
    spread = statistics.pstdev(times)
    print(f'{in_words(statistics.fmean(times))} ± {in_words(spread)} per loop (mean ± std. dev. of {repeat} runs, {number:,} loops each)')


def run_file(arguments):
    path, *rest = shlex.split(arguments) or ['']
    before = sys.argv
    sys.argv = [path, *rest]
    try:
        found = runpy.run_path(path, run_name='__main__')
    finally:
        sys.argv = before
    __main__.__dict__.update({name: value for name, value in found.items() if not name.startswith('__')})


def own_names():
    return sorted(name for name in __main__.__dict__ if not name.startswith('_') and name not in STARTING_NAMES)


def who(arguments):
    print('  '.join(own_names()) or 'Interactive namespace is empty.')


def whos(arguments):
    for name in own_names():
        value = __main__.__dict__[name]
        text = ' '.join(repr(value).split())
        print(f'{name:<16} {type(value).__name__:<16} {text[:60]}{"…" if len(text) > 60 else ""}')


def installed():
    return {found.name: found.version for found in metadata.distributions()}


def pip(arguments):
    """Only reports the packages, because the service installs them before the cell runs."""
    verb, *words = shlex.split(arguments) or ['']
    if verb == 'list':
        print(''.join(f'{name} {version}\n' for name, version in sorted(installed().items())), end='')
    elif verb == 'install':
        versions = {re.sub(r'[-_.]+', '-', name).lower(): version for name, version in installed().items()}
        for word in words:
            if not word.startswith('-'):
                name = re.match(r'[\w.-]*', word).group()
                print(f"Installed {name} {versions.get(re.sub(r'[-_.]+', '-', name).lower(), '')}".rstrip())
    else:
        raise UsageError('Write %pip install NAME for a package of Pyodide or of a package index, or %pip list.')


def use_backend(arguments):
    """Accepts only `inline`, because figures are always shown as pictures."""
    if arguments.strip() not in ('', 'inline'):
        raise UsageError('The embedded engine shows figures as pictures: write %matplotlib inline, or leave it out.')


MAGICS = dict(zip(assist.MAGICS, (run_file, measure, measure_often, who, whos, pip, use_backend), strict=True))


def magic(name, arguments, signs='%'):
    if name in MAGICS:
        return MAGICS[name](arguments)
    there = ', '.join(f'%{each}' for each in MAGICS)
    raise UsageError(f'There is no {signs}{name} in the embedded engine. {INSTEAD.get(name, f"Available: {there}, name? and name??")}')
