"""Answers requests about code and variables: completion, documentation, completeness."""
import __main__
import ast
import builtins
import codeop
import contextlib
import inspect
import io
import json
import keyword
import os
import pkgutil
import re
import sys
import traceback

MOST = 500
TEXT_LIMIT = 1 << 18
# Dotted names. Excludes calls and subscripts, because evaluating them would run code.
CHAIN = re.compile(r'(?:[^\W\d]\w*\s*\.\s*)*[^\W\d]?\w*$')
IMPORT = re.compile(r'^\s*(?:import|from)\s+(?:[\w.]+\s+as\s+\w+\s*,\s*|[\w.]+\s*,\s*)*([\w.]*)$')
FROM = re.compile(r'^\s*from\s+([\w.]+)\s+import\s+\(?\s*(?:\w+\s*,\s*)*(\w*)$')
# Magics that magics.py implements, and cell magics.
MAGICS = ('run', 'time', 'timeit', 'who', 'whos', 'pip', 'matplotlib')
CELL_MAGICS = ('time', 'timeit')
MAGIC = re.compile(r'\s*(%%?)\w*$')
KEY = re.compile(r'((?:[^\W\d]\w*\s*\.\s*)*[^\W\d]\w*)\[\s*(["\']?)([^"\'\]]*)$')


def namespaces():
    return {**builtins.__dict__, **__main__.__dict__}


def resolve(names):
    """Value of dotted names. Raises an exception if there is none."""
    first, *rest = names
    value = namespaces()[first]
    for name in rest:
        value = getattr(value, name)
    return value


def kind_of(value):
    if inspect.ismodule(value):
        return 'module'
    if inspect.isclass(value):
        return 'class'
    return 'function' if callable(value) else 'instance'


def signature_of(value):
    if not callable(value):
        return ''
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return ''


def ranked(names, prefix):
    """Names with the prefix, private ones last. `_name` needs a prefix with an underscore."""
    fitting = [name for name in names if name.startswith(prefix) and (prefix.startswith('_') or not name.startswith('_'))]
    return sorted(set(fitting), key=lambda name: (name.startswith('__'), name.startswith('_'), name.lower(), name))[:MOST]


def open_string(line):
    """Quote of the string that is unclosed at the end of the line, and the index of its content."""
    quote, begin, at = None, 0, 0
    while at < len(line):
        sign = line[at]
        if quote is None:
            if sign == '#':
                return None
            if sign in '"\'':
                quote, begin = sign, at + 1
        elif sign == '\\':
            at += 1
        elif sign == quote:
            quote = None
        at += 1
    return None if quote is None else (quote, begin)


def paths(text):
    folder, _, start = text.rpartition('/')
    found = os.listdir(os.path.expanduser(folder or ('/' if text.startswith('/') else '.')))
    for name in ranked(found, start):
        is_folder = os.path.isdir(os.path.join(os.path.expanduser(folder), name)) if folder else os.path.isdir(name)
        yield name + ('/' if is_folder else ''), 'path', ''


def modules(text):
    package, _, start = text.rpartition('.')
    if not package:
        found = {*sys.builtin_module_names, *sys.stdlib_module_names, *(module.name for module in pkgutil.iter_modules())}
    else:
        loaded = sys.modules.get(package)
        found = {module.name for module in pkgutil.iter_modules(getattr(loaded, '__path__', []))}
    return [(name, 'module', '') for name in ranked(found, start)], start


def keys(chain, quote, start):
    value = resolve(re.split(r'\s*\.\s*', chain))
    if isinstance(value, dict):
        found = list(value)
    else:
        found = list(getattr(value, 'columns', ())) if hasattr(value, 'columns') else []
    if quote:
        return [(key, 'dict key', '') for key in found if isinstance(key, str) and key.startswith(start)][:MOST]
    return [(repr(key), 'dict key', '') for key in found if isinstance(key, (str, int, float, bool, tuple)) and repr(key).startswith(start)][:MOST]


def parameters(before):
    """Parameter names of the innermost open call."""
    depth = 0
    for at in range(len(before) - 1, -1, -1):
        if before[at] in ')]}':
            depth += 1
        elif before[at] in '([{':
            if depth == 0:
                chain = CHAIN.search(before[:at])
                if before[at] != '(' or not chain or not chain.group():
                    return []
                try:
                    found = inspect.signature(resolve(re.split(r'\s*\.\s*', chain.group()))).parameters.values()
                except Exception:
                    return []
                return [each.name for each in found if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)]
            depth -= 1
    return []


def attributes(value):
    return {name for name in dir(value) if isinstance(name, str)}


def member(value, name):
    # Does not evaluate a property, because that would run code.
    try:
        static = inspect.getattr_static(value, name)
    except AttributeError:
        return None
    return None if isinstance(static, property) else static


