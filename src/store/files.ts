import type {StateCreator} from 'zustand/vanilla';
import type {Reply} from '../api/failure.ts';
import {leavesOf, type Leaf} from '../api/file-tree.ts';
import type {FileEntry} from '../contract/files.ts';
import {changed, type ByServer} from './by-server.ts';
import type {Deps} from './deps.ts';
import {idle, nowLoading, nowSettled, type Remote} from './remote.ts';
import type {ViewerSlice} from './viewer.ts';

export type Folder = Remote<readonly Leaf[]>;

export type FileTree = {
	/** Folder contents by path; the root is ''. */
	readonly folders: ReadonlyMap<string, Folder>;
	readonly unfolded: ReadonlySet<string>;
	/** Path under the cursor. */
	readonly cursor: string;
};

export const EMPTY_TREE: FileTree = {folders: new Map(), unfolded: new Set(), cursor: ''};

export type FilesSlice = {
	readonly files: ByServer<FileTree>;
	/** Asks for a folder, `''` being the root. */
	loadFolder(server: string, path: string): Promise<void>;
	/** Asks again for every folder that is unfolded. */
	refreshFolders(server: string): Promise<void>;
	/** Asks again for every folder that is unfolded and for the open file. */
	refreshFiles(server: string): Promise<void>;
	toggleFolder(server: string, path: string): void;
	changeTree(server: string, change: Partial<Pick<FileTree, 'cursor'>>): void;
};

const asLeaves = (reply: Reply<FileEntry>, path: string): Reply<readonly Leaf[]> => {
	if (!reply.ok) return reply;
	if (reply.value.type === 'directory') return {ok: true, value: leavesOf(reply.value)};
	return {ok: false, failure: {kind: 'off-contract', method: 'GET', path, message: 'This service does not list folders'}};
};

export const createFilesSlice = ({client, now}: Deps): StateCreator<FilesSlice & ViewerSlice, [], [], FilesSlice> => (set, get) => {
	const change = (server: string, how: (tree: FileTree) => Partial<FileTree>): void =>
		set({files: changed(get().files, server, EMPTY_TREE, tree => ({...tree, ...how(tree)}))});
	const setFolder = (server: string, path: string, next: (old: Folder) => Folder): void =>
		change(server, tree => ({folders: new Map(tree.folders).set(path, next(tree.folders.get(path) ?? idle))}));

	return {
		files: new Map(),
		async loadFolder(server, path) {
			setFolder(server, path, nowLoading);
			const reply = asLeaves(await (await client()).getFile(server, path), path);
			setFolder(server, path, old => nowSettled(old, reply, now()));
		},
		async refreshFolders(server) {
			const {unfolded} = get().files.get(server) ?? EMPTY_TREE;
			await Promise.all(['', ...unfolded].map(path => get().loadFolder(server, path)));
		},
		async refreshFiles(server) {
			await get().refreshFolders(server);
			const viewer = get().viewers.get(server);
			if (viewer) await get().openFile(server, viewer.path);
		},
		toggleFolder(server, path) {
			const {unfolded = new Set<string>(), folders} = get().files.get(server) ?? EMPTY_TREE;
			const next = new Set(unfolded);
			if (!next.delete(path)) next.add(path);
			change(server, () => ({unfolded: next}));
			if (next.has(path) && folders.get(path)?.value === undefined) void get().loadFolder(server, path);
		},
		changeTree: (server, next) => change(server, () => next),
	};
};

export type TreeRow = Leaf & {readonly depth: number; readonly unfolded: boolean; readonly note: string | null};

/** The tree as rows, top to bottom; a folder that loads or failed says so in its `note`. */
export const treeRows = (tree: FileTree): readonly TreeRow[] => {
	const rows: TreeRow[] = [];
	const walk = (path: string, depth: number): void => {
		for (const leaf of tree.folders.get(path)?.value ?? []) {
			const unfolded = leaf.isFolder && tree.unfolded.has(leaf.path);
			const folder = unfolded ? tree.folders.get(leaf.path) : undefined;
			const note = folder?.status === 'failed' ? (folder.failure?.message ?? 'failed') : folder?.value?.length === 0 ? 'empty' : null;
			rows.push({...leaf, depth, unfolded, note});
			if (unfolded) walk(leaf.path, depth + 1);
		}
	};
	walk('', 0);
	return rows;
};
