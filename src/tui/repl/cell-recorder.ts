import type {LiveRecorder} from '../../api/client-types.ts';
import type {CellJournal} from '../../storage/cell-journal.ts';
import type {RunLog} from '../../storage/run-log.ts';
import type {CellAccess} from './cell-access.ts';
import {storageErrorText} from '../../machine/disk-fault.ts';
import {withWidgetTexts} from '../../text/output/stored-widgets.ts';
import {isPending, type CellState} from '../cells/cell.ts';

/** Writes cells to the journal on disk. */
export type CellRecorder = {
	asked(server: string, cell: Parameters<CellJournal['asked']>[1]): void;
	/** Records the outputs of a cell so far. */
	ended(server: string, id: number): void;
	/** Recorder of a cell that is about to be sent; undefined if it cannot be recorded. */
	record(id: number): LiveRecorder | undefined;
	sentToService(id: number): void;
	/** Records a restored cell in a log that was taken over from an ended program. */
	takeUp(id: number, log: RunLog, number: number): void;
	/** Pending write of a server's cells; undefined if there is none. */
	writing(server: string): Promise<unknown> | undefined;
	/** Resolves once every write has succeeded or failed. */
	settled(): Promise<void>;
};

const nextTurn = async (): Promise<void> =>
	new Promise(resolve => {
		setImmediate(resolve);
	});

/**
 * Writes in the background. A cell is sent once it and all earlier cells are on disk. If the disk
 * fails, cells run without being recorded, and `tell` reports that once.
 */
export const createCellRecorder = (
	journal: () => Promise<CellJournal | null>,
	{cellOf, replOf}: CellAccess,
	logOf: (server: string) => Promise<RunLog | null>,
	tell: (words: string) => void,
): CellRecorder => {
	let hasTold = false;
	/** Log entries of cells whose outputs are not in the journal yet, by cell id. */
	const logged = new Map<number, {readonly log: RunLog; readonly number: number}>();
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
							`Cells cannot be saved to disk (${storageErrorText(error)}): they are lost when this program ends. :export writes them elsewhere.`,
						);
					hasTold = true;
				}),
		);
	};
	return {
		asked: (server, cell) =>
			keep(server, async kept => {
				await kept.asked(server, cell);
				const {id, source, kernel} = cell;
				const log = await logOf(server);
				const [number] = log?.want([{place: {session: kept.session, id}, source, kernel}]) ?? [];
				if (log && number !== undefined) logged.set(id, {log, number});
			}),
		ended(server, id) {
			const cell = cellOf(server, id);
			if (cell === undefined) return;
			const {startedAt, endedAt, result, failure, life, others, isLastOfKernel, earlier} = cell;
			const state: CellState = replOf(server).asks?.cell === id ? 'unanswered' : cell.state;
			const stored = result && {...result, outputs: withWidgetTexts(result.outputs)};
			const known = {startedAt, endedAt, result: stored, failure, life, others, isLastOfKernel};
			const isOver = !isPending(cell);
			// Waits one turn of the event loop first, because writing a long output would delay a
			// frame.
			keep(
				server,
				async kept => {
					await kept.ended(server, {id: earlier?.id ?? id, state, ...known}, earlier?.session);
					const entry = isOver ? logged.get(id) : undefined;
					entry?.log.landed([entry.number]);
					if (entry) logged.delete(id);
				},
				nextTurn,
			);
		},
		record(id) {
			const entry = logged.get(id);
			return entry?.log.record(entry.number);
		},
		sentToService(id) {
			const entry = logged.get(id);
			entry?.log.sentToService(entry.number);
		},
		takeUp: (id, log, number) => void logged.set(id, {log, number}),
		writing: server => written.get(server),
		async settled() {
			await Promise.all(written.values());
		},
	};
};
