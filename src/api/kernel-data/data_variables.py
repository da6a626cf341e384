# The variables of the kernel.
MOST_VARIABLES = 10000
MOST_VALUE = 80
MOST_SHOWN = 100000
HIDDEN_TYPES = ('module', 'function', 'builtin_function_or_method', 'type')
CONTAINERS = (str, bytes, bytearray, list, tuple, dict, set, frozenset)


def is_variable(name, value, hidden):
    if type(name) is not str or name.startswith('_') or hidden.get(name, hidden) is value:
        return False
    kind = type(value)
    return not issubclass(kind, type) and name_of(kind) not in HIDDEN_TYPES


def size_of(value, depth=2):
    """Bytes of an object, with a container's items estimated by a sample. None if unknown."""
    kind = type(value)
    if kind in (list, tuple, set, frozenset, dict):
        size = sys.getsizeof(value)
        if depth == 0 or not value:
            return size
        sample = head_of(value, 20)
        pairs = sample if kind is dict else [(None, item) for item in sample]
        each = sum((size_of(key, 0) or 0 if kind is dict else 0) + (size_of(item, depth - 1) or 0) for key, item in pairs)
        return size + each * len(value) // len(sample)
    if kind in PLAIN or kind in CONTAINERS:
        return sys.getsizeof(value)
    try:
        found = int(own_size(value)) if is_trusted(kind) else int(limited(lambda: foreign_size(value), kind))
        return found if 0 <= found < MANY else None
    except BaseException:
        return None


def own_size(value):
    usage = getattr(value, 'memory_usage', None)
    if callable(usage):
        found = usage()
        return found.sum() if hasattr(found, 'sum') else found
    nbytes = getattr(value, 'nbytes', None)
    if type(nbytes) is int:
        return nbytes
    estimated = getattr(value, 'estimated_size', None)
    return estimated() if callable(estimated) else sys.getsizeof(value)


def foreign_size(value):
    # Reads only attributes, because a method of another package may start a computation.
    nbytes = getattr(value, 'nbytes', None)
    return nbytes if type(nbytes) is int else sys.getsizeof(value)


def shape_of(value):
    """Rows and columns, or a length. Empty if it has none."""
    kind = type(value)
    for each in CONTAINERS:
        # Calls the method of the base class, because the method of a subclass may run any code.
        if issubclass(kind, each):
            return [each.__len__(value)]
    if kind is range:
        return [len(value)]
    if kind in PLAIN:
        return []
    try:
        found = own_shape(value) if is_trusted(kind) else limited(lambda: own_shape(value), kind)
        return [each for each in found if 0 <= each < MANY]
    except BaseException:
        return []


def own_shape(value):
    shape = getattr(value, 'shape', None)
    if isinstance(shape, tuple):
        return [int(each) for each in shape[:8]]
    rows = getattr(value, 'num_rows', None)
    if type(rows) is int:
        return [rows, int(value.num_columns)]
    kind = type(value)
    # Skips lazy frames, because their length requires computing all of them.
    return [int(len(value))] if hasattr(kind, '__len__') and not hasattr(kind, 'compute') else []


def value_text(value):
    """A value in short: a frame by its columns, an array by its type."""
    kind = type(value)
    if kind in PLAIN or kind in CONTAINERS:
        return short(value, MOST_VALUE)
    try:
        found = own_value(value) if is_trusted(kind) else limited(lambda: own_value(value), kind)
        if found is not None:
            return clip(found, MOST_VALUE)
    except BaseException:
        pass
    return clip(short(value, MOST_VALUE), MOST_VALUE)


def own_value(value):
    names = getattr(value, 'columns', None) if hasattr(value, 'shape') else getattr(value, 'column_names', None)
    if names is not None and not callable(names):
        return ', '.join(hashable_text(each) for each in head_of(names, 20))
    if hasattr(value, 'shape') and hasattr(value, 'dtype') and value.shape != ():
        return text_of(value.dtype)
    return None


def list_variables():
    found = shell()
    hidden = getattr(found, 'user_ns_hidden', {}) if found is not None else {}
    rows = []
    for name, value in list(user_names().items()):
        if is_variable(name, value, hidden):
            rows.append((size_of(value), name, value))
    rows.sort(key=lambda each: (-(each[0] or 0), each[1]))
    return {
        'kind': 'variables',
        'total': len(rows),
        'variables': [[name, name_of(type(value)), shape_of(value), size, value_text(value), str(id(value))] for size, name, value in rows[:MOST_VARIABLES]],
    }


def delete_variable(name, mark):
    names = user_names()
    if name not in names:
        return {'kind': 'gone'}
    if str(id(names[name])) != mark:
        return {'kind': 'changed'}
    del names[name]
    return {'kind': 'done'}


def text_of_object(target):
    """The text of an object that is not a table."""
    value, _ = find_object(target)
    kind = type(value)
    text = value[: MOST_SHOWN + 1] if kind is str else int_text(value) if kind is int else own_text(value, repr, MOST_SHOWN + 1)
    return {'kind': 'text', 'type': name_of(kind), 'text': text[:MOST_SHOWN], 'isPart': len(text) > MOST_SHOWN}
