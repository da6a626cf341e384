import {watch, type FSWatcher} from 'node:fs';
import {basename, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {codeOf} from '../text/errors.ts';

/** Milliseconds of quiet for which a change waits, since editors write in steps, and the most that it waits for them. */
const QUIET = 200;
const LONGEST_QUIET = 2000;
/** Milliseconds between two looks where the system does not tell of changes. */
export const POLL_EVERY = 2000;
/** Such a folder cannot be listed either, and whoever lists it says so. */
const OF_ONE_FOLDER: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

/**
 * Tells when something may have changed in a folder and those below it that a walk enters. It has a watch for each of them: Node's
 * recursive one and chokidar's watch each file, ignored folders before one may say so, and follow links.
 */
export type TreeWatch = {
	/** Lists the folders; `entering` must be called before each of them is listed, from then on its changes are noticed. Those of others no longer are. */
	walk<T>(list: (entering: (path: string) => void) => T): T;
	/** Until something may have changed since the last walk began, `within` ms at most. @throws AbortError */
	changed(signal: AbortSignal, within?: number): Promise<void>;
	/** The code of the error for which changes are not noticed: {@link TreeWatch.changed} then ends every {@link POLL_EVERY} ms. */
	readonly fault: string | null;
	close(): void;
};

export const watchTree = (folder: string, open: typeof watch = watch): TreeWatch => {
	const watches = new Map<string, FSWatcher>();
	let fault: string | null = null;
	/** When the first and the last change were noticed that no walk has seen. */
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
				// Another folder may be there now: the next walk watches that one.
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
				// Node's timers take no longer time.
				await sleep(Math.min(rest, 2 ** 31 - 1), undefined, {signal: either}).catch(() => {});
			}
		},
		close: () => dropWhere(() => true),
	};
};
