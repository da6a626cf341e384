import type {LiveCell, LiveChange, LiveQuestion} from '../../api/client-types.ts';
import type {ExecutedCell} from '../../contract/cells.ts';
import type {CellJournal} from '../../storage/cell-journal.ts';
import type {CellRecord, RunningCell} from '../../storage/run-log.ts';
import {createEditor} from '../../text/editor/editor.ts';
import {label} from '../../text/safe.ts';
import type {CellAccess} from './cell-access.ts';
import type {CellKeeper} from './cell-keeper.ts';
import {hasFailed, isPending, type Cell} from '../cells/cell.ts';
import type {createPictureReader} from './cell-pictures.ts';
import {createUpdates} from '../cells/frame-pace.ts';
import {runOverService} from './over-service.ts';
import type {State} from '../core/program.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {Deps} from '../core/store/deps.ts';
import {isOnScreen} from '../core/store/seen.ts';

/** What a display or a thread changes after the end of a cell goes to disk after so many milliseconds, then ever later. */
const LATE_MS = 2000;
const LATEST_MS = 60_000;
/** A cell that waits longer than this before it is sent shows for how long. */
const SOON_MS = 100;

export type CellRunner = {
	/** Sends the next cell that waits, where none is waited for. */
	runNext(server: string): Promise<void>;
	/** Goes on with a cell that an earlier program has sent. False: there is no link to its server now. */
	goOn(server: string, id: number, left: RunningCell): Promise<boolean>;
	/** Stops one that was sent. */
	stop(id: number): void;
	/** Gives a cell the line that it waits for. */
	answer(id: number, text: string): void;
	/** No cell that waits is sent until what this answers is called. */
	holdBack(server: string): () => void;
	/** What was ordered with a cell that failed, and was not sent yet, is not sent. */
	skipBatch(server: string, batch: number | null): void;
};

type Needs = {
	readonly deps: Pick<Deps, 'client' | 'now'>;
	readonly get: () => State;
	readonly access: CellAccess;
	readonly keeper: CellKeeper;
	readonly readPictures: ReturnType<typeof createPictureReader>;
	readonly journal: () => Promise<CellJournal | null>;
};

const isSent = (cell: Cell): boolean => cell.state === 'running' || cell.state === 'detached';
const errorNamed = (result: ExecutedCell, name: string): boolean =>
	result.outputs.some(output => output.output_type === 'error' && output['ename'] === name);

