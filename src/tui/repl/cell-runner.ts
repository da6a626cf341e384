import type {InputRequest} from '../../api/client-types.ts';
import {outcomeOf, type CellRun, type RunEnd, type RunListener, type CodeRoute} from '../../run/event.ts';
import {sessionOf} from '../../run/open-kernel.ts';
import {createQueue, type Outcome, type Queue, type StartedCell} from '../../run/queue.ts';
import type {LeftRun} from '../../storage/run-log.ts';
import {createEditor} from '../../text/editor/editor.ts';
import {label} from '../../text/safe.ts';
import type {CellAccess} from './cell-access.ts';
import type {CellRecorder} from './cell-recorder.ts';
import {isPending, type Cell} from '../cells/cell.ts';
import {sentCells} from '../../run/sent-cells.ts';
import {documentLogs} from '../cells/document-logs.ts';
import type {createPictureReader} from './cell-pictures.ts';
import {afterRun, endedCell, runOnScreen, takeUpOnScreen, type ScreenRun} from '../cells/run-on-screen.ts';
import type {State} from '../core/program.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {Deps} from '../core/store/deps.ts';
import {isOnScreen} from '../core/store/unseen-results.ts';
import {notices} from '../core/store/notices.ts';
import {serverLinks} from '../live/links.ts';

/**
 * Delay until output that arrives after a cell's end is written to disk, in ms. Doubles after each
 * delay, up to `LATEST_MS`.
 */
const LATE_MS = 2000;
const LATEST_MS = 60_000;
/**
 * Longest wait for sending that counts towards a cell's duration, in ms. After a longer wait, the
 * duration is measured from the time of sending.
 */
const SOON_MS = 100;

export type CellRunner = {
	/** The waiting cells of a server. */
	queueOf(server: string): Queue<number>;
	/**
	 * Follows the cells that an earlier run of the program sent to a kernel, and marks the others
	 * as not run. `ids`: IDs of the restored cells, by their numbers in the log. False if the
	 * server of a sent cell has no live link now.
	 */
	takeUp(server: string, left: LeftRun, ids: ReadonlyMap<number, number>): Promise<boolean>;
	/** Hands all waiting cells over to their kernels, before the program ends. */
	handOver(): Promise<unknown>;
	/** Stops a cell that was sent. */
	stop(id: number): void;
	/** Sends a line of input to a cell. */
	answer(id: number, text: string): void;
};

type Needs = {
	readonly deps: Pick<Deps, 'client' | 'now'>;
	readonly get: () => State;
	readonly access: CellAccess;
	readonly keeper: CellRecorder;
	readonly readPictures: ReturnType<typeof createPictureReader>;
	/** Marks a cell as not run, because an earlier cell failed. */
	readonly skip: (server: string, id: number) => void;
};

const unsentText = (server: string, count: number): string =>
	`${count} ${count === 1 ? 'cell' : 'cells'} of ${label(server, 60)} waited when the last program ended and ${count === 1 ? 'was' : 'were'} not sent: ${keyFor('cells.again')} on ${count === 1 ? 'it' : 'each'} runs ${count === 1 ? 'it' : 'them'}`;

const isSent = (cell: Cell): boolean => cell.state === 'running' || cell.state === 'detached';

