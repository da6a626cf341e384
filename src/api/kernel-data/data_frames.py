# Objects as tables. Columns are numbered, starting with the index levels. Only `iloc`, `columns`
# and similar members are used, because all versions of a package, and similar objects, have them.


def hashable_text(value):
    return ' / '.join(text_of(each) for each in value) if type(value) is tuple else '' if value is None else text_of(value)


def type_text(get):
    try:
        return text_of(get())
    except BaseException:
        return '?'


def is_number_type(kind):
    """True for a number type: a kind of numpy, or a type name of another package."""
    letter = getattr(kind, 'kind', None)
    if type(letter) is str and len(letter) == 1:
        return letter in 'iuf'
    return type_text(lambda: kind).lower().startswith(('int', 'uint', 'float', 'double', 'decimal'))


class PandasTable:
    """A DataFrame, a Series, an Index, or another object with `iloc`."""

    def __init__(self, frame):
        self.frame = frame
        self.index_of = getattr(frame, 'index', None)
        shape = tuple(frame.shape)
        self.is_flat = len(shape) == 1
        self.rows = int(shape[0])
        width = 1 if self.is_flat else int(shape[1])
        if self.index_of is None or not hasattr(frame, 'iloc'):
            # Not a frame or series, for example an Index, which has no index itself.
            self.index_of, self.levels, names = None, 1, ['']
        else:
            self.levels = int(getattr(self.index_of, 'nlevels', 1))
            found = list(getattr(self.index_of, 'names', None) or [])
            names = [hashable_text(each) for each in found] if len(found) == self.levels else [''] * self.levels
        self.names = names + ([hashable_text(getattr(frame, 'name', None))] if self.is_flat else [hashable_text(each) for each in frame.columns])
        self.width = self.levels + width

    def raw(self, column, frame=None):
        frame = self.frame if frame is None else frame
        if column >= self.levels:
            return frame if self.is_flat else frame.iloc[:, column - self.levels]
        if self.index_of is None:
            return range(len(frame))
        return frame.index.get_level_values(column) if self.levels > 1 else frame.index

    def code(self, column):
        """Python expression for a column, with `$` for the object. The other kinds of tables have the method too."""
        if self.index_of is None:
            return '$'
        if column < self.levels:
            return '$.index' if self.levels == 1 else f'$.index.get_level_values({column})'
        if self.is_flat:
            return '$'
        at = column - self.levels
        name = self.frame.columns[at]
        place = self.frame.columns.get_loc(name) if is_label(name) and '$' not in repr(name) else None
        # If several columns have this name, `place` is a slice or a mask instead of a number.
        is_only = type(place) is int and place == at
        return f'$[{name!r}]' if is_only else f'$.iloc[:, {at}]'

    def type(self, column):
        return '' if self.index_of is None and column == 0 else getattr(self.raw(column), 'dtype', None)

    def types(self):
        kinds = list(self.frame.dtypes) if not self.is_flat and hasattr(self.frame, 'dtypes') else None
        if kinds is not None and len(kinds) == self.width - self.levels:
            return [self.type(each) for each in range(self.levels)] + kinds
        return [self.kind_or_error(each) for each in range(self.width)]

    def kind_or_error(self, column):
        try:
            return self.type(column)
        except BaseException:
            return '?'

    def part(self, positions):
        if self.index_of is None:
            return self.frame[positions.start : positions.stop] if type(positions) is range else self.frame.take(positions)
        rows = self.frame.iloc
        return rows[positions.start : positions.stop] if type(positions) is range else rows[positions]

    def values(self, column, positions):
        if self.index_of is None and column == 0:
            return list(positions)
        return listed(self.raw(column, self.part(positions)))

    def columns(self, positions, width, skipped=()):
        part = self.part(positions)
        for column in range(width):
            yield () if column in skipped else list(positions) if self.index_of is None and column == 0 else listed(self.raw(column, part))


