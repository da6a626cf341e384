// Renders the widgets of a notebook as lines of text: progress bars, values of controls, boxes.
import {isRecord} from '../record.ts';
import {cellWidth} from '../width/width.ts';
import {latexText} from '../latex/latex.ts';
import {htmlPlainText} from './html-plain.ts';
import {readHtml} from './html-text.ts';
import {controlText, numberOf, textOf} from './widget-controls.ts';
import {referenceIn, type ShownWidget, type WidgetModel} from './widget.ts';

/**
 * Line of text, or the outputs inside an Output widget. The text may contain control characters.
 */
export type WidgetLine =
	| {readonly text: string; readonly role?: 'good' | 'bad' | 'busy' | 'title'}
	| {readonly outputs: readonly Readonly<Record<string, unknown>>[]; readonly indent: number};

type Fields = Readonly<Record<string, unknown>>;

/** Limits of a widget: nesting depth of boxes, and number of lines. */
const DEEPEST = 12;
const MOST_LINES = 1000;

const BAR = {most: 30, least: 5} as const;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim();

/** Space as wide as a digit, which tqdm uses for padding. HTML does not collapse it. */
const PAD = '\u2007';

/** Text of the HTML in a widget. */
const htmlText = (value: unknown): string =>
	htmlPlainText(readHtml(textOf(value).replaceAll(PAD, '&#8199;')))
		.replaceAll(PAD, ' ')
		.trimEnd();

/**
 * Value after the widget's description. Without a description, as in tqdm's bars, only the value.
 */
const described = ({description}: Fields, text: string): string => {
	const name = oneLine(htmlText(description));
	return name === '' ? text : `${name.endsWith(':') ? name : `${name}:`} ${text}`;
};

const bar = (fraction: number, width: number): string => {
	const eighths = Math.round(Math.min(1, Math.max(0, fraction)) * width * 8);
	const full = Math.floor(eighths / 8);
	return ('█'.repeat(full) + (EIGHTHS[eighths % 8] ?? '')).padEnd(width);
};

/** Progress bar with its numbers. `room`: width for both in cells. */
const progressText = (state: Fields, room: number, isAlone: boolean): string => {
	const from = numberOf(state['min']) ?? 0;
	const to = numberOf(state['max']) ?? 100;
	const value = numberOf(state['value']) ?? from;
	const fraction = to > from ? (value - from) / (to - from) : 0;
	const shown = (number: number): string => String(Math.round(number * 1e6) / 1e6);
	const numbers = isAlone ? ` ${shown(value)}/${shown(to)}` : '';
	const width = Math.max(BAR.least, Math.min(BAR.most, room - numbers.length - 2));
	return `|${bar(fraction, width)}|${numbers}`;
};

const ROLES: Readonly<Record<string, 'good' | 'bad' | 'busy'>> = {
	success: 'good',
	danger: 'bad',
	warning: 'busy',
};

/** Lines of a widget. `isControl`: true if the user could change something in it in a browser. */
type Drawn = {readonly lines: readonly WidgetLine[]; readonly isControl: boolean};

const plain = (text: string, role?: 'good' | 'bad' | 'busy'): WidgetLine[] =>
	text === '' ? [] : text.split('\n').map(line => (role === undefined ? {text: line} : {text: line, role}));

const indented = (lines: readonly WidgetLine[]): readonly WidgetLine[] =>
	lines.map(line =>
		'text' in line ? {...line, text: `  ${line.text}`} : {...line, indent: line.indent + 2},
	);

/** Title of a page of an accordion or tab widget. ipywidgets 7 and older store titles by number. */
const titleAt = ({titles, _titles: numbered}: Fields, index: number): string => {
	const title = oneLine(
		textOf(Array.isArray(titles) ? titles[index] : isRecord(numbered) ? numbered[String(index)] : ''),
	);
	return title === '' ? String(index + 1) : title;
};

const isProgress = ({name}: WidgetModel): boolean => /ProgressModel$/.test(name);

class Drawing {
	readonly #models: ReadonlyMap<string, WidgetModel>;
	readonly #width: number;
	#count = 0;

	constructor(models: ReadonlyMap<string, WidgetModel>, width: number) {
		this.#models = models;
		this.#width = width;
	}

	#childrenOf({state}: WidgetModel): readonly WidgetModel[] {
		const {children} = state;
		return (Array.isArray(children) ? children : [])
			.map(child => this.#models.get(referenceIn(child) ?? ''))
			.filter(model => model !== undefined);
	}

