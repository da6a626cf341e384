"""
Adapts Python to the sandbox. engine.ts provides `host`: home, wait(milliseconds), and mayAsk(), ask()
and take() for input.
"""
import builtins
import getpass
import os
import random
import sys
import time

LOOK_EVERY_MS = 10


class StdinNotImplementedError(NotImplementedError):
    """Has the same name as in Jupyter, which users recognise."""

    __module__ = 'builtins'


def sleep(seconds, /):
    """Delay execution for a given number of seconds. The argument may be a floating-point number for subsecond precision."""
    if not hasattr(seconds, '__float__') and not hasattr(seconds, '__index__'):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer or float")
    if seconds < 0:
        raise ValueError('sleep length must be non-negative')
    sys.stdout.flush()
    end = time.monotonic() + seconds
    # An interrupt ends the wait early. Python then raises KeyboardInterrupt here.
    while (left := end - time.monotonic()) > 0:
        host.wait(left * 1000)


def refuse(name):
    raise StdinNotImplementedError(
        f'{name}() needs input, which cannot be typed here. Put the value into the code, or run it in the REPL over the live link.')


def ask(prompt, password):
    sys.stdout.flush()
    sys.stderr.flush()
    host.ask(str(prompt), password)
    # An interrupt ends the wait early. Python then raises KeyboardInterrupt here.
    while (line := host.take()) is None:
        host.wait(LOOK_EVERY_MS)
    # Jupyter sends this character for Ctrl-D.
    if line == '\x04':
        raise EOFError
    return line


def ask_for_input(prompt='', /):
    if not host.mayAsk():
        refuse('input')
    return ask(prompt, False)


def ask_for_password(prompt='Password: ', stream=None, **options):
    if not host.mayAsk():
        refuse('getpass')
    return ask(prompt, True)


def system(command):
    sys.stderr.write('os.system: there is no shell here, so the command was not run\n')
    return 126 << 8


time.sleep = sleep
os.system = system
getpass.getpass = ask_for_password
builtins.input = ask_for_input

# A snapshot contains the state of the random generator. Without a new seed, every session would get
# the same numbers.
random.seed()
# Environment variables given when a snapshot is loaded have no effect, so they are set here.
os.environ.clear()
os.environ.update(HOME=host.home, MPLBACKEND='module://engine_backend', PWD=host.home, USER='user', LOGNAME='user', LANG='C.UTF-8', PYTHONHASHSEED='0')
os.chdir(host.home)
sys.path.insert(0, host.home)
# Prevents `__pycache__` folders in the user's folder.
sys.dont_write_bytecode = True
