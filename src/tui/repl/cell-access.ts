import {EMPTY_REPL, replOf, type Repl} from './transcript.ts';
import {type Cell} from '../cells/cell.ts';
import type {State} from '../core/program.ts';
import {changed} from '../core/store/by-server.ts';

/** Access to the cells of all servers. */
export type CellAccess = {
	replOf(server: string): Repl;
	cellOf(server: string, id: number): Cell | undefined;
	changeRepl(server: string, how: (old: Repl) => Partial<Repl>): void;
	changeCell(server: string, id: number, next: Partial<Cell>): void;
};

export const createCellAccess = (
	set: (next: Pick<State, 'repls'>) => void,
	get: () => Pick<State, 'repls'>,
): CellAccess => {
	const ofServer = (server: string): Repl => replOf(get(), server);
	const changeRepl: CellAccess['changeRepl'] = (server, how) =>
		set({repls: changed(get().repls, server, EMPTY_REPL, old => ({...old, ...how(old)}))});
	return {
		replOf: ofServer,
		cellOf: (server, id) => ofServer(server).cells.find(cell => cell.id === id),
		changeRepl,
		changeCell: (server, id, next) =>
			changeRepl(server, ({cells}) => ({
				cells: cells.map(cell => (cell.id === id ? {...cell, ...next} : cell)),
			})),
	};
};
