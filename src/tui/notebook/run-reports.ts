import type {CellOutput} from '../../contract/cells.ts';
import {joinMultiline} from '../../text/output/multiline.ts';
import {indexOfKey} from '../../text/notebook/edit.ts';
import {label} from '../../text/safe.ts';
import {part, type App} from '../core/app.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {State} from '../core/program.ts';
import {notices} from '../core/store/notices.ts';
import {route} from '../core/store/route.ts';
import {isOnScreen} from '../core/store/unseen-results.ts';
import type {ServerFile} from '../files/content.ts';
import {fileViewer} from '../files/viewer/open-file.ts';
import {notebookList} from './notebooks.ts';
import {isPendingRun, type OpenNotebook, type Run} from './open-notebook.ts';

const errorOf = ({result}: Run): CellOutput | undefined =>
	result?.outputs.findLast(output => output.output_type === 'error');

/** True if a cell has failed, so that later cells do not run; false if the user stopped it. */
const hasFailed = (run: Run | undefined): run is Run =>
	run?.state === 'failed' || (run?.state === 'done' && errorOf(run) !== undefined);

/** Reason why a run ended, as the end of a sentence. */
const reasonOf = (run: Run): string => {
	const error = errorOf(run);
	if (error === undefined) return run.failure?.message ?? 'its result is unknown';
	const words = [error['ename'], error['evalue']].map(each => joinMultiline(each)).filter(Boolean);
	return label(words.join(': ').split('\n', 1)[0] ?? '', 120);
};

/** A run that ended before its last cell. `key`: key of the failed cell. */
type Stopped = {readonly key: number; readonly run: Run; readonly skipped: number};

const stoppedIn = ({runs}: OpenNotebook, keys: ReadonlySet<number>): Stopped | undefined => {
	const all = [...keys].map(key => ({key, run: runs.get(key)}));
	const skipped = all.filter(({run}) => run?.state === 'skipped').length;
	const failed = all.findLast(({run}) => hasFailed(run));
	return failed?.run && {key: failed.key, run: failed.run, skipped};
};

/** Shows an open notebook and selects one of its cells. */
const goToCell = ({get}: App, {server, path}: ServerFile, key: number): void => {
	route(get).chooseServer(server, 'files');
	if (get().viewers.get(server)?.path !== path) void fileViewer(get).openFile(server, path);
	route(get).focusPart('files', 'viewer');
	notebookList(get).changeNotebook({server, path}, () => ({at: key, top: {key, row: 0}}));
};

/** Cells of a server's notebooks that have ended, and whether the last of them failed. */
export const endedCells = (
	{notebooks}: Pick<State, 'notebooks'>,
	server: string,
): {readonly count: number; readonly failed: boolean} => {
	const ended = [...notebooks.values()]
		.filter(open => open.server === server)
		.flatMap(({runs}) => [...runs.values()])
		.filter(({endedAt}) => endedAt !== null);
	const last = ended.reduce<Run | undefined>(
		(latest, run) => ((run.endedAt ?? 0) >= (latest?.endedAt ?? 0) ? run : latest),
		undefined,
	);
	return {count: ended.length, failed: hasFailed(last)};
};

export type RunReports = {
	/**
	 * Reports cells that were still waiting when their program ended. Bundles that load late call
	 * this, because key names are not set in them.
	 */
	reportUnsent(path: string, count: number): void;
};

/** Reports notebook runs that stopped at a failed cell, in a notice that leads to the cell. */
export const runReports = part('runReports', (app: App): RunReports => {
	const {get, subscribe} = app;
	/** Cells of the current run, by notebook. */
	const running = new Map<string, ReadonlySet<number>>();
	const report = (open: OpenNotebook, keys: ReadonlySet<number>): void => {
		const stopped = stoppedIn(open, keys);
		if (stopped === undefined) return;
		// A single cell that fails on screen needs no notice.
		if (keys.size === 1 && isOnScreen(get(), open.server, 'files')) return;
		const {key, run, skipped} = stopped;
		const rest =
			skipped === 0 ? '' : skipped === 1 ? ' One cell did not run.' : ` ${skipped} cells did not run.`;
		notices(get).notify(
			'bad',
			`${label(open.path, 60)} stopped at cell ${indexOfKey(open.notebook, key) + 1} (${keyFor('anywhere.follow')} goes there): ${reasonOf(run)}.${rest}`,
			{leads: () => goToCell(app, open, key)},
		);
	};
	subscribe((state, old) => {
		if (state.notebooks === old.notebooks) return;
		for (const [name, open] of state.notebooks) {
			if (old.notebooks.get(name)?.runs === open.runs) continue;
			const pending = [...open.runs].filter(([, run]) => isPendingRun(run)).map(([key]) => key);
			const before = running.get(name);
			if (pending.length > 0) running.set(name, new Set([...(before ?? []), ...pending]));
			else if (before !== undefined) {
				running.delete(name);
				report(open, before);
			}
		}
	});
	return {
		reportUnsent(path, count) {
			const [cells, were, each, them] =
				count === 1 ? ['cell', 'was', 'it', 'it'] : ['cells', 'were', 'each', 'them'];
			notices(get).notify(
				'info',
				`${count} ${cells} of ${label(path, 200)} waited when the last program ended and ${were} not sent: ${keyFor('notebook.run')} on ${each} runs ${them}`,
			);
		},
	};
});
