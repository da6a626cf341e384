// A notebook that is worked in, as rows: a block per cell. What does not change is laid out once, so that a key costs the same in any notebook.
import type {Editor} from '../../../text/editor/editor.ts';
import type {NotebookCell} from '../../../text/notebook/notebook.ts';
import {indexOfKey} from '../../../text/notebook/worked.ts';
import {lineFrom} from '../../../text/safe.ts';
import type {ColourDepth} from '../../../text/output/picture.ts';
import {editorLines} from '../../core/components/editor-lines.ts';
import {pythonLines} from '../../core/components/code-line.ts';
import {ANSWER_LOOK, markdownEngine, type MarkdownEngine} from '../../core/components/markdown.ts';
import {keepInView} from '../../core/components/scroll.ts';
import {placeIn, startOf} from '../../core/components/transcript.ts';
import {paint} from '../../core/theme/theme.ts';
import {answerLines} from '../../repl/answer-field.ts';
import {cellLines} from '../../repl/cell-lines.ts';
import type {Cell} from '../../repl/cell.ts';
import type {InText} from '../../pictures/in-text.ts';
import type {Picture} from '../../pictures/read-picture.ts';
import {isPendingRun, type OpenNotebook, type Run} from './open-notebook.ts';
import {pictureOfOutput} from './slice.ts';

export type Room = {
	readonly width: number;
	readonly height: number;
	readonly depth: ColourDepth;
	readonly inText?: InText | null;
};
type Blocks = readonly (readonly string[])[];

/** UTF-16 units of code that is coloured at each key. */
const MOST_COLOURED = 20_000;

const picturesOf = (outputs: readonly object[]): ReadonlyMap<number, Picture> =>
	new Map(
		outputs.flatMap((output, index) => {
			const picture = pictureOfOutput(output);
			return picture === undefined ? [] : [[index, picture] as const];
		}),
	);

type Shown = {readonly run: Run | undefined; readonly pictures: number; readonly cell: Cell};
const shownCells = new WeakMap<NotebookCell, Shown>();

/** A cell of code as the REPL draws one. */
const shownCell = (cell: NotebookCell, run: Run | undefined): Cell => {
	const outputs = isPendingRun(run) ? (run?.result?.outputs ?? []) : cell.outputs;
	const pictures = picturesOf(outputs);
	const known = shownCells.get(cell);
	if (known !== undefined && known.run === run && known.pictures === pictures.size) return known.cell;
	const made: Cell = {
		id: cell.key,
		source: cell.source,
		state: run?.state ?? 'done',
		startedAt: run?.startedAt ?? null,
		endedAt: run?.endedAt ?? null,
		result: {
			cell_type: 'code',
			execution_count: isPendingRun(run) ? null : cell.count,
			metadata: {},
			source: cell.source,
			outputs: [...outputs],
		},
		failure: run?.failure ?? null,
		pictures,
		earlier: null,
		batch: null,
	};
	shownCells.set(cell, {run, pictures: pictures.size, cell: made});
	return made;
};

type Laid = {
	readonly width: number;
	readonly markdown: MarkdownEngine | null;
	readonly rows: readonly string[];
};
const laidTexts = new WeakMap<NotebookCell, Laid>();

/** Markdown laid out, and raw text as it is. */
const textRows = (cell: NotebookCell, width: number): readonly string[] => {
	const markdown = markdownEngine() ?? null;
	const known = laidTexts.get(cell);
	if (known?.width === width && known.markdown === markdown) return known.rows;
	const lines =
		cell.source.trim() === ''
			? [paint('dim', cell.kind === 'raw' ? 'an empty raw cell' : 'an empty cell of markdown')]
			: cell.kind === 'markdown' && markdown !== null
				? markdown.layMarkdown(cell.source, width - 3, ANSWER_LOOK).rows
				: cell.source.split('\n').map(line => lineFrom(line, 0));
	const rows = [...lines.map(line => ` ${line}`), ''];
	laidTexts.set(cell, {width, markdown, rows});
	return rows;
};

