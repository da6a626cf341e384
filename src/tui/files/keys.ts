import {parentOf} from '../../contract/paths.ts';
import {createEditor, insert} from '../../text/editor/editor.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import {onOneLine} from '../core/components/line-field.ts';
import {movements} from '../core/components/scroll.ts';
import type {KeyContext} from '../core/feature.ts';
import {actionOn, actionsOf, Refusal, refused, type KeyScopes} from '../core/keys/action.ts';
import type {Effects} from '../core/keys/shared-rows.ts';
import {clipboard} from '../core/store/clipboard.ts';
import {filterAside, listViews} from '../core/store/lists.ts';
import {route} from '../core/store/route.ts';
import {cursorAt, layoutOf, readIn, rowsOf, shownIn} from './layout.ts';
import {attach} from './ports.ts';
import {unsavedEdits} from './saving/unsaved-edits.ts';
import {fileChanges} from './tree/file-operations.ts';
import {fileListing, treeOf} from './tree/listing.ts';
import type {TreeRow} from './tree/rows.ts';
import type {FileTree} from './tree/tree.ts';
import {fileShown} from './viewer/open-file.ts';
import {viewerKeys} from './viewer-keys.ts';
import {unsavedEditKeys} from './saving/unsaved-edits-dialog.tsx';
import {conflictKeys, writingKeys} from './saving/write-dialog.tsx';
import {overwriteKeys} from './tree/transfer-dialogs.tsx';
import {filtered, line, list, reading, type Tab} from '../core/keys/binding-sets.ts';

export const filesTab: Tab = {
	id: 'files',
	title: 'Files',
	jump: '4',
	pane: {name: 'files', sentence: 'Files', dock: 'ctrl+x f', part: 'tree'},
};

const serverOf = ({get}: KeyContext): string => get().current ?? '';

/** Folder for a new file beside an entry: the entry if it is a folder, else its parent. */
const folderOf = (entry: TreeRow | undefined): string =>
	entry === undefined ? '' : entry.isFolder ? entry.path : parentOf(entry.path);

const selectedIn = (at: KeyContext): TreeRow | undefined => {
	const rows = rowsOf(at.get(), serverOf(at));
	return rows[cursorAt(rows, treeOf(at.get(), serverOf(at)))];
};

const moves = (at: KeyContext) => {
	const {get, rect} = at;
	const server = serverOf(at);
	const rows = rowsOf(get(), server);
	return movements(
		() => cursorAt(rows, treeOf(get(), server)),
		rows.length,
		layoutOf(get(), server, rect).treeRows,
		to => fileListing(get).changeTree(server, {cursor: rows[to]?.path ?? ''}),
	);
};

type Entry = {readonly server: string; readonly entry: TreeRow};
const entryIn = (at: KeyContext, what: string): Entry | Refusal => {
	const server = serverOf(at);
	const entry = selectedIn(at);
	if (entry !== undefined) return {server, entry};
	// Until the files are listed, a path may exist without a row in the tree.
	const {folders, source} = treeOf(at.get(), server);
	return refused(
		source === 'known' || folders.get('')?.value !== undefined
			? `There is ${what}`
			: 'The files are not listed yet',
	);
};
const onEntry = (what: string) => actionOn(at => entryIn(at, what));

/** True if the root folder failed to load, so that the existing files are unknown. */
const isUnseen = ({folders, source}: FileTree): boolean => {
	const root = folders.get('');
	return source !== 'known' && root?.failure !== undefined && root.value === undefined;
};

/** Null if the root folder failed to load; undefined otherwise. */
const needsList = (at: KeyContext): null | undefined =>
	isUnseen(treeOf(at.get(), serverOf(at))) ? null : undefined;

const needsText = (at: KeyContext): null | undefined =>
	readIn(at.get(), serverOf(at), at.rect) === null ? null : undefined;
const needsLines = (at: KeyContext): null | undefined =>
	readIn(at.get(), serverOf(at), at.rect)?.isLaidOut === false ? undefined : null;
const needsFile = (at: KeyContext): null | undefined => {
	const viewer = at.get().viewers.get(serverOf(at));
	return viewer !== undefined && fileShown(viewer) === undefined ? null : undefined;
};

const viewerAt = (at: KeyContext) => {
	const server = serverOf(at);
	return viewerKeys(at.get, server, () => shownIn(at.get(), server, at.rect));
};

/** Effects of the filter field of the tree, opened by `/`. */
export const filterFiles = (at: KeyContext): Effects<'filter'> => {
	const {get} = at;
	const {up, down, pageUp, pageDown} = moves(at);
	const leave = (): void => listViews(get).setFiltering(null);
	const draft = () => get().lists.files.filter;
	const set = (next: ReturnType<typeof draft>): void => listViews(get).changeList('files', {filter: next});
	return {
		...editingKeys({draft, set}),
		...{down, pageUp, pageDown},
		up() {
			const aside = filterAside(get().lists.files);
			if (aside) set(aside);
			else up();
		},
		accept: leave,
		leave,
		typed: text => set(insert(draft(), onOneLine(text))),
	};
};

