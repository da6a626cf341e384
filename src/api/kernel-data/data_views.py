# Tables that are open on screens. Each request looks its object up again and checks whether it has
# changed.
MOST_COLUMNS = 5000
# Limits of a page: its fields, and its characters of JSON.
MOST_FIELDS = 40000
MOST_PAGE = 2000000
MOST_VIEWS = 20
# Time in seconds after which a request interrupts its work and reports progress.
SLICE = 0.15
MOST_DISTINCT = 100000
BINS = 8
MANY = 1 << 60
# Bytes of columns that are compared for each page, and after a cell.
CHECKED = 4000000
CHECKED_WHOLE = 64000000

views = {}
numbers = {'view': 0}


class Gone(Exception):
    pass


def shell():
    package = sys.modules.get('IPython')
    return package.get_ipython() if package is not None else None


def user_names():
    found = shell()
    return found.user_ns if found is not None else sys.modules['__main__'].__dict__


def result_of(number, source):
    """A cell's result. Raises Gone if it is not held, or is another cell's."""
    found = shell()
    if found is not None:
        if source is not None and found.history_manager.input_hist_raw[number : number + 1] != [source]:
            raise Gone()
        results = user_names().get('Out')
        if type(results) is not dict or number not in results:
            raise Gone()
        return results[number]
    runner = sys.modules.get('engine_runner')
    if runner is None:
        raise Gone()
    return runner.result_of(number, source)


def find_object(target):
    """The object of a target: a cell's result, else the variable of that name."""
    if 'number' in target:
        try:
            return result_of(target['number'], target.get('source')), target.get('name')
        except Exception:
            if target.get('name') is None:
                raise Gone()
    if target['name'] not in user_names():
        raise Gone()
    return user_names()[target['name']], target['name']


def reference(value):
    try:
        return weakref.ref(value)
    except TypeError:
        number = id(value)
        return lambda: number


class View:
    def __init__(self, target, value, table):
        self.target = target
        self.refers = reference(value)
        self.kind = type(value)
        self.mark = mark_of(table, CHECKED_WHOLE)
        self.light = mark_of(table, CHECKED)
        self.plan = getattr(table, 'plan', None)
        self.orders = {}
        self.works = {}

    def table(self, most=CHECKED):
        """The current table. Raises Gone if its object was deleted. None if that has changed."""
        value, _ = find_object(self.target)
        before = self.refers()
        if before is not value and before != id(value) or type(value) is not self.kind:
            return None
        table = table_of(value, self.plan)
        if table is None or mark_of(table, most) != (self.light if most == CHECKED else self.mark):
            return None
        return table


