import type {UnsavedEdit} from '../../storage/unsaved-edits.ts';
import type {DiffLine} from '../../text/columns/diff-lines.ts';
import type {NamedPlace} from '../cells/places.ts';
import type {Scope, State} from '../core/program.ts';
import {route} from '../core/store/route.ts';
import {label} from '../../text/safe.ts';
import {dialog, screen} from '../core/feature.ts';
import {addFile} from './tree/add-file.ts';
import {discarding, UnsavedEditDialog, keptEdits} from './saving/unsaved-edits-dialog.tsx';
import {makeFolder, moveFile, removeFile, type FolderContents} from './tree/file-operation-dialogs.tsx';
import {goToPath, listByCode} from './tree/path-dialogs.tsx';
import {fileSearch, openSearch, type SearchState} from './search/file-search.ts';
import {searchInFiles} from './search/search-dialog.ts';
import {places} from './tree/places.ts';
import {Overwrite, transfer} from './tree/transfer-dialogs.tsx';
import {difference, Difference, overwriting, WriteFile} from './saving/write-dialog.tsx';
import {helpScope} from '../cells/help/help.ts';
import {isUnderWay} from './saving/save-machine.ts';
import {fileChanges} from './tree/file-operations.ts';
import {externalEditor} from './saving/external-editor.ts';
import {unsavedEdits, type KeptEditsState} from './saving/unsaved-edits.ts';
import {fileKeys, filesTab, filterFiles} from './keys.ts';
import {layoutOf} from './layout.ts';
import {FilesScreen} from './screen.tsx';
import {questionOf, type Question, type Writing} from './saving/save-machine.ts';
import {fileListing, treeOf, type FilesState} from './tree/listing.ts';
import {fileTransfers, type TransfersState} from './tree/transfers.ts';
import {fileViewer, type ViewerState} from './viewer/open-file.ts';
import {fileSaving, type FileWritingState} from './saving/saving.ts';
import {fileFinds} from './search/finds.ts';
import {fileCommands, toLine} from './line-commands.ts';
import {codeHasRun} from '../cells/ports.ts';
import {searchFiles} from '../core/ports.ts';
import {refreshFiles} from '../servers/ports.ts';
import {namedPlaces} from './tree/named-places.ts';
import {documents} from './document.ts';

declare module '../core/program.ts' {
	interface State
		extends FilesState, ViewerState, FileWritingState, KeptEditsState, TransfersState, SearchState {}
	interface Scopes {
		tree: true;
		viewer: true;
		marks: true;
		find: true;
		overwrite: true;
		writing: true;
		conflict: true;
		keptEdit: true;
	}
	interface Panes {
		files: 'tree' | 'viewer';
	}
	interface Dialogs {
		/**
		 * Positions that an answer or a cell mentions. `cellsOf`: the view that contains the cells
		 * of a traceback.
		 */
		places: {server: string; places: readonly NamedPlace[]; cellsOf?: 'repl' | 'notebook'};
		/** `folder`: initial text of the field. */
		'add-file': {server: string; folder: string};
		/** `path`: the server's folder for an upload, or the source of a download. */
		transfer: {server: string; direction: 'upload' | 'download'; path: string};
		overwrite: {path: string; direction: 'upload' | 'download'; isHidden?: boolean};
		'go-to-path': {server: string};
		'search-files': {server: string};
		'list-by-code': {server: string};
		/** `isSent`: the request is in progress. */
		'move-file': {server: string; path: string; isFolder: boolean; isSent?: boolean};
		/** `above`: parent folder, unless the user types another. */
		'make-folder': {server: string; above: string; isSent?: boolean};
		'remove-file': {server: string; path: string; isFolder: boolean; holds: FolderContents};
		'write-file': {writing: Writing; top?: number};
		'kept-edits': {};
		/** An unsaved text, compared with its original. */
		'kept-edit': {edit: UnsavedEdit; rows: readonly DiffLine[]; isDiscarding: boolean; top?: number};
		difference: {path: string; rows: readonly DiffLine[]; top?: number};
	}
}

/** Keys of the viewer differ while the user types in its search field or marks lines. */
const filesScope = (state: State): Scope => {
	const {paneFocus, viewers, current, filtering} = state;
	if (paneFocus.files === 'tree') return filtering === 'files' ? 'filter' : 'tree';
	const document = documents(state.app).scope(state, current ?? '');
	if (document !== undefined) return document;
	const viewer = viewers.get(current ?? '');
	if (viewer?.find?.typing) return 'find';
	return viewer?.mark ? 'marks' : 'viewer';
};

