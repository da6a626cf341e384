"""Runs cells in __main__ and hands out nbformat 4 outputs. `host` comes from engine.ts: home, emit(json), wait(milliseconds)."""
import __future__
import __main__
import ast
import asyncio
import base64
import builtins
import getpass
import inspect
import json
import linecache
import os
import random
import sys
import time
import traceback
import types

from pyodide.ffi import run_sync

HIDDEN_FRAMES = ('<runner>', 'file:', 'node:', f'{os.path.dirname(os.path.dirname(asyncio.__file__))}/pyodide/')
TEXT_LIMIT = 1 << 20
RICH_LIMIT = 4 << 20
# What an output costs beside its data, so that a million empty ones end as well.
OUTPUT_COST = 256

execution_count = 0
rich_left = 0
interrupted = False
tasks_of_earlier_cells = set()
compiler_flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
FUTURE_FLAGS = 0
for _feature in __future__.all_feature_names:
    FUTURE_FLAGS |= getattr(__future__, _feature).compiler_flag


class StdinNotImplementedError(NotImplementedError):
    """Named as in Jupyter, whose users know it."""

    __module__ = 'builtins'


def clip(text, limit=TEXT_LIMIT):
    """The first and the last part of a text that is too long."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f'{text[:half]}\n… {len(text) - 2 * half:,} characters hidden …\n{text[-half:]}'


# Outputs


def emit(output):
    sys.stdout.flush()
    sys.stderr.flush()
    host.emit(json.dumps(output, allow_nan=False))


RICH_METHODS = {
    'text/html': '_repr_html_',
    'text/markdown': '_repr_markdown_',
    'text/latex': '_repr_latex_',
    'image/svg+xml': '_repr_svg_',
    'image/png': '_repr_png_',
    'image/jpeg': '_repr_jpeg_',
    'application/json': '_repr_json_',
    'application/javascript': '_repr_javascript_',
    'application/pdf': '_repr_pdf_',
}


def describe(value):
    """The data bundle of a value and its metadata: repr, and what the object offers by Jupyter's method names."""
    data, metadata = {}, {}
    if not isinstance(value, type):
        bundle = getattr(value, '_repr_mimebundle_', None)
        if callable(bundle):
            found = bundle(include=None, exclude=None)
            if isinstance(found, tuple):
                found, metadata = found[0], dict(found[1])
            data.update(found or {})
        for mime, name in RICH_METHODS.items():
            method = getattr(value, name, None)
            if mime in data or not callable(method):
                continue
            found = method()
            if isinstance(found, tuple):
                found, metadata[mime] = found
            if found is not None:
                data[mime] = found
    for mime, found in data.items():
        if isinstance(found, (bytes, bytearray, memoryview)):
            data[mime] = base64.b64encode(found).decode()
    if 'text/plain' not in data:
        data = {'text/plain': repr(value), **data}
    return data, metadata


def emit_rich(output_type, data, metadata, **fields):
    global rich_left
    if rich_left <= 0:
        return
    kept = {}
    rich_left -= OUTPUT_COST
    for mime, found in data.items():
        if mime.startswith('text/plain'):
            found = clip(found)
        size = len(found) if isinstance(found, str) else len(json.dumps(found))
        if size > rich_left:
            rich_left = 0
            break
        rich_left -= size
        kept[mime] = found
    if kept:
        emit({'output_type': output_type, **fields, 'data': kept, 'metadata': metadata})
    if rich_left <= 0:
        emit({'output_type': 'stream', 'name': 'stderr', 'text': f'… this cell shows no more results: {RICH_LIMIT >> 20} MiB is the most …\n'})


def display(*objects, raw=False, metadata=None):
    """Shows each object as the last expression of a cell is shown. With raw, an object is a dict from media type to data."""
    for value in objects:
        data, found = (dict(value), {}) if raw else describe(value)
        emit_rich('display_data', data, {**found, **(metadata or {})})