export const fileKeys: KeyScopes = {
	tree: {
		where: 'file tree',
		name: 'Files',
		screen: 'files',
		part: 'tree',
		actions: {
			...actionsOf(list, moves),
			open: onEntry('no file to open')({
				keys: ['enter', 'right', 'l'],
				label: 'open',
				hint: true,
				run({server, entry}, {get}) {
					fileListing(get).changeTree(server, {cursor: entry.path});
					if (entry.isFolder) {
						fileListing(get).toggleFolder(server, entry.path);
						return;
					}
					route(get).focusPart('files', 'viewer');
					void fileListing(get).goToPath(server, entry.path);
				},
			}),
			fold: {
				keys: ['left', 'h'],
				label: 'Collapse the folder',
				run(at) {
					const entry = selectedIn(at);
					const listing = fileListing(at.get);
					if (entry === undefined) return;
					if (entry.isFolder && entry.unfolded) listing.toggleFolder(serverOf(at), entry.path);
					else listing.changeTree(serverOf(at), {cursor: parentOf(entry.path)});
				},
			},
			edit: actionOn(at => {
				const found = entryIn(at, 'no file to edit');
				return !(found instanceof Refusal) && found.entry.isFolder
					? refused(`${found.entry.name} is a folder`)
					: found;
			})({
				keys: ['e', 'space e'],
				label: 'edit',
				hint: true,
				writes: true,
				run: ({server, entry}, {get}) => void unsavedEdits(get).editFile(server, entry.path),
			}),
			add: {
				keys: ['a', 'space n'],
				label: 'new file',
				hint: true,
				writes: true,
				now: needsList,
				run(at) {
					const folder = folderOf(selectedIn(at));
					route(at.get).openDialog({
						kind: 'add-file',
						server: serverOf(at),
						folder: folder === '' ? '' : `${folder}/`,
					});
				},
			},
			path: {
				keys: ['p'],
				label: 'go to a path',
				hint: true,
				run: at => route(at.get).openDialog({kind: 'go-to-path', server: serverOf(at)}),
			},
			filter: {
				...filtered.filter,
				now: at =>
					selectedIn(at) === undefined && at.get().lists.files.filter.text === '' ? null : undefined,
				run: ({get}) => listViews(get).setFiltering('files'),
			},
			showAll: {
				...filtered.showAll,
				run({get}) {
					if (get().lists.files.filter.text === '') return 'No filter is set: all files are shown';
					listViews(get).changeList('files', {filter: createEditor()});
				},
			},
			hidden: {
				keys: ['.'],
				label: 'Show or hide hidden files',
				run(at) {
					const server = serverOf(at);
					const {hidden, folders} = treeOf(at.get(), server);
					fileListing(at.get).changeTree(server, {hidden: !hidden});
					const isProject = [...folders.values()].some(({value}) => value?.some(leaf => leaf.isIgnored));
					const what = `Names that begin with a dot${isProject ? ', and what git ignores,' : ''}`;
					return hidden ? `${what} are hidden` : `${what} are shown`;
				},
			},
			attach: {
				keys: ['@', 'space @'],
				label: 'Ask about the file',
				run(at) {
					const entry = selectedIn(at);
					if (entry === undefined || entry.isFolder) return 'Only a file can go into the chat';
					return attach(at.get, {kind: 'file', path: entry.path});
				},
			},
			copyPath: onEntry('no path to copy')({
				keys: ['y'],
				label: 'Copy the path',
				run: ({entry}, {get}) => clipboard(get).copy(entry.path, 'The path'),
			}),
			listByCode: {
				keys: ['space L'],
				was: ['L'],
				label: 'List files by code',
				writes: true,
				run(at) {
					const server = serverOf(at);
					const {source} = treeOf(at.get(), server);
					if (source === 'service') return 'The service lists the files itself';
					if (source === 'server') return 'The server lists the files itself';
					if (source === 'code') return void fileListing(at.get).refreshFolders(server);
					route(at.get).openDialog({kind: 'list-by-code', server});
				},
			},
			upload: {
				keys: ['space u'],
				was: ['u'],
				label: 'upload',
				also: 'put send',
				hint: true,
				writes: true,
				now: needsList,
				run: at =>
					route(at.get).openDialog({
						kind: 'transfer',
						server: serverOf(at),
						direction: 'upload',
						path: folderOf(selectedIn(at)),
					}),
			},
			download: onEntry('no file to download')({
				keys: ['space o'],
				was: ['d'],
				label: 'download',
				also: 'get fetch',
				run: ({server, entry}, {get}) =>
					route(get).openDialog({kind: 'transfer', server, direction: 'download', path: entry.path}),
			}),
			move: onEntry('nothing to rename')({
				keys: ['space R'],
				was: ['m'],
				label: 'Rename or move',
				also: 'mv',
				writes: true,
				run: ({server, entry}, {get}) => fileChanges(get).askMove(server, entry.path, entry.isFolder),
			}),
			makeFolder: {
				keys: ['+', 'space +'],
				label: 'New folder',
				also: 'mkdir directory',
				writes: true,
				run: at => fileChanges(at.get).askFolder(serverOf(at), folderOf(selectedIn(at))),
			},
			remove: onEntry('nothing to delete')({
				keys: ['space d', 'delete'],
				was: ['D'],
				label: 'Delete',
				also: 'rm',
				writes: true,
				run: ({server, entry}, {get}) => fileChanges(get).askRemove(server, entry.path, entry.isFolder),
			}),
		},
	},
	viewer: {
		where: 'file viewer',
		name: 'File viewer',
		screen: 'files',
		part: 'viewer',
		actions: actionsOf(
			{
				...reading,
				work: {keys: ['enter'], label: 'Work in the notebook', writes: true},
				left: {keys: ['left', 'h'], label: 'Scroll left'},
				right: {keys: ['right', 'l'], label: 'Scroll right'},
				find: {keys: ['/'], label: 'find', hint: true, now: needsText},
				nextMatch: {keys: ['n'], label: 'Next match'},
				previousMatch: {keys: ['N'], label: 'Previous match'},
				wrap: {keys: ['W'], was: ['w'], label: 'wrap', hint: true, now: needsLines},
				raw: {keys: ['v'], label: 'Raw or formatted'},
				table: {keys: ['t'], label: 'Open the table'},
				frame: {
					keys: ['T'],
					label: 'Read the whole table in the REPL',
					also: 'pandas data frame large',
					writes: true,
				},
				picture: {keys: ['P'], label: 'Open the picture'},
				outside: {keys: ['o', 'space O'], label: 'Open the picture in your picture viewer'},
				savePicture: {keys: ['S'], label: 'Save the picture'},
				foldMore: {keys: ['['], label: 'Notebook: the code above. JSON: fold a level'},
				foldLess: {keys: [']'], label: 'Notebook: the code below. JSON: unfold a level'},
				mark: {keys: ['m'], label: 'mark lines', hint: true, now: needsLines},
				edit: {keys: ['e', 'space e'], label: 'edit', hint: true, writes: true, now: needsFile},
				attach: {keys: ['@', 'space @'], label: 'ask', hint: true, now: needsText},
				run: {
					keys: ['r', 'space enter'],
					label: "Run the file, or the notebook's cell, in the REPL",
					writes: true,
				},
				runAll: {keys: ['A', 'space A'], label: 'Run the whole notebook', writes: true},
				copy: {keys: ['y'], label: 'Copy the file'},
				path: {keys: ['p'], label: 'Go to a path'},
				undo: {keys: ['ctrl+_'], label: 'Undo last write', writes: true},
				compare: {keys: ['D'], label: 'Compare with the server'},
				tree: {keys: ['esc'], label: 'tree'},
			},
			at => viewerAt(at).viewer,
		),
	},
	/** Keys while the user marks lines in the viewer. */
	marks: {
		where: 'marked lines',
		name: 'Marked lines',
		isPassing: true,
		actions: actionsOf(
			{
				...reading,
				copy: {keys: ['y'], label: 'copy', hint: true},
				attach: {keys: ['@', 'space @'], label: 'ask', hint: true},
				run: {keys: ['r', 'space enter'], label: 'run', hint: true, writes: true},
				leave: {keys: ['esc', 'm'], label: 'clear the marks'},
			},
			at => viewerAt(at).marks,
		),
	},
	/** Keys of the viewer's search field (`/`). */
	find: {
		where: 'find in a file',
		name: 'Find in the file',
		isText: true,
		isPassing: true,
		actions: actionsOf(
			{
				accept: {keys: ['enter', 'tab'], label: 'to the text', hint: true},
				nextMatch: {keys: ['down', 'ctrl+n'], label: 'next match', hint: true},
				previousMatch: {keys: ['up'], label: 'previous match', hint: true},
				...line,
				leave: {keys: ['esc'], label: 'back to where you were'},
			},
			at => viewerAt(at).find,
		),
		typed: (at, text) => viewerAt(at).find.typed(text),
	},
	overwrite: overwriteKeys,
	writing: writingKeys,
	conflict: conflictKeys,
	keptEdit: unsavedEditKeys,
};
