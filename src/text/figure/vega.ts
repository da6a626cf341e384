import {fieldsOf, isRecord} from '../record.ts';
import {
	listOf,
	MOST_VALUES,
	nameOrNumber,
	numberOrNull,
	tableOfRecords,
	titleText,
	type Figure,
	type Series,
	type SeriesKind,
} from './figure.ts';

type Fields = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, SeriesKind>> = {
	bar: 'bar',
	line: 'line',
	area: 'line',
	point: 'points',
	circle: 'points',
	square: 'points',
};

const titleOf = (value: unknown): string => titleText(isRecord(value) ? value['text'] : value);
const axisTitle = (channel: Fields): string => titleText(channel['title']) || titleText(channel['field']);

/**
 * Rows of a view's data if the chart contains them. Null if the data must be fetched from a URL.
 */
const rowsIn = (data: unknown, datasets: Fields): readonly unknown[] | null => {
	const {values, name, url} = fieldsOf(data);
	if (Array.isArray(values)) return values;
	if (typeof name === 'string' && Array.isArray(datasets[name])) return listOf(datasets[name]);
	return url === undefined ? [] : null;
};

/** True if a channel shows a field unchanged, without aggregation or other computation. */
const isPlain = (channel: Fields): boolean =>
	typeof channel['field'] === 'string' &&
	channel['aggregate'] === undefined &&
	!channel['bin'] &&
	channel['timeUnit'] === undefined;

const seriesOf = (view: Fields, encoding: Fields, rows: readonly unknown[]): readonly Series[] => {
	const mark = isRecord(view['mark']) ? view['mark']['type'] : view['mark'];
	const drawnAs = typeof mark === 'string' ? mark : 'unknown';
	const x = fieldsOf(encoding['x']);
	const y = fieldsOf(encoding['y']);
	const canDraw = isPlain(x) && isPlain(y) && view['transform'] === undefined;
	const isAcross = y['type'] === 'nominal' || y['type'] === 'ordinal';
	const [name, value] = isAcross ? [y['field'], x['field']] : [x['field'], y['field']];
	const colour = fieldsOf(encoding['color'])['field'];
	const groups = Map.groupBy(rows.slice(0, MOST_VALUES), row =>
		typeof colour === 'string' ? titleText(fieldsOf(row)[colour]) : '',
	);
	return [...groups].map(([group, own]) => ({
		name: group || drawnAs,
		kind: canDraw ? (KINDS[drawnAs] ?? 'table') : 'table',
		drawnAs,
		x: own.map(row => nameOrNumber(fieldsOf(row)[String(name)])),
		y: own.map(row => numberOrNull(fieldsOf(row)[String(value)])),
	}));
};

/** Chart from `application/vnd.vegalite.v5+json`. For a Vega chart, only the data is shown. */
export const vegaFigure = (value: unknown, library: string): Figure => {
	const chart = fieldsOf(value);
	const datasets = fieldsOf(chart['datasets']);
	const spec = isRecord(chart['spec']) ? chart['spec'] : chart;
	const layers = listOf(spec['layer']);
	const views = (layers.length > 0 ? layers : [spec]).map(fieldsOf);
	const encodingOf = (view: Fields): Fields => ({
		...fieldsOf(spec['encoding']),
		...fieldsOf(view['encoding']),
	});
	const rowsOf = (view: Fields): readonly unknown[] | null =>
		rowsIn(view['data'] ?? spec['data'] ?? chart['data'], datasets);
	const first = encodingOf(views[0] ?? {});
	// A Vega chart lists its data sets with their names. A Vega-Lite chart does not.
	const named = listOf(chart['data']).map(fieldsOf);
	const tables =
		named.length > 0
			? named.map(each => ({name: titleText(each['name']), rows: listOf(each['values'])}))
			: [...new Map(views.map(view => [rowsOf(view), view])).keys()].map(rows => ({
					name: '',
					rows: rows ?? [],
				}));
	return {
		library,
		title: titleOf(chart['title']) || titleOf(spec['title']),
		xTitle: axisTitle(fieldsOf(first['x'])),
		yTitle: axisTitle(fieldsOf(first['y'])),
		series:
			named.length > 0 ? [] : views.flatMap(view => seriesOf(view, encodingOf(view), rowsOf(view) ?? [])),
		tables: tables.filter(({rows}) => rows.length > 0).map(({name, rows}) => tableOfRecords(name, rows)),
		save: 'chart.save("chart.html")',
	};
};
