import {join} from 'node:path';
import type {LiveFiles} from '../api/client-types.ts';
import {childrenOf} from '../api/file-tree.ts';
import {namesFault, parentsOf} from '../contract/paths.ts';
import type {GitIgnore} from '../machine/git-ignore.ts';
import {isLocalFolder, localExists} from '../machine/local-file.ts';
import type {LocalTree} from '../machine/local-tree.ts';
import {label} from '../text/safe.ts';
import {LEFT_BEHIND} from '../work/undo.ts';
import {CommandError} from './command-error.ts';
import type {RemoteListing} from './sync-listing.ts';
import type {SyncPlace, SyncReport} from './sync-report.ts';

export const NOTHING = 'Nothing was sent or deleted.';

type Missed = NonNullable<RemoteListing>['missed'];

/**
 * Paths on the server that do not exist locally. Leaves out paths that git ignores, and paths that
 * may correspond to a local link.
 * @throws {CommandError} if a list is incomplete.
 */
export const surplus = (
	{files, links, missed}: LocalTree,
	listing: {readonly files: ReadonlyMap<string, unknown>; readonly missed: Missed} | null,
	{ignores}: GitIgnore,
): readonly string[] => {
	const refused = (what: string, why: string): CommandError =>
		new CommandError(
			'refused',
			`--delete needs complete listings, but ${what} could not be listed: ${label(why, 300)}`,
			`${NOTHING} Without --delete, readable files are sent.`,
		);
	const [here] = missed;
	if (here) throw refused(here.path === '' ? 'the local folder' : label(here.path, 120), here.why);
	if (listing === null) throw refused('the folder on the server', 'the service lists no folders.');
	const odd = [...listing.files.keys()].find(path => namesFault(path.split('/')) !== undefined);
	const [there] =
		odd === undefined ? listing.missed : [{below: odd, why: 'its name on the server is not valid.'}];
	if (there)
		throw refused(
			there.below === '' ? 'the folder on the server' : `${label(there.below, 120)} on the server`,
			there.why.replace(/\.?$/, '.'),
		);
	const mine = new Set(files);
	return [...listing.files.keys()].filter(
		path =>
			!mine.has(path) &&
			!ignores(path, false) &&
			!links.some(link => path === link || path.startsWith(`${link}/`)),
	);
};

type Failed = SyncReport['failed'][number];

/**
 * Entries on the server that must be deleted before sending: files in place of a local folder, and
 * folders in place of a local file.
 */
export type InTheWay = {readonly files: readonly string[]; readonly folders: readonly string[]};

export const NOTHING_IN_THE_WAY: InTheWay = {files: [], folders: []};

export const without = (
	paths: readonly string[],
	others: readonly {readonly path: string}[],
): readonly string[] => {
	const left = new Set(others.map(({path}) => path));
	return paths.filter(path => !left.has(path));
};

/** Files among the deletions, and folders on the server, that block local entries. */
export const replacedBy = (
	mine: readonly string[],
	listing: RemoteListing,
	extra: readonly string[],
): InTheWay => {
	const folders = new Set(mine.flatMap(parentsOf));
	const files = new Set(mine);
	const isBelowMine = (path: string): boolean => parentsOf(path).some(above => files.has(above));
	const left = extra.filter(path => folders.has(path) || isBelowMine(path));
	const replaced = new Set(left.flatMap(parentsOf));
	return {files: left, folders: mine.filter(path => listing?.folders.has(path) || replaced.has(path))};
};

/**
 * Local files that can be sent only with --delete, because the server has an entry of another kind
 * at their path.
 */
export const blockedFiles = (mine: readonly string[], listing: RemoteListing): readonly Failed[] =>
	mine.flatMap(path => {
		if (listing?.folders.has(path))
			return {path, message: 'it is a folder on the server; --delete replaces it.'};
		const above = parentsOf(path).find(each => listing?.files.has(each));
		return above === undefined
			? []
			: {path, message: `${JSON.stringify(above)} is a file on the server; --delete replaces it.`};
	});

/** Deletes files on the server, if they are still files and still have no local counterpart. */
export const removeFiles = async (
	{pathOf, folder}: SyncPlace,
	extra: readonly string[],
	files: LiveFiles,
	report: SyncReport,
): Promise<void> => {
	for (const path of extra) {
		const here = join(folder, path);
		if ((await localExists(here)) && !(await isLocalFolder(here))) continue;
		const there = await files.stat(pathOf(path));
		if (!there.ok && there.failure.kind === 'not-found') continue;
		const isFile = there.ok && there.value.type !== 'directory';
		const removed = isFile ? await files.remove(pathOf(path)) : there;
		if (isFile && removed.ok) report.deleted.push(path);
		else
			report.failed.push({
				path,
				message: removed.ok ? 'it is now a folder and was kept' : removed.failure.message,
			});
	}
};

/**
 * Removes a folder on the server if it contains only folders. Returns the reason if it is not
 * removed, worded as the end of a sentence. Undefined if it no longer exists.
 */
const removeFolder = async (files: LiveFiles, path: string): Promise<string | undefined> => {
	const found = await files.list(path);
	if (!found.ok) return found.failure.kind === 'not-found' ? undefined : found.failure.message;
	const {content} = found.value;
	if (!Array.isArray(content)) return undefined;
	const leaves = childrenOf(found.value, path);
	if (leaves.length < content.length)
		return 'it is a folder on the server that could not be listed completely, and was kept';
	for (const leaf of leaves) {
		if (!leaf.isFolder)
			return `it is a folder on the server with files that are new or that git ignores (${JSON.stringify(leaf.name)}), and was kept`;
		const why = leaf.name === LEFT_BEHIND ? undefined : await removeFolder(files, leaf.path);
		if (why !== undefined) return why;
	}
	const removed = await files.remove(path);
	return removed.ok || removed.failure.kind === 'not-found' ? undefined : removed.failure.message;
};

/** Removes entries on the server that block files which are sent next. */
export const removeInTheWay = async (
	place: SyncPlace,
	{files, folders}: InTheWay,
	live: LiveFiles,
	report: SyncReport,
): Promise<void> => {
	await removeFiles(place, files, live, report);
	for (const path of folders) {
		const message = await removeFolder(live, place.pathOf(path));
		if (message !== undefined) report.failed.push({path, message});
	}
};
