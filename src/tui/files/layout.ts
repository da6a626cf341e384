import type {Rect, State} from '../core/program.ts';
import {lastResult} from '../core/store/last-result.ts';
import {readWhole} from './viewer/pictures.ts';
import {shownOf, type Shown} from './viewer/shown.ts';
import {documents} from './document.ts';
import {treeOf} from './tree/listing.ts';
import type {FileTree} from './tree/tree.ts';
import {treeRows, type TreeRow} from './tree/rows.ts';

/** Share of the rows for the tree: less beside a notebook that is edited. */
const SHARES = {read: 0.4, worked: 0.2} as const;

/**
 * Rows of the tree and of the viewer for a pane of this height, without a title, a rule and the
 * viewer's own title.
 */
export const filesLayout = (
	height: number,
	rowCount: number,
	opened: boolean,
	share: keyof typeof SHARES = 'read',
): {readonly tree: number; readonly viewer: number} => {
	if (!opened) return {tree: height - 1, viewer: 0};
	const tree = Math.max(3, Math.min(rowCount, Math.floor((height - 3) * SHARES[share])));
	return {tree, viewer: Math.max(1, height - 2 - tree)};
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

export const layoutOf = (state: State, server: string, {height}: Rect): ReturnType<typeof filesLayout> =>
	filesLayout(
		height,
		rowsOf(state, server).length,
		state.viewers.has(server),
		documents(state.app).scope(state, server) === undefined ? 'read' : 'worked',
	);

/** The open file in a pane, as far as it is loaded. */
export const readIn = (state: State, server: string, rect: Rect): Shown =>
	shownOf(state.viewers.get(server), state.pictureStyle, {
		width: rect.width,
		height: layoutOf(state, server, rect).viewer,
	});

/** The whole open file in a pane, for keys that act on it. */
export const shownIn = (state: State, server: string, rect: Rect): Shown => {
	const file = state.viewers.get(server)?.file.value;
	if (file) readWhole(file);
	return readIn(state, server, rect);
};
