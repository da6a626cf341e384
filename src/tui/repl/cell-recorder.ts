import type {CellJournal} from '../../storage/cell-journal.ts';
import type {CellAccess} from './cell-access.ts';
import {storageErrorText} from '../../machine/disk-fault.ts';
import type {CellState} from '../cells/cell.ts';

/** Writes cells to the journal on disk. */
export type CellRecorder = {
	asked(server: string, cell: Parameters<CellJournal['asked']>[1]): void;
	/** Records the outputs of a cell so far. */
	ended(server: string, id: number): void;
	/** Pending write of a server's cells; undefined if there is none. */
	writing(server: string): Promise<unknown> | undefined;
	/** Resolves once everything is on disk, or cannot be written. */
	settled(): Promise<void>;
};

const nextTurn = async (): Promise<void> =>
	new Promise(resolve => {
		setImmediate(resolve);
	});

/**
 * Writes in the background; a cell is sent once it and the earlier ones are written. A disk that
 * fails does not stop the work: `tell` reports it once.
 */
export const createCellRecorder = (
	journal: () => Promise<CellJournal | null>,
	{cellOf, replOf}: CellAccess,
	tell: (words: string) => void,
): CellRecorder => {
	let hasTold = false;
	/** Pending write of each server's cells. */
	const written = new Map<string, Promise<unknown>>();
	const keep = (
		server: string,
		write: (kept: CellJournal) => Promise<void>,
		isReady?: () => Promise<void>,
	): void => {
		const before = written.get(server) ?? Promise.resolve();
		written.set(
			server,
			before
				.then(async () => {
					await isReady?.();
					const kept = await journal();
					if (kept !== null) await write(kept);
				})
				.catch((error: unknown) => {
					if (!hasTold)
						tell(
							`Cells cannot be kept on disk (${storageErrorText(error)}): they end with this program. :export writes them elsewhere.`,
						);
					hasTold = true;
				}),
		);
	};
	return {
		asked: (server, cell) => keep(server, async kept => kept.asked(server, cell)),
		ended(server, id) {
			const cell = cellOf(server, id);
			if (cell === undefined) return;
			const {startedAt, endedAt, result, failure, life, others, isLastOfKernel, earlier} = cell;
			const state: CellState = replOf(server).asks?.cell === id ? 'unanswered' : cell.state;
			const known = {startedAt, endedAt, result, failure, life, others, isLastOfKernel};
			// Draws first: writing a long output takes a while.
			keep(
				server,
				async kept => kept.ended(server, {id: earlier?.id ?? id, state, ...known}, earlier?.session),
				nextTurn,
			);
		},
		writing: server => written.get(server),
		async settled() {
			await Promise.all(written.values());
		},
	};
};
