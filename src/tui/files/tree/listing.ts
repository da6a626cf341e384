import type {Reply} from '../../../api/failure.ts';
import {childrenOf, isListingUnsupported, type FolderItem} from '../../../api/file-tree.ts';
import type {FileEntry} from '../../../contract/files.ts';
import {DEFAULT_KERNEL} from '../../../contract/names.ts';
import {parentsOf} from '../../../contract/paths.ts';
import {changed, type ByServer} from '../../core/store/by-server.ts';
import {listedEntries, listingCode} from './list-by-code.ts';
import type {FileTree, Folder} from './tree.ts';
import {cursorAfter, treeRows, type TreeRow} from './rows.ts';
import {idle, toLoading, toSettled} from '../../core/store/remote.ts';
import {part, type App} from '../../core/app.ts';
import {serverLinks} from '../../live/links.ts';
import {fileViewer} from '../viewer/open-file.ts';
import {route} from '../../core/store/route.ts';

export const EMPTY_TREE: FileTree = {
	folders: new Map(),
	unfolded: new Set(),
	cursor: '',
	hidden: false,
	source: 'service',
	isOutdated: false,
	recent: [],
};

export const treeOf = ({files}: {readonly files: ByServer<FileTree>}, server: string): FileTree =>
	files.get(server) ?? EMPTY_TREE;

/** True if folders are listed without running code. */
export const isListed = ({source}: Pick<FileTree, 'source'>): boolean =>
	source === 'service' || source === 'server';

/** Paths of known files: opened files first, then the files of the loaded folders. */
export const knownPaths = (tree: FileTree): readonly string[] => [
	...new Set([
		...tree.recent,
		...[...tree.folders.values()].flatMap(folder => (folder.value ?? []).map(leaf => leaf.path)),
	]),
];

export type FilesState = {readonly files: ByServer<FileTree>};

export type FileListing = {
	/** Loads a folder; the root is `''`. */
	loadFolder(server: string, path: string): Promise<void>;
	/** Reloads every unfolded folder. */
	refreshFolders(server: string): Promise<void>;
	/** Reloads every unfolded folder and the open file. */
	refreshFiles(server: string): Promise<void>;
	/** Reloads files after code has run on the server, except where listing a folder runs code. */
	followCode(server: string): Promise<void>;
	toggleFolder(server: string, path: string): void;
	changeTree(server: string, change: Partial<Pick<FileTree, 'cursor' | 'hidden'>>): void;
	/** Makes the tree list this server's folders by running code on the server. */
	listByCode(server: string): void;
	/** Opens a typed or named path: a file in the viewer, a folder in the tree. */
	goToPath(server: string, path: string, line?: number): Promise<void>;
};

const KEPT_RECENT = 50;
/** Message if the response of the service is not a folder. */
export const NO_LISTING = 'This service does not list folders';

const asLeaves = (reply: Reply<FileEntry>, path: string): Reply<readonly FolderItem[]> => {
	if (!reply.ok) return reply;
	if (reply.value.type === 'directory' && Array.isArray(reply.value.content))
		return {ok: true, value: childrenOf(reply.value, path)};
	return {ok: false, failure: {kind: 'off-contract', method: 'GET', path, message: NO_LISTING}};
};

/**
 * Longest open file that is reloaded after code has run if its modification time is unknown, in
 * UTF-16 units.
 */
const READ_UNASKED = 1_000_000;

const firstFiles = (): FilesState => ({files: new Map()});

