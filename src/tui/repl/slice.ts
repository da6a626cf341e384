import type {Failure} from '../../api/failure.ts';
import type {CellOutput, ExecutedCell} from '../../contract/cells.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {createEditor, type Editor} from '../../text/editor/editor.ts';
import type {Slice} from '../core/program.ts';
import {changed, type ByServer} from '../core/store/by-server.ts';
import type {Deps} from '../core/store/deps.ts';
import {readPicture, type Picture} from './read-picture.ts';
import {errorWords} from '../../text/error-words.ts';

/**
 * `detached`: the user stopped waiting; the request is open and a late answer still lands here.
 * `interrupted`: the request was closed and the local service stopped the code; `gave-up`: closed, and the server may still run it.
 * `skipped`: not sent, since a cell before it in the same order failed, or taken out of the queue.
 * `unknown`: the program ended before the answer was there.
 */
export type CellState =
	'queued' | 'running' | 'detached' | 'done' | 'failed' | 'interrupted' | 'gave-up' | 'skipped' | 'unknown';

export type Cell = {
	readonly id: number;
	readonly source: string;
	readonly state: CellState;
	/** ms since the epoch: when it was sent, or when the cell before it was over that the service had still to run. */
	readonly startedAt: number | null;
	readonly endedAt: number | null;
	readonly result: ExecutedCell | null;
	readonly failure: Failure | null;
	/** Pictures among the outputs by the index of their output, as they are read. */
	readonly pictures: ReadonlyMap<number, Picture>;
	/** In which earlier program it was handed in, and when; null for cells of this one. */
	readonly earlier: {readonly session: string; readonly at: number} | null;
	/** Cells that were ordered together: when one fails, those after it are not run. */
	readonly batch: number | null;
};

export type Repl = {
	/** Those in the transcript. */
	readonly cells: readonly Cell[];
	/** Those of earlier programs that come before them once one reads that far up: laying them out takes a while. */
	readonly older: readonly Cell[];
	/** Files with cells that are older still. */
	readonly rest: string | null;
	readonly draft: Editor;
	/** Sources that were run, oldest first. */
	readonly history: readonly string[];
	/** Which entry of the history the draft shows; its length means none. */
	readonly historyAt: number;
	/** What was being typed before the history was entered. */
	readonly stash: string;
	/** First row of the transcript on screen, as a row of a cell: what changes above it does not move it. Null follows the end. */
	readonly top: {readonly cell: number; readonly row: number} | null;
	/** Cell under the cursor of the transcript; null is the last. */
	readonly selected: number | null;
	/** Cells whose outputs are shown whole. */
	readonly unfolded: ReadonlySet<number>;
	readonly kernel: string;
	/** What is looked for in the cells, and where it was found last: a row of a cell that is not folded, the `number`th of `count`. */
	readonly find: {
		readonly field: Editor;
		readonly at: {
			readonly cell: number;
			readonly row: number;
			readonly number: number;
			readonly count: number;
		} | null;
	};
};

export const EMPTY_REPL: Repl = {
	cells: [],
	older: [],
	rest: null,
	draft: createEditor(),
	history: [],
	historyAt: 0,
	stash: '',
	top: null,
	selected: null,
	unfolded: new Set(),
	kernel: DEFAULT_KERNEL,
	find: {field: createEditor(), at: null},
};

/** What is known of the code of a server. */
export const replOf = ({repls}: {readonly repls: ByServer<Repl>}, server: string): Repl =>
	repls.get(server) ?? EMPTY_REPL;