type Hidden = {readonly of: readonly string[]; readonly rows: readonly string[]};
const hiddenRows = new WeakMap<Cell, Hidden>();

/** The most rows of a picture that is not open, in a view of so many. */
export const pictureRowsIn = (height: number): number => Math.max(4, height - 5);

const codeRows = (
	cell: NotebookCell,
	open: OpenNotebook,
	{width, height, depth, inText = null}: Room,
): readonly string[] => {
	const shown = shownCell(cell, open.runs.get(cell.key));
	const look = {
		width,
		depth,
		open: open.unfolded.has(cell.key),
		pictureRows: pictureRowsIn(height),
		inText,
		left: open.sideways.get(cell.key) ?? 0,
	};
	if (!open.hidden.has(cell.key) || cell.outputs.length === 0) return cellLines(shown, look);
	const all = cellLines(shown, look);
	const known = hiddenRows.get(shown);
	if (known?.of === all) return known.rows;
	const bare = cellLines({...shown, result: shown.result && {...shown.result, outputs: []}}, look);
	const count = cell.outputs.length;
	const rows = [...bare.slice(0, -1), paint('dim', ` ${count} output${count === 1 ? '' : 's'} hidden`), ''];
	hiddenRows.set(shown, {of: all, rows});
	return rows;
};

export const rowsOf = (cell: NotebookCell, open: OpenNotebook, room: Room): readonly string[] =>
	cell.kind === 'code' ? codeRows(cell, open, room) : textRows(cell, room.width);

const promptOf = (cell: NotebookCell): string =>
	cell.kind === 'code' ? ` In [${cell.count ?? ' '}]  ` : cell.kind === 'markdown' ? ' md  ' : ' raw  ';

/** The cell that is edited: its editor, then what came of it. */
const editedRows = (
	cell: NotebookCell,
	editing: Editor,
	open: OpenNotebook,
	room: Room,
): {readonly rows: readonly string[]; readonly cursor: {readonly x: number; readonly y: number}} => {
	const prompt = promptOf(cell);
	const {lines, cursor} = editorLines(editing, {
		width: room.width,
		height: Math.max(1, room.height - 1),
		prompt,
		more: ' '.repeat(prompt.length),
		active: true,
		...(cell.kind === 'code' &&
			editing.text.length < MOST_COLOURED && {dress: text => pythonLines(text, editing.cursor)}),
	});
	if (cell.kind !== 'code') return {rows: [...lines, ''], cursor};
	const bare = outputRowsOf(cell, open, room);
	return {rows: [...lines, ...bare], cursor};
};

const bareCells = new WeakMap<NotebookCell, NotebookCell>();
/** What stands below the source of a cell. */
const outputRowsOf = (cell: NotebookCell, open: OpenNotebook, room: Room): readonly string[] => {
	const bare = bareCells.get(cell) ?? {...cell, source: ''};
	bareCells.set(cell, bare);
	return codeRows(bare, open, room).slice(1);
};

/** Rows that a cell is taken to have until it is laid out, which it is before it comes into view. */
const UNSEEN: readonly string[] = Array.from({length: 8}, () => '');

const known = new WeakMap<
	readonly NotebookCell[],
	{readonly of: readonly unknown[]; readonly blocks: Blocks}
>();

