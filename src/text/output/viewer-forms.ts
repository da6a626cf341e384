// Describes outputs that only another program can show, such as interactive charts, and says how to
// see them.
import {fieldsOf, isRecord} from '../record.ts';
import {label} from '../safe.ts';
import {joinMultiline} from './multiline.ts';

/**
 * `how`: sentence about how to see the output. `used`: media types that this form represents,
 * including types with the same content.
 */
export type ViewerForm = {
	readonly what: string;
	readonly how: string;
	readonly used: readonly string[];
	/**
	 * True to keep the object's own text, such as a widget's name or the state of a progress bar.
	 */
	readonly keepsText?: true;
};

const LONGEST_TITLE = 60;
const MOST_NAMES = 4;

const page = (call: string): string => `${call} saves it as a page for a browser.`;

const quotedTitle = (title: unknown): string => {
	const text = joinMultiline(isRecord(title) ? title['text'] : title)
		.replaceAll(/<[^<>]*>/g, ' ')
		.replaceAll(/\s+/g, ' ')
		.trim();
	return text === '' ? '' : ` “${label(text, LONGEST_TITLE)}”`;
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const namesIn = (names: readonly unknown[]): string => {
	const found = [...new Set(names.filter((name): name is string => typeof name === 'string' && name !== ''))];
	const more = found.length - MOST_NAMES;
	return found.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

const plotly = (value: unknown): string => {
	const figure = fieldsOf(value);
	const traces = listOf(figure['data']);
	// Plotly draws a trace without a type as a scatter plot.
	const types = namesIn(traces.map(trace => fieldsOf(trace)['type'] ?? 'scatter'));
	const count = `${traces.length.toLocaleString('en')} trace${traces.length === 1 ? '' : 's'}`;
	const title = quotedTitle(fieldsOf(figure['layout'])['title']);
	return `A Plotly figure${title}${traces.length === 0 ? '' : ` with ${count} (${types})`}`;
};

const markOf = (view: unknown): unknown => {
	const {mark} = fieldsOf(view);
	return isRecord(mark) ? mark['type'] : mark;
};

const vega = (value: unknown, name: string): string => {
	const chart = fieldsOf(value);
	const views = ['layer', 'hconcat', 'vconcat', 'concat'].flatMap(field => listOf(chart[field]));
	const marks = namesIn([chart, chart['spec'], ...views, ...listOf(chart['marks'])].map(markOf));
	return `A ${name} chart${quotedTitle(chart['title'])}${marks === '' ? '' : ` (${marks})`}`;
};

const browser = 'To see it, open the notebook in a browser: svc-tui server open.';

/** Note for a widget whose values are shown as text. */
export const WIDGET_NOTE = {
	what: 'A widget with controls',
	how: 'To use its controls, open the notebook in a browser: svc-tui server open.',
	isDrawn: true,
} as const;

const HTML = /^text\/html$/;

type Kind = {
	readonly type: RegExp;
	readonly holds?: RegExp;
	readonly what: (value: unknown) => string;
	readonly how: string;
	readonly keepsText?: true;
};

/** Libraries that only draw in a browser, even if they also send text. */
const LIBRARIES: readonly Kind[] = [
	{
		type: /^application\/vnd\.plotly\.v[\d.]+\+json$/,
		what: plotly,
		how: page('fig.write_html("figure.html")'),
	},
	{
		type: /^application\/vnd\.vegalite\.v[\d.]+\+json$/,
		what: value => vega(value, 'Vega-Lite'),
		how: page('chart.save("chart.html")'),
	},
	{
		type: /^application\/vnd\.vega\.v[\d.]+\+json$/,
		what: value => vega(value, 'Vega'),
		how: page('chart.save("chart.html")'),
	},
	{
		type: /^application\/vnd\.bokehjs_load\./,
		what: () => 'The loader of Bokeh',
		how: 'It prepares a browser for plots, and shows nothing itself.',
	},
	{
		type: /^application\/vnd\.bokehjs_exec\./,
		what: () => 'A Bokeh plot',
		how: page('bokeh.io.save(plot, "plot.html")'),
	},
	{
		type: /^application\/vnd\.holoviews_load\./,
		what: () => 'The loader of HoloViews',
		how: 'It prepares a browser for plots, and shows nothing itself.',
	},
	{
		type: /^application\/vnd\.holoviews_exec\./,
		what: () => 'A HoloViews plot',
		how: page('hv.save(plot, "plot.html")'),
		keepsText: true,
	},
	{
		type: /^application\/vnd\.jupyter\.widget-view\+json$/,
		what: () => 'A widget',
		how: browser,
		keepsText: true,
	},
	// HTML that contains the library's own script.
	{
		type: HTML,
		holds: /\bPlotly\.newPlot\(/,
		what: () => 'A Plotly figure',
		how: page('fig.write_html("figure.html")'),
	},
	{
		type: HTML,
		holds: /\bvegaEmbed\(/,
		what: () => 'A Vega-Lite chart',
		how: page('chart.save("chart.html")'),
	},
];

const sizeText = (value: unknown, isBase64: boolean): string => {
	const text = joinMultiline(value);
	const bytes = isBase64 ? Math.floor((text.length * 3) / 4) : Buffer.byteLength(text);
	return bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000).toLocaleString('en')} K`;
};

const IMAGE = /^image\/([\w.+-]+)$/;

/** Media types that cannot be drawn here and do not describe themselves. */
const OTHERS: readonly Kind[] = [
	{
		type: /^application\/(?:x-)?javascript$|^text\/javascript$/,
		what: () => 'JavaScript',
		how: 'Only a browser runs it.',
	},
	{type: /^application\/pdf$/, what: value => `A PDF document of ${sizeText(value, true)}`, how: browser},
	{type: /^audio\//, what: value => `A sound of ${sizeText(value, true)}`, how: browser},
	{type: /^video\//, what: value => `A video of ${sizeText(value, true)}`, how: browser},
	{type: HTML, what: value => `An HTML page of ${sizeText(value, false)} without text`, how: browser},
];

const REPEATS = /^(?:text\/(?:html|plain)|application\/javascript)$/;

const found = (data: Readonly<Record<string, unknown>>, kinds: readonly Kind[]): ViewerForm | null => {
	const types = Object.keys(data);
	for (const {type, holds, what, how, keepsText} of kinds) {
		const name = types.find(each => type.test(each) && (holds?.test(joinMultiline(data[each])) ?? true));
		if (name === undefined) continue;
		const used = types.filter(each => REPEATS.test(each) || kinds.some(kind => kind.type.test(each)));
		return {what: what(data[name]), how, used, ...(keepsText && {keepsText})};
	}
	return null;
};

/** Form of a chart or widget whose library needs a browser. Null for anything else. */
export const libraryForm = (data: Readonly<Record<string, unknown>>): ViewerForm | null =>
	found(data, LIBRARIES);

/**
 * Form of an output that cannot be drawn: a page without text, a script, a sound. Null for other
 * outputs.
 */
export const otherForm = (data: Readonly<Record<string, unknown>>): ViewerForm | null => found(data, OTHERS);

/** Form of a picture, for screens that do not draw pictures. Null if there is no picture. */
export const pictureForm = (data: Readonly<Record<string, unknown>>): ViewerForm | null => {
	const type = Object.keys(data).find(each => IMAGE.test(each) && joinMultiline(data[each]) !== '');
	if (type === undefined) return null;
	const [, name = ''] = IMAGE.exec(type) ?? [];
	const isText = type === 'image/svg+xml';
	return {
		what: `A picture (${name.replace('+xml', '').toUpperCase()}, ${sizeText(data[type], !isText)})`,
		how: 'The REPL and the notebook draw it.',
		used: [type, 'text/plain'],
	};
};