def mark_of(table, most):
    """Size, names, and a checksum of as many values as can be read at once."""
    width = min(table.width, 64)
    check = 0
    for at in range(width):
        column = at * table.width // max(1, width)
        try:
            check = checksum(table.raw(column), table.rows, most // max(1, width), check)
        except BaseException:
            continue
    return table.rows, table.width, tuple(table.names[:MOST_COLUMNS]), check


def checksum(values, rows, most, check):
    if type(values) is range:
        return check
    array = getattr(values, 'array', values)
    for name in ('codes', 'asi8', '_ndarray', '_data'):
        inner = getattr(array, name, None)
        if inner is not None and hasattr(inner, 'itemsize'):
            array = inner
            break
    numpy = sys.modules.get('numpy')
    kind = getattr(array, 'dtype', None)
    if numpy is not None and isinstance(kind, numpy.dtype):
        array = numpy.asarray(array)
        step = max(1, rows * array.itemsize // max(1, most))
        part = numpy.ascontiguousarray(array[::step])
        # Objects are compared by their addresses.
        return zlib.crc32(part.view('u1') if part.dtype.kind != 'O' else part.view(numpy.intp).view('u1'), check)
    # Reads fewer rows here, because reading one value takes as long as comparing some hundred bytes
    # of an array.
    step = max(1, rows * 320 // max(1, most))
    for at in range(0, rows, step):
        found = array[at]
        found = found.as_py() if hasattr(found, 'as_py') else found
        text = text_of(found) if is_trusted(type(found)) else str(id(found))
        check = zlib.crc32(text.encode('utf8', 'replace'), check)
    return check


def positions_of(view, order, table):
    return range(table.rows) if order is None else view.orders[order]


def page_of(view, table, order, start, count):
    """Texts of some rows, fewer than asked for if they are large."""
    width = min(table.width, MOST_COLUMNS)
    places = positions_of(view, order, table)
    count = max(1, min(count, MOST_FIELDS // max(1, width)))
    found = places[start : start + count]
    columns = [[text_of(each) for each in values] for values in table.columns(found, width)]
    rows, size = [], 0
    for at in range(len(found)):
        row = [column[at] for column in columns]
        size += sum(len(text) for text in row) + 3 * width
        if rows and size > MOST_PAGE:
            break
        rows.append(row)
    return {'from': start, 'rows': rows}


def open_view(target, count):
    value, name = find_object(target)
    kind = name_of(type(value))
    try:
        table = table_of(value)
        if table is None:
            hint = ': .collect() gives its rows' if kind == 'LazyFrame' else ''
            return {'kind': 'none', 'says': f'{name or "This result"} is not a table but of type {kind}{hint}'}
        kinds = table.types()[:MOST_COLUMNS]
        view = View(target, value, table)
        page = page_of(view, table, None, 0, count)
    except BaseException as error:
        return {'kind': 'none', 'says': f'{name or kind} cannot be shown as a table: {said(error)}'}
    numbers['view'] += 1
    number = numbers['view']
    views[number] = view
    while len(views) > MOST_VIEWS:
        del views[min(views)]
    return {
        'kind': 'table',
        'view': number,
        'name': name,
        'type': kind,
        'rows': table.rows,
        'columns': table.width - table.levels,
        'index': table.levels,
        'names': table.names[:MOST_COLUMNS],
        'types': [type_text(lambda each=each: each) for each in kinds],
        'numbers': [is_number_type(each) for each in kinds],
        'page': page,
    }


def filter_rows(view, table, words, work):
    """Filters for one time slice. Returns the matching rows once all are read, else None."""
    until = time.monotonic() + SLICE
    width = min(table.width, MOST_COLUMNS)
    folds = words == words.lower()
    is_number = all(each in '0123456789.-+einfaN' for each in words)
    kinds = table.types()[:width]
    # Skips columns of row numbers. If the words contain letters, skips columns of numbers too.
    skipped = {at for at in range(width) if type(table.raw(at)) is range or not is_number and is_number_type(kinds[at])}
    while work['at'] < table.rows:
        start = work['at']
        stop = min(table.rows, start + max(50, 20000 // width))
        hits = set()
        for column, values in enumerate(table.columns(range(start, stop), width, skipped)):
            if column in skipped:
                continue
            for at, value in enumerate(values):
                kind = type(value)
                text = value if kind is str else repr(value) if kind is int and -MANY < value < MANY else text_of(value, 1 << 20)
                if words in (text.lower() if folds else text):
                    hits.add(at)
        work['found'].extend(start + at for at in sorted(hits))
        work['at'] = stop
        if time.monotonic() > until:
            break
    return work['found'] if work['at'] >= table.rows else None


def sort_rows(table, column, is_down, places):
    """Row positions sorted by a column, stably. Missing values are last in either direction."""
    pandas = sys.modules.get('pandas')
    if pandas is not None and isinstance(table, PandasTable) and package_of(table.frame) == 'pandas':
        try:
            values = table.raw(column)
            values = pandas.Series(range(table.rows)) if type(values) is range else pandas.Series(values)
            values = values.reset_index(drop=True)
            if places is not None:
                values = values.take(places)
            return values.sort_values(ascending=not is_down, kind='stable', na_position='last').index.to_numpy()
        except Exception:
            # The values are of several types and cannot be sorted.
            pass
    found = range(table.rows) if places is None else places
    values = table.values(column, found)
    kept = [at for at, value in enumerate(values) if not is_missing(value)]
    try:
        kept.sort(key=values.__getitem__, reverse=is_down)
    except Exception:
        kept.sort(key=lambda at: (name_of(type(values[at])), text_of(values[at])), reverse=is_down)
    is_kept = set(kept)
    kept.extend(at for at in range(len(values)) if at not in is_kept)
    return [found[at] for at in kept]


def arrange(view, table, asked):
    sort, words, number = asked['sort'], asked['words'], asked['work']
    work = view.works.get(number)
    if work is None:
        view.works.clear()
        work = view.works[number] = {'at': 0, 'found': []}
    if words and work['at'] < table.rows:
        filter_rows(view, table, words, work)
        if work['at'] < table.rows or sort is not None:
            share = work['at'] / table.rows
            return {'kind': 'working', 'share': share * 0.8 if sort else share}
    places = work['found'] if words else None
    if sort is not None:
        places = sort_rows(table, sort['column'], sort['isDown'], places)
    view.works.clear()
    if places is None:
        return {'kind': 'arranged', 'order': None, 'count': table.rows}
    view.orders[number] = places
    while len(view.orders) > 3:
        del view.orders[min(view.orders)]
    return {'kind': 'arranged', 'order': number, 'count': len(places)}
