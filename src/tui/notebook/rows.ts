// An edited notebook as rows, one block per cell. Unchanged cells are laid out once, so that a key
// press is as fast in a large notebook as in a small one.
import type {Editor} from '../../text/editor/editor.ts';
import type {NotebookCell} from '../../text/notebook/notebook.ts';
import {indexOfKey} from '../../text/notebook/edit.ts';
import {editorLines} from '../core/components/editor-lines.ts';
import {pythonLines} from '../core/components/code-line.ts';
import {markdownEngine} from '../core/components/markdown.ts';
import {keepInView} from '../core/components/scroll.ts';
import {blockAtRow, startOf} from '../core/components/transcript.ts';
import {paintedCache} from '../core/theme/theme.ts';
import {answerLines} from '../cells/answer.ts';
import {GUTTER, numberGutter, wordGutter} from '../cells/rows/gutter.ts';
import {rowsOf} from './cell-rows.ts';
import type {OpenNotebook} from './open-notebook.ts';
import type {LayoutArea} from './layout-area.ts';

type Blocks = readonly (readonly string[])[];

/** Longest code that is coloured at each key, in UTF-16 units. */
const MOST_COLOURED = 20_000;

const promptOf = (cell: NotebookCell): string =>
	cell.kind === 'code'
		? numberGutter(cell.count ?? ' ', 2)
		: wordGutter(cell.kind === 'markdown' ? 'md' : 'raw');

/** The edited cell: its editor, then its outputs. */
const editedRows = (
	cell: NotebookCell,
	editing: Editor,
	open: OpenNotebook,
	room: LayoutArea,
): {readonly rows: readonly string[]; readonly cursor: {readonly x: number; readonly y: number}} => {
	const prompt = promptOf(cell);
	const {lines, cursor} = editorLines(editing, {
		width: room.width,
		height: Math.max(1, room.height - 1),
		prompt,
		more: ' '.repeat(GUTTER),
		active: true,
		...(cell.kind === 'code' &&
			editing.text.length < MOST_COLOURED && {highlight: text => pythonLines(text, editing.cursor)}),
	});
	if (cell.kind !== 'code') return {rows: [...lines, ''], cursor};
	const bare = outputRowsOf(cell, open, room);
	return {rows: [...lines, ...bare], cursor};
};

const bareCells = new WeakMap<NotebookCell, NotebookCell>();
/** Rows below the source of a cell. */
const outputRowsOf = (cell: NotebookCell, open: OpenNotebook, room: LayoutArea): readonly string[] => {
	const bare = bareCells.get(cell) ?? {...cell, source: ''};
	bareCells.set(cell, bare);
	return rowsOf(bare, open, room).slice(1);
};

/** Placeholder for the rows of a cell that is not laid out. Visible cells are always laid out. */
const UNSEEN: readonly string[] = Array.from({length: 8}, () => '');

const known = paintedCache<
	readonly NotebookCell[],
	{readonly of: readonly unknown[]; readonly blocks: Blocks}
>();

/**
 * The blocks of all cells, without an editor. Lays out the `wanted` cells, and as many cells around
 * each as fill the view. Returns the same object until a block changes.
 */
const plainBlocks = (open: OpenNotebook, room: LayoutArea, wanted: readonly number[]): Blocks => {
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
		room.pictureStyle,
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
	/** Lays out cells from index `from` on, until their rows fill the view. */
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

export type NotebookLayout = {
	/** Blocks of rows. Cells far from the view have placeholders. */
	readonly blocks: Blocks;
	/** Index of the selected cell. */
	readonly chosen: number;
	/** Index of the first visible row. */
	readonly top: number;
	/** Cursor of the editor or of the field for input(). `row`: index among all rows. */
	readonly cursor: {readonly x: number; readonly row: number} | null;
};

/** Lays a notebook out. The view moves so that the editor's cursor is visible. */
export const layoutNotebook = (open: OpenNotebook, room: LayoutArea): NotebookLayout => {
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
	// Outputs that arrive above the selected cell must not push it out of view.
	const isPushedOut = chosen !== -1 && startOf(blocks, chosen) >= from + room.height;
	return {...laid, top: isPushedOut ? topShowing({...laid, top: from}, room) : from};
};

/** Converts the index of the first visible row to the form that the state stores. */
export const topAt = (
	{notebook}: Pick<OpenNotebook, 'notebook'>,
	blocks: Blocks,
	row: number,
): OpenNotebook['top'] => {
	const place = blockAtRow(blocks, row);
	return place === null
		? {key: notebook.cells[0]?.key ?? -1, row: 0}
		: {key: notebook.cells[place.block]?.key ?? -1, row: place.row};
};

/**
 * First visible row that shows the selected cell whole, or from its start if it is longer than the
 * view.
 */
export const topShowing = (laid: NotebookLayout, {height}: LayoutArea): number => {
	const start = startOf(laid.blocks, laid.chosen);
	const length = laid.blocks[laid.chosen]?.length ?? 0;
	if (start < laid.top || length >= height) return start;
	return Math.max(laid.top, start + length - height);
};
