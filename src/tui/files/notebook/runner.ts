import type {LiveCell} from '../../../api/client-types.ts';
import {createEditor} from '../../../text/editor/editor.ts';
import type {Output} from '../../../text/notebook/notebook.ts';
import {withOutputs} from '../../../text/notebook/worked.ts';
import type {State} from '../../core/program.ts';
import type {Deps} from '../../core/store/deps.ts';
import {isOnScreen} from '../../core/store/seen.ts';
import {createUpdates} from '../../cells/frame-pace.ts';
import type {ExecutedCell} from '../../../contract/cells.ts';
import {hasRaised} from '../../cells/cell.ts';
import {runOverService} from '../../repl/over-service.ts';
import {keyOf, type ServerFile} from '../content.ts';
import {isPendingRun, kernelOf, type OpenNotebook, type Run} from './open-notebook.ts';

type Needs = {
	readonly client: Deps['client'];
	readonly now: Deps['now'];
	readonly get: () => State;
	readonly change: (file: ServerFile, how: (open: OpenNotebook) => Partial<OpenNotebook>) => void;
};

const QUEUED: Run = {state: 'queued', startedAt: null, endedAt: null, result: null, failure: null};

const without = (runs: OpenNotebook['runs'], keys: readonly number[]): OpenNotebook['runs'] =>
	new Map([...runs].filter(([key]) => !keys.includes(key)));

