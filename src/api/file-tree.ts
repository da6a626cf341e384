import type {FileEntry} from '../contract/files.ts';
import {namesOf, typedPath} from '../contract/paths.ts';
import {inFileOrder} from '../text/file-order.ts';
import type {Client} from './client-types.ts';
import type {Failure} from './failure.ts';
import {toNumber} from '../text/decimal.ts';
import {isRecord} from '../text/record.ts';

/** An item of a folder. `size` (in bytes) and `modified` are null if unknown. */
export type FolderItem = {
	readonly name: string;
	readonly path: string;
	readonly isFolder: boolean;
	readonly size: number | null;
	readonly modified: string | null;
	readonly isIgnored?: true;
};

const NO_FOLDERS: ReadonlySet<Failure['kind']> = new Set([
	'off-contract',
	'not-found',
	'refused',
	'conflict',
	'redirect',
	'server',
]);
/** Statuses of a service that is temporarily unavailable. */
const AWAY: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/**
 * True if the failure may mean that the service cannot list folders. The API does not specify this
 * failure.
 */
export const isListingUnsupported = ({kind, status}: Pick<Failure, 'kind' | 'status'>): boolean =>
	NO_FOLDERS.has(kind) && !AWAY.has(status);

/** Size of a file in bytes. Null if invalid. */
const sizeOf = (value: unknown): number | null => {
	const size = toNumber(value);
	return size !== null && size >= 0 && size <= Number.MAX_SAFE_INTEGER ? size : null;
};

/**
 * True if a service may use both names for the same file. They may differ in letter case and
 * Unicode form.
 */
const isSameName = (one: string | undefined, other: string): boolean =>
	one !== undefined && one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();

/**
 * Name and path of an item of the requested folder. Null if its path is not in that folder. A name
 * with an empty part is listed unchanged; requests for it are rejected with a sentence.
 */
export const placeIn = (
	folder: string,
	path: string,
): {readonly name: string; readonly path: string} | null => {
	const names = namesOf(typedPath(path));
	const above = namesOf(folder);
	if (names.includes('..') || !above.every((name, at) => isSameName(names[at], name))) return null;
	const name = typedPath(names.slice(above.length).join('/'));
	if (name === '') return null;
	return {name, path: folder === '' ? name : `${folder}/${name}`};
};

/**
 * Children of a folder: folders first, then by name. `folder`: the requested path, which the
 * response may spell differently. Leaves out items without a name, duplicates, and items outside
 * the folder.
 */
export const childrenOf = (entry: FileEntry, folder: string): readonly FolderItem[] => {
	const leaves = new Map<string, FolderItem>();
	for (const item of Array.isArray(entry.content) ? entry.content : []) {
		if (!isRecord(item)) continue;
		const {name, path} = item;
		const named = typeof path === 'string' ? path : typeof name === 'string' ? `${folder}/${name}` : '';
		const place = placeIn(folder, named);
		if (place === null || leaves.has(place.path)) continue;
		// Skipped, because name and path contradict each other.
		if (typeof name === 'string' && /\/|^\.\.?$/.test(name))
			if (name.startsWith('/') || !`/${named}`.endsWith(`/${name}`)) continue;
		leaves.set(place.path, {
			...place,
			isFolder: item['type'] === 'directory',
			size: sizeOf(item['size']),
			modified: typeof item['last_modified'] === 'string' ? item['last_modified'] : null,
			...(item['ignored'] === true && {isIgnored: true as const}),
		});
	}
	return inFileOrder([...leaves.values()]);
};

const MOST_FILES = 10_000;
const DEEPEST = 40;

/** `below`: the path relative to the requested folder. */
type Below = {readonly below: string};
export type FolderFiles = {
	readonly files: readonly (FolderItem & Below)[];
	/** Listed folders, without the requested one. */
	readonly folders: readonly string[];
	/** Folders that could not be listed, and items that were skipped. */
	readonly missed: readonly (Below & {readonly why: string})[];
};

/**
 * All files below a folder. Lists one folder after the other. `refusal`: returns a sentence if a
 * file or folder must be skipped. Such items, and folders that cannot be listed, are in `missed`.
 */
export const filesBelow = async (
	client: Client,
	server: string,
	folder: {readonly path: string; readonly entry: FileEntry},
	{
		refusal,
		...call
	}: {readonly signal?: AbortSignal; readonly refusal?: (below: string) => string | undefined} = {},
): Promise<FolderFiles> => {
	const files: (FolderItem & Below)[] = [];
	const missed: (Below & {readonly why: string})[] = [];
	const folders: string[] = [];
	const walk = async (entry: FileEntry, path: string, above: string, depth: number): Promise<void> => {
		const leaves = childrenOf(entry, path);
		if (above !== '') folders.push(above);
		if (!Array.isArray(entry.content)) missed.push({below: above, why: 'the service did not list it'});
		else if (leaves.length < entry.content.length)
			missed.push({below: above, why: 'the service listed an item without a name or outside the folder'});
		for (const leaf of leaves) {
			const below = above === '' ? leaf.name : `${above}/${leaf.name}`;
			if (call.signal?.aborted) return;
			if (files.length + folders.length >= MOST_FILES || depth > DEEPEST) {
				missed.push({
					below,
					why:
						depth > DEEPEST
							? `folders are nested more than ${DEEPEST} deep`
							: `there are more than ${MOST_FILES.toLocaleString('en')} files and folders; choose a subfolder`,
				});
				return;
			}
			const why = refusal?.(below);
			if (why !== undefined) {
				missed.push({below, why});
				continue;
			}
			if (!leaf.isFolder) {
				files.push({...leaf, below});
				continue;
			}
			const inner = await client.getFile(server, leaf.path, call);
			if (inner.ok) await walk(inner.value, leaf.path, below, depth + 1);
			else missed.push({below, why: inner.failure.message});
		}
	};
	await walk(folder.entry, folder.path, '', 0);
	return {files, folders, missed};
};
