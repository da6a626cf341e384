import {mentionOf, withinLimit, type Attachment, type Packing} from '../../work/mentions.ts';
import {outputOfCell} from '../cells/cell-text.ts';
import {hasRaised, type Cell} from '../cells/cell.ts';
import type {State} from '../core/program.ts';
import {shownCell} from '../notebook/cell-rows.ts';
import {asTyped, cellAt, notebookOn, type OpenNotebook} from '../notebook/open-notebook.ts';
import {selectedIn} from '../repl/cell-position.ts';
import {replOf} from '../repl/transcript.ts';

type Cells = Pick<State, 'repls' | 'notebooks' | 'viewers'>;

/** A cell of the REPL or of a notebook, with its name in a message. */
type NamedCell = {readonly cell: Cell; readonly name: string; readonly language: string};

const code = (cell: Cell, name: string): NamedCell => ({cell, name, language: 'python'});

const cellsOf = (open: OpenNotebook): readonly NamedCell[] =>
	open.notebook.cells.map((cell, index) => ({
		cell: shownCell(cell, open.runs.get(cell.key)),
		name: `Cell ${index + 1} of ${open.path}`,
		language: cell.kind === 'code' ? 'python' : 'markdown',
	}));

/** The server's cell with the newest error, in its REPL or in an edited notebook. */
export const newestError = (state: Cells, server: string): NamedCell | undefined => {
	const notebooks = [...state.notebooks.values()].filter(open => open.server === server);
	const inNotebooks = notebooks.flatMap(open => cellsOf(open).filter(({cell}) => hasRaised(cell)));
	const inRepl = replOf(state, server)
		.cells.filter(hasRaised)
		.map(cell => code(cell, 'The cell that raised the last error'));
	/** Time of an error in ms since the epoch; 0 if the error was already in the file. */
	const timeOf = ({cell}: NamedCell): number => cell.endedAt ?? cell.earlier?.at ?? 0;
	let newest: NamedCell | undefined;
	for (const each of [...inNotebooks, ...inRepl])
		if (newest === undefined || timeOf(each) >= timeOf(newest)) newest = each;
	return newest;
};

/** The selected cell of the notebook in the viewer, as typed, or of the REPL without a notebook. */
export const selectedCell = (state: Cells, server: string): NamedCell | undefined => {
	const open = notebookOn(state, server);
	if (open !== undefined) {
		const cell = cellAt(open);
		const typed = asTyped(open);
		const found = cell && cellsOf(open)[open.notebook.cells.indexOf(cell)];
		const source = cellAt({notebook: typed, at: open.at})?.source;
		return found && source !== undefined ? {...found, cell: {...found.cell, source}} : found;
	}
	const repl = replOf(state, server);
	const cell = repl.cells[selectedIn(repl)];
	return cell && code(cell, 'The selected cell');
};

/** A cell by its execution count: in the REPL, else in the notebook in the viewer. */
const cellWithCount = (state: Cells, server: string, count: number): NamedCell | undefined => {
	const hasCount = ({result}: Cell): boolean => result?.execution_count === count;
	const inRepl = replOf(state, server).cells.findLast(hasCount);
	if (inRepl) return code(inRepl, `Cell ${count}`);
	const open = notebookOn(state, server);
	return open && cellsOf(open).findLast(({cell}) => hasCount(cell));
};

const MISSING = {
	error: 'no cell has raised an error here',
	selected: 'there is no cell here',
	cell: 'there is no cell with that number here',
} as const;

/** A cell with its outputs, in the form for a message. */
export const packFromCells = (
	attachment: Exclude<Attachment, {kind: 'file'}>,
	state: Cells,
	server: string,
): Packing => {
	const mention = mentionOf(attachment);
	const found =
		attachment.kind === 'error'
			? newestError(state, server)
			: attachment.kind === 'selected'
				? selectedCell(state, server)
				: cellWithCount(state, server, attachment.number);
	if (found === undefined) return {problem: `${mention}: ${MISSING[attachment.kind]}`};
	const {cell, name, language} = found;
	const printed = language === 'python' ? outputOfCell(cell) : '';
	const text =
		printed === ''
			? `${cell.source}\n`
			: `${cell.source}\n\n# ${hasRaised(cell) ? 'which raised' : 'which gave'}:\n${printed}`;
	return withinLimit({mention, head: `${name}:`, language, text}, '');
};
