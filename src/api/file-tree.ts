import type {FileEntry} from '../contract/files.ts';
import type {Client} from './client-types.ts';
import type {Failure, Reply} from './failure.ts';

/** An item of a folder's answer. `bytes` null where it was not told. */
export type Leaf = {readonly name: string; readonly path: string; readonly isFolder: boolean; readonly size: number | null};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** The children of a folder answer: folders first, then by name. Items without a name are left out. */
export const leavesOf = (entry: FileEntry): readonly Leaf[] => {
	const leaves: Leaf[] = [];
	for (const item of Array.isArray(entry.content) ? entry.content : []) {
		if (!isRecord(item) || typeof item['name'] !== 'string') continue;
		const path = typeof item['path'] === 'string' ? item['path'] : `${entry.path}/${item['name']}`.replace(/^\//, '');
		leaves.push({name: item['name'], path, isFolder: item['type'] === 'directory', size: typeof item['size'] === 'number' ? item['size'] : null});
	}
	return leaves.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1));
};

const MOST_FILES = 10_000;
const DEEPEST = 40;

const tooMany = (path: string): Failure => ({kind: 'too-large', method: 'GET', path, message: `There are more than ${MOST_FILES.toLocaleString('en')} files: name a part of them`});

/** Every file below a folder, its sub-folders asked one after the other. `below`: its path from that folder, made of names only. */
export const filesBelow = async (client: Client, server: string, folder: FileEntry, call: {readonly signal?: AbortSignal} = {}): Promise<Reply<readonly (Leaf & {readonly below: string})[]>> => {
	const found: (Leaf & {readonly below: string})[] = [];
	const walk = async (entry: FileEntry, below: string, depth: number): Promise<Failure | null> => {
		for (const leaf of leavesOf(entry)) {
			const at = below === '' ? leaf.name : `${below}/${leaf.name}`;
			if (found.length >= MOST_FILES || depth > DEEPEST) return tooMany(entry.path);
			if (!leaf.isFolder) {
				found.push({...leaf, below: at});
				continue;
			}
			const inner = await client.getFile(server, leaf.path, call);
			if (!inner.ok) return inner.failure;
			const failure = await walk(inner.value, at, depth + 1);
			if (failure) return failure;
		}
		return null;
	};
	const failure = await walk(folder, '', 0);
	return failure ? {ok: false, failure} : {ok: true, value: found};
};
