// Steps before quitting: a running save, the journal of cells, and the question about retained
// servers.
import {setImmediate as nextTurn, setTimeout as sleep} from 'node:timers/promises';
import {commandName} from '../settings/command-name.ts';
import {label} from '../text/safe.ts';
import type {LocalService} from './own-local-service.ts';
import type {Session} from './session.ts';
import {summary, type RetainedSummary} from './summary.ts';
import {notices} from '../tui/core/store/notices.ts';
import {route} from '../tui/core/store/route.ts';
import type {State} from '../tui/core/program.ts';
import type {CellState} from '../tui/cells/cell.ts';
import {notebookList} from '../tui/notebook/notebooks.ts';
import {replSession} from '../tui/repl/session.ts';
import {fileSaving} from '../tui/files/saving/saving.ts';

const LONGEST_SAVE_MS = 5000;
/** Longest wait for the journal, in ms. Usually it is a few ms behind the screen. */
const LONGEST_JOURNAL_MS = 1000;

type Start = {
	readonly session: () => Session;
	readonly local: LocalService;
	/** Resolves once no reply of the terminal is pending. */
	readonly answered: () => Promise<void>;
	readonly finish: (code: number, words: string) => void;
};

/** Hands all waiting cells over to their kernels. */
const handOver = async (get: () => State): Promise<void> => {
	await Promise.all([replSession(get).handOverCells(), notebookList(get).runner.handOver()]);
	// If a socket could not write data immediately, the system receives the data one turn of the
	// event loop later.
	await nextTurn();
};

/**
 * Hands waiting cells over, within the second that the program has after a signal. Null if no cells
 * are waiting.
 */
export const handOverInTime = (get: () => State): Promise<unknown> | null => {
	const {repls, notebooks} = get();
	const waits = ({state}: {readonly state: CellState}): boolean => state === 'queued';
	const hasCells =
		[...repls.values()].some(({cells}) => cells.some(waits)) ||
		[...notebooks.values()].some(({runs}) => [...runs.values()].some(waits));
	return hasCells ? Promise.race([handOver(get), sleep(LONGEST_JOURNAL_MS)]) : null;
};

/**
 * Makes the handler of the quit key. After a failed save the program keeps running and shows the
 * error.
 */
export const createQuitting = ({session, local, answered, finish}: Start): (() => Promise<void>) => {
	let isLeaving = false;
	let isAsking = false;
	const handedOver = async (): Promise<unknown> =>
		Promise.race([handOver(session().store.getState), sleep(LONGEST_JOURNAL_MS)]);
	const journalWritten = async (): Promise<unknown> =>
		Promise.race([replSession(session().store.getState).cellsKept(), sleep(LONGEST_JOURNAL_MS)]);
	/**
	 * Text to print at the end. Waiting cells are handed over to their kernels. Cells for which
	 * this fails are recorded as not run, for the next program.
	 */
	const lastWords = async (staying: RetainedSummary | null): Promise<string> => {
		const {store} = session();
		await handedOver();
		const words = summary(store, staying);
		const {repls} = store.getState();
		for (const [server, {cells}] of repls)
			for (const {id, state} of cells)
				if (state === 'queued') replSession(store.getState).dropCell(server, id);
		await journalWritten();
		return words;
	};
	const leave = async (staying: RetainedSummary | null): Promise<void> => {
		const words = await lastWords(staying);
		// Closed before the service stops, because an open session would restart the service.
		session().close();
		if (staying === null) await local.stop();
		finish(0, words);
	};
	return async () => {
		const {saving} = session().store.getState();
		if (saving.length > 0 && !isLeaving) {
			isLeaving = true;
			notices(session().store.getState).notify(
				'info',
				`${saving.map(path => label(path, 60)).join(', ')} is still being saved. Waiting up to ${LONGEST_SAVE_MS / 1000} seconds; press again to quit now.`,
			);
			const isSaved = await Promise.race([
				fileSaving(session().store.getState).savesEnd(),
				sleep(LONGEST_SAVE_MS, true),
			]);
			isLeaving = false;
			if (!isSaved) return;
		}
		// The user may have pressed the key again, or the save may have ended after the question
		// appeared.
		if (
			isAsking ||
			session()
				.store.getState()
				.dialogs.some(({kind}) => kind === 'keep')
		)
			return;
		isAsking = true;
		await journalWritten();
		await answered();
		const staying = await local.staying();
		const {names, span} = staying ?? {};
		if (!staying?.asks || !staying.isLast || !names?.length || span === undefined)
			return finish(0, await lastWords(staying));
		isAsking = false;
		route(session().store.getState).openDialog({
			kind: 'keep',
			names,
			span,
			stopCommand: `${commandName()} local stop`,
			decide: isKept => void leave(isKept ? staying : null),
		});
	};
};