def matches(before):
    """Completions at the end of a text, and the number of characters that they replace."""
    line = before.rpartition('\n')[2]
    key = KEY.search(line)
    string = open_string(line)
    if key and (string is not None) == bool(key.group(2)):
        found = keys(*key.groups())
        if found:
            return found, len(key.group(3))
    if string is not None:
        text = line[string[1] :]
        try:
            return list(paths(text)), len(text.rpartition('/')[2])
        except OSError:
            return [], 0
    magic = MAGIC.match(line)
    if magic:
        typed = line.strip()
        known = [f'%{name}' for name in MAGICS] + [f'%%{name}' for name in CELL_MAGICS]
        return [(name, 'magic', '') for name in known if name.startswith(typed)], len(typed)
    names = FROM.match(line)
    if names:
        module = sys.modules.get(names.group(1))
        inner, _ = modules(names.group(1) + '.')
        found = {*(attributes(module) if module else ()), *(name for name, _, _ in inner)}
        return [(name, kind_of(getattr(module, name, sys)), '') for name in ranked(found, names.group(2))], len(names.group(2))
    imported = IMPORT.match(line)
    if imported:
        found, start = modules(imported.group(1))
        return found, len(start)
    chain = CHAIN.search(line)
    text = chain.group() if chain else ''
    *owners, start = re.split(r'\s*\.\s*', text)
    ahead = line[: chain.start()] if chain else line
    if owners:
        value = resolve(owners)
        found = []
        for name in ranked(attributes(value), start):
            each = member(value, name)
            found.append((name, 'property' if each is None else kind_of(each), signature_of(each)))
        return found, len(start)
    if ahead.rstrip().endswith(('.', ')', ']')):
        # The value is unknown without running the code.
        return [], 0
    found = [(f'{name}=', 'param', '') for name in ranked(parameters(before[: len(before) - len(start)]), start)]
    known = namespaces()
    for name in ranked({*known, *keyword.kwlist}, start):
        if name in known:
            found.append((name, kind_of(known[name]), signature_of(known[name])))
        else:
            found.append((name, 'keyword', ''))
    return found, len(start)


def complete(argument):
    code, position = argument['code'], argument['cursor_pos']
    try:
        found, length = matches(code[:position])
    except Exception:
        found, length = [], 0
    start = position - length
    types = [{'start': start, 'end': position, 'text': text, 'type': kind, 'signature': signature} for text, kind, signature in found]
    return {
        'matches': [text for text, _, _ in found],
        'cursor_start': start,
        'cursor_end': position,
        'metadata': {'_jupyter_types_experimental': types},
        'status': 'ok',
    }


def subject(code, position):
    """Dotted names at the cursor, or those of the innermost open call."""
    after = re.match(r'\w*', code[position:]).group()
    chain = CHAIN.search(code[:position] + after)
    if chain and chain.group().strip('.'):
        return chain.group()
    depth = 0
    for at in range(position - 1, -1, -1):
        if code[at] in ')]}':
            depth += 1
        elif code[at] in '([{':
            if depth == 0 and code[at] == '(':
                chain = CHAIN.search(code[:at])
                return chain.group() if chain else ''
            depth -= 1
    return ''


def describe(name, value, detail):
    lines = []
    signature = signature_of(value)
    if signature:
        lines.append(f'Signature: {name}{signature}')
    lines.append(f'Type:      {type(value).__name__}')
    if not callable(value) and not inspect.ismodule(value):
        text = repr(value)
        lines.append(f'Value:     {text[:1000]}{"…" if len(text) > 1000 else ""}')
        with contextlib.suppress(TypeError):
            lines.append(f'Length:    {len(value)}')
    try:
        lines.append(f'File:      {inspect.getfile(value)}')
    except (TypeError, OSError):
        pass
    source = None
    if detail > 0:
        with contextlib.suppress(TypeError, OSError):
            source = inspect.getsource(value)
    if source is not None:
        lines.append(f'Source:\n{source}')
    else:
        lines.append(f'Docstring:\n{inspect.getdoc(value) or "<no docstring>"}')
    return '\n'.join(lines)[:TEXT_LIMIT]


def inspect_code(argument):
    name = subject(argument['code'], argument['cursor_pos'])
    try:
        data = {'text/plain': describe(name, resolve(re.split(r'\s*\.\s*', name)), argument.get('detail_level', 0))}
    except Exception:
        data = {}
    return {'status': 'ok', 'found': bool(data), 'data': data, 'metadata': {}}


def is_complete(argument):
    compiler = codeop.CommandCompiler()
    compiler.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    code = argument['code']
    last = code.rpartition('\n')[2]
    indent = re.match(r'\s*', last).group()
    deeper = indent + '    ' if last.rstrip().endswith(':') else indent
    try:
        whole = compiler(code, '<input>', 'exec')
    except (SyntaxError, ValueError, OverflowError):
        return {'status': 'invalid'}
    # A block is complete only after an empty line, as at a prompt.
    if whole is None or (indent and last.strip()) or last.rstrip().endswith(':'):
        return {'status': 'incomplete', 'indent': deeper}
    return {'status': 'complete'}


def expressions(argument):
    import engine_outputs as outputs

    answers = {}
    for name, source in argument.items():
        try:
            data, metadata = outputs.describe(eval(source, __main__.__dict__))
            answers[name] = {'status': 'ok', 'data': data, 'metadata': metadata}
        except Exception as error:
            lines = traceback.format_exception_only(error)
            answers[name] = {'status': 'error', 'ename': type(error).__name__, 'evalue': str(error), 'traceback': lines}
    return answers


QUESTIONS = {'complete': complete, 'inspect': inspect_code, 'is_complete': is_complete, 'expressions': expressions}


def ask(question, argument):
    # Output of properties and `repr` must not appear in a cell.
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return json.dumps(QUESTIONS[question](json.loads(argument)), default=str)
