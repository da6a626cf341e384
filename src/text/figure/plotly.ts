import {fieldsOf, isRecord} from '../record.ts';
import {
	listOf,
	MOST_VALUES,
	nameOrNumber,
	numberOrNull,
	tableOfColumns,
	titleText,
	type Figure,
	type Series,
	type SeriesKind,
} from './figure.ts';
import {valuesIn} from './packed-numbers.ts';

const titleOf = (value: unknown): string => titleText(isRecord(value) ? value['text'] : value);

const kindOf = (type: string, mode: unknown): SeriesKind => {
	if (type === 'bar') return 'bar';
	if (type !== 'scatter' && type !== 'scattergl') return 'table';
	return typeof mode === 'string' && !mode.includes('lines') ? 'points' : 'line';
};

const seriesOf = (trace: unknown, index: number): Series => {
	const {type, mode, name, orientation, x, y} = fieldsOf(trace);
	// Plotly draws a trace without a type as a scatter plot.
	const drawnAs = typeof type === 'string' ? type : 'scatter';
	const isAcross = orientation === 'h';
	const values = valuesIn(isAcross ? x : y).slice(0, MOST_VALUES);
	const names = valuesIn(isAcross ? y : x).slice(0, MOST_VALUES);
	return {
		name: titleText(name) || `trace ${index}`,
		kind: kindOf(drawnAs, mode),
		drawnAs,
		x: values.map((_, at) => (names.length === 0 ? at : nameOrNumber(names[at]))),
		y: values.map(numberOrNull),
	};
};

/** Data fields of a trace, in the order of their table columns. */
const DATA = [
	'x',
	'y',
	'z',
	'values',
	'labels',
	'parents',
	'text',
	'lat',
	'lon',
	'locations',
	'open',
	'high',
	'low',
	'close',
	'r',
	'theta',
	'error_y',
] as const;

/** Figure from `application/vnd.plotly.v1+json`. */
export const plotlyFigure = (value: unknown): Figure => {
	const {data, layout} = fieldsOf(value);
	const traces = listOf(data);
	const {title, xaxis, yaxis} = fieldsOf(layout);
	return {
		library: 'Plotly',
		title: titleOf(title),
		xTitle: titleOf(fieldsOf(xaxis)['title']),
		yTitle: titleOf(fieldsOf(yaxis)['title']),
		series: traces.map(seriesOf),
		tables: traces.map((trace, index) => {
			const fields = fieldsOf(trace);
			const columns = DATA.map(name => [name, valuesIn(fields[name])] as const);
			return tableOfColumns(
				titleText(fields['name']) || `trace ${index}`,
				columns.filter(([, values]) => values.length > 0),
			);
		}),
		save: 'fig.write_html("figure.html")',
	};
};
