import {useLayoutEffect} from 'react';
import {createEditor, insert, type Editor} from '../../../text/editor/editor.ts';
import type {Rect, Screen, State} from '../program.ts';
import type {KeyContext, KeyHandlers} from '../feature.ts';
import {useApp, useGetState} from '../store-context.ts';
import {cursorIn, type ListView, listViews} from '../store/lists.ts';
import type {Remote} from '../store/remote.ts';
import {editingKeys} from './editor-keys.ts';
import {onOneLine} from './line-field.ts';
import {movements} from './scroll.ts';

type Options<T> = {
	readonly name: Screen;
	/**
	 * The rows that pass the filter, in order. Each key calls it too, so it must cache its last
	 * result (`lastResult`).
	 */
	readonly rowsOf: (state: State) => readonly T[];
	readonly idOf: (row: T) => string;
	/** Rows of a page. */
	readonly page: (rect: Rect, state: State) => number;
	/**
	 * Receives the text of the filter field, for a list whose filter is more than text. `false`:
	 * the field is left.
	 */
	readonly onFilter?: (state: State, filter: Editor, isTyping: boolean) => void;
	/** Index of the cursor, for a list that shares it; -1 if none. */
	readonly cursorOf?: (state: State) => number;
	/** A sentence if Enter cannot leave the field. */
	readonly whyStay?: (get: () => State) => string | undefined;
};

/**
 * A list with a cursor stored by id and a filter field (`/`): handlers of its keys, and the data
 * for drawing.
 */
export const listOf = <T>(options: Options<T>) => {
	const {name, rowsOf, idOf, page, onFilter, whyStay} = options;
	const cursorOf = options.cursorOf ?? (state => cursorIn(state.lists[name], rowsOf(state), idOf));

	const keys = ({get, rect}: KeyContext) => {
		const change = (next: Partial<ListView>): void => listViews(get).changeList(name, next);
		const moveTo = (to: number): void => {
			const row = rowsOf(get())[to];
			if (row !== undefined) change({cursor: idOf(row), at: to});
		};
		return {
			...movements(() => cursorOf(get()), rowsOf(get()).length, page(rect, get()), moveTo),
			filter: () => listViews(get).setFiltering(name),
			showAll() {
				if (get().lists[name].filter.text === '') return 'No filter is set: all rows are shown';
				change({filter: createEditor()});
			},
		};
	};

	const filter: KeyHandlers<'filter'> = at => {
		const {get} = at;
		const draft = (): Editor => get().lists[name].filter;
		const set = (next: Editor): void =>
			onFilter ? onFilter(get(), next, true) : listViews(get).changeList(name, {filter: next});
		const leave = (): void => {
			onFilter?.(get(), draft(), false);
			listViews(get).setFiltering(null);
		};
		return {
			...editingKeys({draft, set}),
			...keys(at),
			accept: () => whyStay?.(get) ?? leave(),
			leave,
			typed: text => set(insert(draft(), onOneLine(text))),
		};
	};

	/** An empty or missing list cannot be filtered. */
	const filterLabel = (
		state: State,
		remote: Remote<{readonly items: readonly unknown[]}>,
	): null | undefined =>
		state.lists[name].filter.text === '' &&
		(remote.value?.items.length === 0 || (remote.value === undefined && remote.failure !== undefined))
			? null
			: undefined;

	const viewOf = (state: State) => state.lists[name];
	const isFiltering = (state: State): boolean => state.filtering === name && state.dialogs.length === 0;
	/** Data for drawing the list now. */
	const useView = () => {
		const get = useGetState();
		const rows = useApp(rowsOf);
		const view = useApp(viewOf);
		const filtering = useApp(isFiltering);
		const cursor = useApp(cursorOf);
		const row = rows[cursor];
		const id = row === undefined ? null : idOf(row);
		useLayoutEffect(() => {
			// After the first frame with rows, the cursor stays on the drawn row, even if a
			// refresh moves it.
			if (id !== null && view.cursor === null) listViews(get).changeList(name, {cursor: id, at: cursor});
			// Remembers the row's position, where the cursor stays if the row disappears.
			else if (id !== null && view.cursor === id && view.at !== cursor)
				listViews(get).changeList(name, {at: cursor});
		}, [get, id, cursor, view]);
		return {rows, view, filtering, cursor};
	};

	return {
		keys,
		filter,
		filterLabel,
		useView,
		selected: (state: State): T | undefined => rowsOf(state)[cursorOf(state)],
	};
};
