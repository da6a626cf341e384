import type {InputRequest} from '../../api/client-types.ts';
import type {CellRun} from '../../run/event.ts';
import {createQueue, type Queue} from '../../run/queue.ts';
import {createEditor} from '../../text/editor/editor.ts';
import type {Output} from '../../text/notebook/notebook.ts';
import {withOutputs} from '../../text/notebook/edit.ts';
import type {State} from '../core/program.ts';
import type {Deps} from '../core/store/deps.ts';
import {isOnScreen} from '../core/store/unseen-results.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import {afterRun, endedCell, runOnScreen} from '../cells/run-on-screen.ts';
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

const QUEUED: Run = {state: 'queued', startedAt: null, endedAt: null, result: null, failure: null};

const without = (runs: OpenNotebook['runs'], keys: readonly number[]): OpenNotebook['runs'] =>
	new Map([...runs].filter(([key]) => !keys.includes(key)));

/**
 * Runs the cells of notebooks: those of one notebook in order, in its own kernel if the server has
 * one for it.
 */
export const createNotebookRunner = ({client, now, get, change, readPictures}: Needs) => {
	/** Queues by notebook. */
	const queues = new Map<string, Queue<number>>();
	/** Running cells. */
	const current = new Map<string, CellRun>();
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

	/** Resolves to false if the cells behind it must not run. */
	const perform = async (file: ServerFile, key: number): Promise<boolean> => {
		const open = openOf(file);
		const cell = open?.notebook.cells.find(each => each.key === key);
		// Skips a cell that was deleted or is text by now.
		if (open === undefined || cell?.kind !== 'code') {
			change(file, ({runs}) => ({runs: without(runs, [key])}));
			return true;
		}
		setRun(file, key, {...QUEUED, state: 'running', startedAt: now()});
		/** Outputs stored in the cell so far. */
		let left: readonly unknown[] = [];
		const run = runOnScreen(
			{client, get},
			file.server,
			documentOf(open),
			{
				isShown: () => isOnScreen(get(), file.server, 'files'),
				ask: question => ask(file, key, question),
				show(live, isLate) {
					if (isLate && !stands(file, key, left)) return;
					const result = live.now();
					show(file, key, result);
					left = result.outputs;
					if (isLate) keep(file, key, result);
				},
			},
			(kernel, listen) => kernel.run(cell.source, {}, listen),
		);
		current.set(keyOf(file), run);
		const end = await run.ended;
		current.delete(keyOf(file));
		const came = endedCell(end);
		setRun(file, key, {...came, endedAt: now()});
		if (came.result) {
			left = came.result.outputs;
			keep(file, key, came.result);
			readPictures(file, came.result.outputs);
		}
		afterRun(get, file.server, end);
		return end.how === 'done';
	};

	const skip = (file: ServerFile, key: number): void => setRun(file, key, {state: 'skipped'});
	const queueOf = (file: ServerFile): Queue<number> => {
		const known = queues.get(keyOf(file));
		if (known !== undefined) return known;
		const queue = createQueue<number>(
			async key => perform(file, key),
			key => skip(file, key),
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
		/** Interrupts the running cell and drops the waiting ones. False if none runs. */
		stop(file: ServerFile): boolean {
			const queue = queues.get(keyOf(file));
			if (queue === undefined || queue.isIdle()) return false;
			for (const key of queue.clear()) skip(file, key);
			current.get(keyOf(file))?.interrupt();
			return true;
		},
		answer(file: ServerFile): void {
			const asks = openOf(file)?.asks;
			if (!asks) return;
			change(file, () => ({asks: null}));
			current.get(keyOf(file))?.answer(asks.field.text);
		},
	};
};
