# Requests and their replies, as JSON.


class Reply:
    """Holds a reply as JSON text, which Jupyter sends as the display data of a user expression."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return 'reply'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {'application/vnd.svc-tui.data': self.text}


def with_view(asked, most=None):
    """Reply to a request about an open table."""
    view = views.get(asked['view'])
    if view is None:
        return {'kind': 'lost'}
    try:
        table = view.table(CHECKED if most is None else most)
    except Gone:
        return {'kind': 'gone'}
    if table is None:
        return {'kind': 'changed'}
    kind = asked['op']
    if kind == 'state':
        return {'kind': 'same'}
    if kind == 'arrange':
        return arrange(view, table, asked)
    if asked['order'] is not None and asked['order'] not in view.orders:
        return {'kind': 'lost'}
    if kind == 'page':
        return {'kind': 'page', **page_of(view, table, asked['order'], asked['from'], asked['count'])}
    if kind == 'facts':
        return {'kind': 'facts', **facts_of(view, table, asked['order'], asked['column'])}
    if kind == 'chart':
        return chart_of(view, table, asked)
    places = positions_of(view, asked['order'], table)[asked['from'] : asked['from'] + 1]
    return {'kind': 'field', 'text': text_of(table.values(asked['column'], places)[0], 1 << 20)}


def answer(asked):
    kind = asked['op']
    if kind == 'open':
        try:
            return open_view(asked['target'], asked['count'])
        except Gone:
            return {'kind': 'gone'}
    if kind == 'variables':
        return list_variables()
    if kind == 'delete':
        return delete_variable(asked['name'], asked['mark'])
    if kind == 'text':
        try:
            return text_of_object(asked['target'])
        except Gone:
            return {'kind': 'gone'}
    if kind == 'close':
        views.pop(asked['view'], None)
        return {'kind': 'done'}
    return with_view(asked, CHECKED_WHOLE if kind == 'state' else None)


def reply(text):
    begin_request()
    try:
        return Reply(json.dumps(answer(json.loads(text)), allow_nan=False))
    except BaseException as error:
        return Reply(json.dumps({'kind': 'error', 'says': said(error)}))
