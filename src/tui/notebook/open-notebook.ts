import type {KernelSpec, InputRequest} from '../../api/client-types.ts';
import type {Failure} from '../../api/failure.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import type {FileEntry} from '../../contract/files.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import type {Notebook, NotebookCell} from '../../text/notebook/notebook.ts';
import {indexOfKey, withSource} from '../../text/notebook/edit.ts';
import {withKernel} from '../../text/notebook/serialize.ts';
import type {State} from '../core/program.ts';
import type {RecoveryCopy} from '../core/store/deps.ts';
import type {CellState} from '../cells/cell.ts';
import {keyOf, type ServerFile} from '../files/content.ts';

/** What running a cell has come to. */
export type Run = {
	readonly state: CellState;
	readonly startedAt: number | null;
	readonly endedAt: number | null;
	/** Of this run, as far as it came; null: nothing yet. */
	readonly result: ExecutedCell | null;
	readonly failure: Failure | null;
};

/** A notebook that is worked in. */
export type OpenNotebook = ServerFile & {
	/** The file as it was read or saved last. */
	readonly base: FileEntry;
	readonly notebook: Notebook;
	/** What of it stands in the file. */
	readonly saved: Notebook;
	/** What was sent there and is not known to be saved, by its text: it may be asked about. */
	readonly sent: ReadonlyMap<string, Notebook>;
	/** The kernel that its cells run in where that was looked up or chosen; null: not yet. `spec`: it was chosen, and is written when the notebook is saved. */
	readonly kernel: {readonly name: string; readonly spec: KernelSpec | null} | null;
	/** Key of the cell that is chosen. */
	readonly at: number;
	/** The source of that cell while it is edited. */
	readonly editing: Editor | null;
	/** A cell of it is in an editor outside. */
	readonly isOutside: boolean;
	/** First row in view: a row of a cell. */
	readonly top: {readonly key: number; readonly row: number};
	readonly runs: ReadonlyMap<number, Run>;
	/** A cell waits for a line. */
	readonly asks: {readonly key: number; readonly question: InputRequest; readonly field: Editor} | null;
	/** What `undo` goes back to. */
	readonly past: readonly {readonly notebook: Notebook; readonly at: number}[];
	/** Cells whose outputs are shown whole, and those whose outputs are hidden. */
	readonly unfolded: ReadonlySet<number>;
	readonly hidden: ReadonlySet<number>;
	/** Columns of a cell's wide tables that are beyond the left edge. */
	readonly sideways: ReadonlyMap<number, number>;
	/** What is looked for, and whether it is being typed. */
	readonly find: {readonly field: Editor; readonly typing: boolean} | null;
	/** Pictures read so far: those of outputs are drawn again when it grows. */
	readonly pictures: number;
	/** Where the unsaved text is kept. */
	readonly copy: RecoveryCopy | null;
	/** The copy could not be written since the last change. */
	readonly isCopyBehind: boolean;
};

const MOST_STEPS = 100;

/** What `undo` goes back to, with a step more. */
export const withStep = (
	past: OpenNotebook['past'],
	step: OpenNotebook['past'][number],
): OpenNotebook['past'] => [...past.slice(1 - MOST_STEPS), step];

/** One that nothing was done in yet, its first cell chosen. */
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

/** The notebook that is worked in and on screen in a server's viewer. */
export const notebookOn = (
	{notebooks, viewers}: Pick<State, 'notebooks' | 'viewers'>,
	server: string,
): OpenNotebook | undefined => {
	const viewer = viewers.get(server);
	return viewer === undefined || viewer.raw || notebooks.size === 0
		? undefined
		: notebooks.get(keyOf({server, path: viewer.path}));
};

/** It is on screen, and no dialog or other part has the keys. */
export const hasKeys = (state: State, {server, path}: ServerFile): boolean =>
	state.screen === 'files' &&
	state.current === server &&
	state.paneFocus.files === 'viewer' &&
	state.dialogs.length === 0 &&
	notebookOn(state, server)?.path === path;

export const cellAt = ({notebook, at}: Pick<OpenNotebook, 'notebook' | 'at'>): NotebookCell | undefined =>
	notebook.cells[indexOfKey(notebook, at)];

/** With what is in the editor. */
export const asTyped = ({notebook, at, editing}: OpenNotebook): Notebook => {
	if (editing === null) return notebook;
	const source = cellAt({notebook, at})?.source ?? '';
	// An editor knows line feeds only: a text that nobody has changed stays as it is.
	return createEditor(source).text === editing.text ? notebook : withSource(notebook, at, editing.text);
};

/** Its cells are not those of the file. */
export const isUnsaved = (open: OpenNotebook): boolean => {
	const {cells} = asTyped(open);
	const {cells: saved} = open.saved;
	return cells !== saved && (cells.length !== saved.length || cells.some((cell, at) => cell !== saved[at]));
};

/** Another text cannot take its place: something would be lost. A kernel that was chosen goes with it. */
export const hasUnsavedWork = (open: OpenNotebook): boolean =>
	isUnsaved(open) || open.editing !== null || open.isOutside || [...open.runs.values()].some(isPendingRun);

/** Saving it changes the file, and until then it is kept beside it: its cells, the kernel that was chosen now or before it was resumed. */
export const hasChanges = (open: OpenNotebook): boolean => {
	const {notebook, saved, kernel} = open;
	const isNamedAnew = notebook.head !== saved.head || notebook.tail !== saved.tail;
	return Boolean(kernel?.spec) || isNamedAnew || isUnsaved(open);
};

export const isPendingRun = (run: Run | undefined): boolean =>
	run?.state === 'queued' || run?.state === 'running';

/** A cell of it runs. */
export const runsNow = ({runs}: Pick<OpenNotebook, 'runs'>): boolean =>
	[...runs.values()].some(({state}) => state === 'running');

/** Name of the kernel that its cells run in; null: it names none, and none was chosen. */
export const kernelNameOf = ({kernel, notebook}: Pick<OpenNotebook, 'kernel' | 'notebook'>): string | null =>
	kernel?.name ?? notebook.kernel;
export const kernelOf = (open: Pick<OpenNotebook, 'kernel' | 'notebook'>): string =>
	kernelNameOf(open) ?? DEFAULT_KERNEL;

/** Its kernel when the file is read again: one that nobody chose is looked up anew where the file names another now. */
export const kernelAfter = (
	{kernel, notebook}: Pick<OpenNotebook, 'kernel' | 'notebook'>,
	read: Pick<Notebook, 'kernel'>,
): OpenNotebook['kernel'] => {
	if (kernel !== null && kernel.name === read.kernel) return {name: kernel.name, spec: null};
	return kernel?.spec || read.kernel === notebook.kernel ? kernel : null;
};

/** As it is saved: with the kernel that was chosen. */
export const asSaved = (open: OpenNotebook): Notebook => {
	const typed = asTyped(open);
	return open.kernel?.spec ? withKernel(typed, open.kernel.spec) : typed;
};
