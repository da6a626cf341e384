import {useEffect, useMemo, useRef} from 'react';
import {EMPTY_TREE, treeRows, type TreeRow} from '../../../store/files.ts';
import {createEditor, insert} from '../../../text/editor.ts';
import {editingKeys} from '../../components/editor-keys.ts';
import {lineField, onOneLine} from '../../components/line-field.ts';
import {movements} from '../../components/scroll.ts';
import {CursorAt} from '../../frame/cursor.tsx';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {useApp, useGetState} from '../../store-context.ts';
import {FIND_FIELD, filesLayout, FilesView} from './files-view.tsx';
import {useViewer, type Shown} from './use-viewer.ts';
import {viewerKeys} from './viewer-keys.ts';

/** The folder that an entry stands for or stands in. */
const folderOf = ({path, isFolder}: TreeRow): string => (isFolder ? path : path.split('/').slice(0, -1).join('/'));

export const FilesScreen = ({server, rect, hasKeys}: {readonly server: string; readonly rect: Rect; readonly hasKeys: boolean}) => {
	const get = useGetState();
	const tree = useApp(state => state.files.get(server)) ?? EMPTY_TREE;
	const viewer = useApp(state => state.viewers.get(server));
	const part = useApp(state => state.paneFocus.files);
	const connection = useApp(state => state.connection);
	const transfer = useApp(state => (state.transfer?.server === server ? state.transfer : null));
	const list = useApp(state => state.lists.files);
	const filtering = useApp(state => state.filtering === 'files' && state.dialogs.length === 0);
	const {folders, unfolded, hidden, source, recent} = tree;
	// The cursor moves in rows that stay the same.
	const rows = useMemo(() => treeRows({folders, unfolded, hidden, source, recent}, list.filter.text), [folders, unfolded, hidden, source, recent, list.filter.text]);
	const layout = filesLayout(rect.height, rows.length, viewer !== undefined);
	const shown = useViewer(viewer, rect.width, layout.viewer);
	const drawn = useRef<Shown>(null);
	drawn.current = shown;
	useEffect(() => {
		if (!get().files.get(server)?.folders.has('')) void get().loadFolder(server, '');
	}, [get, server]);

	const change = (next: Parameters<ReturnType<typeof get>['changeTree']>[1]): void => get().changeTree(server, next);
	const latest = () => get().files.get(server) ?? EMPTY_TREE;
	const at = (): number => Math.max(0, rows.findIndex(row => row.path === latest().cursor));
	useKeys('tree', {
		...movements(at, rows.length, layout.tree, to => change({cursor: rows[to]?.path ?? ''})),
		open() {
			const selected = rows[at()];
			if (selected === undefined) return 'There is no file to open';
			change({cursor: selected.path});
			if (selected.isFolder) {
				get().toggleFolder(server, selected.path);
				return;
			}
			get().focusPart('files', 'viewer');
			void get().goToPath(server, selected.path);
		},
		edit() {
			const selected = rows[at()];
			if (selected === undefined) return 'There is no file to edit';
			if (selected.isFolder) return `${selected.name} is a folder`;
			void get().editFile(server, selected.path);
		},
		add() {
			const selected = rows[at()];
			const folder = selected === undefined ? '' : folderOf(selected);
			get().openDialog({kind: 'add-file', server, folder: folder === '' ? '' : `${folder}/`});
		},
		path: () => get().openDialog({kind: 'go-to-path', server}),
		filter: () => get().setFiltering('files'),
		showAll() {
			if (get().lists.files.filter.text === '') return 'All files are shown: there is no filter';
			get().changeList('files', {filter: createEditor()});
		},
		hidden() {
			const {hidden} = latest();
			get().changeTree(server, {hidden: !hidden});
			return hidden ? 'Names that begin with a dot are hidden' : 'Names that begin with a dot are shown';
		},
		attach() {
			const selected = rows[at()];
			if (selected === undefined || selected.isFolder) return 'Only a file can go into the chat';
			return get().addAttachment({kind: 'file', path: selected.path});
		},
		copyPath() {
			const selected = rows[at()];
			return selected === undefined ? 'There is no path to copy' : get().copy(selected.path, 'The path');
		},
		listByCode() {
			if (latest().source === 'service') return 'The service lists the files itself';
			if (latest().source === 'code') return void get().refreshFolders(server);
			get().openDialog({kind: 'list-by-code', server});
		},
		upload() {
			const selected = rows[at()];
			get().openDialog({kind: 'transfer', server, direction: 'upload', path: selected === undefined ? '' : folderOf(selected)});
		},
		download() {
			const selected = rows[at()];
			if (selected === undefined) return 'There is no file to download';
			get().openDialog({kind: 'transfer', server, direction: 'download', path: selected.path});
		},
		fold() {
			const selected = rows[at()];
			if (selected === undefined) return;
			if (selected.isFolder && selected.unfolded) get().toggleFolder(server, selected.path);
			else change({cursor: selected.path.split('/').slice(0, -1).join('/')});
		},
	});
	const leaveFilter = (): void => get().setFiltering(null);
	const moves = movements(at, rows.length, layout.tree, to => change({cursor: rows[to]?.path ?? ''}));
	useKeys('filter', {
		...editingKeys({draft: () => get().lists.files.filter, set: filter => get().changeList('files', {filter})}),
		up: moves.up, down: moves.down, pageUp: moves.pageUp, pageDown: moves.pageDown,
		accept: leaveFilter,
		leave: leaveFilter,
	}, text => get().changeList('files', {filter: insert(get().lists.files.filter, onOneLine(text))}));
	const keys = useMemo(() => viewerKeys(get, server, () => drawn.current), [get, server]);
	const index = shown?.sheet.index;
	useEffect(() => keys.lookAgain(), [keys, index]);
	useKeys('viewer', keys.viewer);
	useKeys('marks', keys.marks);
	useKeys('find', keys.find, keys.onText);
	const field = hasKeys && part === 'viewer' && viewer?.find?.typing ? lineField(viewer.find.field, FIND_FIELD) : null;
	return (
		<>
			<FilesView {...{server, tree, rows, connection, viewer, shown, transfer, list, filtering}} focus={hasKeys ? part : null} x={rect.x} y={rect.y} width={rect.width} height={rect.height}/>
			{field && <CursorAt x={rect.x + 4 + field.x} y={rect.y + layout.tree + 1}/>}
		</>
	);
};
