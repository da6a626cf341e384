// Edits of a notebook. Each returns a new notebook that reuses the objects of all other cells.
import {nextKey, type CellKind, type Notebook, type NotebookCell, type Output} from './notebook.ts';
import {pythonJsonIn} from '../python-json.ts';
import {fieldsIn} from '../json-scan.ts';
import {fieldsOf, jsonIn} from '../record.ts';
import {jsonText} from './serialize.ts';

const CELL_DEPTH = 2;

const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const newId = (): string =>
	Array.from({length: 8}, () => ID_LETTERS[Math.floor(Math.random() * ID_LETTERS.length)]).join('');

/** New cell without content. Its text is the complete JSON of a cell. */
const emptyCell = (
	kind: CellKind,
	{layout, hasIds}: Notebook,
	{
		attachments,
		metadata = {},
	}: {
		readonly attachments?: Readonly<Record<string, unknown>> | undefined;
		readonly metadata?: Readonly<Record<string, unknown>>;
	} = {},
): NotebookCell => ({
	key: nextKey(),
	text: jsonText(
		{
			...(attachments && {attachments}),
			cell_type: kind,
			...(kind === 'code' && {execution_count: null}),
			...(hasIds && {id: newId()}),
			metadata,
			...(kind === 'code' && {outputs: []}),
			source: [],
		},
		layout,
		CELL_DEPTH,
	),
	gap: null,
	kind,
	source: '',
	outputs: [],
	count: null,
	touched: {},
});

/** Id of a cell in the file. Null if the cell has none. */
export const idOfCell = ({text}: Pick<NotebookCell, 'text'>): string | null => {
	const span = fieldsIn(text).find(({name}) => name === 'id')?.value;
	const id = span && jsonIn(text.slice(span.from, span.to));
	return typeof id === 'string' ? id : null;
};

export const indexOfKey = ({cells}: Pick<Notebook, 'cells'>, key: number): number =>
	cells.findIndex(cell => cell.key === key);

const withCell = (notebook: Notebook, key: number, how: (cell: NotebookCell) => NotebookCell): Notebook => ({
	...notebook,
	cells: notebook.cells.map(cell => (cell.key === key ? how(cell) : cell)),
});

const sourced = (cell: NotebookCell, source: string): NotebookCell =>
	cell.source === source ? cell : {...cell, source, touched: {...cell.touched, source: true}};

export const withSource = (notebook: Notebook, key: number, source: string): Notebook =>
	notebook.cells.some(cell => cell.key === key && cell.source !== source)
		? withCell(notebook, key, cell => sourced(cell, source))
		: notebook;

export const withOutputs = (
	notebook: Notebook,
	key: number,
	outputs: readonly Output[],
	count: number | null,
): Notebook =>
	withCell(notebook, key, cell =>
		cell.kind === 'code' ? {...cell, outputs, count, touched: {...cell.touched, outputs: true}} : cell,
	);

const cleared = (cell: NotebookCell): NotebookCell =>
	cell.kind !== 'code' || (cell.outputs.length === 0 && cell.count === null)
		? cell
		: {...cell, outputs: [], count: null, touched: {...cell.touched, outputs: true}};

/** Clears the outputs of a cell, or of all cells if no key is given. */
export const withoutOutputs = (notebook: Notebook, key?: number): Notebook => ({
	...notebook,
	cells: notebook.cells.map(cell => (key === undefined || cell.key === key ? cleared(cell) : cell)),
});

export type NewCell = {
	readonly kind: CellKind;
	readonly source: string;
	readonly outputs?: readonly Output[];
	readonly count?: number | null;
	readonly metadata?: Readonly<Record<string, unknown>>;
	/** Pictures embedded in a Markdown cell, by name. */
	readonly attachments?: Readonly<Record<string, unknown>> | undefined;
};

const iso = (at: number): string => new Date(at).toISOString();

/**
 * Cell for a finished run, with the times of the run in its metadata. Times are in ms since the
 * epoch, null if unknown.
 */
export const newCellFromRun = ({
	source,
	outputs,
	count,
	startedAt,
	endedAt,
}: Required<Pick<NewCell, 'source' | 'outputs' | 'count'>> & {
	readonly startedAt: number | null;
	readonly endedAt: number | null;
}): NewCell => {
	const execution = {
		...(startedAt !== null && {'iopub.execute_input': iso(startedAt)}),
		...(endedAt !== null && {'shell.execute_reply': iso(endedAt)}),
	};
	const metadata = Object.keys(execution).length === 0 ? {} : {execution};
	return {kind: 'code', source, outputs, count, metadata};
};

const startOf = (metadata: unknown): unknown =>
	fieldsOf(fieldsOf(metadata)['execution'])['iopub.execute_input'];

/**
 * Cells whose run is not recorded in the notebook. Compared by start time, because the code of a
 * cell may have changed since its run.
 */
export const cellsMissingFrom = (
	{cells}: Pick<Notebook, 'cells'>,
	fillings: readonly NewCell[],
): readonly NewCell[] => {
	const starts = new Set(cells.map(({text}) => startOf(fieldsOf(pythonJsonIn(text))['metadata'])));
	return fillings.filter(({metadata}) => {
		const start = startOf(metadata);
		return start === undefined || !starts.has(start);
	});
};

