// Finds the figure in an output, for libraries that draw in the browser.
import {joinMultiline} from '../output/multiline.ts';
import {fieldsOf} from '../record.ts';
import {bokehFigure} from './bokeh.ts';
import type {Figure} from './figure.ts';
import {objectAt} from './object-at.ts';
import {plotlyFigure} from './plotly.ts';
import {vegaFigure} from './vega.ts';

/**
 * Chart specification in the HTML page that Altair sends by default: the first argument of the call
 * in its script.
 */
const altairChart = (html: string): unknown => {
	const at = html.includes('vegaEmbed(') ? html.indexOf('})({') : -1;
	return at === -1 ? undefined : objectAt(html.slice(at + 3));
};

/** Figure in an output's data. Null if there is none of a known library. */
export const figureIn = (data: unknown): Figure | null => {
	const bundle = fieldsOf(data);
	const typed = (type: RegExp): string | undefined => Object.keys(bundle).find(name => type.test(name));
	const plotly = typed(/^application\/vnd\.plotly\.v[\d.]+\+json$/);
	if (plotly !== undefined) return plotlyFigure(bundle[plotly]);
	const lite = typed(/^application\/vnd\.vegalite\.v[\d.]+\+json$/);
	if (lite !== undefined) return vegaFigure(bundle[lite], 'Vega-Lite');
	const vega = typed(/^application\/vnd\.vega\.v[\d.]+\+json$/);
	if (vega !== undefined) return vegaFigure(bundle[vega], 'Vega');
	const altair = altairChart(joinMultiline(bundle['text/html']));
	if (altair !== undefined) return vegaFigure(altair, 'Vega-Lite');
	return typed(/^application\/vnd\.bokehjs_exec\./) === undefined
		? null
		: bokehFigure(joinMultiline(bundle['application/javascript']));
};

/** Last figure in a list of outputs. Null if there is none. */
export const lastFigureIn = (outputs: readonly Readonly<Record<string, unknown>>[]): Figure | null =>
	outputs.map(({data}) => figureIn(data)).findLast(each => each !== null) ?? null;
