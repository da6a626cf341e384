import type {Screen} from '../program.ts';
import {allScreens} from '../features.ts';
import {createEditor, type Editor} from '../../../text/editor/editor.ts';
import {part, type App} from '../app.ts';

/** The lists that are filtered with `/` and sorted: each is named like its screen. */
export type ListName = Screen;

export type Sort = {readonly key: string; readonly direction: 'ascending' | 'descending'};

/** How a list is looked at. It outlives leaving the screen and every refresh. */
export type ListView = {
	/** What was typed behind `/`. */
	readonly filter: Editor;
	/** Id of the row under the cursor; null is the first row. */
	readonly cursor: string | null;
	/** Where that row stood: the cursor stays there when it has left the list. */
	readonly at: number;
	/** Null: the list's own order. */
	readonly sort: Sort | null;
};

const NEW_VIEW: ListView = {filter: createEditor(), cursor: null, at: 0, sort: null};

export type ListsState = {
	readonly lists: Readonly<Record<ListName, ListView>>;
	/** The list whose filter field has the keys. */
	readonly filtering: ListName | null;
};

export type ListViews = {
	changeList(list: ListName, change: Partial<ListView>): void;
	setFiltering(list: ListName | null): void;
};

const firstLists = (): ListsState => ({
	lists: Object.fromEntries(allScreens().map(({id}) => [id, NEW_VIEW])) as Record<ListName, ListView>,
	filtering: null,
});

export const listViews = part(
	'listViews',
	({get, set}: App): ListViews => ({
		changeList: (list, change) => set({lists: {...get().lists, [list]: {...get().lists[list], ...change}}}),
		setFiltering: filtering => set({filtering}),
	}),
	firstLists,
);

/** Index of the row under the cursor: the row with its id wherever that stands now, else the one at its old place. */
export const cursorIn = <T>(
	{cursor, at}: Pick<ListView, 'cursor' | 'at'>,
	rows: readonly T[],
	idOf: (row: T) => string,
): number => {
	if (cursor === null) return 0;
	const there = rows[at];
	if (there !== undefined && idOf(there) === cursor) return at;
	const found = rows.findIndex(row => idOf(row) === cursor);
	return found >= 0 ? found : Math.max(0, Math.min(at, rows.length - 1));
};