/** Sends the cells of each server one after the other. */
export const createCellRunner = ({
	deps: {client, now},
	get,
	access,
	keeper,
	readPictures,
	skip,
}: Needs): CellRunner => {
	const {replOf, cellOf, changeCell, changeRepl} = access;
	const queues = new Map<string, Queue<number>>();
	const runs = new Map<number, CellRun>();

	/**
	 * True if the service still runs an earlier cell that the user no longer waits for. Until that
	 * cell ends, the new cell waits in the service.
	 */
	const isBehind = (server: string, id: number): boolean =>
		replOf(server).cells.some(each => each.id < id && isSent(each));

	const ask = (server: string, id: number, question: InputRequest | null): void => {
		if (question === null && replOf(server).asks?.cell !== id) return;
		changeRepl(server, () => ({asks: question && {cell: id, question, field: createEditor()}}));
		// Records the cell when it asks for input, because it may produce no more output: if the
		// program is then killed, the last known state must be on disk.
		const cell = cellOf(server, id);
		if (cell !== undefined && isPending(cell)) keeper.ended(server, id);
		if (question !== null && !isOnScreen(get(), server, 'repl'))
			notices(get).notify(
				'info',
				`A cell of ${label(server, 60)} waits for your input: ${keyFor('anywhere.repl')} leads there`,
			);
	};

	/** Runs or resumes a cell and shows its outputs. */
	const follow = (
		server: string,
		{id, kernel}: {readonly id: number; readonly kernel: string},
		start: Parameters<typeof runOnScreen>[4],
		more: Partial<Parameters<typeof runOnScreen>[3]> = {},
	): ScreenRun => {
		let late: NodeJS.Timeout | undefined;
		let pause = LATE_MS;
		const run = runOnScreen(
			{client, get},
			server,
			{kind: 'repl', kernel},
			{
				...more,
				began() {
					if (cellOf(server, id)?.state === 'kernel')
						changeCell(server, id, {state: 'running', startedAt: now()});
				},
				isShown: () => isOnScreen(get(), server, 'repl'),
				ask: question => ask(server, id, question),
				show(cell, isLate) {
					if (cellOf(server, id) === undefined) return;
					changeCell(server, id, {
						result: cell.now(),
						life: cell.life() ?? undefined,
						others: cell.others() || undefined,
					});
					readPictures(server, {id, result: cellOf(server, id)?.result ?? null});
					if (!isLate) return;
					late ??= setTimeout(() => {
						late = undefined;
						pause = Math.min(2 * pause, LATEST_MS);
						keeper.ended(server, id);
					}, pause).unref();
				},
			},
			start,
		);
		runs.set(id, run);
		return run;
	};

	const end = (server: string, id: number, came: RunEnd, shown: Partial<Cell> = endedCell(came)): void => {
		runs.delete(id);
		changeCell(server, id, {
			endedAt: now(),
			...shown,
			...(came.how === 'kernel-ended' && {isLastOfKernel: true}),
		});
		const next = replOf(server).cells.find(each => isSent(each) && each.startedAt === null);
		if (next !== undefined) changeCell(server, next.id, {startedAt: now()});
		keeper.ended(server, id);
		if (shown.result) readPictures(server, {id, result: shown.result});
		afterRun(get, server, came);
	};

	const perform = (
		server: string,
		id: number,
		{follows, batch}: {readonly follows: boolean; readonly batch: unknown},
	): StartedCell => {
		const cell = cellOf(server, id);
		if (cell === undefined) return {handedOver: Promise.resolve(false), ended: Promise.resolve('done')};
		const {kernel} = replOf(server);
		const ready = keeper.writing(server);
		const begunAt = now();
		const isFirst = !isBehind(server, id);
		changeCell(server, id, {
			state: follows ? 'queued' : 'running',
			startedAt: isFirst && !follows ? begunAt : null,
		});
		let sentAt: number | null = null;
		const sent = (way: CodeRoute): void => {
			if (way === 'service') keeper.sentToService(id);
			if (sentAt !== null) return;
			sentAt = now();
			// If the wait was short, `startedAt` stays unchanged, because drawing a change would
			// delay the request.
			const wasSoon = isFirst && sentAt - begunAt < SOON_MS;
			if (!wasSoon && !isBehind(server, id)) changeCell(server, id, {startedAt: sentAt});
		};
		const start: Parameters<typeof follow>[2] = (opened, listen) =>
			opened.run(
				cell.source,
				{record: async () => keeper.record(id), follows, stopOnError: batch !== undefined},
				listen,
			);
		const run = follow(server, {id, kernel}, start, {ready, sent});
		void run.handedOver.then(isHandedOver => {
			if (isHandedOver && cellOf(server, id)?.state === 'queued') changeCell(server, id, {state: 'kernel'});
		});
		const ended = run.ended.then((came): Outcome => {
			const outcome = outcomeOf(came);
			if (outcome === 'aborted' || outcome === 'unsent') {
				runs.delete(id);
				changeCell(server, id, {state: 'queued', startedAt: null});
				return outcome;
			}
			// If there is no start time, an earlier cell has not ended yet, so the service ran both
			// cells side by side.
			if (cellOf(server, id)?.startedAt === null) changeCell(server, id, {startedAt: sentAt});
			end(server, id, came);
			return outcome;
		});
		return {handedOver: run.handedOver, ended};
	};

	const queueOf = (server: string): Queue<number> => {
		const known = queues.get(server);
		if (known !== undefined) return known;
		const queue = createQueue<number>(
			(id, how) => perform(server, id, how),
			id => skip(server, id),
		);
		queues.set(server, queue);
		return queue;
	};

	/** Follows a cell of an ended program. `index`: its position among the kernel's cells. */
	const resume = (
		server: string,
		{id, kernel}: {readonly id: number; readonly kernel: string},
		index: number,
		start: (listen: RunListener) => CellRun,
	): void => {
		const cell = cellOf(server, id);
		if (cell === undefined) return;
		changeCell(server, id, {
			state: index === 0 ? 'running' : 'kernel',
			startedAt: index === 0 ? (cell.earlier?.at ?? null) : null,
		});
		const run = follow(server, {id, kernel}, (_, listen) => start(listen));
		const ended = run.ended.then((came): Outcome => {
			// If the kernel is gone, the earlier output stays, and the time of the end is unknown.
			const {state, result, startedAt, endedAt} = cell;
			const kept = came.how === 'gave-up' && came.result?.outputs.length ? came.result : result;
			end(server, id, came, came.how === 'gave-up' ? {state, startedAt, endedAt, result: kept} : undefined);
			return 'done';
		});
		queueOf(server).waitFor(id, ended);
	};

	return {
		queueOf,
		async takeUp(server, left, ids) {
			const sent = left.cells.find(({to}) => to !== null && to !== 'service');
			const session = sent && sessionOf({kind: 'repl', kernel: sent.kernel});
			if (session && (await serverLinks(get).linkOf(server, session)) === null) return false;
			const log = await documentLogs(get).resume(left);
			if (log === null) return true;
			for (const {number, to} of left.cells) {
				const id = ids.get(number);
				// The log can drop a cell that is not in the transcript, or whose outcome stays
				// unknown because the service ran it.
				if (id === undefined || to === 'service') log.landed([number]);
				else keeper.takeUp(id, log, number);
			}
			const unsent = left.cells.flatMap(({number, to}) => (to === null ? (ids.get(number) ?? []) : []));
			for (const id of unsent) skip(server, id);
			if (unsent.length > 0) notices(get).notify('info', unsentText(server, unsent.length));
			for (const {kernel, recording, numbers} of sentCells(left, log)) {
				const taken = takeUpOnScreen({client, get}, server, {kind: 'repl', kernel}, recording);
				for (const [index, number] of numbers.entries()) {
					const id = ids.get(number);
					if (id !== undefined) resume(server, {id, kernel}, index, listen => taken.follow(index, listen));
				}
			}
			return true;
		},
		handOver: async () => Promise.all([...queues.values()].map(async queue => queue.handOver())),
		stop: id => runs.get(id)?.interrupt(),
		answer: (id, text) => runs.get(id)?.answer(text),
	};
};