def listed(values):
    """Values as a list. Numbers with less precision than a float keep their type."""
    kind = getattr(values, 'dtype', None)
    if getattr(kind, 'kind', None) == 'f' and getattr(kind, 'itemsize', 8) != 8 and hasattr(values, 'to_numpy'):
        return list(values.to_numpy())
    for name in ('tolist', 'to_list', 'to_pylist'):
        method = getattr(values, name, None)
        if method is not None:
            return method()
    return list(values)


class ArrayTable:
    """A numpy array. Its further dimensions are columns, named by their positions."""

    def __init__(self, array):
        numpy = sys.modules['numpy']
        self.levels = 1
        self.rows = int(array.shape[0])
        if type(array) is getattr(numpy, 'matrix', None):
            array = numpy.asarray(array)
        self.fields = array.dtype.names if array.ndim == 1 else None
        self.is_deep = array.ndim > 2
        if self.fields:
            self.array, names = array, list(self.fields)
        elif array.ndim == 1:
            self.array, names = array, ['value']
        else:
            rest = array.shape[1:]
            # Not -1, because it fails for an array without rows.
            width = 1
            for each in rest:
                width *= each
            self.array = array.reshape(self.rows, width)
            names = [str(each) for each in range(width)] if len(rest) == 1 else [','.join(str(int(at)) for at in numpy.unravel_index(each, rest)) for each in range(min(width, MOST_COLUMNS))]
        self.names = [''] + names
        self.width = 1 + (width if array.ndim > 1 else len(names))

    def raw(self, column):
        if column == 0:
            return range(self.rows)
        if self.fields:
            return self.array[self.fields[column - 1]]
        return self.array if self.array.ndim == 1 else self.array[:, column - 1]

    def code(self, column):
        if column == 0:
            return None
        if self.fields:
            return f'$[{self.fields[column - 1]!r}]'
        return '$' if self.array.ndim == 1 else f'$.reshape(len($), -1)[:, {column - 1}]' if self.is_deep else f'$[:, {column - 1}]'

    def types(self):
        return [''] + [self.array.dtype[each] for each in self.fields] if self.fields else [''] + [self.array.dtype] * (self.width - 1)

    def values(self, column, positions):
        if column == 0:
            return list(positions)
        found = self.raw(column)[positions.start : positions.stop] if type(positions) is range else self.raw(column)[positions]
        # Lists the elements themselves, because `tolist` would convert other than 64-bit floats to
        # floats, and times to whole numbers.
        is_own = found.dtype.kind in 'mM' or (found.dtype.kind == 'f' and found.dtype.itemsize != 8)
        return list(found) if is_own else found.tolist()

    def columns(self, positions, width, skipped=()):
        for column in range(width):
            yield () if column in skipped else self.values(column, positions)


class ColumnsTable:
    """Named columns that can be sliced: polars, Arrow, and builtin lists."""

    def __init__(self, rows, columns, kinds, codes=None):
        self.levels = 1
        self.rows = rows
        self.codes = codes
        self.parts = [None] + [each for _, each in columns]
        self.names = [''] + [name for name, _ in columns]
        self.kinds = [''] + kinds
        self.width = len(self.parts)

    def code(self, column):
        return None if column == 0 or self.codes is None else self.codes[column - 1]

    def types(self):
        return self.kinds

    def raw(self, column):
        return range(self.rows) if column == 0 else self.parts[column]

    def values(self, column, positions):
        if column == 0:
            return list(positions)
        part = self.parts[column]
        if type(positions) is range:
            return listed(part[positions.start : positions.stop])
        return [value.as_py() if hasattr(value, 'as_py') else value for value in (part[int(at)] for at in positions)]

    def columns(self, positions, width, skipped=()):
        for column in range(width):
            yield () if column in skipped else self.values(column, positions)


class Picked:
    """One column of a list of dicts or of tuples, read on access."""

    def __init__(self, rows, pick):
        self.rows = rows
        self.pick = pick

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        return [self.pick(each) for each in self.rows[at]] if type(at) is slice else self.pick(self.rows[at])


