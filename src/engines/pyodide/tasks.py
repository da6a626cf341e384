"""Code that awaits, and its interrupt: while it waits Python does not run, so that tasks are cancelled instead."""
import asyncio

from pyodide.ffi import run_sync

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


async def guard(coroutine):
    # An exception that leaves a task while an interrupt is under way would end the event loop.
    try:
        return True, await coroutine
    except BaseException as error:
        return False, error


def wait_for(coroutine):
    """Runs a coroutine to its end in the middle of a synchronous call."""
    good, value = run_sync(asyncio.ensure_future(guard(coroutine)))
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
