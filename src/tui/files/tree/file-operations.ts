import {nameOf, parentsOf} from '../../../contract/paths.ts';
import type {LiveFiles} from '../../../api/client-types.ts';
import type {Failure, Reply} from '../../../api/failure.ts';
import {childrenOf, type FolderItem} from '../../../api/file-tree.ts';
import {label} from '../../../text/safe.ts';
import {noLinkReason} from '../../live/link-state.ts';
import {sentence} from '../content.ts';
import {rowsOf} from '../layout.ts';
import {documents} from '../document.ts';
import {isListed, treeOf, fileListing} from './listing.ts';
import type {FileTree} from './tree.ts';
import {treeMoved, treeWithFolder, treeWithout} from './tree-changes.ts';
import {isWithin, movedPath} from './tree-paths.ts';
import {cursorAfter} from './rows.ts';
import {part, type App} from '../../core/app.ts';
import {serverLinks} from '../../live/links.ts';
import {fileViewer} from '../viewer/open-file.ts';
import {route} from '../../core/store/route.ts';
import {notices} from '../../core/store/notices.ts';

/**
 * Renames, creates folders and deletes through Jupyter's API at the server's own address. The
 * service's API has no such calls.
 */
export type FileChanges = {
	/** Asks for the new path. Returns a sentence if the server's own API does not respond. */
	askMove(server: string, path: string, isFolder: boolean): string | void;
	/** Asks for the name of a new folder. */
	askFolder(server: string, above: string): string | void;
	/** Asks before deleting, and counts the entries of a folder. */
	askRemove(server: string, path: string, isFolder: boolean): string | void;
	/**
	 * Renames or moves a file or folder, also in the open views. Resolves to a sentence if it
	 * fails.
	 */
	moveFile(server: string, from: string, to: string): Promise<string | void>;
	makeFolder(server: string, path: string): Promise<string | void>;
	removeFile(server: string, path: string): Promise<string | void>;
};

/**
 * Names of the operations that the service's API lacks, each with the Python code that replaces it.
 */
const LACKS = {
	move: ['rename', 'shutil.move("old", "new")'],
	folder: ['empty folders', 'os.makedirs("name")'],
	remove: ['delete', 'os.remove("name")'],
} as const;

/**
 * False for the folder that Jupyter adds automatically. It does not count as the user's content.
 */
const isOwn = ({name}: FolderItem): boolean => name !== '.ipynb_checkpoints';