def own_frames(frames):
    """A traceback from the cell's frame on, without frames of this file, of Pyodide and of JavaScript."""
    kept = []
    while frames is not None:
        name = frames.tb_frame.f_code.co_filename
        if not name.startswith(HIDDEN_FRAMES) and (kept or name.startswith('<cell ')):
            kept.append(frames)
        frames = frames.tb_next
    result = None
    for frame in reversed(kept):
        result = types.TracebackType(result, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return result


def note_missing_module(error):
    if error.name is None or getattr(error, '__notes__', None):
        return
    if error.name.partition('.')[0] in sys.stdlib_module_names:
        error.add_note('The embedded engine does not have this part of the standard library.')
    else:
        error.add_note("The embedded engine has the standard library and the modules in the server's folder.")


def emit_error(error):
    frames = own_frames(error.__traceback__)
    if interrupted and isinstance(error, asyncio.CancelledError):
        error = KeyboardInterrupt()
    if isinstance(error, ModuleNotFoundError):
        note_missing_module(error)
    try:
        value = str(error)
        text = ''.join(traceback.format_exception(type(error), error, frames))
    except BaseException as failure:
        value = text = f'<exception str() failed: {type(failure).__name__}>'
    lines = clip(text.rstrip('\n')).split('\n')
    emit({'output_type': 'error', 'ename': type(error).__name__, 'evalue': clip(value, 1 << 16), 'traceback': lines})


# Running


async def guard(coroutine):
    # An exception that leaves a task while an interrupt is under way would end the event loop.
    try:
        return True, await coroutine
    except BaseException as error:
        return False, error


def evaluate(tree, name, mode):
    global compiler_flags
    code = compile(tree, name, mode, flags=compiler_flags, dont_inherit=True)
    compiler_flags |= code.co_flags & FUTURE_FLAGS
    result = eval(code, __main__.__dict__)
    if not code.co_flags & inspect.CO_COROUTINE:
        return result
    good, value = run_sync(asyncio.ensure_future(guard(result)))
    if good:
        return value
    raise value


def ends_with_semicolon(code, statement):
    lines = code.split('\n')[statement.end_lineno - 1 :]
    lines[0] = lines[0].encode()[statement.end_col_offset :].decode()
    return '\n'.join(lines).lstrip().startswith(';')


def execute(code, name):
    tree = ast.parse(code, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        statement = tree.body.pop()
        if ends_with_semicolon(code, statement):
            tree.body.append(statement)
        else:
            last = ast.Expression(statement.value)
    if tree.body:
        evaluate(tree, name, 'exec')
    if last is None:
        return
    value = evaluate(last, name, 'eval')
    if value is not None:
        __main__._ = value
        data, metadata = describe(value)
        emit_rich('execute_result', data, metadata, execution_count=execution_count)


def run(code):
    global execution_count, rich_left, interrupted, tasks_of_earlier_cells
    execution_count += 1
    rich_left = RICH_LIMIT
    interrupted = False
    tasks_of_earlier_cells = set(asyncio.all_tasks(loop))
    name = f'<cell {execution_count}>'
    code = code.replace('\r\n', '\n').replace('\r', '\n')
    linecache.cache[name] = (len(code), None, [line + '\n' for line in code.split('\n')], name)
    # Modules written a moment ago are found. Not importlib.invalidate_caches, which reads the zip of the standard library again.
    finder = sys.path_importer_cache.get(host.home)
    if finder is not None:
        finder.invalidate_caches()
    try:
        execute(code, name)
    except BaseException as error:
        emit_error(error)
    sys.stdout.flush()
    sys.stderr.flush()


def cancel_tasks():
    """The interrupt of code that awaits. Tasks that earlier cells left behind go on."""
    global interrupted
    interrupted = True
    for task in asyncio.all_tasks(loop) - tasks_of_earlier_cells:
        task.cancel()


# What differs from Python on a computer


def sleep(seconds, /):
    """Delay execution for a given number of seconds. The argument may be a floating-point number for subsecond precision."""
    if not hasattr(seconds, '__float__') and not hasattr(seconds, '__index__'):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer or float")
    if seconds < 0:
        raise ValueError('sleep length must be non-negative')
    sys.stdout.flush()
    end = time.monotonic() + seconds
    # An interrupt ends the wait; Python itself then raises KeyboardInterrupt here.
    while (left := end - time.monotonic()) > 0:
        host.wait(left * 1000)


def run_loop(main, **options):
    """asyncio.run: an interrupt is KeyboardInterrupt, as everywhere."""
    try:
        return original_run(main, **options)
    except asyncio.CancelledError:
        if interrupted:
            raise KeyboardInterrupt from None
        raise


def ask_for_input(prompt='', *rest):
    raise StdinNotImplementedError('raw_input was called, but this frontend does not support input requests.')


def ask_for_password(*arguments, **options):
    raise StdinNotImplementedError('getpass was called, but this frontend does not support input requests.')


def system(command):
    sys.stderr.write('os.system: there is no shell here, so the command was not run\n')
    return 126 << 8


def on_loop_error(loop, context):
    # An interrupt reaches the cell by its own way.
    if not isinstance(context.get('exception'), KeyboardInterrupt):
        loop.default_exception_handler(context)


loop = asyncio.get_event_loop()
loop._keyboard_interrupt_handler = cancel_tasks
loop._system_exit_handler = lambda code: None
loop.set_exception_handler(on_loop_error)
original_run = asyncio.run
asyncio.run = run_loop
time.sleep = sleep
os.system = system
getpass.getpass = ask_for_password
builtins.input = ask_for_input
builtins.display = display

# A snapshot froze the generator's state: without this every session draws the same numbers.
random.seed()
# With a snapshot the environment given at load is ignored.
os.environ.clear()
os.environ.update(HOME=host.home, PWD=host.home, USER='user', LOGNAME='user', LANG='C.UTF-8', PYTHONHASHSEED='0')
os.chdir(host.home)
sys.path.insert(0, host.home)
sys.dont_write_bytecode = True