/** The blocks without an editor: of cells in view and around the chosen one their rows. The same as before while nothing of them changes. */
const plainBlocks = (open: OpenNotebook, room: Room, wanted: readonly number[]): Blocks => {
	const {notebook, runs, unfolded, hidden, sideways, pictures} = open;
	const {cells} = notebook;
	const of = [
		runs,
		unfolded,
		hidden,
		sideways,
		pictures,
		room.width,
		room.height,
		room.depth,
		room.inText,
		markdownEngine(),
	];
	const before = known.get(cells);
	const isSame = before?.of.every((each, index) => each === of[index]) === true;
	const old = isSame ? before.blocks : null;
	let blocks: (readonly string[])[] | null = null;
	const lay = (index: number): number => {
		const cell = cells[index];
		const had = (blocks ?? old)?.[index] ?? UNSEEN;
		if (cell === undefined || had !== UNSEEN) return had.length;
		blocks ??= old ? [...old] : cells.map(() => UNSEEN);
		const rows = rowsOf(cell, open, room);
		blocks[index] = rows;
		return rows.length;
	};
	/** A view full of rows from a cell on. */
	const layFrom = (from: number, direction: 1 | -1): void => {
		let left = room.height;
		for (let at = from; left > 0 && at >= 0 && at < cells.length; at += direction) left -= lay(at);
	};
	for (const index of wanted) {
		lay(index);
		layFrom(index + 1, 1);
		layFrom(index - 1, -1);
	}
	if (blocks !== null || old === null) known.set(cells, {of, blocks: blocks ?? cells.map(() => UNSEEN)});
	return known.get(cells)?.blocks ?? [];
};

export type LaidNotebook = {
	/** Of cells that are far from what is in view their rows are not known. */
	readonly blocks: Blocks;
	/** Index of the cell that is chosen. */
	readonly chosen: number;
	/** First row in view. */
	readonly top: number;
	/** Of what is typed, in rows of all. */
	readonly cursor: {readonly x: number; readonly row: number} | null;
};

/** Lays a notebook out. `top` leaves the cursor of its editor in view. */
export const layNotebook = (open: OpenNotebook, room: Room): LaidNotebook => {
	const {notebook, at, editing, top, asks} = open;
	const chosen = indexOfKey(notebook, at);
	const topIndex = indexOfKey(notebook, top.key);
	const asked = asks === null ? -1 : indexOfKey(notebook, asks.key);
	const plain = plainBlocks(open, room, [Math.max(0, topIndex), chosen, asked]);
	const cell = notebook.cells[chosen];
	const edited = editing === null || cell === undefined ? null : editedRows(cell, editing, open, room);
	const answer =
		asks === null || asked === -1 ? null : answerLines({...asks, cell: asks.key}, room.width, true);
	const blocks =
		edited === null && answer === null
			? plain
			: plain.map((rows, index) => {
					const own = edited !== null && index === chosen ? edited.rows : rows;
					return answer !== null && index === asked ? [...own.slice(0, -1), ...answer.lines, ''] : own;
				});
	const total = startOf(blocks, blocks.length);
	const from = Math.min(
		topIndex === -1 ? 0 : startOf(blocks, topIndex) + Math.min(top.row, (blocks[topIndex]?.length ?? 1) - 1),
		Math.max(0, total - room.height),
	);
	const cursor =
		answer !== null && editing === null
			? {x: answer.cursor.x, row: startOf(blocks, asked) + (blocks[asked]?.length ?? 0) - 2}
			: edited === null
				? null
				: {x: edited.cursor.x, row: startOf(blocks, chosen) + edited.cursor.y};
	const laid = {blocks, chosen, cursor};
	if (cursor !== null) return {...laid, top: keepInView(from, cursor.row, room.height, total)};
	// Outputs that come above the chosen cell do not push it out of view.
	const isPushedOut = chosen !== -1 && startOf(blocks, chosen) >= from + room.height;
	return {...laid, top: isPushedOut ? topShowing({...laid, top: from}, room) : from};
};

/** A first row as it is kept. */
export const topAt = (
	{notebook}: Pick<OpenNotebook, 'notebook'>,
	blocks: Blocks,
	row: number,
): OpenNotebook['top'] => {
	const place = placeIn(blocks, row);
	return place === null
		? {key: notebook.cells[0]?.key ?? -1, row: 0}
		: {key: notebook.cells[place.block]?.key ?? -1, row: place.row};
};

/** The first row from which the chosen cell is in view: its beginning, where it is longer than the view. */
export const topShowing = (laid: LaidNotebook, {height}: Room): number => {
	const start = startOf(laid.blocks, laid.chosen);
	const length = laid.blocks[laid.chosen]?.length ?? 0;
	if (start < laid.top || length >= height) return start;
	return Math.max(laid.top, start + length - height);
};
