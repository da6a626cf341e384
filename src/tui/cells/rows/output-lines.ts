import type {CellOutput} from '../../../contract/cells.ts';
import {pictureType} from '../pictures.ts';
import {type Cell} from '../cell.ts';
import {excerptOf, fold, foldExcerpt, lastDrawings, type Folded} from '../../../text/output/fold.ts';
import {pieces} from '../../../text/width/pieces.ts';
import type {PictureStyle} from '../../../text/output/picture.ts';
import {SAFE_LIMIT} from '../../../text/width/cap.ts';
import {block, redrawsLines, label, output} from '../../../text/safe.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {holdsTable, htmlLines, isExact} from '../../core/components/html-lines.ts';
import {wideTextLines} from '../../core/components/wide-text.ts';
import {latexText} from '../../../text/latex/latex.ts';
import {formOf, htmlOf, type Bundle} from '../../../text/output/forms.ts';
import {WIDGET_NOTE} from '../../../text/output/viewer-forms.ts';
import {widgetLines, type WidgetLine} from '../../../text/output/widget-lines.ts';
import type {HtmlPart} from '../../../text/output/html-text.ts';
import {markdownEngine, markdownRows} from '../../core/components/markdown.ts';
import {isAscii, paint, type Role} from '../../core/theme/theme.ts';
import type {InText} from '../../pictures/in-text.ts';
import {pictureLines} from './picture-lines.ts';
import {widgetTextRows} from './widget-rows.ts';
import {isFigure} from '../figures.ts';
import {besideGutter, firstOutputRow, outputWidth, type Lead} from './gutter.ts';
import {placedOutputs} from './placed-outputs.ts';
import {foldedFramesRows, linesText, narrowTraceback, tracebackLine} from './traceback-line.ts';
import {foldTraceback} from '../../../text/python/traceback-fold.ts';
import {joinMultiline} from '../../../text/output/multiline.ts';
import {fieldsOf} from '../../../text/record.ts';

/**
 * `open`: nothing is folded. `pictureRows`: maximum rows of a folded picture. `left`: number of
 * columns of wide tables that are scrolled out of view at the left.
 */
export type OutputView = {
	readonly width: number;
	readonly open: boolean;
	readonly pictureStyle: PictureStyle;
	/** 0 in a notebook that is shown but not edited: it draws no pictures. */
	readonly pictureRows: number;
	readonly left?: number;
	readonly inText?: InText | null;
	/** Number of blank columns before the cell's number; 2 by default. */
	readonly lead?: Lead;
	/** Key that unfolds the outputs of the cell, in the form for sentences. */
	readonly unfoldKey?: string;
	/** Key that opens the figure of the cell in a browser. */
	readonly figureKey?: string;
};

const TEXT_FOLD = {most: 40, first: 15, last: 15} as const;
const TRACEBACK_FOLD = {most: 16, first: 1, last: 9} as const;
/** Fold for traceback text between the frames: the start of a long message matters most. */
const MESSAGE_FOLD = {most: 16, first: 9, last: 6} as const;
const VALUE_FOLD = {most: 12, first: 6, last: 2} as const;
/** Media types of the same picture. If one is drawn, the other is not mentioned. */
const BITMAPS: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);

export const foldLine = (hidden: number, what: string, unit: Folded['unit'] = 'line'): string =>
	` ${paint('busy', `… ${hidden.toLocaleString('en')} more ${unit}${hidden === 1 ? '' : 's'}${what}`)} ${paint('dim', 'folded')}`;

/** Rows of a text that is drawn line by line, with the middle of a long text left out. */
const foldedRows = (
	text: string,
	open: boolean,
	how: typeof TEXT_FOLD | typeof TRACEBACK_FOLD | typeof MESSAGE_FOLD | typeof VALUE_FOLD,
	rows: (text: string) => readonly string[],
	what = '',
): string[] => {
	return open ? [...rows(text)] : rowsOfFolded(fold(text, how), rows, what);
};

const rowsOfFolded = (
	{head, hidden, unit, tail}: Folded,
	rows: (text: string) => readonly string[],
	what = '',
): string[] =>
	hidden === 0 ? [...rows(head)] : [...rows(head), foldLine(hidden, what, unit), ...rows(tail)];

/** Paints a line of printed text in a role, unless it has its own colours. */
const inRole = (role: Role | undefined, line: string): string =>
	role && !line.includes('\u001B') ? paint(role, line) : line;

/**
 * Rows of printed text. `style` colours each line before wrapping, because only the whole line
 * shows its kind; an empty list omits the line. `hang`: extra indentation of wrapped rows.
 */
