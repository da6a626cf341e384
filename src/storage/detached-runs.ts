// Runs that commands have detached from, so that only the kernel continues. Each has a run log.
// After the end of the run only a log with a header remains.
import {dirname} from 'node:path';
import {writeAtOnce} from '../machine/atomic-write.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {runLine} from './run-log-lines.ts';
import type {DetachedDocument, LeftRun, RunLogs} from './run-log.ts';
import type {ServiceStorage} from './service-storage.ts';

/** `in-use`: another command is sending the run's cells, or is collecting its outputs. */
export type DetachedRun = {
	readonly document: DetachedDocument;
	readonly log: LeftRun;
	readonly state: 'left' | 'in-use' | 'ended';
};

/** Detached runs of a service, also ended ones of the last month. */
export const detachedRuns = (runs: Pick<RunLogs, 'left' | 'owned'>): readonly DetachedRun[] => {
	const of = (logs: readonly LeftRun[], state: 'left' | 'in-use'): readonly DetachedRun[] =>
		logs.flatMap(log => {
			const {document} = log;
			if (document.kind !== 'detached') return [];
			return [{document, log, state: document.ended === null ? state : 'ended'}];
		});
	const all = [...of(runs.left(), 'left'), ...of(runs.owned(), 'in-use')];
	// A command may have been killed before it removed the log of an ended run.
	const ended = new Set(all.flatMap(({document, state}) => (state === 'ended' ? [document.id] : [])));
	return all.filter(({document, state}) => state === 'ended' || !ended.has(document.id));
};

/** Records the end of a run. Call it before its log is removed. */
export const recordEnd = (
	storage: ServiceStorage,
	server: string,
	document: DetachedDocument,
	ended: NonNullable<DetachedDocument['ended']>,
): void => {
	const file = storage.fileOf('runs', document.id);
	makeFolder(dirname(file));
	writeAtOnce(file, runLine({head: {server, document: {...document, notebook: null, ended}}}));
};
