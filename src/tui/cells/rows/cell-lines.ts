import {CELL_STATE_WORDS} from './state-words.ts';
import {isPending, type Cell, type ShownCells} from '../cell.ts';
import {explainFailure} from '../../core/store/remote.ts';
import {label} from '../../../text/safe.ts';
import {isRecord} from '../../../text/record.ts';
import {fit} from '../../../text/width/width.ts';
import {hanging} from '../../../text/width/hanging.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {callDetailsHint} from '../../core/components/key-hint.ts';
import {durationText} from '../../core/components/age.ts';
import {markdownEngine, type MarkdownEngine} from '../../core/components/markdown.ts';
import {pythonLines} from '../../core/components/code-line.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint, type Role, paintedCache} from '../../core/theme/theme.ts';
import {kernelTexts} from './kernel-words.ts';
import {besideGutter, GUTTER, numberGutter, outputWidth} from './gutter.ts';
import {foldLine, outputLines, type OutputView} from './output-lines.ts';

const statusLine = (cell: Cell): string[] => {
	const words = CELL_STATE_WORDS[cell.state].row;
	return words === null ? [] : [paint('busy', ` ${words}`)];
};

const NOBODY_ANSWERS =
	'Typed input needs the live link: ":live" shows why there is none. Without it, put the value into the code.';

/** Advice for code that called input() although the user could not be asked. */
const adviceRows = ({result}: Cell, width: number): string[] =>
	result?.outputs.some(
		output => output.output_type === 'error' && output['ename'] === 'StdinNotImplementedError',
	)
		? wrap(NOBODY_ANSWERS, width - 2).map(line => ` ${line}`)
		: [];

const failureRows = (cell: Cell, width: number): string[] => {
	if (cell.failure === null) return [];
	const {what, next} = explainFailure(cell.failure);
	return [
		...wrap(label(what, 600), width - 2).map(line => paint('bad', ` ${line}`)),
		...wrap(
			`${label(next, 600)} ${callDetailsHint(cell.failure, 'always.evidence')}`.trimEnd(),
			width - 2,
		).map(line => ` ${line}`),
	];
};

const SOURCE_FOLD = {most: 30, first: 12, last: 6} as const;

/**
 * Code in colours, with the middle of long code left out. All of the code is coloured first,
 * because a string may span the omitted middle.
 */
const codeRows = ({source}: Cell, open: boolean): readonly string[] => {
	const lines = pythonLines(source);
	const hidden = lines.length - SOURCE_FOLD.first - SOURCE_FOLD.last;
	return open || lines.length <= SOURCE_FOLD.most
		? lines
		: [
				...lines.slice(0, SOURCE_FOLD.first),
				foldLine(hidden, '').trimStart(),
				...lines.slice(-SOURCE_FOLD.last),
			];
};

/** Shortest duration that is shown, in ms. */
const NOTICEABLE = 50;

const hangingRows = (line: string, width: number): readonly string[] =>
	hanging(line, width).map(({before, text}) =>
		before === null ? text : `${' '.repeat(before)}${paint('dim', glyph.goesOn)} ${text}`,
	);

const sourceLines = (cell: Cell, {width, open, lead = 2}: OutputView): string[] => {
	const count = isPending(cell) ? '*' : (cell.result?.execution_count ?? ' ');
	const ms = cell.startedAt !== null && cell.endedAt !== null ? cell.endedAt - cell.startedAt : 0;
	const took = ms < NOTICEABLE ? '' : durationText(ms);
	const room = Math.max(4, width - GUTTER - 1);
	const beside = took === '' ? room : Math.max(4, room - took.length - 2);
	const role: Role = cell.earlier === null ? 'accent' : 'dim';
	const [first = '', ...others] = codeRows(cell, open)
		.flatMap((line, index) => hangingRows(line, index === 0 ? beside : room))
		.map((row, index) => (index === 0 ? paint(role, numberGutter(count, lead)) : ' '.repeat(GUTTER)) + row);
	return [took === '' ? first : `${fit(first, GUTTER + beside)}  ${paint('dim', took)} `, ...others];
};

const isSameLook = (one: Omit<OutputView, 'open'>, other: Omit<OutputView, 'open'>): boolean =>
	one.width === other.width &&
	one.pictureStyle === other.pictureStyle &&
	one.pictureRows === other.pictureRows &&
	(one.left ?? 0) === (other.left ?? 0);

/**
 * True if the pictures of this cell are placed in the text in the same way. Pictures of other cells
 * do not matter.
 */
const areSamePlaced = ({pictures}: Cell, one: OutputView['inText'], other: OutputView['inText']): boolean =>
	one === other ||
	[...pictures.values()].every(picture => {
		const placed = one?.placed.get(picture);
		return placed === other?.placed.get(picture) && (placed === undefined || one?.look === other?.look);
	});

const movable = new WeakMap<Cell, boolean>();
/** True if the cell may contain a table that scrolls sideways. */
const isMovable = (cell: Cell): boolean => {
	const found =
		movable.get(cell) ??
		cell.result?.outputs.some(({data}) => isRecord(data) && data['text/html'] !== undefined) ??
		false;
	movable.set(cell, found);
	return found;
};

