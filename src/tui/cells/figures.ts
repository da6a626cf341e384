// Opens the figure of a cell in a browser, as a page that this program generates.
import {messageOf} from '../../text/errors.ts';
import {joinMultiline} from '../../text/output/multiline.ts';
import {fieldsOf} from '../../text/record.ts';
import {label} from '../../text/safe.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';

export type FigureViewer = {
	/** Opens the last figure among the outputs. */
	openFigure(outputs: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
};

const FIGURE = /^application\/vnd\.(?:plotly\.|vega|bokehjs_exec\.)/;

/** True if the data of an output contain a figure that needs a browser. */
export const isFigure = (data: unknown): boolean =>
	Object.keys(fieldsOf(data)).some(type => FIGURE.test(type)) ||
	joinMultiline(fieldsOf(data)['text/html']).includes('vegaEmbed(');

export const hasFigure = (outputs: readonly Readonly<Record<string, unknown>>[]): boolean =>
	outputs.some(({data}) => isFigure(data));

export const figureViewer = part(
	'figureViewer',
	({get, deps: {openPage: open = async () => false}}: App): FigureViewer => ({
		async openFigure(outputs) {
			const {lastFigureIn, figurePage} = await import('../../text/figure/page.ts');
			const figure = lastFigureIn(outputs);
			if (figure === null) return notices(get).notify('info', 'This cell has no figure');
			const name = figure.title === '' ? `The ${figure.library} figure` : label(figure.title, 60);
			try {
				if (await open(figurePage(figure)))
					notices(get).notify('good', `${name} opened in your browser, drawn from its data`);
				else notices(get).notify('info', `No browser found. ${figure.save} saves it as a page`);
			} catch (error) {
				notices(get).notify('bad', `${name} was not opened: ${messageOf(error)}`);
			}
		},
	}),
);
