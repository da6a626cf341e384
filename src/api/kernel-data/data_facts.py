# Statistics of a column.


def facts_of(view, table, order, column):
    places = None if order is None else view.orders[order]
    try:
        facts = pandas_facts(table, column, places)
    except Exception:
        facts = None
    return facts or plain_facts(table, column, places)


def finite(value):
    return None if value is None or value != value else value if -1e308 < value < 1e308 else repr(value)


def pandas_facts(table, column, places):
    """Statistics of a pandas or numpy column. None if Python has to count."""
    pandas = sys.modules.get('pandas')
    if pandas is None or not isinstance(table, (PandasTable, ArrayTable)):
        return None
    values = table.raw(column)
    values = pandas.Series(values)
    if places is not None:
        values = values.take(places)
    present = values.dropna()
    count = len(present)
    facts = {'count': count, 'missing': len(values) - count, 'min': None, 'max': None, 'mean': None, 'bars': [], 'bins': None}
    distinct = int(present.nunique())
    facts['distinct'] = distinct if distinct <= MOST_DISTINCT else None
    is_number = getattr(values.dtype, 'kind', '') in 'iuf'
    if count == 0:
        return {**facts, 'type': 'nothing'}
    try:
        low, high = present.min(), present.max()
        facts['min'], facts['max'] = text_of(low), text_of(high)
    except Exception:
        # The values have no order.
        pass
    if is_number:
        found = present.to_numpy(dtype='float64')
        facts['mean'] = finite(float(found.mean()))
        facts['bins'] = bins_of(float(low), float(high), found)
        return {**facts, 'type': 'numbers'}
    if facts['distinct'] is not None and distinct < count:
        top = present.value_counts().head(BINS)
        facts['bars'] = [[text_of(name), int(times)] for name, times in zip(top.index.tolist(), top.tolist()) if times > 0]
    return {**facts, 'type': 'text'}


def bins_of(low, high, values):
    if not high > low or not high - low < 1e308:
        return None
    numpy = sys.modules.get('numpy')
    if numpy is not None and isinstance(values, numpy.ndarray):
        at = numpy.minimum(BINS - 1, ((values - low) / (high - low) * BINS).astype('int64'))
        counts = numpy.bincount(at, minlength=BINS).tolist()
    else:
        counts = [0] * BINS
        for value in values:
            counts[min(BINS - 1, int((value - low) / (high - low) * BINS))] += 1
    return {'min': low, 'max': high, 'counts': counts}


def plain_facts(table, column, places):
    values = table.values(column, range(table.rows) if places is None else places)
    present = [value for value in values if not is_missing(value)]
    count = len(present)
    facts = {'count': count, 'missing': len(values) - count, 'min': None, 'max': None, 'mean': None, 'bars': [], 'bins': None}
    seen = {}
    for value in present:
        text = value if type(value) is str else text_of(value)
        seen[text] = seen.get(text, 0) + 1
        if len(seen) > MOST_DISTINCT:
            break
    facts['distinct'] = len(seen) if len(seen) <= MOST_DISTINCT else None
    if count == 0:
        return {**facts, 'type': 'nothing'}
    is_number = all(type(value) in (int, float) or is_number_type(getattr(value, 'dtype', None)) for value in present)
    try:
        low, high = min(present), max(present)
        facts['min'], facts['max'] = text_of(low), text_of(high)
    except BaseException:
        is_number = False
    if is_number:
        try:
            floats = [float(value) for value in present]
            facts['mean'] = finite(sum(floats) / count)
            facts['bins'] = bins_of(float(low), float(high), floats)
            return {**facts, 'type': 'numbers'}
        except OverflowError:
            # Skips whole numbers that are too large for a float.
            pass
    if facts['distinct'] is not None and len(seen) < count:
        top = sorted(seen.items(), key=lambda each: -each[1])[:BINS]
        facts['bars'] = [[clip(text), times] for text, times in top]
    return {**facts, 'type': 'text'}