const markdowns = new WeakMap<Cell, boolean>();
/** True if the cell may contain Markdown, which is rendered once the renderer is loaded. */
const holdsMarkdown = (cell: Cell): boolean => {
	const found =
		markdowns.get(cell) ??
		cell.result?.outputs.some(({data}) => isRecord(data) && data['text/markdown'] !== undefined) ??
		false;
	markdowns.set(cell, found);
	return found;
};

const waiting = new WeakMap<readonly Cell[], boolean>();
/** True if the Markdown renderer is needed; computed once per array of cells. */
export const needMarkdown = (cells: readonly Cell[]): boolean => {
	const found = waiting.get(cells) ?? cells.some(holdsMarkdown);
	waiting.set(cells, found);
	return found;
};

type Laid = OutputView & {readonly engine: MarkdownEngine | undefined; readonly lines: readonly string[]};
/** Separate caches for folded and unfolded rows, because a search reads both. */
const caches = {folded: paintedCache<Cell, Laid>(), open: paintedCache<Cell, Laid>()};

/**
 * A cell as rows of at most `width` cells: number and source, outputs, state. An unchanged cell is
 * laid out once per width and view.
 */
export const cellLines = (cell: Cell, look: OutputView): readonly string[] => {
	const cache = look.open ? caches.open : caches.folded;
	const known = cache.get(cell);
	const drawn = look.left && !isMovable(cell) ? {...look, left: 0} : look;
	const engine = holdsMarkdown(cell) ? markdownEngine() : undefined;
	if (
		known !== undefined &&
		known.engine === engine &&
		isSameLook(known, drawn) &&
		areSamePlaced(cell, known.inText, look.inText)
	)
		return known.lines;
	const lines = sourceLines(cell, look);
	for (const line of outputLines(cell, look)) lines.push(line);
	const width = outputWidth(look.width);
	const below = [...adviceRows(cell, width), ...failureRows(cell, width), ...statusLine(cell)];
	lines.push(...besideGutter(below), '');
	cache.set(cell, {...drawn, engine, lines});
	return lines;
};

const divider = (words: string, width: number): string =>
	paint(
		'dim',
		` ${fit(`${glyph.rule.repeat(2)} ${words} `, Math.min(width - 2, words.length + 4))}${glyph.rule.repeat(Math.max(0, width - words.length - 6))}`,
	);

const dividerAbove = (cell: Cell, before: Cell | undefined, width: number): readonly string[] => {
	if (cell.earlier !== null)
		return before?.earlier?.session === cell.earlier.session
			? []
			: [divider(`earlier, ${new Date(cell.earlier.at).toLocaleString('sv').slice(0, 16)}`, width), ''];
	return before !== undefined && before.earlier !== null ? [divider('now', width), ''] : [];
};

/** Lines above the first cell about older cells, which are laid out later or stored elsewhere. */
const startLines = ({older, rest}: Pick<ShownCells, 'older' | 'rest'>, width: number): readonly string[] => {
	const words =
		older.length > 0
			? `${older.length.toLocaleString('en')} older cell${older.length === 1 ? '' : 's'}: scroll up, or ${keyFor('cells.first')} for the first`
			: rest === null
				? ''
				: `Older cells are in ${label(rest, 600)}`;
	return words === '' ? [] : [...wrap(words, width - 2).map(row => paint('dim', ` ${row}`)), ''];
};

type Blocks = readonly (readonly string[])[];
type Shown = Omit<OutputView, 'open' | 'left'>;

const known = paintedCache<
	readonly Cell[],
	Pick<ShownCells, 'unfolded' | 'sideways'> & {
		readonly look: Shown;
		readonly engine: MarkdownEngine | undefined;
		readonly blocks: Blocks;
	}
>();

/**
 * All cells as rows, one block each, and one more block for lines below the last cell. Cached, so
 * that keys stay fast after thousands of cells.
 */
export const blocksOf = ({cells, unfolded, sideways, older, rest}: ShownCells, look: Shown): Blocks => {
	const before = known.get(cells);
	const engine = needMarkdown(cells) ? markdownEngine() : undefined;
	const isSame =
		before?.unfolded === unfolded &&
		before.sideways === sideways &&
		before.engine === engine &&
		isSameLook(before.look, look) &&
		(before.look.inText ?? null) === (look.inText ?? null);
	if (isSame) return before.blocks;
	const words = kernelTexts(cells);
	const ofKernel = (index: number): readonly string[] =>
		words[index] ? [divider(words[index], look.width), ''] : [];
	const blocks = cells.map((cell, index) => {
		const lines = cellLines(cell, {...look, open: unfolded.has(cell.id), left: sideways.get(cell.id) ?? 0});
		const above = [
			...(index === 0 ? startLines({older, rest}, look.width) : []),
			...ofKernel(index),
			...dividerAbove(cell, cells[index - 1], look.width),
		];
		return above.length === 0 ? lines : [...above, ...lines];
	});
	const below = ofKernel(cells.length);
	const all = below.length === 0 ? blocks : [...blocks, below];
	known.set(cells, {unfolded, sideways, look, engine, blocks: all});
	return all;
};
