import type {FileEntry} from '../contract/files.ts';
import {namesOf, typedPath} from '../contract/paths.ts';
import {inFileOrder} from '../text/file-order.ts';
import type {Client} from './client-types.ts';
import type {Failure} from './failure.ts';
import {toNumber} from '../text/decimal.ts';
import {isRecord} from '../text/record.ts';

/** An item of a folder's answer. `size` (bytes) and `modified` are null where they are not given. */
export type FolderItem = {
	readonly name: string;
	readonly path: string;
	readonly isFolder: boolean;
	readonly size: number | null;
	readonly modified: string | null;
	/** Git leaves it out of the project. */
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
/** With these a service says that it is away. */
const AWAY: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** A service that lists no folders may answer so to the path of one: the interface has no such list, and errors are not specified. */
export const isListingUnsupported = ({kind, status}: Pick<Failure, 'kind' | 'status'>): boolean =>
	NO_FOLDERS.has(kind) && !AWAY.has(status);

/** Bytes of a file; null for what cannot be a size. */
const sizeOf = (value: unknown): number | null => {
	const size = toNumber(value);
	return size !== null && size >= 0 && size <= Number.MAX_SAFE_INTEGER ? size : null;
};

/** Two spellings of a name that services exchange: letter case, and accents as characters of their own. */
const isSameName = (one: string | undefined, other: string): boolean =>
	one !== undefined && one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();

/**
 * The place of an item in the folder that was asked for; null if its path does not lead below that folder. A name with
 * an empty part is shown as it was listed: asking for it is refused with a sentence.
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
 * The children of a folder answer: folders first, then by name. `folder`: the path that was asked for, whatever the
 * answer calls itself. Left out: items without a name, a path twice, and whatever does not lie below the folder.
 */
export const childrenOf = (entry: FileEntry, folder: string): readonly FolderItem[] => {
	const leaves = new Map<string, FolderItem>();
	for (const item of Array.isArray(entry.content) ? entry.content : []) {
		if (!isRecord(item)) continue;
		const {name, path} = item;
		const named = typeof path === 'string' ? path : typeof name === 'string' ? `${folder}/${name}` : '';
		const place = placeIn(folder, named);
		if (place === null || leaves.has(place.path)) continue;
		// A name that leads elsewhere than the path does: neither can be relied on.
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

/** `below`: a path from the folder that was asked for, made of names only. */
type Below = {readonly below: string};
export type FolderFiles = {
	readonly files: readonly (FolderItem & Below)[];
	/** Folders that were listed, without the one that was asked for. */
	readonly folders: readonly string[];
	/** Folders whose files are not known. */ readonly missed: readonly (Below & {readonly why: string})[];
};

/**
 * Every file below a folder, its sub-folders asked one after the other. What cannot be listed is left out and reported.
 * `refusal`: why a file or folder is not wanted, as a sentence; it is reported too, and such a folder is not asked for.
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
			missed.push({below: above, why: 'the service listed something that has no name or does not lie in it'});
		for (const leaf of leaves) {
			const below = above === '' ? leaf.name : `${above}/${leaf.name}`;
			if (call.signal?.aborted) return;
			if (files.length + folders.length >= MOST_FILES || depth > DEEPEST) {
				missed.push({
					below,
					why:
						depth > DEEPEST
							? `more than ${DEEPEST} folders lie in each other`
							: `there are more than ${MOST_FILES.toLocaleString('en')} files and folders: name a part of them`,
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
