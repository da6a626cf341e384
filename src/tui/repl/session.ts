import type {LeftRun} from '../../storage/run-log.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {createEditor} from '../../text/editor/editor.ts';
import type {ByServer} from '../core/store/by-server.ts';
import type {KernelEnd} from '../live/orders.ts';
import {createCellAccess} from './cell-access.ts';
import {createCellRecorder} from './cell-recorder.ts';
import {createPictureReader} from './cell-pictures.ts';
import {createCellRunner} from './cell-runner.ts';
import {runningCell, type Cell} from '../cells/cell.ts';
import {documentLogs} from '../cells/document-logs.ts';
import {type Repl} from './transcript.ts';
import {isOpen} from '../servers/opened.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';

export type CellsState = {readonly repls: ByServer<Repl>};

export type ReplSession = {
	runCell(server: string, source: string): void;
	/** Runs several sources in order and stops at the first failure. */
	runCells(server: string, sources: readonly string[]): void;
	/**
	 * Stops the running cell: a first call stops waiting for it, a second call interrupts it, or
	 * closes its request if it cannot be interrupted. False if no cell is running.
	 */
	stopCell(server: string): boolean;
	/** Sends the typed line to the cell that waits for input. */
	answerCell(server: string): void;
	/** Removes a waiting cell from the queue. */
	dropCell(server: string, id: number): void;
	/**
	 * Announces that the kernel is about to end: no waiting cell is sent until the returned
	 * function receives the outcome. That function may be called more than once.
	 */
	endKernel(server: string): (how: KernelEnd) => void;
	/** Hands the waiting cells over to their kernels, as far as possible. */
	handOverCells(): Promise<unknown>;
	/** Resolves once all known cells are on disk, or could not be written. */
	cellsKept(): Promise<void>;
	/**
	 * Empties the editor and adds its text to the history as the newest entry. False if the editor
	 * was empty.
	 */
	stashCode(server: string): boolean;
	changeRepl(
		server: string,
		change: Partial<
			Pick<
				Repl,
				| 'draft'
				| 'history'
				| 'historyAt'
				| 'stash'
				| 'top'
				| 'selected'
				| 'unfolded'
				| 'sideways'
				| 'kernel'
				| 'find'
				| 'asks'
			>
		>,
	): void;
	/**
	 * Restores cells of earlier runs, before the cells of this run. `kernel`: the kernel used last.
	 */
	putBackCells(
		server: string,
		kept: {
			readonly history: readonly string[];
			readonly cells: readonly Cell[];
			readonly kernel: string | null;
			readonly rest: string | null;
		},
	): void;
	/**
	 * Resumes restored cells that an ended program left in the kernel, once their server can be
	 * reached. `ids`: ids of the cells by their numbers in the log.
	 */
	takeUpRun(server: string, left: LeftRun, ids: ReadonlyMap<number, number>): void;
	/** Adds older cells to the transcript. */
	showOlder(server: string, how: 'some' | 'all'): void;
};

/** Number of earlier cells to show at once: as many as can be laid out within a frame or two. */
const SHOWN_AT_ONCE = 200;

const firstCells = (): CellsState => ({repls: new Map()});

export const replSession = part(
	'replSession',
	({get, set, subscribe, deps: {client, now, journal = async () => null}}: App): ReplSession => {
		let lastId = 0;
		const access = createCellAccess(set, get);
		const {replOf, changeRepl, changeCell} = access;
		const keeper = createCellRecorder(
			journal,
			access,
			async server => documentLogs(get).logOf(server, {kind: 'repl'}),
			words => notices(get).notify('bad', words),
		);
		const readPictures = createPictureReader(access);
		const skip = (server: string, id: number): void => {
			changeCell(server, id, {state: 'skipped'});
			keeper.ended(server, id);
		};
		const {queueOf, takeUp, handOver, stop, answer} = createCellRunner({
			deps: {client, now},
			get,
			access,
			keeper,
			readPictures,
			skip,
		});

		const add = (server: string, source: string, batch?: object): void => {
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
			// Records the cell before it is sent, so that even if this program is killed, a later
			// run finds every cell that may have run.
			keeper.asked(server, {id, source, kernel, at: now()});
			queueOf(server).add([id], batch);
		};

		return {
			runCell(server, source) {
				add(server, source);
				changeRepl(server, () => ({draft: createEditor()}));
			},
			runCells(server, sources) {
				const batch = {};
				for (const source of sources) add(server, source, batch);
			},
			stopCell(server) {
				const cell = runningCell(replOf(server));
				if (cell === undefined) return false;
				// A cell that asks for input cannot be left waiting, so it is stopped.
				const {asks} = replOf(server);
				if (asks !== null) {
					stop(asks.cell);
					return true;
				}
				if (cell.state === 'running') {
					changeCell(server, cell.id, {state: 'detached'});
					queueOf(server).release(cell.id);
				} else {
					stop(cell.id);
				}
				return true;
			},
			answerCell(server) {
				const {asks} = replOf(server);
				if (asks === null) return;
				changeRepl(server, () => ({asks: null}));
				answer(asks.cell, asks.field.text);
				keeper.ended(server, asks.cell);
			},
			handOverCells: handOver,
			async cellsKept() {
				// Stores the output so far of cells that are still running.
				for (const [server, repl] of get().repls) {
					const cell = runningCell(repl);
					if (cell?.result) keeper.ended(server, cell.id);
				}
				await keeper.settled();
			},
			dropCell(server, id) {
				if (queueOf(server).drop(id)) skip(server, id);
			},
			endKernel(server) {
				const {cells} = replOf(server);
				const waiting = cells.filter(({state}) => state === 'queued');
				// Remembers the last cell now: new cells may be sent before the new kernel is
				// ready.
				const last = cells.findLast(({state}) => state !== 'queued' && state !== 'skipped');
				const goOn = queueOf(server).hold();
				let isTold = false;
				return how => {
					if (how !== 'refused') for (const {id} of waiting) replSession(get).dropCell(server, id);
					goOn();
					if (how !== 'ended' || isTold || last === undefined) return;
					isTold = true;
					changeCell(server, last.id, {isLastOfKernel: true});
					if (last.earlier === null) keeper.ended(server, last.id);
				};
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
			takeUpRun(server, left, ids) {
				const isUnsent = left.cells.every(({to}) => to === null);
				let isUnderWay = false;
				const tryIt = async (): Promise<void> => {
					if (isUnderWay || !(isUnsent || isOpen(get(), server))) return;
					isUnderWay = true;
					if (await takeUp(server, left, ids)) stopLooking();
					isUnderWay = false;
				};
				const stopLooking = subscribe((state, old) => {
					if (state.servers !== old.servers || state.tried !== old.tried || state.links !== old.links)
						void tryIt();
				});
				void tryIt();
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
	},
	firstCells,
);