export type CellsSlice = {
	readonly repls: ByServer<Repl>;
	runCell(server: string, source: string): void;
	/** Runs them one after the other, as long as none fails. */
	runCells(server: string, sources: readonly string[]): void;
	/** The next rung of Esc: stop waiting, then close the request. True when there was something to stop. */
	stopCell(server: string): boolean;
	/** Takes a cell that waits out of the queue. */
	dropCell(server: string, id: number): void;
	/** Resolves when all that is known of cells is on disk, or cannot be. */
	cellsKept(): Promise<void>;
	/** Empties the editor and keeps what was in it as the newest entry of the history. True when there was something. */
	stashCode(server: string): boolean;
	changeRepl(
		server: string,
		change: Partial<
			Pick<
				Repl,
				'draft' | 'history' | 'historyAt' | 'stash' | 'top' | 'selected' | 'unfolded' | 'kernel' | 'find'
			>
		>,
	): void;
	/** What earlier programs have run; it comes before all that was run here. `kernel`: the one used last. */
	putBackCells(
		server: string,
		kept: {
			readonly history: readonly string[];
			readonly cells: readonly Cell[];
			readonly kernel: string | null;
			readonly rest: string | null;
		},
	): void;
	/** Puts older cells into the transcript: some, or all of them. */
	showOlder(server: string, how: 'some' | 'all'): void;
};

export const isPending = (cell: Cell): boolean =>
	cell.state === 'queued' || cell.state === 'running' || cell.state === 'detached';

type Activity = {readonly running: Cell | undefined; readonly queued: number};
const activities = new WeakMap<Repl['cells'], Activity>();
const indexes = new WeakMap<Repl['cells'], ReadonlyMap<number, number>>();

/** What the cells are doing, looked up at every key: gone through once for an array of them, which nobody changes. */
const activityOf = (cells: Repl['cells']): Activity => {
	const known = activities.get(cells);
	if (known !== undefined) return known;
	const found = {
		running: cells.find(cell => cell.state === 'running' || cell.state === 'detached'),
		queued: cells.filter(cell => cell.state === 'queued').length,
	};
	activities.set(cells, found);
	return found;
};

export const runningCell = ({cells}: Pick<Repl, 'cells'>): Cell | undefined => activityOf(cells).running;
export const queuedCells = ({cells}: Pick<Repl, 'cells'>): number => activityOf(cells).queued;
/** Place of a cell among all; -1 when there is none. */
export const indexOfCell = ({cells}: Pick<Repl, 'cells'>, id: number): number => {
	const known = indexes.get(cells) ?? new Map(cells.map((cell, index) => [cell.id, index]));
	indexes.set(cells, known);
	return known.get(id) ?? -1;
};
export const hasFailed = (cell: Cell): boolean =>
	cell.state === 'failed' ||
	cell.state === 'interrupted' ||
	cell.state === 'gave-up' ||
	(cell.result?.outputs.some(output => output.output_type === 'error') ?? false);

/** Base64 of the picture in an output that has one. */
export const pictureIn = ({data}: CellOutput): string | null => {
	if (typeof data !== 'object' || data === null) return null;
	const found: unknown =
		(data as Record<string, unknown>)['image/png'] ?? (data as Record<string, unknown>)['image/jpeg'];
	return typeof found === 'string' ? found : Array.isArray(found) ? found.join('') : null;
};

/** Cells of earlier programs that are laid out within a frame or two. */
const SHOWN_AT_ONCE = 200;

const nextTurn = async (): Promise<void> =>
	new Promise(resolve => {
		setImmediate(resolve);
	});

