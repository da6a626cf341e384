import type {InputRequest} from '../../api/client-types.ts';
import {outcomeOf} from '../../run/event.ts';
import {createQueue, type Outcome, type Queue, type StartedCell} from '../../run/queue.ts';
import {createEditor} from '../../text/editor/editor.ts';
import type {Output} from '../../text/notebook/notebook.ts';
import {withOutputs} from '../../text/notebook/edit.ts';
import type {State} from '../core/program.ts';
import type {Deps} from '../core/store/deps.ts';
import {isOnScreen} from '../core/store/unseen-results.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import {afterRun, endedCell, runOnScreen, type ScreenRun} from '../cells/run-on-screen.ts';
import {keyOf, type ServerFile} from '../files/content.ts';
import {documentOf, isPendingRun, type OpenNotebook, type Run} from './open-notebook.ts';
import type {createPictureReader} from './output-pictures.ts';
import {askNotebookKernel, findNotebookKernel} from './ports.ts';

type Needs = {
	readonly client: Deps['client'];
	readonly now: Deps['now'];
	readonly get: () => State;
	readonly change: (file: ServerFile, how: (open: OpenNotebook) => Partial<OpenNotebook>) => void;
	readonly readPictures: ReturnType<typeof createPictureReader>;
};

/** Number of cells that a kernel may hold. */
const MOST_AHEAD = 200;

const QUEUED: Run = {state: 'queued', startedAt: null, endedAt: null, result: null, failure: null};

const without = (runs: OpenNotebook['runs'], keys: readonly number[]): OpenNotebook['runs'] =>
	new Map([...runs].filter(([key]) => !keys.includes(key)));

/**
 * Runs the cells of each notebook in order, in its own kernel if the server has one for it. Over
 * the live link the kernel gets them all at once, and continues without this program.
 */
export const createNotebookRunner = ({client, now, get, change, readPictures}: Needs) => {
	/** Queues by notebook. */
	const queues = new Map<string, Queue<number>>();
	/** Cells with the kernels, by notebook, in order. */
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
	 * True if outputs of an earlier run still belong to their cell, which was neither run again nor
	 * cleared.
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

	/** Called when the kernel runs a cell that it held. */
	const begin = (file: ServerFile, key: number): void => {
		if (stateOf(file, key) === 'kernel') setRun(file, key, {state: 'running', startedAt: now()});
		// This cell was on its way when an earlier cell failed.
		if (queueOf(file).isDropped(key)) runsOf(file).get(key)?.interrupt();
	};

	const perform = (file: ServerFile, key: number, follows: boolean): StartedCell => {
		const open = openOf(file);
		const cell = open?.notebook.cells.find(each => each.key === key);
		// Skips a cell that was deleted or is text by now.
		if (open === undefined || cell?.kind !== 'code') {
			change(file, ({runs}) => ({runs: without(runs, [key])}));
			return {handedOver: Promise.resolve(false), ended: Promise.resolve('done')};
		}
		setRun(file, key, {...QUEUED, ...(!follows && {state: 'running', startedAt: now()})});
		/** Outputs stored in the cell so far. */
		let left: readonly unknown[] = [];
		const run = runOnScreen(
			{client, get},
			file.server,
			documentOf(open),
			{
				isShown: () => isOnScreen(get(), file.server, 'files'),
				ask: question => ask(file, key, question),
				began: () => begin(file, key),
				show(live, isLate) {
					if (isLate && !stands(file, key, left)) return;
					const result = live.now();
					show(file, key, result);
					left = result.outputs;
					if (isLate) keep(file, key, result);
				},
			},
			(kernel, listen) => kernel.run(cell.source, {follows, stopOnError: true}, listen),
		);
		runsOf(file).set(key, run);
		void run.handedOver.then(isHandedOver => {
			if (isHandedOver && stateOf(file, key) === 'queued') setRun(file, key, {state: 'kernel'});
		});
		const follow = async (): Promise<Outcome> => {
			const end = await run.ended;
			runsOf(file).delete(key);
			const outcome = outcomeOf(end);
			if (outcome === 'aborted' || outcome === 'unsent') {
				setRun(file, key, QUEUED);
				return outcome;
			}
			const came = endedCell(end);
			setRun(file, key, {...came, endedAt: now()});
			if (came.result) {
				left = came.result.outputs;
				keep(file, key, came.result);
				readPictures(file, came.result.outputs);
			}
			afterRun(get, file.server, end);
			return outcome;
		};
		return {handedOver: run.handedOver, ended: follow()};
	};

	const skip = (file: ServerFile, key: number): void => setRun(file, key, {state: 'skipped'});
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
			const queue = queueOf(file);
			const isFirst = queue.isIdle();
			const goOn = isFirst ? queue.hold() : null;
			// A notebook is one batch, whenever its cells were submitted.
			queue.add(wanted, file.path);
			if (goOn === null) return;
			const specs = await findNotebookKernel(get, file);
			if (specs !== null) {
				const waiting = queue.clear();
				change(file, ({runs}) => ({runs: without(runs, waiting)}));
				if (waiting.length > 0) askNotebookKernel(get, file, specs, waiting);
			}
			goOn();
		},
		/**
		 * Interrupts the running cell and drops those behind it: the kernel aborts what it holds.
		 * False if none runs.
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
