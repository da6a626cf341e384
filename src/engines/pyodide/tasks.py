"""
Interrupts code that awaits. Python cannot handle a signal while it waits, so its tasks are cancelled
instead. engine.ts provides `host`: again().
"""
import asyncio
import os
import signal
import sys

from pyodide import webloop
from pyodide.ffi import run_sync

LIBRARY = os.path.dirname(os.__file__)
# Paths of Pyodide's own Python code: the packages pyodide and _pyodide, and this file.
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
    """
    Called by engine.ts on an interrupt while Python waits. Does not cancel tasks of earlier cells.
    Returns False if there is no task.
    """
    global interrupted
    tasks = asyncio.all_tasks(loop) - tasks_of_earlier_cells
    for task in tasks:
        interrupted = True
        task.cancel()
    return bool(tasks)


def is_plumbing(frame):
    """True for Pyodide's own frames. A standard library frame counts as its caller's."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(PLUMBING):
            return True
        if not name.startswith((LIBRARY, '<frozen ')):
            return False
        frame = frame.f_back
    return True


def on_signal(number, frame):
    # An exception raised inside Pyodide's own code would be replaced, lost with its callback, or
    # fatal.
    if is_plumbing(frame):
        host.again()
    else:
        raise KeyboardInterrupt


def on_unraisable(unraisable):
    # Python ignores exceptions raised in `__del__`, so an interrupt is signalled again.
    if unraisable.exc_type is KeyboardInterrupt:
        host.again()
    else:
        sys.__unraisablehook__(unraisable)


async def guard(coroutine):
    # An exception that propagates out of a task during an interrupt would end the event loop.
    try:
        return True, await coroutine
    except BaseException as error:
        return False, error


def wait_for(coroutine):
    """Runs a coroutine to completion in a synchronous call."""
    try:
        good, value = run_sync(asyncio.ensure_future(guard(coroutine)))
    finally:
        # Prevents a warning: a coroutine that is cancelled before it starts was never awaited.
        coroutine.close()
    if good:
        return value
    raise value


def run(main, **options):
    """Replaces asyncio.run. Raises KeyboardInterrupt on an interrupt instead of CancelledError."""
    try:
        return original_run(main, **options)
    except asyncio.CancelledError:
        if interrupted:
            raise KeyboardInterrupt from None
        raise


def on_loop_error(loop, context):
    # Interrupts are reported to the cell separately.
    if not isinstance(context.get('exception'), KeyboardInterrupt):
        loop.default_exception_handler(context)


loop._keyboard_interrupt_handler = cancel_tasks
loop._system_exit_handler = lambda code: None
loop.set_exception_handler(on_loop_error)
asyncio.run = run
signal.signal(signal.SIGINT, on_signal)
sys.unraisablehook = on_unraisable
