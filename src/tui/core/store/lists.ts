import type {Screen, State} from '../program.ts';
import {allScreens, screenSpec} from '../features.ts';
import {createEditor, type Editor} from '../../../text/editor/editor.ts';
import {part, type App} from '../app.ts';

/** Lists that can be filtered (`/`) and sorted. Each has the name of its screen. */
export type ListName = Screen;

export type Sort = {readonly key: string; readonly direction: 'ascending' | 'descending'};

/**
 * View of a list. It is retained when the user leaves the screen, and when the list is reloaded.
 */
export type ListView = {
	/** Text of the filter field. */
	readonly filter: Editor;
	/** Id of the selected row; null selects the first row. */
	readonly cursor: string | null;
	/** Index of the selected row. If the row disappears, the row at this index is selected. */
	readonly at: number;
	/** Order that the user chose; null for the list's default order. */
	readonly sort: Sort | null;
	/** Filter that Esc cleared, for Up to restore; empty if there is none. */
	readonly aside?: string;
};

const NEW_VIEW: ListView = {filter: createEditor(), cursor: null, at: 0, sort: null};

export type ListsState = {
	readonly lists: Readonly<Record<ListName, ListView>>;
	/** List whose filter field has focus. */
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

/** Sets the filter of a list, as its filter field does. Returns a sentence if it is invalid. */
export const filterList = (get: () => State, list: ListName, filter: Editor): string | void => {
	const own = screenSpec(list).command?.filter;
	if (own) return own(get, filter);
	listViews(get).changeList(list, {filter});
};

/** The filter that Up restores in an empty filter field; null if there is none. */
export const filterAside = ({filter, aside = ''}: Pick<ListView, 'filter' | 'aside'>): Editor | null =>
	filter.text === '' && aside !== '' ? createEditor(aside) : null;

/** Index of the selected row. If the selected row has disappeared, the index that it had last. */
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
