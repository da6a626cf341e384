import {indexOfKey} from '../../text/notebook/edit.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {State} from '../core/program.ts';
import {helpRows} from '../cells/help/help.ts';
import type {CodeField} from '../cells/help/code-field.ts';
import type {ServerFile} from '../files/content.ts';
import {cellAt, hasKeys, kernelOf, notebookOn, runsNow, type OpenNotebook} from './open-notebook.ts';
import {roomIn, type LayoutArea} from './layout-area.ts';
import {layoutNotebook, type NotebookLayout} from './rows.ts';
import {notebookList} from './notebooks.ts';
import {notebookKernels} from './kernel.ts';

/** Number of rows below and above the row of the cursor. */
const around = (row: number, height: number): {readonly below: number; readonly above: number} => ({
	below: Math.max(0, height - 1 - row),
	above: row,
});

const openIn = (state: State, {server, path}: ServerFile): OpenNotebook | undefined => {
	const open = notebookOn(state, server);
	return open?.path === path ? open : undefined;
};

/** The editor of a notebook's code cell. */
export const cellField = ({server, path}: ServerFile, key: number): CodeField => ({
	server,
	notebook: path,
	typed(state) {
		const open = openIn(state, {server, path});
		const isThere =
			hasKeys(state, {server, path}) &&
			open?.at === key &&
			!open.find?.typing &&
			cellAt(open)?.kind === 'code';
		return isThere ? open.editing : null;
	},
	put: (state, editing) => notebookList(state.app).changeNotebook({server, path}, () => ({editing})),
	kernel(state) {
		const open = openIn(state, {server, path});
		const isBusy = open !== undefined && runsNow(open);
		return {document: {kind: 'notebook', path, kernel: open ? kernelOf(open) : ''}, isBusy};
	},
	unchosen: async state =>
		(await notebookKernels(state.app).findNotebookKernel({server, path})) === null
			? null
			: `Choose its kernel first: ${keyFor('notebookEdit.leave')}, then ${keyFor('notebook.kernel')}`,
	sources(state) {
		const {cells} = openIn(state, {server, path})?.notebook ?? {cells: []};
		const at = indexOfKey({cells}, key);
		const code = (some: typeof cells): readonly string[] =>
			some.filter(({kind}) => kind === 'code').map(({source}) => source);
		return [...code(cells.slice(at + 1)), ...code(cells.slice(0, Math.max(0, at)))];
	},
	room(state, rect) {
		const open = openIn(state, {server, path});
		const room = roomIn(state, server, rect);
		const laid = open && layoutNotebook(open, room);
		const {below, above} = around((laid?.cursor?.row ?? 0) - (laid?.top ?? 0), room.height);
		return Math.max(below, above);
	},
});

/**
 * The rows of a notebook, covered in part by the completion menu or the documentation: below the
 * cursor, or above it if there is more room.
 */
export const withHelp = (
	rows: readonly string[],
	help: Pick<State, 'completions' | 'documentation'>,
	open: OpenNotebook,
	{cursor, top}: NotebookLayout,
	{width, height}: LayoutArea,
): readonly string[] => {
	if (cursor === null || open.editing === null) return rows;
	const row = cursor.row - top;
	const {below, above} = around(row, height);
	const field = {server: open.server, notebook: open.path};
	const over = helpRows(help, field, open.editing, cursor.x, width, Math.max(below, above));
	if (over.length === 0) return rows;
	const all = [...rows, ...Array.from({length: Math.max(0, height - rows.length)}, () => '')];
	return all.toSpliced(below >= above ? row + 1 : row - over.length, over.length, ...over);
};