const isInTree = ({screen, paneFocus}: State): boolean => screen === 'files' && paneFocus.files === 'tree';

/**
 * Shows or hides the tree. Without `isBeside` the tree covers the file, and is visible while it has
 * focus.
 */
const showTree = (state: State, isBeside: boolean): string | void => {
	if (!state.viewers.has(state.current ?? '')) return 'No file is open: the tree is all there is';
	const {focus, focusPart, toggleTree} = route(state.app);
	if (isBeside) toggleTree();
	else focus('files');
	if (isInTree(state)) focusPart('files', 'viewer');
	else if (!isBeside) focusPart('files', 'tree');
};

const WRITING_SCOPES = {
	diff: 'writing',
	conflict: 'conflict',
	overwrite: 'confirm',
} as const satisfies Record<Question['at'], Scope>;

export const files = screen({
	...filesTab,
	command: {does: 'Show the files of the current server'},
	parts: [
		fileListing,
		fileViewer,
		fileSearch,
		fileSaving,
		namedPlaces,
		unsavedEdits,
		fileTransfers,
		externalEditor,
		fileChanges,
		refreshFiles.provide((app, server) => void fileListing(app).refreshFiles(server)),
		searchFiles.provide(openSearch),
		codeHasRun.provide(({get}, server) => void fileListing(get).followCode(server)),
	],
	keys: fileKeys,
	handlers: {filter: filterFiles},
	stop: (state, server) => fileTransfers(state.app).stopTransfer(server),
	stops: ({transfer}, server, top) =>
		top === 'tree' && transfer?.server === server ? `stop the ${transfer.direction}` : undefined,
	ended: (state, server) => documents(state.app).ended(state, server),
	failure(state, server) {
		const {folders, cursor} = treeOf(state, server);
		const opened = state.viewers.get(server)?.file.failure;
		return state.paneFocus.files === 'viewer'
			? opened
			: (folders.get(cursor)?.failure ?? folders.get('')?.failure ?? opened);
	},
	partAt(state, server, rect, {x}) {
		const {tree, isDrawer} = layoutOf(state, server, rect);
		return x < tree.x + tree.width && (!isDrawer || isInTree(state)) ? 'tree' : 'viewer';
	},
	hasRail: ({viewers}, server) => viewers.has(server),
	hasContent: ({viewers}, server) => viewers.has(server),
	isInTree,
	showTree,
	inDock: ({viewers}, server) => label(viewers.get(server)?.path ?? '', 60),
	// Tab moves the focus to a tree that covers the file only while that tree is visible.
	tabStops: (state, {rail = 0}) =>
		!state.viewers.has(state.current ?? '')
			? ['tree']
			: rail > 0 || state.paneFocus.files === 'tree'
				? ['tree', 'viewer']
				: ['viewer'],
	scopes: state => [...helpScope(state), filesScope(state)],
	commands: fileCommands,
	finds: fileFinds,
	onNumber: toLine,
	dialogs: [
		places,
		addFile,
		transfer,
		dialog({
			kind: 'overwrite',
			saysKeys: () => true,
			scope: 'overwrite',
			dismiss: state => fileTransfers(state.app).answerOverwrite('stop'),
			Dialog: Overwrite,
		}),
		goToPath,
		searchInFiles,
		listByCode,
		moveFile,
		makeFolder,
		removeFile,
		dialog({
			kind: 'write-file',
			saysKeys: ({writing: open}) => !isUnderWay(open),
			scope: ({writing}) => [WRITING_SCOPES[questionOf(writing)?.at ?? 'diff']],
			handlers: {confirm: overwriting},
			dismiss: state => fileSaving(state.app).leaveWriting(),
			Dialog: WriteFile,
		}),
		keptEdits,
		dialog({
			kind: 'kept-edit',
			saysKeys: () => true,
			scope: ({isDiscarding}) => [isDiscarding ? 'confirm' : 'keptEdit'],
			handlers: {confirm: discarding},
			Dialog: UnsavedEditDialog,
		}),
		dialog({kind: 'difference', scope: 'reader', handlers: {reader: difference}, Dialog: Difference}),
	],
	Screen: FilesScreen,
});
