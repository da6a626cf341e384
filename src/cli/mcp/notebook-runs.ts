// Cells of notebooks that run for a client. They outlive the call, the connection and this program.
// A log on disk contains the kernel's messages, from which the next program resumes the cells.
import type {ExecutedCell} from '../../contract/cells.ts';
import type {CellRun, CodeRoute, RunEnd, RunListener} from '../../run/event.ts';
import {openKernel, type DocumentKernel} from '../../run/open-kernel.ts';
import {resumedKernel} from '../../run/resumed-kernel.ts';
import {sentCells} from '../../run/sent-cells.ts';
import type {LeftCell, LeftRun, RunLog} from '../../storage/run-log.ts';
import {withOutputs} from '../../text/notebook/edit.ts';
import type {Notebook, Output} from '../../text/notebook/notebook.ts';
import {placesOf, type CellPlace} from '../../text/notebook/places.ts';
import {messageOf} from '../../text/errors.ts';
import {label} from '../../text/safe.ts';
import {CommandError} from '../command-error.ts';
import type {Context, Service} from '../context.ts';
import type {ServerLink} from '../on-server.ts';
import {watchLink} from '../watch-link.ts';
import {changeCells, namedPath} from './notebook-file.ts';
import {createOpenNotebooks, type LogsOf, type OpenNotebook} from './open-notebooks.ts';

/**
 * Time in ms for which a local service retains kernels after this program, because cells may still
 * be running in them.
 */
const KEEP_MS = 24 * 3_600_000;
/** Longest wait at the end of the program for kernels and files, in ms. */
const LEAVE_MS = 5000;
/** Longest wait after a signal, in ms, because the program must then end within one second. */
const LEAVE_AT_ONCE_MS = 500;

/**
 * `unsaved`: reason why the outputs are not in the file. Null if they are, or if there are none.
 */
export type EndedRun = {
	readonly end: RunEnd;
	readonly result: ExecutedCell | null;
	readonly unsaved: CommandError | null;
};

type Cell = {readonly number: number; readonly place: CellPlace; readonly source: string};

export type NotebookRun = Cell & {
	/** Time since the cell was sent, or was resumed, in ms. */
	readonly age: () => number;
	/** True if the cell runs through the service and ends with this program. */
	readonly isBound: () => boolean;
	/** True while the connection to the server is lost. */
	readonly isBroken: () => boolean;
	/** Outputs so far. Null if none are known. */
	readonly look: () => ExecutedCell | null;
	readonly ended: Promise<EndedRun>;
};

/** Notebook on a server. */
type File = {readonly service: Service; readonly server: string; readonly path: string};

type Followed = {
	readonly run: NotebookRun;
	/** Settles once the kernel has the cell, or the run has ended. */
	readonly handedOver: Promise<unknown>;
};

const gone = (path: string): CommandError =>
	new CommandError(
		'not-found',
		`The cell is no longer in ${namedPath(path)}, so its outputs were not saved.`,
		'list_cells lists the cells.',
	);

/** Saves the result of a cell in its notebook. Returns the reason if that fails. */
const saveResult = async (
	{service: {client}, server, path}: File,
	cell: Cell,
	{outputs, execution_count: count}: ExecutedCell,
): Promise<CommandError | null> => {
	const {signal} = new AbortController();
	try {
		const isThere = await changeCells({client, server, path, signal}, notebook => {
			const key = placesOf([cell], notebook).get(cell.number);
			if (key === undefined) return {notebook, told: false};
			return {notebook: withOutputs(notebook, key, outputs as readonly Output[], count ?? null), told: true};
		});
		return isThere ? null : gone(path);
	} catch (error) {
		// Returned, because the program would end on a rejected promise that no caller awaits.
		return error instanceof CommandError ? error : new CommandError('internal', messageOf(error), '');
	}
};

type Begin = (how: {readonly onLink?: (isOpen: boolean) => void}, listen: RunListener) => CellRun;

/**
 * Follows a run to its end and saves its outputs. `isLeaving`: true while the program is ending.
 * The log then retains the received messages. `onEnd`: called at the end.
 */
const followRun = (
	file: File,
	{live, log}: {readonly live: ServerLink | null; readonly log: RunLog},
	cell: Cell,
	begin: Begin,
	{isLeaving, onEnd}: {readonly isLeaving: () => boolean; readonly onEnd: () => void},
): Followed => {
	const since = performance.now();
	const handedOver = Promise.withResolvers<void>();
	let way: CodeRoute | null = null;
	let isBroken = false;
	const watch = live && watchLink(live, (_, broken) => (isBroken = broken));
	const run = begin(watch === null ? {} : {onLink: watch.onLink}, event => {
		if (event.type === 'handed-over') handedOver.resolve();
		if (event.type !== 'sent') return;
		({way} = event);
		if (way === 'service') log.sentToService(cell.number);
	});
	const finish = async (end: RunEnd): Promise<EndedRun> => {
		watch?.end();
		handedOver.resolve();
		const result = ('result' in end ? end.result : null) ?? run.now();
		if (isLeaving()) return {end, result, unsaved: null};
		const unsaved = result === null ? null : await saveResult(file, cell, result);
		// If the outputs could not be saved in the file, they remain in the log.
		if (unsaved === null) log.landed([cell.number]);
		onEnd();
		return {end, result, unsaved};
	};
	const ended = run.ended.then(finish);
	return {
		run: {
			...cell,
			age: () => performance.now() - since,
			isBound: () => way === 'service',
			isBroken: () => isBroken,
			look: () => run.now(),
			ended,
		},
		handedOver: handedOver.promise,
	};
};

