import type {LiveFiles} from '../../api/client-types.ts';
import type {FileEntry} from '../../contract/files.ts';
import type {State} from '../core/program.ts';
import {rowsOf} from './layout.ts';
import {isListed, treeOf, fileListing} from './tree/listing.ts';
import {type Viewer, fileViewer} from './viewer/open-file.ts';
import {serverLinks} from '../live/links.ts';

/** Polling interval soon after a change, and the longest interval, in ms. */
export const MIN_POLL_MS = 2000;
export const MAX_POLL_MS = 15_000;
const SLOWER = 1.5;
/** Polling may take at most `1 / SHARE` of the time, also on a slow server. */
const SHARE = 10;
/** Maximum number of folders that are polled, counted from the top of the tree. */
const MOST_FOLDERS = 12;
/** Largest file that is reloaded automatically, in bytes. */
const MOST_BYTES = 16 * 2 ** 20;

/** Modification time and size of files and folders at the latest poll, by path. */
export type Stamps = Map<string, string>;

/**
 * Modification time and size as text. The time is parsed because services write it in several
 * forms.
 */
const stampOf = ({last_modified: time, size}: FileEntry): string =>
	`${typeof time === 'string' ? Date.parse(time) : '?'} ${size ?? '?'}`;

/**
 * The open file if it may be reloaded, else undefined. It may not be reloaded during a save, while
 * a dialog asks about its save, or while the user marks lines or types a search.
 */
const followed = (state: State, server: string): Viewer | undefined => {
	const viewer = state.viewers.get(server);
	if (viewer?.file.status !== 'ready' || viewer.mark !== null || viewer.find?.typing) return undefined;
	const isWritten =
		state.saving.includes(viewer.path) ||
		state.dialogs.some(dialog => dialog.kind === 'write-file' && dialog.writing.path === viewer.path);
	return isWritten || Number(viewer.file.value?.size ?? 0) > MOST_BYTES ? undefined : viewer;
};

/**
 * Polls times and sizes of the unfolded folders and of the open file, and reloads what has changed.
 * Resolves to true after a change, and to null if the server does not respond.
 */
export const pollOnce = async (
	get: () => State,
	server: string,
	files: LiveFiles,
	stamps: Stamps,
	isOver: () => boolean,
): Promise<boolean | null> => {
	let hasChanged = false;
	const folders = isListed(treeOf(get(), server))
		? ['', ...rowsOf(get(), server).flatMap(row => (row.isFolder && row.unfolded ? [row.path] : []))]
		: [];
	for (const path of folders.slice(0, MOST_FOLDERS)) {
		const found = await files.stat(path);
		if (isOver()) return hasChanged;
		if (!found.ok && found.failure.kind === 'connection-lost') return null;
		if (!found.ok) continue;
		const stamp = `folder ${String(found.value.last_modified)}`;
		if (stamps.get(path) === stamp) continue;
		// The first poll reloads the folder too, which may have changed since it was listed.
		hasChanged ||= stamps.has(path);
		stamps.set(path, stamp);
		await fileListing(get).loadFolder(server, path);
	}
	const viewer = followed(get(), server);
	if (viewer === undefined || isOver()) return hasChanged;
	const found = await files.stat(viewer.path);
	if (!found.ok) return found.failure.kind === 'connection-lost' ? null : hasChanged;
	const stamp = stampOf(found.value);
	const shown = viewer.file.value && stampOf(viewer.file.value);
	const isKnown = stamp === shown || stamp === stamps.get(viewer.path);
	stamps.set(viewer.path, stamp);
	if (isKnown || isOver() || followed(get(), server)?.path !== viewer.path) return hasChanged;
	await fileViewer(get).openFile(server, viewer.path);
	return true;
};

/** Polls every few seconds until stopped. */
export const follow = (get: () => State, server: string, stamps: Stamps): (() => void) => {
	let isStopped = false;
	let pause = MIN_POLL_MS;
	let timer: NodeJS.Timeout;
	const poll = async (): Promise<void> => {
		const begun = performance.now();
		const link = await serverLinks(get).addressLink(server);
		const found =
			link === null || isStopped
				? null
				: await pollOnce(get, server, link.files, stamps, () => isStopped).catch(() => null);
		if (isStopped) return;
		pause = found === null ? MAX_POLL_MS : found ? MIN_POLL_MS : Math.min(MAX_POLL_MS, pause * SLOWER);
		next(Math.max(pause, (performance.now() - begun) * SHARE));
	};
	const next = (after: number): void => {
		timer = setTimeout(() => void poll(), after);
		timer.unref();
	};
	next(pause);
	return () => {
		isStopped = true;
		clearTimeout(timer);
	};
};
