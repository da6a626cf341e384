import type {KernelSpec, InputRequest} from '../../api/client-types.ts';
import type {Failure} from '../../api/failure.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import type {FileEntry} from '../../contract/files.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import type {Document, Ownership} from '../../run/open-kernel.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import type {Notebook, NotebookCell} from '../../text/notebook/notebook.ts';
import {indexOfKey, withSource} from '../../text/notebook/edit.ts';
import {withKernel} from '../../text/notebook/serialize.ts';
import type {State} from '../core/program.ts';
import type {RecoveryCopy} from '../core/store/deps.ts';
import {isWaiting, type CellState} from '../cells/cell.ts';
import {keyOf, type ServerFile} from '../files/content.ts';

/** State and result of a cell's run. */
export type Run = {
	readonly state: CellState;
	readonly startedAt: number | null;
	readonly endedAt: number | null;
	/** Result of this run so far; null if there is none yet. */
	readonly result: ExecutedCell | null;
	readonly failure: Failure | null;
};

/** A notebook that the user edits. */
export type OpenNotebook = ServerFile & {
	/** The file at the time when it was last read or saved. */
	readonly base: FileEntry;
	readonly notebook: Notebook;
	/** The notebook as it is in the file. */
	readonly saved: Notebook;
	/** Notebooks that are being saved, or that an open dialog may still save, by their text. */
	readonly sent: ReadonlyMap<string, Notebook>;
	/**
	 * Kernel of the notebook's cells; null until looked up or chosen. `spec`: set if the user chose
	 * the kernel, which saving then writes to the file.
	 */
	readonly kernel: {readonly name: string; readonly spec: KernelSpec | null} | null;
	/** Users of the notebook's kernel at the time when its cells last started to run. */
	readonly ownership?: Ownership | undefined;
	/** Key of the selected cell. */
	readonly at: number;
	/** Keys of the first and the last marked cell, in the order of marking. */
	readonly marks: {readonly from: number; readonly to: number} | null;
	/** The source of the selected cell while the user edits it. */
	readonly editing: Editor | null;
	/** True while a cell is open in an external editor. */
	readonly isOutside: boolean;
	/** First visible row, as a row of a cell. */
	readonly top: {readonly key: number; readonly row: number};
	readonly runs: ReadonlyMap<number, Run>;
	/** A cell that waits for input. */
	readonly asks: {readonly key: number; readonly question: InputRequest; readonly field: Editor} | null;
	/** Earlier states that undo can restore, oldest first. */
	readonly past: readonly {readonly notebook: Notebook; readonly at: number}[];
	/** Keys of cells whose outputs are unfolded (`unfolded`) or hidden (`hidden`). */
	readonly unfolded: ReadonlySet<number>;
	readonly hidden: ReadonlySet<number>;
	/** Number of columns of each cell's wide tables that are scrolled out of view at the left. */
	readonly sideways: ReadonlyMap<number, number>;
	/** Search text, and whether the user is typing it; null without a search. */
	readonly find: {readonly field: Editor; readonly typing: boolean} | null;
	/** Number of decoded pictures: outputs are drawn again when it grows. */
	readonly pictures: number;
	/** Recovery copy of the unsaved text. */
	readonly copy: RecoveryCopy | null;
	/** True if the last write of the copy failed, or its first write has not ended. */
	readonly isCopyBehind: boolean;
};

const MOST_STEPS = 100;

/** Adds a state for undo, and drops the oldest state beyond the limit. */
export const withStep = (
	past: OpenNotebook['past'],
	step: OpenNotebook['past'][number],
): OpenNotebook['past'] => [...past.slice(1 - MOST_STEPS), step];

/** A notebook without changes. Its first cell is selected. */
export const openedNotebook = (
	{server, path}: ServerFile,
	base: FileEntry,
	{saved, notebook}: Pick<OpenNotebook, 'saved' | 'notebook'>,
): OpenNotebook => {
	const at = notebook.cells[0]?.key ?? -1;
	return {
		server,
		path,
		base,
		notebook,
		saved,
		sent: new Map(),
		kernel: null,
		at,
		marks: null,
		editing: null,
		isOutside: false,
		top: {key: at, row: 0},
		runs: new Map(),
		asks: null,
		past: [],
		unfolded: new Set(),
		hidden: new Set(),
		sideways: new Map(),
		find: null,
		pictures: 0,
		copy: null,
		isCopyBehind: false,
	};
};

/** The edited notebook in a server's viewer. */
export const notebookOn = (
	{notebooks, viewers}: Pick<State, 'notebooks' | 'viewers'>,
	server: string,
): OpenNotebook | undefined => {
	const viewer = viewers.get(server);
	return viewer === undefined || viewer.raw || notebooks.size === 0
		? undefined
		: notebooks.get(keyOf({server, path: viewer.path}));
};