export const createCellsSlice =
	({client, now, journal = async () => null}: Deps): Slice<CellsSlice> =>
	(set, get) => {
		let lastId = 0;
		let lastBatch = 0;
		let hasTold = false;
		const requests = new Map<number, AbortController>();
		/** Of each server, what is being written of its cells. */
		const written = new Map<string, Promise<unknown>>();
		const replOf = (server: string): Repl => get().repls.get(server) ?? EMPTY_REPL;
		const changeRepl = (server: string, how: (old: Repl) => Partial<Repl>): void =>
			set({repls: changed(get().repls, server, EMPTY_REPL, old => ({...old, ...how(old)}))});
		const changeCell = (server: string, id: number, next: Partial<Cell>): void =>
			changeRepl(server, ({cells}) => ({
				cells: cells.map(cell => (cell.id === id ? {...cell, ...next} : cell)),
			}));

		/** Writes while the service works; the next cell of the server waits for it. A disk that takes nothing does not stop the work. */
		const keep = (
			server: string,
			write: (kept: NonNullable<Awaited<ReturnType<typeof journal>>>) => Promise<void>,
		): void => {
			const before = written.get(server) ?? Promise.resolve();
			written.set(
				server,
				before
					.then(async () => {
						// What is on screen comes first: a long output takes a while to be written out.
						await nextTurn();
						const kept = await journal();
						if (kept !== null) await write(kept);
					})
					.catch((error: unknown) => {
						if (!hasTold)
							get().notify(
								'bad',
								`Cells cannot be kept on disk (${errorWords(error)}): they end with this program. :export writes them elsewhere.`,
							);
						hasTold = true;
					}),
			);
		};
		const keepEnd = (server: string, id: number): void => {
			const cell = replOf(server).cells.find(each => each.id === id);
			if (cell !== undefined)
				keep(server, async kept =>
					kept.ended(server, {
						id,
						state: cell.state,
						startedAt: cell.startedAt,
						endedAt: cell.endedAt,
						result: cell.result,
						failure: cell.failure,
					}),
				);
		};

		const readPictures = (server: string, {id, result}: Pick<Cell, 'id' | 'result'>): void => {
			for (const [index, output] of result?.outputs.entries() ?? []) {
				const base64 = pictureIn(output);
				if (base64 !== null) {
					void readPicture(Buffer.from(base64, 'base64')).then(picture => {
						const cell = replOf(server).cells.find(each => each.id === id);
						if (cell !== undefined)
							changeCell(server, id, {pictures: new Map(cell.pictures).set(index, picture)});
					});
				}
			}
		};

		/** What was ordered with a cell that failed and not sent yet. */
		const skipBatch = (server: string, batch: number | null): void => {
			if (batch === null) return;
			for (const cell of replOf(server).cells)
				if (cell.batch === batch && cell.state === 'queued') get().dropCell(server, cell.id);
		};

		const isSent = (cell: Cell): boolean => cell.state === 'running' || cell.state === 'detached';
		/** A cell before it that the user does not wait for is still run: until that is over, it waits in the service. */
		const isBehind = (server: string, id: number): boolean =>
			replOf(server).cells.some(each => each.id < id && isSent(each));

		const runNext = async (server: string): Promise<void> => {
			const {cells, kernel} = replOf(server);
			if (cells.some(cell => cell.state === 'running')) return;
			const cell = cells.find(each => each.state === 'queued');
			if (cell === undefined) return;
			const request = new AbortController();
			requests.set(cell.id, request);
			const before = written.get(server);
			changeCell(server, cell.id, {state: 'running'});
			if (before !== undefined) await before;
			const service = await client();
			const sentAt = now();
			if (!isBehind(server, cell.id)) changeCell(server, cell.id, {startedAt: sentAt});
			const reply = await service.runCode(
				server,
				{code: cell.source, kernel_name: kernel},
				{signal: request.signal},
			);
			requests.delete(cell.id);
			const endedAt = now();
			// It was behind one that is not over: a service that runs them side by side.
			if (replOf(server).cells.find(each => each.id === cell.id)?.startedAt === null)
				changeCell(server, cell.id, {startedAt: sentAt});
			if (reply.ok) changeCell(server, cell.id, {state: 'done', result: reply.value, endedAt});
			else if (reply.failure.kind === 'cancelled')
				changeCell(server, cell.id, {state: get().isLocal ? 'interrupted' : 'gave-up', endedAt});
			else changeCell(server, cell.id, {state: 'failed', failure: reply.failure, endedAt});
			const next = replOf(server).cells.find(each => isSent(each) && each.startedAt === null);
			if (next !== undefined) changeCell(server, next.id, {startedAt: endedAt});
			keepEnd(server, cell.id);
			if (
				reply.ok
					? reply.value.outputs.some(
							output => output.output_type === 'error' && output.ename === 'KernelDied',
						)
					: reply.failure.kind !== 'cancelled'
			)
				get().doubtServers();
			if (reply.ok) readPictures(server, {id: cell.id, result: reply.value});
			if (reply.ok || reply.failure.kind === 'cancelled') void get().followCode(server);
			const ended = replOf(server).cells.find(each => each.id === cell.id);
			if (ended !== undefined && hasFailed(ended)) skipBatch(server, cell.batch);
			await runNext(server);
		};

		const add = (server: string, source: string, batch: number | null): void => {
			const {kernel} = replOf(server);
			const id = ++lastId;
			changeRepl(server, ({cells, history}) => {
				const kept = history.at(-1) === source ? history : [...history, source];
				const cell: Cell = {
					id,
					source,
					state: 'queued',
					startedAt: null,
					endedAt: null,
					result: null,
					failure: null,
					pictures: new Map(),
					earlier: null,
					batch,
				};
				return {
					cells: [...cells, cell],
					history: kept,
					historyAt: kept.length,
					stash: '',
					top: null,
					selected: null,
				};
			});
			void runNext(server);
			keep(server, async kept => kept.asked(server, {id, source, kernel, at: now()}));
		};

		return {
			repls: new Map(),
			runCell(server, source) {
				add(server, source, null);
				changeRepl(server, () => ({draft: createEditor()}));
			},
			runCells(server, sources) {
				const batch = ++lastBatch;
				for (const source of sources) add(server, source, batch);
			},
			stopCell(server) {
				const cell = runningCell(replOf(server));
				if (cell === undefined) return false;
				if (cell.state === 'running') {
					changeCell(server, cell.id, {state: 'detached'});
					// What was ordered together with it is not meant to run beside it.
					skipBatch(server, cell.batch);
					void runNext(server);
				} else {
					requests.get(cell.id)?.abort();
				}
				return true;
			},
			async cellsKept() {
				await Promise.all(written.values());
			},
			dropCell(server, id) {
				if (replOf(server).cells.find(cell => cell.id === id)?.state !== 'queued') return;
				changeCell(server, id, {state: 'skipped'});
				keepEnd(server, id);
			},
			stashCode(server) {
				const {draft, history} = replOf(server);
				if (draft.text.trim() === '') return false;
				const kept = [...history, draft.text];
				changeRepl(server, () => ({draft: createEditor(), history: kept, historyAt: kept.length, stash: ''}));
				return true;
			},
			changeRepl: (server, next) => changeRepl(server, () => next),
			putBackCells(server, kept) {
				const last = kept.cells.at(-1)?.earlier?.session;
				const from = Math.max(
					kept.cells.findIndex(cell => cell.earlier?.session === last),
					kept.cells.length - SHOWN_AT_ONCE,
					0,
				);
				const shown = kept.cells.slice(from);
				changeRepl(server, ({cells, history, historyAt, kernel}) => ({
					cells: [...shown, ...cells],
					older: kept.cells.slice(0, from),
					rest: kept.rest,
					history: [...kept.history, ...history],
					historyAt: historyAt + kept.history.length,
					kernel: kernel === DEFAULT_KERNEL ? (kept.kernel ?? kernel) : kernel,
				}));
				for (const cell of shown) readPictures(server, cell);
			},
			showOlder(server, how) {
				const {older} = replOf(server);
				if (older.length === 0) return;
				const from = how === 'all' ? 0 : Math.max(0, older.length - SHOWN_AT_ONCE);
				const shown = older.slice(from);
				changeRepl(server, ({cells}) => ({cells: [...shown, ...cells], older: older.slice(0, from)}));
				for (const cell of shown) readPictures(server, cell);
			},
		};
	};
