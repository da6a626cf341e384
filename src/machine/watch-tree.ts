import {watch, type FSWatcher} from 'node:fs';
import {basename, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {codeOf} from '../text/errors.ts';

/**
 * Wait after a change for further changes, because editors write in steps, and the longest such
 * wait. In ms.
 */
const QUIET = 200;
const LONGEST_QUIET = 2000;
/** Interval in ms at which folders are read if the system does not report changes. */
export const POLL_EVERY = 2000;
/**
 * Errors that watching does not report, because they also prevent listing the folder, which reports
 * them.
 */
const OF_ONE_FOLDER: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

/**
 * Watches a folder and the subfolders that a walk enters, with one watch each. Node's recursive
 * watch and chokidar watch every file, even in ignored folders, and follow links.
 */
export type TreeWatch = {
	/**
	 * Lists the folders. `list` must call `entering` before it lists a folder, because changes are
	 * noticed from then on. Folders that it does not enter are no longer watched.
	 */
	walk<T>(list: (entering: (path: string) => void) => T): T;
	/** Waits for a change since the last walk, or `within` ms. @throws AbortError if aborted. */
	changed(signal: AbortSignal, within?: number): Promise<void>;
	/**
	 * Error code if watching has failed, else null. {@link TreeWatch.changed} then returns every
	 * {@link POLL_EVERY} ms.
	 */
	readonly fault: string | null;
	close(): void;
};

export const watchTree = (folder: string, open: typeof watch = watch): TreeWatch => {
	const watches = new Map<string, FSWatcher>();
	let fault: string | null = null;
	/** Times of the first and last change since the last walk. */
	let noticed: {readonly first: number; last: number} | null = null;
	let wake = (): void => {};

	const dropWhere = (isMeant: (path: string) => boolean): void => {
		for (const [path, each] of watches) {
			if (!isMeant(path)) continue;
			each.close();
			watches.delete(path);
		}
	};
	const dropBelow = (path: string): void => {
		if (watches.has(path)) dropWhere(each => each === path || path === '' || each.startsWith(`${path}/`));
	};
	const tell = (): void => {
		const now = performance.now();
		if (noticed !== null) noticed.last = now;
		else {
			noticed = {first: now, last: now};
			wake();
		}
	};
	const enter = (path: string): void => {
		if (fault !== null || watches.has(path)) return;
		const place = join(folder, path);
		try {
			const opened = open(place);
			watches.set(path, opened);
			opened.on('change', (kind, name) => {
				// The folder may have been replaced. The next walk then watches the new folder.
				if (kind === 'rename') {
					dropBelow(typeof name === 'string' ? join(path, name) : path);
					if (name === basename(place)) dropBelow(path);
				}
				tell();
			});
			opened.on('error', () => {
				dropWhere(each => each === path);
				tell();
			});
		} catch (error) {
			const code = codeOf(error);
			if (code === '') throw error;
			if (OF_ONE_FOLDER.has(code)) return;
			fault = code;
			dropWhere(() => true);
		}
	};
	return {
		get fault() {
			return fault;
		},
		walk(list) {
			noticed = null;
			const entered = new Set<string>();
			const result = list(path => {
				entered.add(path);
				enter(path);
			});
			dropWhere(path => !entered.has(path));
			return result;
		},
		async changed(signal, within = Infinity) {
			const until = performance.now() + Math.min(within, fault === null ? Infinity : POLL_EVERY);
			for (;;) {
				signal.throwIfAborted();
				const now = performance.now();
				const quiet =
					noticed === null ? Infinity : Math.min(noticed.last + QUIET, noticed.first + LONGEST_QUIET);
				const rest = Math.min(quiet, until) - now;
				if (rest <= 0) return;
				const waiting = new AbortController();
				const either = AbortSignal.any([signal, waiting.signal]);
				wake = () => waiting.abort();
				// Limited to the longest timer of Node.
				await sleep(Math.min(rest, 2 ** 31 - 1), undefined, {signal: either}).catch(() => {});
			}
		},
		close: () => dropWhere(() => true),
	};
};