/** True if the notebook is on screen and has focus. */
export const hasKeys = (state: State, {server, path}: ServerFile): boolean =>
	state.screen === 'files' &&
	state.current === server &&
	state.paneFocus.files === 'viewer' &&
	state.dialogs.length === 0 &&
	notebookOn(state, server)?.path === path;

export const cellAt = ({notebook, at}: Pick<OpenNotebook, 'notebook' | 'at'>): NotebookCell | undefined =>
	notebook.cells[indexOfKey(notebook, at)];

/** The marked cells, in the order of the notebook. */
export const markedCells = ({
	notebook,
	marks,
}: Pick<OpenNotebook, 'marks'> & {readonly notebook: Pick<Notebook, 'cells'>}): readonly NotebookCell[] => {
	if (marks === null) return [];
	const [one, other] = [indexOfKey(notebook, marks.from), indexOfKey(notebook, marks.to)];
	// After the file was read again, the cells may no longer exist.
	if (one === -1 || other === -1) return [];
	return notebook.cells.slice(Math.min(one, other), Math.max(one, other) + 1);
};

/** Cells that a key acts on: the marked cells, else the selected cell. */
export const actedCells = (
	open: Pick<OpenNotebook, 'notebook' | 'at' | 'marks'>,
): readonly NotebookCell[] => {
	const marked = markedCells(open);
	const cell = cellAt(open);
	return marked.length > 0 || cell === undefined ? marked : [cell];
};

/** The notebook with the text of the editor in its cell. */
export const asTyped = ({notebook, at, editing}: OpenNotebook): Notebook => {
	if (editing === null) return notebook;
	const source = cellAt({notebook, at})?.source ?? '';
	// The editor turns all line ends into line feeds, which alone must not change the cell.
	return createEditor(source).text === editing.text ? notebook : withSource(notebook, at, editing.text);
};

/** True if the cells differ from the cells in the file. */
export const isUnsaved = (open: OpenNotebook): boolean => {
	const {cells} = asTyped(open);
	const {cells: saved} = open.saved;
	return cells !== saved && (cells.length !== saved.length || cells.some((cell, at) => cell !== saved[at]));
};

/**
 * True if replacing the text would lose unsaved work or a running cell. The user's choice of a
 * kernel does not count as such work.
 */
export const hasUnsavedWork = (open: OpenNotebook): boolean =>
	isUnsaved(open) || open.editing !== null || open.isOutside || [...open.runs.values()].some(isPendingRun);

/**
 * True if saving would change the cells or the kernel in the file. The kernel may have been chosen
 * now or in a recovered copy. A recovery copy stores these changes until they are saved.
 */
export const hasChanges = (open: OpenNotebook): boolean => {
	const {notebook, saved, kernel} = open;
	const isNamedAnew = notebook.head !== saved.head || notebook.tail !== saved.tail;
	return Boolean(kernel?.spec) || isNamedAnew || isUnsaved(open);
};

export const isPendingRun = (run: Run | undefined): boolean =>
	run !== undefined && (isWaiting(run) || run.state === 'running');

/** True while cells of the notebook are in its kernel. */
export const runsNow = ({runs}: Pick<OpenNotebook, 'runs'>): boolean =>
	[...runs.values()].some(({state}) => state === 'running' || state === 'kernel');

/** Name of the kernel for the cells; null if the user chose none and the file names none. */
export const kernelNameOf = ({kernel, notebook}: Pick<OpenNotebook, 'kernel' | 'notebook'>): string | null =>
	kernel?.name ?? notebook.kernel;
export const kernelOf = (open: Pick<OpenNotebook, 'kernel' | 'notebook'>): string =>
	kernelNameOf(open) ?? DEFAULT_KERNEL;

/** Document whose kernel runs the cells. */
export const documentOf = (open: Pick<OpenNotebook, 'path' | 'kernel' | 'notebook'>): Document => ({
	kind: 'notebook',
	path: open.path,
	kernel: kernelOf(open),
});

/**
 * Kernel of the notebook after its file was read again. If the file now names another kernel, the
 * kernel is looked up again, unless the user chose it.
 */
export const kernelAfter = (
	{kernel, notebook}: Pick<OpenNotebook, 'kernel' | 'notebook'>,
	read: Pick<Notebook, 'kernel'>,
): OpenNotebook['kernel'] => {
	if (kernel !== null && kernel.name === read.kernel) return {name: kernel.name, spec: null};
	return kernel?.spec || read.kernel === notebook.kernel ? kernel : null;
};

/** The notebook in the form to save, with the chosen kernel. */
export const asSaved = (open: OpenNotebook): Notebook => {
	const typed = asTyped(open);
	return open.kernel?.spec ? withKernel(typed, open.kernel.spec) : typed;
};
