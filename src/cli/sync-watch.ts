import {lstatSync} from 'node:fs';
import {join} from 'node:path';
import type {FailureKind} from '../api/failure.ts';
import {localExists} from '../machine/local-file.ts';
import {listFolder, type LocalTree} from '../machine/local-tree.ts';
import {POLL_EVERY, watchTree} from '../machine/watch-tree.ts';
import {label} from '../text/safe.ts';
import {CommandError} from './command-error.ts';
import type {Context} from './context.ts';
import {printNotice} from './print.ts';
import {emptyReport, printRound, type SyncReport} from './sync-report.ts';
import type {FilesInSync} from './sync-send.ts';

/** Failures after which a retry may succeed. */
const PASSING: ReadonlySet<FailureKind> = new Set<FailureKind>(['connection-lost', 'timeout', 'unreachable']);
/** Delay before unsent changes are sent again, in ms. It doubles with each failure. */
const RETRY = {first: 1000, longest: 60_000} as const;
/** Age in ms up to which a file may be written again with the same timestamp. */
const JUST_NOW = 100;

type Listed = ReturnType<typeof listFolder>;

/** Watched folder, with the files known to be equal on the server. */
export type Watched = {
	readonly inStep: FilesInSync;
	/** Files that were sent or compared, and have not been deleted on the server since. */
	readonly known: Map<string, {readonly hash: string; readonly mark: string}>;
	/** Lists the current files. @throws {LocalFileError} if the folder itself no longer exists. */
	list(): Listed;
	/** Files that may have changed since they were sent or compared. */
	changed(tree: LocalTree): readonly string[];
	/**
	 * Uploads changes until stopped. `first`: report that was already printed. `carry`: uploads
	 * changes, and returns true if all succeeded.
	 */
	keep(
		context: Context,
		first: SyncReport,
		carry: (now: Listed, report: SyncReport) => Promise<boolean>,
	): Promise<never>;
	close(): void;
};

export const watchFolder = (folder: string): Watched => {
	const watch = watchTree(folder);
	const known: Watched['known'] = new Map();
	/**
	 * State of each file, by path, taken before reading the file. Empty if two contents could have
	 * the same state.
	 */
	let marks: ReadonlyMap<string, string> = new Map();
	const markOf = (path: string): string => {
		const stats = lstatSync(join(folder, path), {throwIfNoEntry: false});
		if (!stats || Date.now() - stats.mtimeMs < JUST_NOW) return '';
		return [stats.mtimeMs, stats.ctimeMs, stats.size, stats.ino].join();
	};
	const list = (): Listed =>
		watch.walk(entering => {
			const listed = listFolder(folder, entering);
			marks = new Map(listed.tree.files.map(path => [path, markOf(path)]));
			return listed;
		});
	return {
		known,
		inStep: {
			has: (path, hash) => known.get(path)?.hash === hash,
			set: (path, hash) => known.set(path, {hash, mark: marks.get(path) ?? ''}),
		},
		list,
		changed: ({files}) =>
			files.filter(path => {
				const mark = known.get(path)?.mark ?? '';
				return mark === '' || mark !== marks.get(path);
			}),
		close: watch.close,
		async keep(context, first, carry) {
			const wordsOf = ({path, message}: SyncReport['failed'][number]): string =>
				`${label(path, 200)}: ${label(message, 400)}`;
			let said = new Set(first.failed.map(wordsOf));
			const noteOnce = async (text: string): Promise<void> => {
				if (!said.has(text)) await printNotice(context, text);
				said.add(text);
			};
			/** Uploads the changes. Returns true if all of them succeeded. */
			const scan = async (): Promise<boolean> => {
				const now = list();
				const report = emptyReport(now.tree);
				try {
					const isDone = await carry(now, report);
					if (isDone) said = new Set();
					for (const each of report.failed)
						// Reported only for existing files, because an editor may have removed its
						// temporary files.
						if (await localExists(join(folder, each.path))) await noteOnce(wordsOf(each));
					return isDone;
				} catch (error) {
					const kind = error instanceof CommandError ? error.failure?.kind : undefined;
					if (!(error instanceof CommandError) || kind === undefined || !PASSING.has(kind)) throw error;
					await noteOnce(`${error.message} Changes will be uploaded when the service responds again.`);
					return false;
				} finally {
					await printRound(context, report);
				}
			};
			await printNotice(context, `Watching ${label(folder, 200)}; press Ctrl-C to stop.`);
			let isPollingSaid = false;
			let pause = 0;
			let retry: number = RETRY.first;
			for (;;) {
				if (watch.fault !== null && !isPollingSaid) {
					isPollingSaid = true;
					await printNotice(
						context,
						`File watching is not available here (${watch.fault}); scanning the folder every ${POLL_EVERY / 1000} s.`,
					);
				}
				await watch.changed(context.signal, pause);
				if (await scan()) {
					pause = Infinity;
					retry = RETRY.first;
				} else {
					pause = retry;
					retry = Math.min(retry * 2, RETRY.longest);
				}
			}
		},
	};
};
