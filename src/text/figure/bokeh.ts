import {fieldsOf, isRecord} from '../record.ts';
import {tableOfColumns, titleText, type Figure, type FigureTable} from './figure.ts';
import {objectAt} from './object-at.ts';
import {valuesIn} from './packed-numbers.ts';

const DOCUMENT = /\bdocs_json = /;
const DEEPEST = 40;

/**
 * Entries of a mapping. Bokeh 2 sends plain objects, Bokeh 3 sends `{"type": "map", "entries"}`.
 */
const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] => {
	const {type, entries} = fieldsOf(value);
	if (type !== 'map' || !Array.isArray(entries)) return Object.entries(fieldsOf(value));
	return entries.filter(Array.isArray).map(([name, each]) => [titleText(name), each as unknown]);
};

/** Bokeh plot, read from the document in its script. Only its data sources are shown, as tables. */
export const bokehFigure = (script: string): Figure => {
	const [{0: mark, index} = {0: '', index: 0}] = [...script.matchAll(new RegExp(DOCUMENT, 'g'))];
	const tables: FigureTable[] = [];
	let title = '';
	const visit = (value: unknown, depth: number): void => {
		if (depth > DEEPEST || typeof value !== 'object' || value === null) return;
		if (isRecord(value)) {
			const {name, type, attributes} = value;
			const kind = typeof name === 'string' && isRecord(attributes) ? name : type;
			const own = fieldsOf(attributes);
			if (kind === 'Title' && title === '') title = titleText(own['text']);
			if (kind === 'ColumnDataSource') {
				const columns = entriesOf(own['data']).map(([column, values]) => [column, valuesIn(values)] as const);
				if (columns.some(([, values]) => values.length > 0))
					tables.push(tableOfColumns(`data ${tables.length + 1}`, columns));
			}
		}
		for (const each of Object.values(value)) visit(each, depth + 1);
	};
	visit(objectAt(script.slice(index + mark.length)), 0);
	return {
		library: 'Bokeh',
		title,
		xTitle: '',
		yTitle: '',
		series: [],
		tables,
		save: 'bokeh.io.save(plot, "plot.html")',
	};
};
