# Charts of one column, or of two.
CHART_BINS = 40
MOST_BARS = 30
# Number of positions on each axis, as in `src/text/chart/chart.ts`.
CHART_WIDTH = 400
CHART_HEIGHT = 200


def chart_of(view, table, asked):
    """The data of a chart, and the Python expressions of its columns."""
    kind, column, against = asked['chart'], asked['column'], asked['against']
    places = None if asked['order'] is None else view.orders[asked['order']]
    found = chart_data(table, kind, column, against, places)
    found['code'] = [code_of(view, table, each) for each in ([column] if kind == 'histogram' or against is None else [column, against])]
    if kind == 'histogram' and found.get('missing') and found['code'][0] is not None:
        form = '{}.dropna()' if isinstance(table, PandasTable) else '[each for each in {} if each is not None]'
        found['code'][0] = form.format(found['code'][0])
    return found


def chart_data(table, kind, column, against, places):
    upward, has_dates = chart_values(table, column, places)
    if upward is None:
        if kind == 'histogram':
            return {'kind': 'chart', 'chart': 'bars', **frequent(table, column, places)}
        return others(table, column)
    if kind == 'histogram':
        values = [each for each in upward if each == each]
        axis = axis_of(values, has_dates)
        counts = [] if axis is None else counts_of(values, axis)
        return {'kind': 'chart', 'chart': 'histogram', 'x': axis, 'counts': counts, 'missing': len(upward) - len(values)}
    across, is_time = (range(1, len(upward) + 1), False) if against is None else chart_values(table, against, places)
    if across is None:
        return others(table, against)
    pairs = [(x, y) for x, y in zip(across, upward) if x == x and y == y]
    missing = len(upward) - len(pairs)
    x_axis, y_axis = axis_of([x for x, _ in pairs], is_time), axis_of([y for _, y in pairs], has_dates)
    data = {'kind': 'chart', 'chart': kind, 'x': x_axis, 'y': y_axis, 'count': len(pairs), 'missing': missing}
    if not pairs:
        return {**data, 'buckets' if kind == 'line' else 'dots': []}
    at_x, at_y = position_of(x_axis, CHART_WIDTH), position_of(y_axis, CHART_HEIGHT)
    if kind == 'scatter':
        return {**data, 'dots': sorted({at_y(y) * CHART_WIDTH + at_x(x) for x, y in pairs})}
    if against is not None:
        pairs.sort(key=lambda pair: pair[0])
    buckets = {}
    for x, y in pairs:
        at = at_x(x)
        bucket = buckets.get(at)
        if bucket is None:
            buckets[at] = [at, y, y, y, y]
        else:
            if y < bucket[2]:
                bucket[2] = y
            if y > bucket[3]:
                bucket[3] = y
            bucket[4] = y
    return {**data, 'buckets': list(buckets.values())}


def others(table, column):
    says = f'Only numbers and dates can be drawn, and {text_of(table.names[column]) or "the index"} has other values'
    return {'kind': 'chart', 'chart': 'none', 'missing': 0, 'says': says}


def axis_of(values, is_dates):
    return {'min': min(values), 'max': max(values), 'isDates': is_dates} if values else None


def position_of(axis, size):
    low = axis['min']
    span = (axis['max'] - low) or 1
    return lambda value: min(size - 1, int((value - low) / span * size))


def counts_of(values, axis):
    at = position_of(axis, CHART_BINS)
    counts = [0] * CHART_BINS
    for value in values:
        counts[at(value)] += 1
    return counts


def chart_values(table, column, places):
    """A column as floats, NaN for missing ones, and whether they are dates in ms. None for others."""
    try:
        found = array_values(table, column, places)
    except Exception:
        found = None
    return found or plain_values(table, column, places)


def array_values(table, column, places):
    """The floats of a pandas or numpy column. None if Python has to read each value."""
    numpy = sys.modules.get('numpy')
    values = table.raw(column)
    kind = getattr(getattr(values, 'dtype', None), 'kind', None)
    if numpy is None or kind not in ('i', 'u', 'f', 'b', 'M') or not isinstance(table, (PandasTable, ArrayTable)):
        return None
    if places is not None:
        values = values.take(places)
    if kind == 'M':
        # Dates with a time zone are drawn in their local time.
        if getattr(values, 'tz', None) is not None:
            values = values.tz_localize(None)
        elif getattr(getattr(values, 'dt', None), 'tz', None) is not None:
            values = values.dt.tz_localize(None)
        dates = numpy.asarray(values).astype('datetime64[ns]')
        found = dates.view('int64') / 1e6
        found[numpy.isnat(dates)] = float('nan')
        return found.tolist(), True
    if hasattr(values, 'to_numpy') and not isinstance(values.dtype, numpy.dtype):
        found = values.to_numpy(dtype='float64', na_value=float('nan'))
    else:
        found = numpy.asarray(values).astype('float64')
    found[~numpy.isfinite(found)] = float('nan')
    return found.tolist(), False


def plain_values(table, column, places):
    values = table.values(column, range(table.rows) if places is None else places)
    found, dates = [], 0
    for value in values:
        kind = type(value)
        if kind is float or kind is int or kind is bool:
            number = float(value) if -1e300 < value < 1e300 else float('nan')
        elif is_missing(value):
            number = float('nan')
        elif is_trusted(kind) and module_of(kind) != 'builtins':
            number = date_number(value)
            if number is None:
                try:
                    number = float(value)
                except (TypeError, ValueError):
                    return None, False
            else:
                dates += 1
            if not -1e300 < number < 1e300:
                number = float('nan')
        else:
            return None, False
        found.append(number)
    count = sum(1 for each in found if each == each)
    return (None, False) if count == 0 and len(found) > 0 or dates not in (0, count) else (found, dates > 0)


def date_number(value):
    """Milliseconds of a date by its local clock, without the time zone. None for other values."""
    from datetime import date, datetime, timezone

    if isinstance(value, datetime):
        return value.replace(tzinfo=timezone.utc).timestamp() * 1000
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=timezone.utc).timestamp() * 1000
    if name_of(type(value)) == 'datetime64':
        return float(value.astype('datetime64[us]').astype('int64')) / 1000
    return None


def frequent(table, column, places):
    """The most frequent values of a column."""
    counts, missing, total = {}, 0, 0
    for value in table.values(column, range(table.rows) if places is None else places):
        if is_missing(value):
            missing += 1
            continue
        text = value if type(value) is str else text_of(value)
        total += 1
        if len(counts) < MOST_DISTINCT or text in counts:
            counts[text] = counts.get(text, 0) + 1
    top = sorted(counts.items(), key=lambda each: -each[1])[:MOST_BARS]
    distinct = len(counts) if len(counts) < MOST_DISTINCT else None
    return {'bars': [[clip(text), times] for text, times in top], 'distinct': distinct, 'missing': missing}


def code_of(view, table, column):
    """Python expression for a column's values. None if there is no short one."""
    name = view.target.get('name')
    if view.target.get('number') is not None and 'Out' in user_names():
        name = f'Out[{view.target["number"]}]'
    elif name is None or not name.isidentifier():
        return None
    try:
        form = table.code(column)
    except BaseException:
        return None
    return None if form is None else form.replace('$', name)


def is_label(value):
    return type(value) in (str, int, bool) or type(value) is tuple and all(is_label(each) for each in value)