/** Kernel of the cells of a notebook. */
const kernelOf = ({service, server, path}: File, live: ServerLink | null, kernel: string): DocumentKernel =>
	openKernel({live: async () => live, client: async () => service.client, isLocal: service.isLocal}, server, {
		kind: 'notebook',
		path,
		kernel,
	});

const isOf = ({server, path}: Pick<File, 'server' | 'path'>, {server: of, document}: LeftRun): boolean =>
	of === server && document.kind === 'notebook' && document.path === path;

/**
 * `context`: that of the program, not of a call. `logsOf`: returns run logs, by default the same as
 * for the screens.
 */
export const createNotebookRuns = (context: Context, logsOf?: LogsOf) => {
	const notebooks = createOpenNotebooks(context, logsOf);
	/**
	 * Runs by notebook, then by a number that is unique in this program. Numbers in logs are not
	 * unique.
	 */
	const runs = new Map<string, Map<number, Followed>>();
	let last = 0;
	let local: Service | null = null;
	let isLeaving = false;

	const runsOf = ({server, path}: Pick<File, 'server' | 'path'>): Map<number, Followed> => {
		const key = `${server}\0${path}`;
		const found = runs.get(key) ?? new Map<number, Followed>();
		runs.set(key, found);
		return found;
	};
	/** Follows a run. `of`: the open notebook, which is released after the run. */
	const follow = (file: File, of: OpenNotebook, log: RunLog, cell: Cell, begin: Begin): NotebookRun => {
		if (file.service.isLocal) local = file.service;
		const mine = runsOf(file);
		const number = ++last;
		const onEnd = (): void => {
			mine.delete(number);
			of.release();
		};
		const followed = followRun(file, {live: of.live, log}, cell, begin, {isLeaving: () => isLeaving, onEnd});
		mine.set(number, followed);
		return followed.run;
	};
	/** Resumes the cells of one log. @throws {CommandError} if the server cannot be reached. */
	const takeUpLog = async (file: File, left: LeftRun): Promise<void> => {
		const {service, server, path} = file;
		const of = await notebooks.open(service, server, path);
		try {
			if (of.live === null)
				throw new CommandError(
					'unreachable',
					`${label(server, 60)} does not respond at its own address, and the outputs of cells that run there cannot be read.`,
					'Try again: the cells continue.',
				);
			const log = notebooks.logs().resume(left);
			if (log === null) return;
			const sent = left.cells.filter(({to}) => to !== null && to !== 'service');
			const numbers = sent.map(({number}) => number);
			// All other cells are removed from the log, because they did not reach the kernel, or
			// their outputs are not recorded.
			log.landed(left.cells.flatMap(({number}) => (numbers.includes(number) ? [] : [number])));
			const opened = kernelOf(file, of.live, left.cells[0]?.kernel ?? '');
			const kernel = resumedKernel(opened, sentCells(left, log), numbers);
			for (const {number, place, source} of sent) {
				if (!('index' in place)) continue;
				const own = await notebooks.open(service, server, path);
				follow(file, own, log, {number, place, source}, (how, listen) => kernel.run('', how, listen));
			}
		} finally {
			of.release();
		}
	};

	return {
		/**
		 * Runs of a notebook that have not ended, by the keys of their cells. If a cell has
		 * several, the newest one.
		 */
		of(server: string, path: string, notebook: Notebook): ReadonlyMap<number, NotebookRun> {
			const all = [...runsOf({server, path}).values()];
			return new Map(
				all.flatMap(({run}) => {
					const key = placesOf([run], notebook).get(run.number);
					return key === undefined ? [] : [[key, run] as const];
				}),
			);
		},
		/** Cells of a notebook that ended programs have sent to its kernel. */
		left: (server: string, path: string): readonly LeftCell[] =>
			notebooks
				.logs()
				.left(server)
				.flatMap(run => (isOf({server, path}, run) ? run.cells : [])),
		/** Sends a cell to the kernel of its notebook, which runs it after earlier cells. */
		async start(file: File, {place, source}: Omit<Cell, 'number'>, kernelName: string): Promise<NotebookRun> {
			const of = await notebooks.open(file.service, file.server, file.path);
			const {live, log} = of;
			const [number = 0] = log.want([{place, source, kernel: kernelName}]);
			const kernel = kernelOf(file, live, kernelName);
			return follow(file, of, log, {number, place, source}, (how, listen) =>
				kernel.run(source, {...how, answers: false, record: async () => log.record(number)}, listen),
			);
		},
		/** Resumes the cells of a notebook that ended programs have sent to its kernel. */
		async takeUp(file: File): Promise<void> {
			for (const left of notebooks.logs().left(file.server))
				if (isOf(file, left)) await takeUpLog(file, left);
		},
		open: notebooks.open,
		/** Detaches from all runs at the end of the program. Their kernels continue. */
		async leave(isAtOnce: boolean): Promise<void> {
			const all = [...runs.values()].flatMap(each => [...each.values()]);
			if (all.length === 0) return;
			const late = Promise.withResolvers<void>();
			const timer = setTimeout(() => late.resolve(), isAtOnce ? LEAVE_AT_ONCE_MS : LEAVE_MS);
			const within = async (act: Promise<unknown>): Promise<unknown> => Promise.race([act, late.promise]);
			await within(Promise.all(all.map(({handedOver}) => handedOver)));
			isLeaving = true;
			if (local !== null) await within(context.connect({keep: KEEP_MS}).catch(() => {}));
			notebooks.close();
			clearTimeout(timer);
		},
	};
};

export type NotebookRuns = ReturnType<typeof createNotebookRuns>;