const filled = (
	notebook: Notebook,
	{kind, source, outputs = [], count = null, metadata = {}, attachments}: NewCell,
): NotebookCell => {
	const cell = sourced(emptyCell(kind, notebook, {metadata, attachments}), source);
	return outputs.length === 0 && count === null
		? cell
		: {...cell, outputs, count, touched: {...cell.touched, outputs: true}};
};

/** Inserts new cells at an index. `key`: key of the last inserted cell. */
export const insertCells = (
	notebook: Notebook,
	at: number,
	fillings: readonly NewCell[],
): {readonly notebook: Notebook; readonly key: number} => {
	const made = fillings.map(each => filled(notebook, each));
	return {
		notebook: {...notebook, cells: notebook.cells.toSpliced(at, 0, ...made)},
		key: made.at(-1)?.key ?? -1,
	};
};

export const withNewCell = (
	notebook: Notebook,
	at: number,
	kind: CellKind = 'code',
): {readonly notebook: Notebook; readonly key: number} => insertCells(notebook, at, [{kind, source: ''}]);

export const withoutCell = (notebook: Notebook, key: number): Notebook => ({
	...notebook,
	cells: notebook.cells.filter(cell => cell.key !== key),
});

/**
 * Moves a cell one position up or down. Returns the same notebook if the cell is already first or
 * last.
 */
export const withMoved = (notebook: Notebook, key: number, step: 1 | -1): Notebook => {
	const at = indexOfKey(notebook, key);
	const cell = notebook.cells[at];
	const to = at + step;
	if (cell === undefined || to < 0 || to >= notebook.cells.length) return notebook;
	return {...notebook, cells: notebook.cells.toSpliced(at, 1).toSpliced(to, 0, cell)};
};

export const withKind = (notebook: Notebook, key: number, kind: CellKind): Notebook =>
	withCell(notebook, key, cell =>
		cell.kind === kind
			? cell
			: {...cell, kind, outputs: [], count: null, touched: {...cell.touched, kind: true, outputs: true}},
	);

/** Pictures embedded in a Markdown cell, by name. Undefined if there are none. */
export const attachmentsOf = ({
	kind,
	text,
}: Pick<NotebookCell, 'kind' | 'text'>): Readonly<Record<string, unknown>> | undefined => {
	if (kind === 'code') return undefined;
	const found = fieldsOf(fieldsOf(pythonJsonIn(text))['attachments']);
	return Object.keys(found).length === 0 ? undefined : found;
};

/** Copy of a cell for this notebook or another one. Contains everything except the id. */
export const copyOfCell = (cell: NotebookCell): NewCell => ({
	kind: cell.kind,
	source: cell.source,
	outputs: cell.outputs,
	count: cell.count,
	metadata: fieldsOf(fieldsOf(pythonJsonIn(cell.text))['metadata']),
	attachments: attachmentsOf(cell),
});

/**
 * Splits a cell at an offset in its source. The first cell loses its outputs. The second is a new
 * cell.
 */
export const withSplit = (
	notebook: Notebook,
	key: number,
	offset: number,
): {readonly notebook: Notebook; readonly key: number} | null => {
	const at = indexOfKey(notebook, key);
	const cell = notebook.cells[at];
	if (cell === undefined) return null;
	const [above, below] = [cell.source.slice(0, offset), cell.source.slice(offset)];
	// Both cells keep the attachments, since either may show them.
	const made = sourced(
		emptyCell(cell.kind, notebook, {attachments: attachmentsOf(cell)}),
		below.replace(/^\n/, ''),
	);
	return {
		notebook: {
			...notebook,
			cells: notebook.cells.toSpliced(at, 1, sourced(cleared(cell), above.replace(/\n$/, '')), made),
		},
		key: made.key,
	};
};

/** Joins a cell with the next one, whose attachments are dropped. Null if the cell is the last. */
export const withMerged = (notebook: Notebook, key: number): Notebook | null => {
	const at = indexOfKey(notebook, key);
	const [cell, below] = notebook.cells.slice(at, at + 2);
	if (at === -1 || cell === undefined || below === undefined) return null;
	const between = cell.kind === 'markdown' ? '\n\n' : '\n';
	return {
		...notebook,
		cells: notebook.cells.toSpliced(at, 2, sourced(cleared(cell), `${cell.source}${between}${below.source}`)),
	};
};

/** Restores the cells of `before`. A cell with unchanged code keeps the outputs of later runs. */
export const undoEdits = (notebook: Notebook, before: Notebook): Notebook => {
	const now = new Map(notebook.cells.map(cell => [cell.key, cell]));
	return {
		...notebook,
		cells: before.cells.map(cell => {
			const same = now.get(cell.key);
			const isSame = same !== undefined && same.source === cell.source && same.kind === cell.kind;
			return isSame && (same.outputs.length > 0 || cell.outputs.length === 0) ? same : cell;
		}),
	};
};

/** Approximate size of all outputs, in UTF-16 units. */
export const outputSize = ({cells}: Pick<Notebook, 'cells'>): number =>
	cells.reduce((sum, {outputs}) => sum + (outputs.length === 0 ? 0 : JSON.stringify(outputs).length), 0);
