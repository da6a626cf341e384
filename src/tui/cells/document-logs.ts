import type {CellJournal} from '../../storage/cell-journal.ts';
import type {LeftRun, RunDocument, RunLog} from '../../storage/run-log.ts';
import {part, type App} from '../core/app.ts';

declare module '../core/store/deps.ts' {
	interface Deps {
		/** Journal of the cells; null if the disk cannot be used. */
		readonly journal?: () => Promise<CellJournal | null>;
	}
}

export type DocumentLogs = {
	/** Log of the cells of a document. Null if the disk cannot be used. */
	logOf(server: string, document: RunDocument): Promise<RunLog | null>;
	/**
	 * Takes over a log that an ended program left behind. Null if another program already has it.
	 */
	resume(left: LeftRun): Promise<RunLog | null>;
};

export const documentLogs = part(
	'documentLogs',
	({deps: {journal = async () => null}}: App): DocumentLogs => {
		const logs = new Map<string, RunLog>();
		const keyOf = (server: string, document: RunDocument): string =>
			JSON.stringify([server, document.kind === 'notebook' ? document.path : null]);
		return {
			async logOf(server, document) {
				const kept = await journal();
				if (kept === null) return null;
				const key = keyOf(server, document);
				const log = logs.get(key) ?? kept.runs.open(server, document);
				logs.set(key, log);
				return log;
			},
			async resume(left) {
				const log = (await journal())?.runs.resume(left) ?? null;
				const key = keyOf(left.server, left.document);
				if (log !== null && !logs.has(key)) logs.set(key, log);
				return log;
			},
		};
	},
);
