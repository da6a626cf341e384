import type {InputRequest} from '../../api/client-types.ts';
import {outcomeOf} from '../../run/event.ts';
import {createQueue, type Outcome, type Queue, type StartedCell} from '../../run/queue.ts';
import {createEditor} from '../../text/editor/editor.ts';
import type {Output} from '../../text/notebook/notebook.ts';
import type {Document} from '../../run/open-kernel.ts';
import {idOfCell, withOutputs} from '../../text/notebook/edit.ts';
import type {State} from '../core/program.ts';
import type {Deps} from '../core/store/deps.ts';
import {isOnScreen} from '../core/store/unseen-results.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import {afterRun, endedCell, runOnScreen, takeUpOnScreen, type ScreenRun} from '../cells/run-on-screen.ts';
import type {SentCells} from '../../run/sent-cells.ts';
import {keyOf, type ServerFile} from '../files/content.ts';
import {documentOf, isPendingRun, kernelOf, type OpenNotebook, type Run} from './open-notebook.ts';
import type {createPictureReader} from './output-pictures.ts';
import {askNotebookKernel, findNotebookKernel} from './ports.ts';
import type {RunRecords} from './run-records.ts';

type Needs = {
	readonly client: Deps['client'];
	readonly now: Deps['now'];
	readonly get: () => State;
	readonly change: (file: ServerFile, how: (open: OpenNotebook) => Partial<OpenNotebook>) => void;
	readonly readPictures: ReturnType<typeof createPictureReader>;
	readonly records: RunRecords;
};

/** Maximum number of cells that are sent to a kernel before earlier cells have ended. */
const MOST_AHEAD = 200;

const QUEUED: Run = {state: 'queued', startedAt: null, endedAt: null, result: null, failure: null};

/** The cells in the form for the log. */
const wantedCells = (open: OpenNotebook, keys: readonly number[]): Parameters<RunRecords['want']>[1] =>
	open.notebook.cells.flatMap((cell, index) =>
		keys.includes(cell.key)
			? [{key: cell.key, place: {cell: idOfCell(cell), index}, source: cell.source, kernel: kernelOf(open)}]
			: [],
	);

const without = (runs: OpenNotebook['runs'], keys: readonly number[]): OpenNotebook['runs'] =>
	new Map([...runs].filter(([key]) => !keys.includes(key)));

/**
 * Runs the cells of each notebook in order, in the notebook's own kernel if the server has one.
 * Over the live link the kernel gets all cells at once, and runs them even if this program ends.
 */