/** Runs the cells of notebooks: those of one notebook one after the other, in its own kernel where the server has one for it. */
export const createNotebookRunner = ({client, now, get, change}: Needs) => {
	/** Cells that wait, by notebook; an entry is there as long as its cells run. */
	const queues = new Map<string, number[]>();
	const stops = new Map<string, () => void>();
	/** Notebooks whose running cell was stopped, perhaps before it was sent. */
	const stopped = new Set<string>();
	const answers = new Map<string, (text: string) => void>();
	const openOf = (file: ServerFile): OpenNotebook | undefined => get().notebooks.get(keyOf(file));

	const setRun = (file: ServerFile, key: number, next: Partial<Run>): void =>
		change(file, ({runs}) => ({runs: new Map(runs).set(key, {...QUEUED, ...runs.get(key), ...next})}));

	const show = (file: ServerFile, key: number, result: ExecutedCell): void => {
		setRun(file, key, {result});
		get().readNotebookPictures(file, result.outputs);
	};
	const keep = (file: ServerFile, key: number, {outputs, execution_count: count}: ExecutedCell): void =>
		change(file, ({notebook}) => ({
			notebook: withOutputs(notebook, key, outputs as readonly Output[], count ?? null),
		}));

	/** Outputs of an earlier run are still those of their cell: it was not run again, nor cleared. */
	const stands = (file: ServerFile, key: number, outputs: readonly unknown[]): boolean => {
		const open = openOf(file);
		const cell = open?.notebook.cells.find(each => each.key === key);
		return cell?.outputs === outputs && !isPendingRun(open?.runs.get(key));
	};

	const showQuestion = (file: ServerFile, key: number, run: LiveCell): void => {
		const question = run.asks();
		const asks = openOf(file)?.asks ?? null;
		if (question === null ? asks?.key !== key : asks?.question === question) return;
		change(file, () => ({asks: question && {key, question, field: createEditor()}}));
	};

	/** What came of it; null: nothing was sent. */
	const overLink = async (
		file: ServerFile,
		key: number,
		source: string,
		kernel: string,
		isAgain = false,
	): Promise<Partial<Run> | null> => {
		const link = await get().linkOf(file.server, {kernel, notebook: file.path});
		const id = keyOf(file);
		if (link === null || stopped.has(id)) return null;
		/** What it has left in the cell at its end; null before that. */
		let left: readonly unknown[] | null = null;
		const updates = createUpdates(
			() => run,
			() => {
				if (run === null || (left !== null && !stands(file, key, left))) return;
				const result = run.now();
				show(file, key, result);
				if (left === null) return showQuestion(file, key, run);
				left = result.outputs;
				keep(file, key, result);
			},
			() => isOnScreen(get(), file.server, 'files'),
		);
		const run = await link.run(source, kernel, updates.changed, file.path);
		if (run === null) return null;
		if (stopped.has(id)) run.interrupt();
		stops.set(id, () => run.interrupt());
		answers.set(id, text => run.answer(text));
		const end = await run.ended;
		if (end.kind === 'unsent') {
			if (end.isNew && !isAgain) return overLink(file, key, source, kernel, true);
			if (end.isSilent && !stopped.has(id)) get().linkFailed(file.server, {kernel, notebook: file.path});
			return null;
		}
		updates.now();
		const result = run.now();
		left = result.outputs;
		return end.kind === 'failed' ? {state: 'failed', result, failure: end.failure} : {state: 'done', result};
	};

	const overService = async (file: ServerFile, source: string, kernel: string): Promise<Partial<Run>> => {
		const request = new AbortController();
		if (stopped.has(keyOf(file))) request.abort();
		stops.set(keyOf(file), () => request.abort());
		return runOverService(
			{client, get},
			file.server,
			{code: source, kernel_name: kernel},
			{kernel, notebook: file.path},
			request.signal,
		);
	};

	const runOne = async (file: ServerFile, key: number): Promise<boolean> => {
		const open = openOf(file);
		const cell = open?.notebook.cells.find(each => each.key === key);
		// It was deleted or is text now.
		if (open === undefined || cell?.kind !== 'code') {
			change(file, ({runs}) => ({runs: without(runs, [key])}));
			return true;
		}
		stopped.delete(keyOf(file));
		setRun(file, key, {...QUEUED, state: 'running', startedAt: now()});
		const kernel = kernelOf(open);
		const came =
			(await overLink(file, key, cell.source, kernel)) ?? (await overService(file, cell.source, kernel));
		const id = keyOf(file);
		stops.delete(id);
		answers.delete(id);
		if (openOf(file)?.asks?.key === key) change(file, () => ({asks: null}));
		setRun(file, key, {...came, endedAt: now()});
		if (came.result) {
			keep(file, key, came.result);
			get().readNotebookPictures(file, came.result.outputs);
		}
		if (came.failure) get().doubtServers();
		else void get().followCode(file.server);
		return came.state === 'done' && !hasRaised(came);
	};

	const drop = (file: ServerFile): void => {
		for (const key of queues.get(keyOf(file))?.splice(0) ?? []) setRun(file, key, {state: 'skipped'});
	};

	return {
		/** Puts cells behind those that wait. Blank ones and those that are no code are left out. */
		async run(file: ServerFile, keys: readonly number[]): Promise<void> {
			const open = openOf(file);
			const wanted = keys.filter(key => {
				const cell = open?.notebook.cells.find(each => each.key === key);
				return cell?.kind === 'code' && cell.source.trim() !== '' && !isPendingRun(open?.runs.get(key));
			});
			if (wanted.length === 0) return;
			change(file, ({runs}) => ({runs: new Map([...runs, ...wanted.map(key => [key, QUEUED] as const)])}));
			const waiting = queues.get(keyOf(file));
			if (waiting !== undefined) return void waiting.push(...wanted);
			const queue = [...wanted];
			queues.set(keyOf(file), queue);
			const specs = await get().findNotebookKernel(file);
			if (specs !== null) {
				const keys = queue.splice(0);
				queues.delete(keyOf(file));
				change(file, ({runs}) => ({runs: without(runs, keys)}));
				if (keys.length > 0) get().askNotebookKernel(file, specs, keys);
				return;
			}
			for (let key = queue.shift(); key !== undefined; key = queue.shift())
				if (!(await runOne(file, key))) drop(file);
			queues.delete(keyOf(file));
		},
		/** Interrupts what runs, and runs nothing of what waits. False: nothing runs. */
		stop(file: ServerFile): boolean {
			if (!queues.has(keyOf(file))) return false;
			drop(file);
			stopped.add(keyOf(file));
			stops.get(keyOf(file))?.();
			return true;
		},
		answer(file: ServerFile): void {
			const asks = openOf(file)?.asks;
			if (!asks) return;
			change(file, () => ({asks: null}));
			answers.get(keyOf(file))?.(asks.field.text);
		},
	};
};