export const fileChanges = part(
	'fileChanges',
	({get, set, deps: {keptEdits = async () => []}}: App): FileChanges => {
		const changeTree = (server: string, how: (tree: FileTree) => Partial<FileTree>): void => {
			const files = new Map(get().files);
			const tree = treeOf(get(), server);
			set({files: files.set(server, {...tree, ...how(tree)})});
		};
		const lacks = (server: string, what: keyof typeof LACKS, why: string): string => {
			const [verb, code] = LACKS[what];
			// A notice has one row and may be cut, so the reason comes before the advice.
			return `No ${verb} on ${label(server, 60)}: ${why}. In the REPL, Python's ${code} does it`;
		};
		/** Calls `act` at once if the server's own API is known to respond. */
		const withFiles = (
			server: string,
			what: keyof typeof LACKS,
			act: (files: LiveFiles) => void,
		): string | void =>
			serverLinks(get).withAddress(
				server,
				why => lacks(server, what, why),
				({files}) => act(files),
			);
		const beingSaved = (path: string): string | undefined => {
			const saved = get().saving.find(each => isWithin(each, path));
			return saved === undefined ? undefined : `${label(saved)} is being saved: wait for that`;
		};
		/** Sends a request to the server. Reloads the folders if the response is lost. */
		const order = async (
			server: string,
			what: keyof typeof LACKS,
			paths: readonly string[],
			send: (files: LiveFiles) => Promise<Reply<null>>,
		): Promise<string | undefined> => {
			const link = await serverLinks(get).addressLink(server);
			if (link === null) return lacks(server, what, noLinkReason(get().links.get(server)));
			const reply = await send(link.files);
			if (reply.ok) return undefined;
			if (reply.failure.ambiguous) refresh(server, paths);
			return why(reply.failure);
		};
		/** Reloads the parent folders of these paths, except where listing a folder runs code. */
		const refresh = (server: string, paths: readonly string[]): void => {
			const tree = treeOf(get(), server);
			if (!isListed(tree)) return;
			for (const folder of new Set(['', ...paths.flatMap(parentsOf)]))
				if (folder === '' || tree.unfolded.has(folder)) void fileListing(get).loadFolder(server, folder);
		};
		/** Updates the open file and unsaved edits after a file or folder was renamed. */
		const follow = async (server: string, from: string, to: string): Promise<void> => {
			const after = (path: string): string => movedPath(path, from, to);
			const viewer = get().viewers.get(server);
			const written = get().written.get(server);
			if (written && isWithin(written.path, from))
				set({written: new Map(get().written).set(server, {...written, path: after(written.path)})});
			documents(get).moved(server, from, to);
			if (viewer && isWithin(viewer.path, from)) {
				const path = after(viewer.path);
				const {value} = viewer.file;
				const name = nameOf(path);
				set({
					viewers: new Map(get().viewers).set(server, {
						...viewer,
						path,
						file: value ? {...viewer.file, value: {...value, path, name}} : viewer.file,
					}),
				});
				void fileViewer(get).openFile(server, path);
			}
			for (const edit of await keptEdits())
				if (edit.about.what === 'file' && edit.about.server === server && isWithin(edit.about.path, from))
					edit.moved(after(edit.about.path));
		};

		return {
			askMove: (server, path, isFolder) =>
				withFiles(server, 'move', () => route(get).openDialog({kind: 'move-file', server, path, isFolder})),
			askFolder: (server, above) =>
				withFiles(server, 'folder', () => route(get).openDialog({kind: 'make-folder', server, above})),
			askRemove: (server, path, isFolder) =>
				withFiles(server, 'remove', files => {
					route(get).openDialog({
						kind: 'remove-file',
						server,
						path,
						isFolder,
						holds: isFolder ? 'asking' : 0,
					});
					if (!isFolder) return;
					void files.list(path).then(reply => {
						const dialog = get().dialogs.at(-1);
						if (dialog?.kind !== 'remove-file' || dialog.server !== server || dialog.path !== path) return;
						route(get).changeDialog({
							...dialog,
							holds: reply.ok ? childrenOf(reply.value, path).filter(isOwn).length : 'unknown',
						});
					});
				}),
			async moveFile(server, from, to) {
				const problem =
					beingSaved(from) ??
					documents(get).heldBy(server, from) ??
					(await order(server, 'move', [from, to], async files => files.move(from, to)));
				if (problem !== undefined) return problem;
				changeTree(server, tree => treeMoved(tree, from, to));
				refresh(server, [from, to]);
				await follow(server, from, to);
				notices(get).notify('good', `${label(from)} is now ${label(to)}`);
			},
			async makeFolder(server, path) {
				const problem = await order(server, 'folder', [path], async files => files.makeFolder(path));
				if (problem !== undefined) return problem;
				changeTree(server, tree => treeWithFolder(tree, path));
				refresh(server, [path]);
				notices(get).notify('good', `Created folder ${label(path)}`);
			},
			async removeFile(server, path) {
				const problem =
					beingSaved(path) ?? (await order(server, 'remove', [path], async files => files.remove(path)));
				if (problem !== undefined) return problem;
				const rows = rowsOf(get(), server);
				const rest = rows.filter(row => !isWithin(row.path, path));
				changeTree(server, tree => ({
					...treeWithout(tree, path),
					cursor: cursorAfter(rows, rest, tree.cursor),
				}));
				const viewer = get().viewers.get(server);
				if (viewer && isWithin(viewer.path, path)) fileViewer(get).closeFile(server);
				refresh(server, [path]);
				notices(get).notify('good', `${label(path)} is deleted`);
			},
		};
	},
);

/**
 * The reason of a failure: that the target exists, or the server's message. No file was changed.
 */
const why = (failure: Failure): string =>
	failure.kind === 'conflict' && failure.status === 409
		? `Something with that name already exists: nothing was changed. ${failure.message}`
		: sentence(failure);