export const fileListing = part(
	'fileListing',
	({get, set, deps: {client, now}}: App): FileListing => {
		const change = (server: string, how: (tree: FileTree) => Partial<FileTree>): void =>
			set({files: changed(get().files, server, EMPTY_TREE, tree => ({...tree, ...how(tree)}))});
		const setFolder = (server: string, path: string, next: (old: Folder) => Folder): void =>
			change(server, tree => ({
				folders: new Map(tree.folders).set(path, next(tree.folders.get(path) ?? idle)),
			}));

		const byCode = async (server: string, path: string): Promise<Reply<readonly FolderItem[]>> => {
			const reply = await (
				await client()
			).runCode(server, {code: listingCode(path), kernel_name: DEFAULT_KERNEL});
			if (!reply.ok) return reply;
			const entries = listedEntries(reply.value, path);
			return typeof entries === 'string'
				? {ok: false, failure: {kind: 'off-contract', method: 'POST', path, message: entries}}
				: {ok: true, value: entries};
		};

		const byServer = async (server: string, path: string): Promise<Reply<readonly FolderItem[]>> => {
			const link = await serverLinks(get).addressLink(server);
			if (link !== null) return asLeaves(await link.files.list(path), path);
			const message = "The server's own address no longer responds.";
			return {ok: false, failure: {kind: 'unreachable', method: 'GET', path, message}};
		};
		/** Lists the root folder through the server's own API, where that responds. */
		const askServer = async (server: string): Promise<void> => {
			if ((await serverLinks(get).addressLink(server)) === null) return;
			const root = await byServer(server, '');
			if (!root.ok || treeOf(get(), server).source !== 'known') return;
			change(server, () => ({source: 'server'}));
			setFolder(server, '', old => toSettled(old, root, now()));
		};

		/** True if the open file may have changed. Compares it with its entry in the folder. */
		const hasChanged = async (server: string): Promise<boolean> => {
			const {
				path,
				file: {value: shown},
			} = get().viewers.get(server) ?? {path: '', file: idle};
			if (shown === undefined) return false;
			const folder = parentsOf(path).at(-1) ?? '';
			const tree = (): FileTree => treeOf(get(), server);
			if (isListed(tree()) && folder !== '' && !tree().unfolded.has(folder))
				await fileListing(get).loadFolder(server, folder);
			const leaf = isListed(tree())
				? tree()
						.folders.get(folder)
						?.value?.find(each => each.path === path)
				: undefined;
			if (leaf?.modified != null && typeof shown.last_modified === 'string')
				return leaf.modified !== shown.last_modified || leaf.size !== shown.size;
			return typeof shown.content === 'string' && shown.content.length <= READ_UNASKED;
		};
		const following = new Map<string, 'once' | 'again'>();

		return {
			async loadFolder(server, path) {
				setFolder(server, path, toLoading);
				const {source: by} = treeOf(get(), server);
				const isByService = by === 'service' || by === 'known';
				const reply =
					by === 'code'
						? await byCode(server, path)
						: by === 'server'
							? await byServer(server, path)
							: asLeaves(await (await client()).getFile(server, path), path);
				if (path === '' && isByService)
					change(server, ({source, folders}) => {
						// After one successful listing, a failure does not mean that the service
						// lists no folders.
						const isUnlisted =
							!reply.ok && folders.get('')?.value === undefined && isListingUnsupported(reply.failure);
						return {source: reply.ok ? 'service' : isUnlisted ? 'known' : source};
					});
				const rows = (): readonly TreeRow[] => treeRows(treeOf(get(), server), get().lists.files.filter.text);
				const before = rows();
				setFolder(server, path, old => toSettled(old, reply, now()));
				change(server, ({cursor}) => ({cursor: cursorAfter(before, rows(), cursor)}));
				if (path === '' && isByService && treeOf(get(), server).source === 'known') void askServer(server);
			},
			async refreshFolders(server) {
				const {unfolded} = treeOf(get(), server);
				await Promise.all(['', ...unfolded].map(path => fileListing(get).loadFolder(server, path)));
				change(server, () => ({isOutdated: false}));
			},
			async refreshFiles(server) {
				await fileListing(get).refreshFolders(server);
				const viewer = get().viewers.get(server);
				if (viewer) await fileViewer(get).openFile(server, viewer.path);
			},
			async followCode(server) {
				// Reloads run one at a time. Cells that end during a reload cause one further
				// reload for all of them.
				if (following.has(server)) {
					following.set(server, 'again');
					return;
				}
				do {
					following.set(server, 'once');
					const tree = treeOf(get(), server);
					if (isListed(tree) && tree.folders.has('')) await fileListing(get).refreshFolders(server);
					else if (tree.source === 'code') change(server, () => ({isOutdated: true}));
					const viewer = get().viewers.get(server);
					if (
						viewer !== undefined &&
						(await hasChanged(server)) &&
						get().viewers.get(server)?.path === viewer.path
					)
						await fileViewer(get).openFile(server, viewer.path);
				} while (following.get(server) === 'again');
				following.delete(server);
			},
			toggleFolder(server, path) {
				const {unfolded = new Set<string>(), folders} = treeOf(get(), server);
				const next = new Set(unfolded);
				if (!next.delete(path)) next.add(path);
				change(server, () => ({unfolded: next}));
				if (next.has(path) && folders.get(path)?.value === undefined)
					void fileListing(get).loadFolder(server, path);
			},
			changeTree: (server, next) => change(server, () => next),
			listByCode(server) {
				change(server, () => ({source: 'code'}));
				void fileListing(get).refreshFolders(server);
			},
			async goToPath(server, path, line) {
				const opened = await fileViewer(get).openFile(server, path, line);
				if (opened === 'none') return;
				const tree = treeOf(get(), server);
				const folders =
					tree.source === 'known'
						? []
						: [...parentsOf(path), ...(opened === 'folder' && path !== '' ? [path] : [])];
				change(server, ({unfolded, recent}) => ({
					unfolded: new Set([...unfolded, ...folders]),
					cursor: path,
					...(opened === 'file' && {
						recent: [path, ...recent.filter(each => each !== path)].slice(0, KEPT_RECENT),
					}),
				}));
				if (opened === 'folder') route(get).focusPart('files', 'tree');
				await Promise.all(
					folders
						.filter(folder => tree.folders.get(folder)?.value === undefined)
						.map(folder => fileListing(get).loadFolder(server, folder)),
				);
			},
		};
	},
	firstFiles,
);