	draw(model: WidgetModel, depth: number): Drawn {
		if (depth > DEEPEST || ++this.#count > MOST_LINES) return {lines: [{text: '…'}], isControl: false};
		const {name, state} = model;
		if (isProgress(model)) {
			const role = ROLES[textOf(state['bar_style'])];
			return {lines: plain(described(state, progressText(state, this.#width, true)), role), isControl: false};
		}
		if (name === 'HTMLModel')
			return {lines: plain(described(state, htmlText(state['value']))), isControl: false};
		if (name === 'HTMLMathModel')
			return {lines: plain(described(state, latexText(htmlText(state['value'])))), isControl: false};
		if (name === 'LabelModel')
			return {lines: plain(described(state, latexText(textOf(state['value'])))), isControl: false};
		if (name === 'ValidModel')
			return {
				lines: plain(
					described(state, state['value'] === true ? 'valid' : textOf(state['readout']) || 'invalid'),
				),
				isControl: false,
			};
		if (name === 'OutputModel') {
			const {outputs} = state;
			const shown = (Array.isArray(outputs) ? outputs : []).filter(isRecord);
			return {lines: shown.length === 0 ? [] : [{outputs: shown, indent: 0}], isControl: false};
		}
		if (/^(?:Image|Audio|Video)Model$/.test(name))
			return {
				lines: [
					{
						text: described(
							state,
							`${name.slice(0, -5).toLowerCase()} (${textOf(state['format']) || 'unknown format'})`,
						),
					},
				],
				isControl: false,
			};
		if (name === 'ButtonModel')
			return {lines: [{text: `[ ${oneLine(textOf(state['description'])) || 'button'} ]`}], isControl: true};
		if (name === 'AccordionModel' || name === 'TabModel') return this.#titled(model, depth);
		if (/^(?:H|V|Grid)?BoxModel$|^StackModel$/.test(name) || Array.isArray(state['children']))
			return this.#box(model, depth);
		const control = controlText(model);
		if (control !== null) return {lines: plain(described(state, control)), isControl: true};
		const kind = name.replace(/Model$/, '') || 'a widget';
		return {
			lines: [
				{
					text: described(
						state,
						`${kind}${model.module === '' ? '' : ` of ${model.module}`} (not drawn here)`,
					),
				},
			],
			isControl: true,
		};
	}

	#titled(model: WidgetModel, depth: number): Drawn {
		const parts = this.#childrenOf(model).map(child => this.draw(child, depth + 1));
		return {
			lines: parts.flatMap(({lines}, index) => [
				{text: titleAt(model.state, index), role: 'title' as const},
				...indented(lines),
			]),
			isControl: parts.some(({isControl}) => isControl),
		};
	}

	/**
	 * A horizontal box of short texts becomes one line. A progress bar in it gets the remaining
	 * width.
	 */
	#box(model: WidgetModel, depth: number): Drawn {
		const children = this.#childrenOf(model);
		const parts = children.map(child => this.draw(child, depth + 1));
		const isControl = parts.some(part => part.isControl);
		const isRow = model.name === 'HBoxModel' && parts.every(({lines}) => lines.length <= 1);
		const texts = parts.map(({lines: [line]}) =>
			line === undefined ? '' : 'text' in line ? line.text : null,
		);
		if (!isRow || texts.includes(null)) return {lines: parts.flatMap(({lines}) => lines), isControl};
		const others = texts.filter((_, index) => !isProgress(children[index] ?? model));
		const room = this.#width - others.reduce((sum, text) => sum + cellWidth(text ?? '') + 1, 0);
		const row = children.map((child, index) =>
			isProgress(child)
				? described(child.state, progressText(child.state, room, children.length === 1))
				: (texts[index] ?? ''),
		);
		const [role] = children
			.map(({state}) => ROLES[textOf(state['bar_style'])])
			.filter(each => each !== undefined);
		return {
			lines: plain(
				oneLine(
					row
						.filter(text => text.trim() !== '')
						.map(text => text.trim())
						.join(' '),
				),
				role,
			),
			isControl,
		};
	}
}

/**
 * Lines of a widget in `width` cells. `isControl`: true if the user could change something in it in
 * a browser.
 */
export const widgetLines = (
	{id, models}: Exclude<ShownWidget, null>,
	width: number,
): {readonly lines: readonly WidgetLine[]; readonly isControl: boolean} => {
	const model = models.get(id);
	const {lines, isControl} =
		model === undefined ? {lines: [], isControl: false} : new Drawing(models, width).draw(model, 0);
	return {lines: lines.slice(0, MOST_LINES), isControl};
};
