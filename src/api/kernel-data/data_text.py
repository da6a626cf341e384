"""Text of values, limited in size and time. These files form one module in the user's kernel."""
import json
import sys
import time
import weakref
import zlib

MOST_TEXT = 400
# Time limits for code of the user, such as a __repr__, in seconds: for a whole request, and for one
# call.
PATIENCE = 1.0
PATIENCE_EACH = 0.3
PLAIN = (bool, int, float, complex, type(None))
# Packages whose values have a fast repr.
TRUSTED = {'builtins', 'datetime', 'decimal', 'fractions', 'uuid', 'pathlib', 'numpy', 'pandas', 'polars', 'pyarrow'}

# Marks a key that one dict in a list of dicts does not have.
ABSENT = object()

trusted_types = {}
slow_types = set()
patience_until = 0.0


class TooSlow(BaseException):
    pass


def begin_request():
    global patience_until
    patience_until = time.monotonic() + PATIENCE
    slow_types.clear()


def limited(work, kind=None):
    """Result of the user's code. Raises TooSlow after a time limit; later calls for the same type raise it at once."""
    now = time.monotonic()
    until = min(patience_until, now + PATIENCE_EACH)
    if now > until or kind in slow_types:
        raise TooSlow()

    def trace(frame, event, argument):
        if time.monotonic() > until:
            slow_types.add(kind)
            raise TooSlow()
        # Traces opcodes, because a loop on a single line causes no other events.
        frame.f_trace_opcodes = True
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return work()
    finally:
        sys.settrace(before)


def module_of(kind):
    try:
        found = type.__getattribute__(kind, '__module__')
    except BaseException:
        return ''
    return found if type(found) is str else ''


def name_of(kind):
    try:
        found = type.__getattribute__(kind, '__name__')
    except BaseException:
        return 'object'
    return clip(found) if type(found) is str else 'object'


def is_trusted(kind):
    known = trusted_types.get(kind)
    if known is None:
        known = trusted_types[kind] = module_of(kind).partition('.')[0] in TRUSTED
        if len(trusted_types) > 1000:
            trusted_types.clear()
    return known


def clip(text, most=MOST_TEXT):
    return text if len(text) <= most else text[:most] + '…'


def own_text(value, how, most):
    """Text that the object's own code makes."""
    kind = type(value)
    try:
        found = how(value) if is_trusted(kind) else limited(lambda: how(value), kind)
        if type(found) is str:
            return clip(found, most)
        return clip(str.__str__(found), most)
    except TooSlow:
        return f'<{name_of(kind)}: its text takes too long>'
    except BaseException as error:
        return f'<{name_of(kind)}: {name_of(type(error))}>'


def number_text(value):
    if value != value:
        return 'NaN'
    return repr(value)


def int_text(value):
    # Not in digits, because converting a huge number takes minutes.
    return repr(value) if -(1 << 1000) < value < 1 << 1000 else f'<int of {value.bit_length()} bits>'


def short(value, most, depth=2):
    """A value in short, as code: the first items of containers."""
    kind = type(value)
    if kind is str:
        text = repr(value[:most])
        return text if len(value) <= most and len(text) <= most + 2 else text[:most] + '…'
    if kind is int:
        return int_text(value)
    if kind in PLAIN:
        return repr(value)
    if kind in (bytes, bytearray):
        return clip(repr(value[:most]), most)
    if kind in (list, tuple, set, frozenset, dict):
        marks = {list: '[]', tuple: '()', dict: '{}', set: '{}', frozenset: '{}'}[kind]
        parts, length = [], 0
        for item in list(value.items() if kind is dict else value) if len(value) < 100 else head_of(value, 30):
            if depth == 0 or length > most:
                parts.append('…')
                break
            text = f'{short(item[0], most, depth - 1)}: {short(item[1], most, depth - 1)}' if kind is dict else short(item, most, depth - 1)
            length += len(text) + 2
            parts.append(text)
        else:
            if len(value) > len(parts):
                parts.append('…')
        return clip(marks[0] + ', '.join(parts) + marks[1], most)
    size = shape_text(value, kind)
    return size if size is not None else own_text(value, repr, most)


def head_of(values, count):
    """First items of a container, without a copy of it."""
    found = []
    for item in values.items() if type(values) is dict else values:
        if len(found) == count:
            break
        found.append(item)
    return found


def shape_text(value, kind):
    """Arrays and frames by their size: their text may be long. None for other values."""
    if not is_trusted(kind) or module_of(kind).partition('.')[0] == 'builtins':
        return None
    shape = getattr(value, 'shape', None)
    if type(shape) is not tuple or shape == ():
        return None
    return f'<{name_of(kind)} {"×".join(str(each) for each in shape)}>'


def text_of(value, most=MOST_TEXT):
    """Text of a field in a table."""
    kind = type(value)
    if kind is str:
        return clip(value, most)
    if kind is float:
        return number_text(value)
    if kind is int:
        return int_text(value)
    if kind in PLAIN:
        return repr(value)
    if value is ABSENT:
        return ''
    if kind in (list, tuple, set, frozenset, dict, bytes, bytearray):
        return short(value, most, 3)
    size = shape_text(value, kind)
    if size is not None:
        return size
    text = own_text(value, str, most)
    return 'NaN' if text == 'nan' else text


def is_missing(value):
    if value is None or value is ABSENT:
        return True
    kind = type(value)
    if kind is float:
        return value != value
    if not is_trusted(kind) or kind in (str, int, bool, list, tuple, dict):
        return False
    if name_of(kind) in ('NaTType', 'NAType'):
        return True
    try:
        return bool(value != value)
    except BaseException:
        return False


def said(error):
    """An error as the end of a sentence."""
    if isinstance(error, TooSlow):
        return 'its own code takes too long'
    text = own_text(error, str, 200)
    return name_of(type(error)) + (f': {text}' if text else '')