export const createNotebookRunner = ({client, now, get, change, readPictures, records}: Needs) => {
	/** Queues by notebook. */
	const queues = new Map<string, Queue<number>>();
	/** Cells that are in the kernels, by notebook, in order. */
	const current = new Map<string, Map<number, ScreenRun>>();
	const openOf = (file: ServerFile): OpenNotebook | undefined => get().notebooks.get(keyOf(file));

	const setRun = (file: ServerFile, key: number, next: Partial<Run>): void =>
		change(file, ({runs}) => ({runs: new Map(runs).set(key, {...QUEUED, ...runs.get(key), ...next})}));

	const show = (file: ServerFile, key: number, result: ExecutedCell): void => {
		setRun(file, key, {result});
		readPictures(file, result.outputs);
	};
	const keep = (file: ServerFile, key: number, {outputs, execution_count: count}: ExecutedCell): void =>
		change(file, ({notebook}) => ({
			notebook: withOutputs(notebook, key, outputs as readonly Output[], count ?? null),
		}));

	/**
	 * True if a cell still has the outputs of this run: it was neither run again nor cleared since.
	 */
	const stands = (file: ServerFile, key: number, outputs: readonly unknown[]): boolean => {
		const open = openOf(file);
		const cell = open?.notebook.cells.find(each => each.key === key);
		return cell?.outputs === outputs && !isPendingRun(open?.runs.get(key));
	};

	const ask = (file: ServerFile, key: number, question: InputRequest | null): void => {
		if (question === null && openOf(file)?.asks?.key !== key) return;
		change(file, () => ({asks: question && {key, question, field: createEditor()}}));
	};

	const runsOf = (file: ServerFile): Map<number, ScreenRun> => {
		const runs = current.get(keyOf(file)) ?? new Map<number, ScreenRun>();
		current.set(keyOf(file), runs);
		return runs;
	};
	const stateOf = (file: ServerFile, key: number): Run['state'] | undefined =>
		openOf(file)?.runs.get(key)?.state;

	/** Called when the kernel starts a cell. */
	const begin = (file: ServerFile, key: number): void => {
		if (stateOf(file, key) === 'kernel') setRun(file, key, {state: 'running', startedAt: now()});
		// Interrupts a cell that was already being sent when an earlier cell failed.
		if (queueOf(file).isDropped(key)) runsOf(file).get(key)?.interrupt();
	};

	/** Runs or resumes a cell and shows its outputs. */
	const follow = (
		file: ServerFile,
		key: number,
		document: Document,
		start: Parameters<typeof runOnScreen>[4],
		isResumed = false,
	): StartedCell => {
		/** Outputs stored in the cell so far. */
		let left: readonly unknown[] = [];
		const run = runOnScreen(
			{client, get},
			file.server,
			document,
			{
				isShown: () => isOnScreen(get(), file.server, 'files'),
				ask: question => ask(file, key, question),
				began: () => begin(file, key),
				sent(way) {
					if (way === 'service') records.sentToService(file, key);
				},
				show(live, isLate) {
					if (isLate && !stands(file, key, left)) return;
					const result = live.now();
					show(file, key, result);
					left = result.outputs;
					if (isLate) keep(file, key, result);
				},
			},
			start,
		);
		runsOf(file).set(key, run);
		const ended = run.ended.then((end): Outcome => {
			runsOf(file).delete(key);
			const outcome = outcomeOf(end);
			if (!isResumed && (outcome === 'aborted' || outcome === 'unsent')) {
				setRun(file, key, QUEUED);
				return outcome;
			}
			const came = endedCell(end);
			// The kernel has ended, and the cell's output after the end of the program is unknown.
			const isUnknown = isResumed && end.how === 'gave-up';
			setRun(file, key, {...came, ...(isUnknown && {state: 'unknown'}), endedAt: isUnknown ? null : now()});
			if (came.result && !(isUnknown && came.result.outputs.length === 0)) {
				left = came.result.outputs;
				records.ended(file, key);
				keep(file, key, came.result);
				readPictures(file, came.result.outputs);
			} else records.drop(file, key);
			afterRun(get, file.server, end);
			return outcome === 'done' ? 'done' : 'failed';
		});
		return {handedOver: run.handedOver, ended};
	};

	const perform = (file: ServerFile, key: number, follows: boolean): StartedCell => {
		const open = openOf(file);
		const cell = open?.notebook.cells.find(each => each.key === key);
		// The cell may have been deleted, or changed to a text cell, while it waited.
		if (open === undefined || cell?.kind !== 'code') {
			change(file, ({runs}) => ({runs: without(runs, [key])}));
			records.drop(file, key);
			return {handedOver: Promise.resolve(false), ended: Promise.resolve('done')};
		}
		if (!follows) setRun(file, key, {...QUEUED, state: 'running', startedAt: now()});
		const run = follow(file, key, documentOf(open), (kernel, listen) =>
			kernel.run(
				cell.source,
				{follows, stopOnError: true, record: async () => records.record(file, key)},
				listen,
			),
		);
		void run.handedOver.then(isHandedOver => {
			if (isHandedOver && stateOf(file, key) === 'queued') setRun(file, key, {state: 'kernel'});
		});
		return run;
	};

	const skip = (file: ServerFile, key: number): void => {
		setRun(file, key, {state: 'skipped'});
		records.drop(file, key);
	};
	const queueOf = (file: ServerFile): Queue<number> => {
		const known = queues.get(keyOf(file));
		if (known !== undefined) return known;
		const queue = createQueue<number>(
			(key, {follows}) => perform(file, key, follows),
			key => skip(file, key),
			MOST_AHEAD,
		);
		queues.set(keyOf(file), queue);
		return queue;
	};

	return {
		/** Adds cells to the queue, except blank ones and text cells. */
		async run(file: ServerFile, keys: readonly number[]): Promise<void> {
			const open = openOf(file);
			const wanted = keys.filter(key => {
				const cell = open?.notebook.cells.find(each => each.key === key);
				return cell?.kind === 'code' && cell.source.trim() !== '' && !isPendingRun(open?.runs.get(key));
			});
			if (wanted.length === 0) return;
			change(file, ({runs}) => ({runs: new Map([...runs, ...wanted.map(key => [key, QUEUED] as const)])}));
			if (open !== undefined) records.want(file, wantedCells(open, wanted));
			const queue = queueOf(file);
			const isFirst = queue.isIdle();
			const goOn = isFirst ? queue.hold() : null;
			// All cells of a notebook are one batch, even if they were submitted at different
			// times.
			queue.add(wanted, file.path);
			if (goOn === null) return;
			const specs = await findNotebookKernel(get, file);
			if (specs !== null) {
				const waiting = queue.clear();
				change(file, ({runs}) => ({runs: without(runs, waiting)}));
				for (const key of waiting) records.drop(file, key);
				if (waiting.length > 0) askNotebookKernel(get, file, specs, waiting);
			}
			goOn();
		},
		/**
		 * Resumes cells that an ended program left in a kernel, in the kernel's order. `keys`:
		 * their keys in the notebook. Returns the results of cells that the notebook no longer has.
		 */
		takeUp(
			file: ServerFile,
			{kernel, recording}: SentCells,
			keys: readonly (number | undefined)[],
		): readonly {readonly index: number; readonly result: Promise<ExecutedCell | null>}[] {
			const document = {kind: 'notebook', path: file.path, kernel} as const;
			const taken = takeUpOnScreen({client, get}, file.server, document, recording);
			const lost: {index: number; result: Promise<ExecutedCell | null>}[] = [];
			for (const [index, key] of keys.entries()) {
				if (key === undefined) {
					const {ended, now: soFar} = taken.follow(index, () => {});
					lost.push({index, result: ended.then(soFar)});
					continue;
				}
				const isFirst = index === 0;
				setRun(file, key, {
					...QUEUED,
					state: isFirst ? 'running' : 'kernel',
					startedAt: isFirst ? now() : null,
				});
				const {ended} = follow(file, key, document, (_, listen) => taken.follow(index, listen), true);
				queueOf(file).waitFor(key, ended, file.path);
			}
			return lost;
		},
		/** Marks cells as not run. */
		skip(file: ServerFile, keys: readonly number[]): void {
			for (const key of keys) skip(file, key);
		},
		/** Marks the results of cells as unknown. */
		forget(file: ServerFile, keys: readonly number[]): void {
			for (const key of keys) {
				setRun(file, key, {...QUEUED, state: 'unknown'});
				records.drop(file, key);
			}
		},
		/**
		 * Hands all waiting cells over to their kernels. Resolves to the number of cells that could
		 * not be handed over.
		 */
		handOver: async (): Promise<number> =>
			(await Promise.all([...queues.values()].map(async queue => queue.handOver()))).flat().length,
		/**
		 * Interrupts the running cell and drops all later ones, which the kernel aborts. False if
		 * no cell is running.
		 */
		stop(file: ServerFile): boolean {
			const queue = queues.get(keyOf(file));
			if (queue === undefined || queue.isIdle()) return false;
			for (const key of queue.clear()) skip(file, key);
			const [first, ...behind] = runsOf(file).entries();
			first?.[1].interrupt();
			for (const [key, run] of behind) if (stateOf(file, key) === 'queued') run.interrupt();
			return true;
		},
		answer(file: ServerFile): void {
			const asks = openOf(file)?.asks;
			if (!asks) return;
			change(file, () => ({asks: null}));
			runsOf(file).get(asks.key)?.answer(asks.field.text);
		},
	};
};

export type NotebookRunner = ReturnType<typeof createNotebookRunner>;