const printedRows = (
	text: string,
	width: number,
	style: (line: string) => readonly string[],
	hang = 0,
): readonly string[] => {
	const rows: string[] = [];
	for (const piece of pieces(lastDrawings(text))) {
		const safe = output(piece).text.split('\n');
		if (safe.at(-1) === '') safe.pop();
		// A loop, not a spread: a hundred thousand arguments overflow the stack.
		for (const line of safe) {
			const options = hang === 0 ? {} : {hang: Math.min(line.search(/\S|$/) + hang, Math.floor(width / 3))};
			for (const styled of style(line))
				for (const row of wrap(styled, width - 2, options)) rows.push(` ${row}`);
		}
	}
	return rows;
};

const streamRows = (source: CellOutput, {width, open}: OutputView): string[] => {
	const role = source['name'] === 'stderr' ? 'busy' : undefined;
	const rows = (text: string): readonly string[] => printedRows(text, width, line => [inRole(role, line)]);
	const excerpt = open ? null : excerptOf(source);
	if (excerpt !== null) return rowsOfFolded(foldExcerpt(excerpt, TEXT_FOLD), rows);
	const printed = joinMultiline(source['text']);
	// Only the end of text that redraws its own lines, such as a progress bar, is drawn.
	const drawn = redrawsLines(printed) ? output(printed.slice(-SAFE_LIMIT)).text : printed;
	return foldedRows(drawn, open, TEXT_FOLD, rows);
};

const errorRows = (source: CellOutput, {width, open, unfoldKey}: OutputView): readonly string[] => {
	const traceback = joinMultiline(source['traceback'], '\n');
	const text = narrowTraceback(
		traceback === '' ? `${joinMultiline(source['ename'])}: ${joinMultiline(source['evalue'])}` : traceback,
		width - 2,
	);
	const rows = (part: string): readonly string[] =>
		printedRows(part, width, line => tracebackLine(line, width - 2), 2);
	const pieces = open || text.length > SAFE_LIMIT ? null : foldTraceback(text);
	return pieces === null
		? foldedRows(text, open, TRACEBACK_FOLD, rows, ' of the traceback')
		: pieces.flatMap(piece =>
				piece.kind === 'folded'
					? foldedFramesRows(piece, width, unfoldKey)
					: foldedRows(linesText(piece), piece.isFrame, MESSAGE_FOLD, rows, ' of the traceback'),
			);
};

const jsonRows = (value: unknown, {width, open}: OutputView): string[] =>
	foldedRows(JSON.stringify(value, null, 2) ?? '', open, VALUE_FOLD, text =>
		block(text)
			.split('\n')
			.flatMap(line => wrap(line, width - 2))
			.map(row => ` ${paint('dim', row)}`),
	);

/**
 * The HTML of a table, instead of the value's plain text. Null unless each cell can be laid out
 * exactly.
 */
const tablePage = (data: Bundle): readonly HtmlPart[] | null => {
	if (!holdsTable(joinMultiline(data['text/html']))) return null;
	const page = htmlOf(data);
	return isExact(page) ? page : null;
};

type ValueRows = {readonly rows: readonly string[]; readonly used: readonly string[]};

