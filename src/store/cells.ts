import type {StateCreator} from 'zustand/vanilla';
import type {Failure} from '../api/failure.ts';
import type {ExecutedCell} from '../contract/cells.ts';
import {DEFAULT_KERNEL} from '../contract/names.ts';
import {createEditor, type Editor} from '../text/editor.ts';
import {changed, type ByServer} from './by-server.ts';
import type {Deps} from './deps.ts';
import type {NoticesSlice} from './notices.ts';
import type {SessionSlice} from './session.ts';

/**
 * `detached`: the user stopped waiting; the request is open and a late answer still lands here.
 * `interrupted`: the request was closed and the local service stopped the code; `gave-up`: closed, and the server may still run it.
 */
export type CellState = 'queued' | 'running' | 'detached' | 'done' | 'failed' | 'interrupted' | 'gave-up';

export type Cell = {
	readonly id: number;
	readonly source: string;
	readonly state: CellState;
	/** ms since the epoch. */
	readonly startedAt: number | null;
	readonly endedAt: number | null;
	readonly result: ExecutedCell | null;
	readonly failure: Failure | null;
};

export type Repl = {
	readonly cells: readonly Cell[];
	readonly draft: Editor;
	/** Sources that were run, oldest first. */
	readonly history: readonly string[];
	/** Which entry of the history the draft shows; its length means none. */
	readonly historyAt: number;
	/** What was being typed before the history was entered. */
	readonly stash: string;
	/** First line of the transcript on screen; null follows the end. */
	readonly top: number | null;
};

export const EMPTY_REPL: Repl = {cells: [], draft: createEditor(), history: [], historyAt: 0, stash: '', top: null};

export type CellsSlice = {
	readonly repls: ByServer<Repl>;
	runCell(server: string, source: string): void;
	/** The next rung of Esc: stop waiting, then close the request. True when there was something to stop. */
	stopCell(server: string): boolean;
	/** Empties the editor and keeps what was in it as the newest entry of the history. True when there was something. */
	stashCode(server: string): boolean;
	changeRepl(server: string, change: Partial<Pick<Repl, 'draft' | 'history' | 'historyAt' | 'stash' | 'top'>>): void;
};

export const isPending = (cell: Cell): boolean => cell.state === 'queued' || cell.state === 'running' || cell.state === 'detached';
export const runningCell = (repl: Repl): Cell | undefined => repl.cells.find(cell => cell.state === 'running' || cell.state === 'detached');

export const createCellsSlice = ({client, now}: Deps): StateCreator<CellsSlice & SessionSlice & NoticesSlice, [], [], CellsSlice> => (set, get) => {
	let lastId = 0;
	const requests = new Map<number, AbortController>();
	const replOf = (server: string): Repl => get().repls.get(server) ?? EMPTY_REPL;
	const changeRepl = (server: string, how: (old: Repl) => Partial<Repl>): void =>
		set({repls: changed(get().repls, server, EMPTY_REPL, old => ({...old, ...how(old)}))});
	const changeCell = (server: string, id: number, next: Partial<Cell>): void =>
		changeRepl(server, ({cells}) => ({cells: cells.map(cell => (cell.id === id ? {...cell, ...next} : cell))}));

	const runNext = async (server: string): Promise<void> => {
		const {cells} = replOf(server);
		if (cells.some(cell => cell.state === 'running')) return;
		const cell = cells.find(each => each.state === 'queued');
		if (cell === undefined) return;
		const request = new AbortController();
		requests.set(cell.id, request);
		changeCell(server, cell.id, {state: 'running', startedAt: now()});
		const reply = await (await client()).runCode(server, {code: cell.source, kernel_name: DEFAULT_KERNEL}, {signal: request.signal});
		requests.delete(cell.id);
		const endedAt = now();
		if (reply.ok) changeCell(server, cell.id, {state: 'done', result: reply.value, endedAt});
		else if (reply.failure.kind === 'cancelled') changeCell(server, cell.id, {state: get().isLocal ? 'interrupted' : 'gave-up', endedAt});
		else changeCell(server, cell.id, {state: 'failed', failure: reply.failure, endedAt});
		await runNext(server);
	};

	return {
		repls: new Map(),
		runCell(server, source) {
			changeRepl(server, ({cells, history}) => {
				const kept = history.at(-1) === source ? history : [...history, source];
				const cell: Cell = {id: ++lastId, source, state: 'queued', startedAt: null, endedAt: null, result: null, failure: null};
				return {cells: [...cells, cell], history: kept, historyAt: kept.length, stash: '', top: null, draft: createEditor()};
			});
			void runNext(server);
		},
		stopCell(server) {
			const cell = runningCell(replOf(server));
			if (cell === undefined) return false;
			if (cell.state === 'running') {
				changeCell(server, cell.id, {state: 'detached'});
				void runNext(server);
			} else {
				requests.get(cell.id)?.abort();
			}
			return true;
		},
		stashCode(server) {
			const {draft, history} = replOf(server);
			if (draft.text.trim() === '') return false;
			const kept = [...history, draft.text];
			changeRepl(server, () => ({draft: createEditor(), history: kept, historyAt: kept.length, stash: ''}));
			return true;
		},
		changeRepl: (server, next) => changeRepl(server, () => next),
	};
};
