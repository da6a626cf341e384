"""Outputs of a cell in nbformat 4: results, displays, errors. engine.ts provides `host.emit(json)`."""
import asyncio
import base64
import json
import os
import sys
import traceback
import types

TEXT_LIMIT = 1 << 20
MESSAGE_LIMIT = 1 << 16
RICH_LIMIT = 4 << 20
# Maximum size of a message, below the parent's limit MESSAGE_LIMIT in protocol.ts.
ANSWER_LIMIT = 60 << 20
# Fixed cost added for each output, so that a million empty outputs also reach the limit.
OUTPUT_COST = 256
# Frames to hide: those of the engine, of JavaScript, and of Pyodide between the cell and asyncio.
HIDDEN_FRAMES = ('<engine ', 'file:', 'node:', f'{os.path.dirname(os.path.dirname(asyncio.__file__))}/pyodide/')

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

rich_left = RICH_LIMIT
# Cost of each display in the running cell, by display id.
shown = {}


def begin_cell():
    global rich_left
    rich_left = RICH_LIMIT
    shown.clear()


def emit(output):
    sys.stdout.flush()
    sys.stderr.flush()
    answer = json.dumps(output, allow_nan=False)
    if len(answer) > ANSWER_LIMIT:
        answer = json.dumps({'output_type': 'stream', 'name': 'stderr', 'text': f'… output of {len(answer) >> 20} MiB dropped: the limit is {ANSWER_LIMIT >> 20} MiB …\n'})
    host.emit(answer)


def clip(text, limit):
    """Shortens a text that is too long to its start and end."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f'{text[:half]}\n… {len(text) - 2 * half:,} characters hidden …\n{text[-half:]}'


def describe(value):
    """Data by media type and metadata of a value, from its repr and Jupyter's display methods."""
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
    display_id = fields.get('transient', {}).get('display_id')
    if output_type == 'update_display_data':
        rich_left += shown.pop(display_id, 0)
    if rich_left <= 0:
        return
    kept = {}
    before = rich_left
    rich_left -= OUTPUT_COST
    for mime, found in data.items():
        if mime == 'text/plain':
            found = clip(found, TEXT_LIMIT)
        size = len(found) if isinstance(found, str) else len(json.dumps(found))
        if size > rich_left:
            rich_left = 0
            break
        rich_left -= size
        kept[mime] = found
    if display_id is not None:
        shown[display_id] = before - rich_left
    if kept:
        emit({'output_type': output_type, **fields, 'data': kept, 'metadata': metadata})
    if rich_left <= 0:
        emit({'output_type': 'stream', 'name': 'stderr', 'text': f'… further results of this cell dropped: the limit is {RICH_LIMIT >> 20} MiB …\n'})


def emit_result(value, execution_count):
    data, metadata = describe(value)
    emit_rich('execute_result', data, metadata, execution_count=execution_count)


class DisplayHandle:
    """Display that can be updated later."""

    def __init__(self, display_id=None):
        self.display_id = display_id or os.urandom(16).hex()

    def display(self, value, **options):
        display(value, display_id=self.display_id, **options)

    def update(self, value, **options):
        display(value, display_id=self.display_id, update=True, **options)


def display(*objects, raw=False, metadata=None, display_id=None, update=False, clear=False):
    """Displays objects like a cell's result. With `raw=True`, they map media types to data."""
    if clear:
        clear_output(wait=True)
    if update and display_id is None:
        raise TypeError('display_id required for update_display')
    handle = None if display_id is None else DisplayHandle(None if display_id is True else str(display_id))
    fields = {} if handle is None else {'transient': {'display_id': handle.display_id}}
    for value in objects:
        data, found = (dict(value), {}) if raw else describe(value)
        emit_rich('update_display_data' if update else 'display_data', data, {**found, **(metadata or {})}, **fields)
    return handle


def update_display(value, *, display_id, **options):
    """Replaces the display with this id."""
    display(value, display_id=display_id, update=True, **options)


def clear_output(wait=False):
    """Removes the cell's outputs so far, or with `wait=True` when the next output arrives."""
    begin_cell()
    emit({'output_type': 'clear_output', 'wait': bool(wait)})


def own_frames(frames):
    """Traceback that starts with the cell's frame and omits hidden frames."""
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
        error.add_note(
            "The embedded engine has the standard library, the packages of the server's environment, and the modules in its folder. "
            '%pip install NAME adds a package of Pyodide or of a package index.')


def emit_error(error, frames):
    if isinstance(error, ModuleNotFoundError):
        note_missing_module(error)
    try:
        value = str(error)
        text = ''.join(traceback.format_exception(type(error), error, own_frames(frames)))
    except BaseException as failure:
        value = text = f'<exception str() failed: {type(failure).__name__}>'
    lines = clip(text.rstrip('\n'), TEXT_LIMIT).split('\n')
    emit({'output_type': 'error', 'ename': type(error).__name__, 'evalue': clip(value, MESSAGE_LIMIT), 'traceback': lines})
