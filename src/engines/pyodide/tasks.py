"""Interrupts, and code that awaits: while it waits Python does not run, so that tasks are cancelled instead. `host` comes from engine.ts: again()."""
import asyncio
import os
import signal
import sys

from pyodide import webloop
from pyodide.ffi import run_sync

LIBRARY = os.path.dirname(os.__file__)
# Both packages, pyodide and _pyodide; this file is of their kind.
PLUMBING = (os.path.dirname(webloop.__file__), f'{LIBRARY}/_pyodide', '<engine tasks>')
interrupted = False
tasks_of_earlier_cells = set()
loop = asyncio.get_event_loop()
original_run = asyncio.run


def begin_cell():
    global interrupted, tasks_of_earlier_cells
    interrupted = False
    tasks_of_earlier_cells = set(asyncio.all_tasks(loop))


def cancel_tasks():
    """Called by engine.ts when the interrupt finds Python waiting. Tasks that earlier cells left behind go on. False when there is none."""
    global interrupted
    tasks = asyncio.all_tasks(loop) - tasks_of_earlier_cells
    for task in tasks:
        interrupted = True
        task.cancel()
    return bool(tasks)


def is_plumbing(frame):
    """Whether Pyodide runs there for itself, and not the code of the cell: the standard library counts for the one who called it."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(PLUMBING):
            return True
        if not name.startswith((LIBRARY, '<frozen ')):
            return False
        frame = frame.f_back
    return True


def on_signal(number, frame):
    # An exception in the middle of Pyodide's own work is turned into another one, lost with the callback that it leaves, or fatal.
    if is_plumbing(frame):
        host.again()
    else:
        raise KeyboardInterrupt


def on_unraisable(unraisable):
    # Python drops what `__del__` raises.
    if unraisable.exc_type is KeyboardInterrupt:
        host.again()
    else:
        sys.__unraisablehook__(unraisable)


async def guard(coroutine):
    # An exception that leaves a task while an interrupt is under way would end the event loop.
    try:
        return True, await coroutine
    except BaseException as error:
        return False, error


def wait_for(coroutine):
    """Runs a coroutine to its end in the middle of a synchronous call."""
    try:
        good, value = run_sync(asyncio.ensure_future(guard(coroutine)))
    finally:
        # Cancelled before it began, it would warn that nobody awaited it.
        coroutine.close()
    if good:
        return value
    raise value


def run(main, **options):
    """asyncio.run, whose interrupt is KeyboardInterrupt as everywhere."""
    try:
        return original_run(main, **options)
    except asyncio.CancelledError:
        if interrupted:
            raise KeyboardInterrupt from None
        raise


def on_loop_error(loop, context):
    # An interrupt reaches the cell by its own way.
    if not isinstance(context.get('exception'), KeyboardInterrupt):
        loop.default_exception_handler(context)


loop._keyboard_interrupt_handler = cancel_tasks
loop._system_exit_handler = lambda code: None
loop.set_exception_handler(on_loop_error)
asyncio.run = run
signal.signal(signal.SIGINT, on_signal)
sys.unraisablehook = on_unraisable