/** Sends cells one after the other: over a server's live link where it has one, else to the service, which answers at the end. */
export const createCellRunner = ({
	deps: {client, now},
	get,
	access,
	keeper,
	readPictures,
	journal,
}: Needs): CellRunner => {
	const {replOf, cellOf, changeCell, changeRepl} = access;
	const stops = new Map<number, () => void>();
	const answers = new Map<number, (text: string) => void>();
	/** Before they were sent, too. */
	const stopped = new Set<number>();
	/** Servers whose cells wait, by how many orders they wait for. */
	const heldBack = new Map<string, number>();

	const skipBatch = (server: string, batch: number | null): void => {
		if (batch === null) return;
		for (const cell of replOf(server).cells)
			if (cell.batch === batch && cell.state === 'queued') get().dropCell(server, cell.id);
	};
	/** A cell before it that the user does not wait for is still run: until that is over, it waits in the service. */
	const isBehind = (server: string, id: number): boolean =>
		replOf(server).cells.some(each => each.id < id && isSent(each));

	/** Puts the field there in which a cell is answered, or takes it away. */
	const showQuestion = (server: string, id: number, question: LiveQuestion | null): void => {
		const {asks} = replOf(server);
		if (question === null ? asks?.cell !== id : asks?.question === question) return;
		changeRepl(server, () => ({asks: question && {cell: id, question, field: createEditor()}}));
		// Also when nobody answers it any more: a program that is killed leaves what was known.
		const cell = cellOf(server, id);
		if (cell !== undefined && isPending(cell)) keeper.ended(server, id);
		if (question !== null && !isOnScreen(get(), server, 'repl'))
			get().notify(
				'info',
				`A cell of ${label(server, 60)} waits for your input: ${keyFor('anywhere.repl')} leads there`,
			);
	};

	/** What came of it; null: nothing was sent. */
	const overLink = async (
		server: string,
		{id, kernel}: {readonly id: number; readonly kernel: string},
		begin: (onChange: LiveChange) => Promise<LiveCell | null>,
		isAgain = false,
	): Promise<Partial<Cell> | null> => {
		let isOver = false;
		let late: NodeJS.Timeout | undefined;
		let pause = LATE_MS;
		const show = (): void => {
			if (run === null || cellOf(server, id) === undefined) return;
			changeCell(server, id, {
				result: run.now(),
				life: run.life() ?? undefined,
				others: run.others() || undefined,
			});
			readPictures(server, {id, result: cellOf(server, id)?.result ?? null});
			showQuestion(server, id, run.asks());
			if (!isOver) return;
			late ??= setTimeout(() => {
				late = undefined;
				pause = Math.min(2 * pause, LATEST_MS);
				keeper.ended(server, id);
			}, pause).unref();
		};
		let run: LiveCell | null = null;
		const updates = createUpdates(
			() => run,
			show,
			() => isOnScreen(get(), server, 'repl'),
		);
		const begun = await begin(updates.changed);
		run = begun;
		if (begun === null) return null;
		stops.set(id, () => begun.interrupt());
		answers.set(id, text => begun.answer(text));
		if (stopped.has(id)) begun.interrupt();
		const end = await begun.ended;
		if (end.kind === 'unsent') {
			// A drawing that is due would show its question again.
			run = null;
			showQuestion(server, id, null);
			if (end.isNew && !isAgain) return overLink(server, {id, kernel}, begin, true);
			if (end.isSilent && !stopped.has(id)) get().linkFailed(server, {kernel});
			return null;
		}
		updates.now();
		isOver = true;
		const result = begun.now();
		if (errorNamed(result, 'KernelDied')) changeCell(server, id, {isLastOfKernel: true});
		if (end.kind === 'failed') return {state: 'failed', result, failure: end.failure};
		return {
			state: stopped.has(id) && errorNamed(result, 'KeyboardInterrupt') ? 'interrupted' : 'done',
			result,
		};
	};

	const overService = async (server: string, {id, source}: Cell, kernel: string): Promise<Partial<Cell>> => {
		const request = new AbortController();
		stops.set(id, () => request.abort());
		if (stopped.has(id)) request.abort();
		return runOverService(
			{client, get},
			server,
			{code: source, kernel_name: kernel},
			{kernel},
			request.signal,
		);
	};

	const end = (server: string, cell: Cell, came: Partial<Cell>, record?: CellRecord | null): void => {
		stops.delete(cell.id);
		answers.delete(cell.id);
		changeCell(server, cell.id, {endedAt: now(), ...came});
		const next = replOf(server).cells.find(each => isSent(each) && each.startedAt === null);
		if (next !== undefined) changeCell(server, next.id, {startedAt: now()});
		keeper.ended(server, cell.id);
		if (record) void keeper.writing(server)?.then(() => record.remove());
		if (came.failure || (came.result && errorNamed(came.result, 'KernelDied'))) get().doubtServers();
		if (came.result) readPictures(server, {id: cell.id, result: came.result});
		if (!came.failure) void get().followCode(server);
		const ended = cellOf(server, cell.id);
		if (ended !== undefined && hasFailed(ended)) skipBatch(server, cell.batch);
	};

	const goOn = async (server: string, id: number, left: RunningCell): Promise<boolean> => {
		const link = await get().linkOf(server);
		const running = (await journal())?.running;
		const cell = cellOf(server, id);
		if (link === null || running === undefined || cell === undefined) return false;
		const record = running.resume(left);
		changeCell(server, id, {state: 'running', startedAt: cell.earlier?.at ?? null});
		const came = async (): Promise<void> => {
			let run: LiveCell | undefined;
			const found = await overLink(server, {id, kernel: left.kernel}, async onChange => {
				run = await link.goOn(left, left.kernel, onChange, record);
				return run;
			});
			// Its kernel is gone: what came before stands, and when it ended is not known.
			const kept = run?.now() ?? null;
			const {state, result, startedAt, endedAt} = cell;
			const before = {state, startedAt, endedAt, result: kept?.outputs.length ? kept : result};
			end(server, cell, found ?? before, record);
			await runNext(server);
		};
		void came();
		return true;
	};

	const runNext = async (server: string): Promise<void> => {
		const {cells, kernel} = replOf(server);
		if (heldBack.has(server) || cells.some(cell => cell.state === 'running')) return;
		const cell = cells.find(each => each.state === 'queued');
		if (cell === undefined) return;
		const before = keeper.writing(server);
		const begunAt = now();
		const isFirst = !isBehind(server, cell.id);
		changeCell(server, cell.id, {state: 'running', startedAt: isFirst ? begunAt : null});
		if (before !== undefined) await before;
		const link = await get().linkOf(server, {kernel});
		const sentAt = now();
		// A change is drawn before anything else is done, and the cell would be sent after that.
		const wasSoon = isFirst && sentAt - begunAt < SOON_MS;
		if (!wasSoon && !isBehind(server, cell.id)) changeCell(server, cell.id, {startedAt: sentAt});
		const record = link && (await journal())?.running.record(server, {id: cell.id, kernel});
		const came =
			(link &&
				(await overLink(server, {id: cell.id, kernel}, async onChange =>
					link.run(cell.source, kernel, onChange, undefined, record ?? undefined),
				))) ??
			(await overService(server, cell, kernel));
		// It was behind one that is not over: a service that runs them side by side.
		if (cellOf(server, cell.id)?.startedAt === null) changeCell(server, cell.id, {startedAt: sentAt});
		end(server, cell, came, record);
		await runNext(server);
	};

	return {
		runNext,
		goOn,
		skipBatch,
		holdBack(server) {
			heldBack.set(server, (heldBack.get(server) ?? 0) + 1);
			return () => {
				const left = (heldBack.get(server) ?? 1) - 1;
				if (left > 0) return void heldBack.set(server, left);
				heldBack.delete(server);
				void runNext(server);
			};
		},
		stop(id) {
			stopped.add(id);
			stops.get(id)?.();
		},
		answer: (id, text) => answers.get(id)?.(text),
	};
};