/** A value as rows, with the media types that these rows show. */
const valueRows = (data: Bundle, look: OutputView, hasPicture: boolean): ValueRows => {
	const inner = look.width - 1;
	const text = (shown: string): string[] =>
		foldedRows(shown, look.open, TEXT_FOLD, part => printedRows(part, inner + 1, line => [line])).map(row =>
			row.slice(1),
		);
	const folded = (rows: readonly string[]): readonly string[] =>
		look.open || rows.length <= TEXT_FOLD.most
			? rows
			: [
					...rows.slice(0, TEXT_FOLD.first),
					foldLine(rows.length - TEXT_FOLD.first - TEXT_FOLD.last, ''),
					...rows.slice(-TEXT_FOLD.last),
				];
	const page = tablePage(data);
	if (page !== null)
		return {rows: folded(htmlLines(page, inner - 1, look.left)), used: ['text/html', 'text/plain']};
	// If a table's HTML cannot be laid out exactly, its plain text is shown and scrolls.
	const own = joinMultiline(data['text/plain']);
	const isTable = own.length <= SAFE_LIMIT && holdsTable(joinMultiline(data['text/html']));
	const wide = isTable ? wideTextLines(own.replace(/\n$/, ''), inner - 1, look.left) : null;
	if (wide !== null) return {rows: folded(wide), used: ['text/plain']};
	const form = formOf(data, {hasPicture});
	const {used} = form;
	switch (form.kind) {
		case 'text':
			return {rows: text(form.text), used};
		case 'latex':
			return {rows: text(isAscii() ? form.text : latexText(form.text)), used};
		case 'markdown': {
			const engine = form.text.length > SAFE_LIMIT ? undefined : markdownEngine();
			const laid = engine && markdownRows(engine, form.text, inner - 1);
			return {rows: laid ? folded(laid) : text(form.text), used};
		}
		case 'html':
			return {rows: folded(htmlLines(form.parts, inner - 1, look.left)), used};
		case 'json':
			return {rows: jsonRows(form.value, {...look, width: inner}).map(row => row.slice(1)), used};
		case 'widget': {
			const {lines, isControl} = widgetLines(form.widget, inner - 1);
			return {
				rows: folded([
					...lines.flatMap(line => widgetRows(line, look)),
					...(isControl ? wrap(WIDGET_NOTE.how, inner - 1).map(row => paint('dim', row)) : []),
				]),
				used,
			};
		}
		case 'viewer':
			return {
				rows: [
					...(form.text === '' ? [] : text(form.text)),
					...wrap(label(`${form.what} is not drawn here.`, 400), inner - 1),
					...wrap(
						look.figureKey !== undefined && isFigure(data)
							? `${look.figureKey} opens its data as a page. ${form.how}`
							: form.how,
						inner - 1,
					).map(row => paint('dim', row)),
				],
				used,
			};
		case 'none':
			return {rows: [], used};
	}
};

/** Rows of a line of a widget. Outputs within the widget are drawn without pictures. */
const widgetRows = (line: WidgetLine, look: OutputView): readonly string[] => {
	if ('text' in line) return widgetTextRows(line, look.width - 2);
	const within = {...look, width: look.width - line.indent};
	return line.outputs
		.flatMap(output => {
			const source: CellOutput = {...output, output_type: joinMultiline(output['output_type'])};
			return source.output_type === 'stream'
				? streamRows(source, within).map(row => row.slice(1))
				: source.output_type === 'error'
					? errorRows(source, within).map(row => row.slice(1))
					: valueRows(fieldsOf(source['data']), within, false).rows;
		})
		.map(row => ' '.repeat(line.indent) + row);
};

const dataRows = (
	source: CellOutput,
	look: OutputView,
	picture: Parameters<typeof pictureLines>[0],
): readonly string[] => {
	const data = fieldsOf(source['data']);
	const drawn = pictureType(source);
	const isDrawn = drawn !== null && !(picture !== undefined && 'problem' in picture);
	const {rows: value, used} = valueRows(data, {...look, width: look.width - 1}, isDrawn);
	// The text of a figure, such as `<Figure size …>`, adds nothing to the drawn figure.
	const isNamed = isDrawn && !used.includes('text/html') && used.includes('text/plain');
	const rows = isNamed ? [] : value;
	const others = Object.keys(data)
		.filter(type => !used.includes(type) && type !== drawn && !(drawn !== null && BITMAPS.has(type)))
		.map(type => label(type, 40));
	return [
		...rows.map(row => ` ${row}`),
		...(drawn === null ? [] : pictureLines(picture, look)),
		...(others.length === 0
			? []
			: wrap(`also as ${others.join(', ')}`, look.width - 2).map(row => ` ${paint('dim', row)}`)),
	];
};

const outputRows = (source: CellOutput, index: number, cell: Cell, look: OutputView): readonly string[] => {
	switch (source.output_type) {
		case 'stream':
			return streamRows(source, look);
		case 'execute_result':
		case 'display_data':
		case 'update_display_data':
			return dataRows(source, look, cell.pictures.get(index));
		case 'error':
			return errorRows(source, look);
		default:
			return [paint('dim', ` output of type ${label(source.output_type, 40)}`), ...jsonRows(source, look)];
	}
};

/** The outputs of a cell as rows of at most `width` cells, beside their gutter. */
export const outputLines = (cell: Cell, look: OutputView): readonly string[] => {
	const lines: string[] = [];
	const within = {...look, width: outputWidth(look.width)};
	for (const {source, index} of placedOutputs(cell.result?.outputs ?? [])) {
		const [first, ...others] = outputRows(source, index, cell, within);
		if (first !== undefined) lines.push(firstOutputRow(first, source.output_type, look.lead ?? 2));
		for (const row of besideGutter(others)) lines.push(row);
	}
	return lines;
};