def builtin_table(value, plan):
    """`plan`: names of the columns of a list of dicts that was read before."""
    kind = type(value)
    if kind is dict:
        columns = list(value.values())
        lengths = {len(each) for each in columns if type(each) in (list, tuple)}
        if columns and len(lengths) == 1 and all(type(each) in (list, tuple) for each in columns):
            return ColumnsTable(lengths.pop(), [(text_of(name), each) for name, each in value.items()], [''] * len(columns), [key_code(name) for name in value])
        pairs = list(value.items())
        return ColumnsTable(len(pairs), [('key', Picked(pairs, lambda each: each[0])), ('value', Picked(pairs, lambda each: each[1]))], ['', ''], ['list($)', 'list($.values())'])
    rows = value if kind in (list, tuple) else list(value)
    if rows and (plan is not None or type(rows[0]) is dict and all(type(each) is dict for each in rows)):
        names = dict.fromkeys(plan or ())
        for each in rows if plan is None else ():
            if not each.keys() <= names.keys():
                names.update(dict.fromkeys(each))
        columns = [(text_of(name), Picked(rows, lambda each, name=name: each.get(name, ABSENT) if type(each) is dict else ABSENT)) for name in names]
        codes = [key_code(name, '[each.get(%s) for each in $]') for name in names]
        table = ColumnsTable(len(rows), columns, [''] * len(names), codes)
        table.plan = tuple(names)
        return table
    width = len(rows[0]) if rows and type(rows[0]) in (list, tuple) else 0
    if width and all(type(each) in (list, tuple) and len(each) == width for each in rows):
        return ColumnsTable(len(rows), [(str(at), Picked(rows, lambda each, at=at: each[at])) for at in range(width)], [''] * width, [f'[each[{at}] for each in $]' for at in range(width)])
    return ColumnsTable(len(rows), [('value', rows)], [''], ['list($)'])


def key_code(key, form='$[%s]'):
    """Python expression for a column with a key. None if the key is not a plain value."""
    return form % repr(key) if is_label(key) and '$' not in repr(key) and '%' not in repr(key) else None


def package_of(value):
    return module_of(type(value)).partition('.')[0]


def table_of(value, plan=None):
    """The object as a table. None if it is not one."""
    kind = type(value)
    if kind in (list, tuple, dict, set, frozenset, range):
        return builtin_table(value, plan)
    if kind in PLAIN or kind in (str, bytes, bytearray) or issubclass(kind, type):
        return None
    return found_table(value) if is_trusted(kind) else limited(lambda: found_table(value))


def found_table(value):
    numpy = sys.modules.get('numpy')
    if numpy is not None and isinstance(value, numpy.ndarray):
        return ArrayTable(value) if value.ndim > 0 else None
    if hasattr(value, 'iloc') and hasattr(value, 'index') and len(tuple(value.shape)) in (1, 2):
        return PandasTable(value)
    if hasattr(value, 'get_level_values') and hasattr(value, 'nlevels'):
        return PandasTable(value)
    if hasattr(value, 'get_columns') and hasattr(value, 'height'):
        columns = [(text_of(each.name), each) for each in value.get_columns()]
        codes = [key_code(each.name) for _, each in columns]
        return ColumnsTable(int(value.height), columns, [each.dtype for _, each in columns], codes)
    if hasattr(value, 'column_names') and hasattr(value, 'num_rows') and hasattr(value, 'column'):
        columns = [(text_of(name), value.column(at)) for at, name in enumerate(value.column_names)]
        codes = [f'$.column({at}).to_pylist()' for at in range(len(columns))]
        return ColumnsTable(int(value.num_rows), columns, [each.type for _, each in columns], codes)
    if hasattr(value, 'to_list') and hasattr(value, 'dtype') or hasattr(value, 'to_pylist') and hasattr(value, 'type'):
        kind = value.dtype if hasattr(value, 'dtype') else value.type
        return ColumnsTable(len(value), [(text_of(getattr(value, 'name', None) or 'value'), value)], [kind], ['list($)'])
    if hasattr(value, '__array__') and hasattr(value, 'shape') and numpy is not None:
        array = numpy.asarray(value)
        return ArrayTable(array) if array.ndim > 0 else None
    return None
