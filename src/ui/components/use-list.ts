import {useEffect} from 'react';
import {cursorIn, type ListName, type ListView} from '../../store/lists.ts';
import type {State} from '../../store/store.ts';
import {createEditor, insert, type Editor} from '../../text/editor.ts';
import {useKeys} from '../keys/keys.tsx';
import {useApp, useGetState} from '../store-context.ts';
import {editingKeys} from './editor-keys.ts';
import {onOneLine} from './line-field.ts';
import {movements} from './scroll.ts';

type Options<T> = {
	readonly name: ListName;
	/** The rows that pass the filter, in their order. Asked at each key too, so it must remember its last result (`lastResult`). */
	readonly rowsOf: (state: State) => readonly T[];
	readonly idOf: (row: T) => string;
	/** Rows of a page. */
	readonly page: number;
	/** Takes what is typed behind `/`, for a list whose filter is more than text. `false`: the field is left. */
	readonly onFilter?: (filter: Editor, isTyping: boolean) => void;
	/** A sentence when Enter cannot leave the field. */
	readonly whyStay?: () => string | undefined;
};

/** A list with a cursor that is kept by id and a filter field behind `/`. */
export const useList = <T>({name, rowsOf, idOf, page, onFilter, whyStay}: Options<T>) => {
	const get = useGetState();
	const rows = useApp(rowsOf);
	const view = useApp(state => state.lists[name]);
	const filtering = useApp(state => state.filtering === name && state.dialogs.length === 0);
	const at = (): number => cursorIn(get().lists[name], rowsOf(get()), idOf);
	const change = (next: Partial<ListView>): void => get().changeList(name, next);
	const moveTo = (to: number): void => {
		const row = rowsOf(get())[to];
		if (row !== undefined) change({cursor: idOf(row), at: to});
	};
	const moves = () => movements(at, rowsOf(get()).length, page, moveTo);
	const keys = {
		up: () => moves().up(), down: () => moves().down(), pageUp: () => moves().pageUp(), pageDown: () => moves().pageDown(), first: () => moves().first(), last: () => moves().last(),
		filter: () => get().setFiltering(name),
		showAll() {
			if (get().lists[name].filter.text === '') return 'All rows are shown: there is no filter';
			change({filter: createEditor()});
		},
	};
	const cursor = cursorIn(view, rows, idOf);
	const row = rows[cursor];
	const id = row === undefined ? null : idOf(row);
	useEffect(() => {
		// Where its row has moved to is where the cursor stays when that row goes.
		if (id !== null && view.cursor === id && view.at !== cursor) get().changeList(name, {at: cursor});
	}, [get, name, id, cursor, view]);
	const setFilter = (filter: Editor): void => (onFilter ? onFilter(filter, true) : change({filter}));
	const leave = (): void => {
		onFilter?.(get().lists[name].filter, false);
		get().setFiltering(null);
	};
	useKeys('filter', {
		...editingKeys({draft: () => get().lists[name].filter, set: setFilter}),
		up: keys.up, down: keys.down, pageUp: keys.pageUp, pageDown: keys.pageDown,
		accept: () => whyStay?.() ?? leave(),
		leave,
	}, text => setFilter(insert(get().lists[name].filter, onOneLine(text))));
	return {rows, view, filtering, cursor, keys, moveTo, selected: (): T | undefined => rowsOf(get())[at()]};
};
