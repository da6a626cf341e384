import type {Rect, State} from '../core/program.ts';
import {lastResult} from '../core/store/last-result.ts';
import {readWhole} from './viewer/pictures.ts';
import {shownOf, type Shown} from './viewer/shown.ts';
import {treeOf} from './tree/listing.ts';
import type {FileTree} from './tree/tree.ts';
import {treeRows, type TreeRow} from './tree/rows.ts';

/** Width of a focused tree that covers the left edge of the file, in cells. */
const DRAWER = 30;

export type FilesLayout = {
	/** Area of the tree with its title; it may cover the viewer. */
	readonly tree: Rect;
	readonly isDrawer: boolean;
	/** Area of the open file with its title: the whole pane, or the part beside the tree. */
	readonly viewer: Rect;
	/** Rows below the titles. */
	readonly treeRows: number;
	readonly viewerRows: number;
};

/**
 * Areas of the tree and the open file. Without a file the tree fills the pane. Otherwise it is
 * beside the file, or covers the left edge of the file.
 */
export const filesLayout = (rect: Rect, isOpen: boolean): FilesLayout => {
	const {x, y, width, height, rail = 0, edge = 0} = rect;
	const pane: Rect = {x, y, width, height, edge};
	const rows = {treeRows: Math.max(1, height - 1), viewerRows: isOpen ? Math.max(1, height - 1) : 0};
	if (!isOpen) return {tree: pane, isDrawer: false, viewer: pane, ...rows};
	if (rail === 0)
		return {tree: {...pane, width: Math.min(DRAWER, width), edge: 1}, isDrawer: true, viewer: pane, ...rows};
	return {
		tree: {...pane, width: rail, edge: 1},
		isDrawer: false,
		viewer: {...pane, x: x + rail + 1, width: width - rail - 1},
		...rows,
	};
};

const rowsOnce = lastResult(
	(
		folders: FileTree['folders'],
		unfolded: FileTree['unfolded'],
		hidden: boolean,
		source: FileTree['source'],
		recent: FileTree['recent'],
		filter: string,
	) => treeRows({folders, unfolded, hidden, source, recent}, filter),
);

/** The rows of a server's tree that pass the filter. */
export const rowsOf = (state: Pick<State, 'files' | 'lists'>, server: string): readonly TreeRow[] => {
	const {folders, unfolded, hidden, source, recent} = treeOf(state, server);
	return rowsOnce(folders, unfolded, hidden, source, recent, state.lists.files.filter.text);
};

export const cursorAt = (rows: readonly TreeRow[], {cursor}: Pick<FileTree, 'cursor'>): number =>
	Math.max(
		0,
		rows.findIndex(row => row.path === cursor),
	);

export const layoutOf = (state: State, server: string, rect: Rect): FilesLayout =>
	filesLayout(rect, state.viewers.has(server));

/** The open file as drawn in a pane. A long file may be only partly loaded. */
export const readIn = (state: State, server: string, rect: Rect): Shown => {
	const {viewer, viewerRows} = layoutOf(state, server, rect);
	return shownOf(state.viewers.get(server), state.pictureStyle, {width: viewer.width, height: viewerRows});
};

/** The open file in a pane after it was parsed completely, for keys that act on the file. */
export const shownIn = (state: State, server: string, rect: Rect): Shown => {
	const file = state.viewers.get(server)?.file.value;
	if (file) readWhole(file);
	return readIn(state, server, rect);
};
