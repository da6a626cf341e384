import type {Screen, Slice} from '../program.ts';
import {allScreens} from '../rooms.ts';
import {createEditor, type Editor} from '../../../text/editor/editor.ts';

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

export type ListsSlice = {
	readonly lists: Readonly<Record<ListName, ListView>>;
	/** The list whose filter field has the keys. */
	readonly filtering: ListName | null;
	changeList(list: ListName, change: Partial<ListView>): void;
	setFiltering(list: ListName | null): void;
};

export const createListsSlice: Slice<ListsSlice> = (set, get) => ({
	lists: Object.fromEntries(allScreens().map(({id}) => [id, NEW_VIEW])) as Record<ListName, ListView>,
	filtering: null,
	changeList: (list, change) => set({lists: {...get().lists, [list]: {...get().lists[list], ...change}}}),
	setFiltering: filtering => set({filtering}),
});

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
