"""Answers look-ups about Python and about sources, without running the user's code."""
import ast
import importlib.metadata
import json
import platform
import pydoc
import re

NAME = re.compile(r'[^\W\d]\w*(\.[^\W\d]\w*)*')


def documentation(name):
    if len(name) > 200 or not NAME.fullmatch(name):
        return None
    try:
        return pydoc.render_doc(name, renderer=pydoc.plaintext)
    except (ImportError, pydoc.ErrorDuringImport):
        return None


def packages(_):
    found = {item.name: item.version for item in importlib.metadata.distributions() if item.name}
    installed = [{'name': name, 'version': version} for name, version in sorted(found.items())]
    return {'python': platform.python_version(), 'installed': installed}


def first_paragraph(node):
    return (ast.get_docstring(node) or '').partition('\n\n')[0]


def signature(node):
    if isinstance(node, ast.ClassDef):
        parents = [ast.unparse(part) for part in (*node.bases, *node.keywords)]
        return f'({", ".join(parents)})' if parents else ''
    result = f'({ast.unparse(node.args)})'
    return f'{result} -> {ast.unparse(node.returns)}' if node.returns else result


def definitions(node, prefix=''):
    """Classes, functions and methods by line number. Omits definitions inside functions."""
    for child in ast.iter_child_nodes(node):
        is_class = isinstance(child, ast.ClassDef)
        if is_class or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield {
                'kind': 'class' if is_class else 'function',
                'name': prefix + child.name,
                'signature': signature(child),
                'line': child.lineno,
                'doc': first_paragraph(child),
            }
            if is_class:
                yield from definitions(child, f'{prefix}{child.name}.')
        elif isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from definitions(child, prefix)


def imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            dots = '.' * node.level
            yield from [dots + node.module] if node.module else [dots + alias.name for alias in node.names]


def outline(source):
    try:
        tree = ast.parse(source)
        return {'items': list(definitions(tree)), 'imports': list(dict.fromkeys(imports(tree))), 'error': None}
    except SyntaxError as error:
        message = f'{error.msg}, line {error.lineno}' if error.lineno else error.msg
    except (RecursionError, MemoryError, ValueError) as error:
        message = str(error) or 'The source is nested too deeply.'
    return {'items': [], 'imports': [], 'error': message}


QUESTIONS = {'pydoc': documentation, 'packages': packages, 'outline': outline}


def ask(question, argument):
    return json.dumps(QUESTIONS[question](argument))
