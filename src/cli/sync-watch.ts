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

/** What goes away by itself. */
const PASSING: ReadonlySet<FailureKind> = new Set<FailureKind>(['connection-lost', 'timeout', 'unreachable']);
/** Milliseconds until what was not sent is tried again, doubled each time. */
const RETRY = {first: 1000, longest: 60_000} as const;
/** Milliseconds: a file that was just written may be written again with the same time. */
const JUST_NOW = 100;

type Listed = ReturnType<typeof listFolder>;

/** A folder that is watched, and which of its files are on the server as they are here. */
export type Watched = {
	readonly inStep: FilesInSync;
	/** Files that were sent or compared, and have not been deleted there since. */
	readonly known: Map<string, {readonly hash: string; readonly mark: string}>;
	/** What is there now. @throws {LocalFileError} where the folder itself is gone */
	list(): Listed;
	/** Files that may differ from what is known of them. */
	changed(tree: LocalTree): readonly string[];
	/** Carries over what changes until it is stopped. `first`: what was done and reported before; `carry` answers whether all is done. */
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
	/** By path, as they were before they were read; empty where that does not tell two contents apart. */
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
			/** Tries to carry over what has changed; whether all is done. */
			const look = async (): Promise<boolean> => {
				const now = list();
				const report = emptyReport(now.tree);
				try {
					const isDone = await carry(now, report);
					if (isDone) said = new Set();
					for (const each of report.failed)
						// An editor's own files come and go.
						if (await localExists(join(folder, each.path))) await noteOnce(wordsOf(each));
					return isDone;
				} catch (error) {
					const kind = error instanceof CommandError ? error.failure?.kind : undefined;
					if (!(error instanceof CommandError) || kind === undefined || !PASSING.has(kind)) throw error;
					await noteOnce(`${error.message} What changes here is sent when the service answers again.`);
					return false;
				} finally {
					await printRound(context, report);
				}
			};
			await printNotice(context, `Watching ${label(folder, 200)}; Ctrl-C ends it.`);
			let isPollingSaid = false;
			let pause = 0;
			let retry: number = RETRY.first;
			for (;;) {
				if (watch.fault !== null && !isPollingSaid) {
					isPollingSaid = true;
					await printNotice(
						context,
						`The system does not tell of changes here (${watch.fault}): the folder is looked through every ${POLL_EVERY / 1000} s.`,
					);
				}
				await watch.changed(context.signal, pause);
				if (await look()) {
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
