"""Runs cells in __main__. engine.ts provides `host`: home, and source(name) of the engine's modules."""
import __future__
import __main__
import ast
import asyncio
import builtins
import inspect
import linecache
import sys
import types
import weakref

import engine_figures as figures
import engine_outputs as outputs
import engine_tasks as tasks

FUTURE_FLAGS = 0
for _feature in __future__.all_feature_names:
    FUTURE_FLAGS |= getattr(__future__, _feature).compiler_flag

execution_count = 0
# Results of cells by number, as long as the user's code still references them. The last result is
# also `_`.
results = weakref.WeakValueDictionary()
last_result = (0, None)
compiler_flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def evaluate(tree, name, mode):
    global compiler_flags
    code = compile(tree, name, mode, flags=compiler_flags, dont_inherit=True)
    # A `from __future__ import …` also applies to later cells.
    compiler_flags |= code.co_flags & FUTURE_FLAGS
    result = eval(code, __main__.__dict__)
    return tasks.wait_for(result) if code.co_flags & inspect.CO_COROUTINE else result


def ends_with_semicolon(code, statement):
    lines = code.split('\n')[statement.end_lineno - 1 :]
    lines[0] = lines[0].encode()[statement.end_col_offset :].decode()
    return '\n'.join(lines).lstrip().startswith(';')


def load(name):
    """Loads an engine module on demand, because most sessions do not need it."""
    module = sys.modules.get(f'engine_{name}')
    if module is None:
        module = types.ModuleType(f'engine_{name}')
        module.host = host
        exec(compile(host.source(name), f'<engine {name}>', 'exec'), module.__dict__)
        sys.modules[module.__name__] = module
    return module


def assist(question, argument):
    return load('assist').ask(question, argument)


def parse(code, name):
    try:
        return ast.parse(code, name)
    except SyntaxError:
        if not any(sign in code for sign in '?!%'):
            raise
        load('assist')
        python = load('magics').translate(code)
        if python is None:
            raise
        try:
            return ast.parse(python, name)
        except SyntaxError:
            pass
        # The original error refers to the user's code, not to its translation.
        raise


def result_of(number, source):
    """Result of a cell. Raises LookupError if the source differs or the result is gone."""
    lines = linecache.cache[f'<cell {number}>'][2]
    if source is not None and ''.join(lines) != source + '\n':
        raise LookupError(number)
    return last_result[1] if last_result[0] == number else results[number]


def execute(code, name, silent):
    global last_result
    tree = parse(code, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not ends_with_semicolon(code, tree.body[-1]):
        last = ast.Expression(tree.body.pop().value)
    if tree.body:
        evaluate(tree, name, 'exec')
    if last is None:
        return
    value = evaluate(last, name, 'eval')
    if value is not None and not silent:
        __main__._ = value
        last_result = (execution_count, value)
        try:
            results[execution_count] = value
        except TypeError:
            # Some types, such as lists, do not support weak references.
            pass
        outputs.emit_result(value, execution_count)


def run(code, counted=True, silent=False):
    global execution_count
    if counted:
        execution_count += 1
    try:
        outputs.begin_cell()
        tasks.begin_cell()
        # The source lines of an uncounted cell must not replace those of a counted cell.
        name = f'<cell {execution_count}>' if counted else '<cell between>'
        code = code.replace('\r\n', '\n').replace('\r', '\n')
        linecache.cache[name] = (len(code), None, [line + '\n' for line in code.split('\n')], name)
        # Makes modules importable that were written a moment ago. `importlib.invalidate_caches` is
        # not used, because it would read the zip file of the standard library again.
        finder = sys.path_importer_cache.get(host.home)
        if finder is not None:
            finder.invalidate_caches()
        execute(code, name, silent)
        figures.show()
    except BaseException as error:
        frames = error.__traceback__
        if tasks.interrupted and isinstance(error, asyncio.CancelledError):
            error = KeyboardInterrupt()
        outputs.emit_error(error, frames)
    sys.stdout.flush()
    sys.stderr.flush()


builtins.display = outputs.display
builtins.update_display = outputs.update_display
builtins.clear_output = outputs.clear_output
