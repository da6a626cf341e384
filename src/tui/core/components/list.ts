import {useLayoutEffect} from 'react';
import {createEditor, insert, type Editor} from '../../../text/editor/editor.ts';
import type {Rect, Screen, State} from '../program.ts';
import type {KeyContext} from '../feature.ts';
import {actionsOf, type Actions} from '../keys/action.ts';
import {filtered, list} from '../keys/binding-sets.ts';
import type {Effects} from '../keys/shared-rows.ts';
import {useApp, useGetState} from '../store-context.ts';
import {cursorIn, filterAside, type ListView, listViews} from '../store/lists.ts';
import type {Remote} from '../store/remote.ts';
import {editingKeys} from './editor-keys.ts';
import {onOneLine} from './line-field.ts';
import {movements} from './scroll.ts';

type Options<T> = {
	readonly name: Screen;
	/**
	 * The rows that pass the filter, in order. Called at every key press too, so it must cache its
	 * last result (`lastResult`).
	 */
	readonly rowsOf: (state: State) => readonly T[];
	readonly idOf: (row: T) => string;
	/** Number of rows that one page scrolls. */
	readonly page: (rect: Rect, state: State) => number;
	/** Source of the rows. The footer offers no filter while the source has no items. */
	readonly remote?: (state: State) => Remote<{readonly items: readonly unknown[]}>;
	/**
	 * Receives the text of the filter field. For a list whose filter is more than text. `isTyping`
	 * is false when the user leaves the field.
	 */
	readonly onFilter?: (state: State, filter: Editor, isTyping: boolean) => void;
	/** Index of the cursor, for a list that derives it from other state; -1 for none. */
	readonly cursorOf?: (state: State) => number;
	/** Returns the reason if Enter cannot leave the field. */
	readonly whyStay?: (get: () => State) => string | undefined;
};

/**
 * A list with a filter field (`/`) and a cursor that is stored by id: handlers of its keys, and the
 * data for drawing.
 */
export const listOf = <T>(options: Options<T>) => {
	const {name, rowsOf, idOf, page, remote, onFilter, whyStay} = options;
	const cursorOf = options.cursorOf ?? (state => cursorIn(state.lists[name], rowsOf(state), idOf));

	const change = (get: () => State, next: Partial<ListView>): void => listViews(get).changeList(name, next);
	const movesAt = ({get, rect}: KeyContext) =>
		movements(
			() => cursorOf(get()),
			rowsOf(get()).length,
			page(rect, get()),
			to => {
				const row = rowsOf(get())[to];
				if (row !== undefined) change(get, {cursor: idOf(row), at: to});
			},
		);
	const isEmpty = (state: State): boolean => {
		const from = remote?.(state);
		return (
			state.lists[name].filter.text === '' &&
			from !== undefined &&
			(from.value?.items.length === 0 || (from.value === undefined && from.failure !== undefined))
		);
	};
	const filtering = {
		filter: {
			...filtered.filter,
			now: ({get}) => (isEmpty(get()) ? null : undefined),
			run: ({get}) => listViews(get).setFiltering(name),
		},
		showAll: {
			...filtered.showAll,
			run({get}) {
				if (get().lists[name].filter.text === '') return 'No filter is set: all rows are shown';
				change(get, {filter: createEditor()});
			},
		},
	} as const satisfies Actions;

	/** Effects of the filter field, opened by `/`. */
	const filter = (at: KeyContext): Effects<'filter'> => {
		const {get} = at;
		const draft = (): Editor => get().lists[name].filter;
		const set = (next: Editor): void =>
			onFilter ? onFilter(get(), next, true) : listViews(get).changeList(name, {filter: next});
		const moves = movesAt(at);
		const leave = (): void => {
			onFilter?.(get(), draft(), false);
			listViews(get).setFiltering(null);
		};
		return {
			...editingKeys({draft, set}),
			...moves,
			up() {
				const aside = filterAside(get().lists[name]);
				if (aside) set(aside);
				else moves.up();
			},
			accept: () => whyStay?.(get) ?? leave(),
			leave,
			typed: text => set(insert(draft(), onOneLine(text))),
		};
	};

	const viewOf = (state: State) => state.lists[name];
	const isFilteringNow = (state: State): boolean => state.filtering === name && state.dialogs.length === 0;
	/** Current data for drawing the list. */
	const useView = () => {
		const get = useGetState();
		const rows = useApp(rowsOf);
		const view = useApp(viewOf);
		const isFiltering = useApp(isFilteringNow);
		const cursor = useApp(cursorOf);
		const row = rows[cursor];
		const id = row === undefined ? null : idOf(row);
		useLayoutEffect(() => {
			// After the first frame with rows, the cursor stays on the drawn row, even if a refresh
			// moves that row.
			if (id !== null && view.cursor === null) listViews(get).changeList(name, {cursor: id, at: cursor});
			// Stores the row's position, where the cursor stays if the row disappears.
			else if (id !== null && view.cursor === id && view.at !== cursor)
				listViews(get).changeList(name, {at: cursor});
		}, [get, id, cursor, view]);
		return {rows, view, filtering: isFiltering, cursor};
	};

	return {
		/** Actions that move the cursor. */
		moves: actionsOf(list, movesAt),
		/** Actions of the filter. */
		filtering,
		filter,
		useView,
		selected: (state: State): T | undefined => rowsOf(state)[cursorOf(state)],
	};
};
