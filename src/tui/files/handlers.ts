import {parentOf} from '../../contract/paths.ts';
import {createEditor, insert} from '../../text/editor/editor.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import {onOneLine} from '../core/components/line-field.ts';
import {movements} from '../core/components/scroll.ts';
import type {KeyContext, KeyHandlers, ScopeHandlers, ScreenSpec} from '../core/feature.ts';
import {cursorAt, layoutOf, readIn, rowsOf, shownIn} from './layout.ts';
import {treeOf, fileListing} from './tree/listing.ts';
import {viewerKeys} from './viewer-keys.ts';
import type {FileTree} from './tree/tree.ts';
import type {TreeRow} from './tree/rows.ts';
import {fileShown} from './viewer/open-file.ts';
import {attach} from './ports.ts';
import {route} from '../core/store/route.ts';
import {unsavedEdits} from './saving/unsaved-edits.ts';
import {listViews} from '../core/store/lists.ts';
import {clipboard} from '../core/store/clipboard.ts';
import {fileChanges} from './tree/file-operations.ts';

const serverOf = ({get}: KeyContext): string => get().current ?? '';

/** The folder itself, or the folder of a file. */
const folderOf = ({path, isFolder}: TreeRow): string => (isFolder ? path : parentOf(path));

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
		layoutOf(get(), server, rect).tree,
		to => fileListing(get).changeTree(server, {cursor: rows[to]?.path ?? ''}),
	);
};

const tree: KeyHandlers<'tree'> = at => {
	const {get} = at;
	const server = serverOf(at);
	const selected = selectedIn(at);
	/** Reason for an empty selection, once it is known what is missing. */
	const none = (what: string): string => {
		const {folders, source} = treeOf(get(), server);
		return source === 'known' || folders.get('')?.value !== undefined
			? `There is ${what}`
			: 'The files are not listed yet';
	};
	return {
		...moves(at),
		open() {
			if (selected === undefined) return none('no file to open');
			fileListing(get).changeTree(server, {cursor: selected.path});
			if (selected.isFolder) {
				fileListing(get).toggleFolder(server, selected.path);
				return;
			}
			route(get).focusPart('files', 'viewer');
			void fileListing(get).goToPath(server, selected.path);
		},
		edit() {
			if (selected === undefined) return none('no file to edit');
			if (selected.isFolder) return `${selected.name} is a folder`;
			void unsavedEdits(get).editFile(server, selected.path);
		},
		add() {
			const folder = selected === undefined ? '' : folderOf(selected);
			route(get).openDialog({kind: 'add-file', server, folder: folder === '' ? '' : `${folder}/`});
		},
		path: () => route(get).openDialog({kind: 'go-to-path', server}),
		filter: () => listViews(get).setFiltering('files'),
		showAll() {
			if (get().lists.files.filter.text === '') return 'No filter is set: all files are shown';
			listViews(get).changeList('files', {filter: createEditor()});
		},
		hidden() {
			const {hidden, folders} = treeOf(get(), server);
			fileListing(get).changeTree(server, {hidden: !hidden});
			const isProject = [...folders.values()].some(({value}) => value?.some(leaf => leaf.isIgnored));
			const what = `Names that begin with a dot${isProject ? ', and what git ignores,' : ''}`;
			return hidden ? `${what} are hidden` : `${what} are shown`;
		},
		attach() {
			if (selected === undefined || selected.isFolder) return 'Only a file can go into the chat';
			return attach(get, {kind: 'file', path: selected.path});
		},
		copyPath: () =>
			selected === undefined ? none('no path to copy') : clipboard(get).copy(selected.path, 'The path'),
		listByCode() {
			const {source} = treeOf(get(), server);
			if (source === 'service') return 'The service lists the files itself';
			if (source === 'server') return 'The server lists the files itself';
			if (source === 'code') return void fileListing(get).refreshFolders(server);
			route(get).openDialog({kind: 'list-by-code', server});
		},
		upload: () =>
			route(get).openDialog({
				kind: 'transfer',
				server,
				direction: 'upload',
				path: selected === undefined ? '' : folderOf(selected),
			}),
		download() {
			if (selected === undefined) return none('no file to download');
			route(get).openDialog({kind: 'transfer', server, direction: 'download', path: selected.path});
		},
		move: () =>
			selected === undefined
				? none('nothing to rename')
				: fileChanges(get).askMove(server, selected.path, selected.isFolder),
		makeFolder: () => fileChanges(get).askFolder(server, selected === undefined ? '' : folderOf(selected)),
		remove: () =>
			selected === undefined
				? none('nothing to delete')
				: fileChanges(get).askRemove(server, selected.path, selected.isFolder),
		fold() {
			if (selected === undefined) return;
			if (selected.isFolder && selected.unfolded) fileListing(get).toggleFolder(server, selected.path);
			else fileListing(get).changeTree(server, {cursor: parentOf(selected.path)});
		},
	};
};

const NEED_TEXT: ReadonlySet<string> = new Set(['find', 'wrap', 'mark', 'attach']);

/** True if the list was requested and did not arrive. */
const isUnseen = ({folders, source}: FileTree): boolean => {
	const root = folders.get('');
	return source !== 'known' && root?.failure !== undefined && root.value === undefined;
};

/** Label of a key: its effect on the selected entry or the shown file. */
export const fileLabel: NonNullable<ScreenSpec['labelNow']> = (state, {scope, action, server, rect}) => {
	if (scope === 'viewer') {
		const viewer = state.viewers.get(server);
		if (action === 'edit' && viewer !== undefined && fileShown(viewer) === undefined) return null;
		const shown = readIn(state, server, rect);
		if (shown === null) return NEED_TEXT.has(action) ? null : undefined;
		return shown.isLaidOut && (action === 'wrap' || action === 'mark') ? null : undefined;
	}
	if (scope !== 'tree') return undefined;
	const files = treeOf(state, server);
	const rows = rowsOf(state, server);
	const selected = rows[cursorAt(rows, files)];
	// Existing names are unknown then.
	if (action === 'add' || action === 'upload') return isUnseen(files) ? null : undefined;
	if (action === 'open') return selected === undefined ? null : undefined;
	if (action === 'edit') return selected === undefined || selected.isFolder ? null : undefined;
	if (action === 'filter')
		return rows.length === 0 && state.lists.files.filter.text === '' ? null : undefined;
	return undefined;
};

const filter: KeyHandlers<'filter'> = at => {
	const {get} = at;
	const {up, down, pageUp, pageDown} = moves(at);
	const leave = (): void => listViews(get).setFiltering(null);
	const draft = () => get().lists.files.filter;
	const set = (next: ReturnType<typeof draft>): void => listViews(get).changeList('files', {filter: next});
	return {
		...editingKeys({draft, set}),
		...{up, down, pageUp, pageDown},
		accept: leave,
		leave,
		typed: text => set(insert(draft(), onOneLine(text))),
	};
};

const keysOfViewer = (at: KeyContext) => {
	const server = serverOf(at);
	return viewerKeys(at.get, server, () => shownIn(at.get(), server, at.rect));
};

export const fileHandlers: ScopeHandlers = {
	tree,
	filter,
	viewer: at => keysOfViewer(at).viewer,
	marks: at => keysOfViewer(at).marks,
	find: at => keysOfViewer(at).find,
};
