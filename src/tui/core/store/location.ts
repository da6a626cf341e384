import {createEditor} from '../../../text/editor/editor.ts';
import {type ListName, type ListView, listViews} from './lists.ts';
import type {Pane} from '../program.ts';
import {allPanes, allScreens, isPane, screenSpec} from '../features.ts';
import {WIDTH_CLASSES} from '../frame/workspace-layout.ts';
import {firstScreen} from './route.ts';
import type {State, Store} from '../program.ts';
import {fieldsOf} from '../../../text/record.ts';

/** Lists of panes belong to one server, so they are not stored. */
const keptLists = (): readonly ListName[] => allScreens().flatMap(({id, pane}) => (pane ? [] : [id]));

/** The user's location on a service, to which the next start returns. JSON. */
export const locationOf = (state: State): object => ({
	screen: state.screen,
	server: state.current,
	main: state.main,
	lastCompanion: state.lastCompanion,
	companions: state.companions,
	zoomed: state.zoomed,
	dividers: state.dividers,
	isTreeHidden: state.isTreeHidden,
	lists: Object.fromEntries(
		keptLists().map(name => {
			const {filter, cursor, at, sort} = state.lists[name];
			return [name, {filter: filter.text, cursor, at, sort}];
		}),
	),
});

type Fields = Readonly<Record<string, unknown>>;

const viewOf = (saved: Fields): Partial<ListView> => {
	const {filter, cursor, at} = saved;
	const {key, direction} = fieldsOf(saved['sort']);
	return {
		...(typeof filter === 'string' && {filter: createEditor(filter)}),
		...((typeof cursor === 'string' || cursor === null) && typeof at === 'number' && {cursor, at}),
		...(typeof key === 'string' &&
			(direction === 'ascending' || direction === 'descending') && {sort: {key, direction}}),
	};
};

/** Earlier versions of the program stored `docked`: false for a hidden pane. */
const companionsIn = (saved: Fields): State['companions'] => {
	const [chosen, docked] = [fieldsOf(saved['companions']), fieldsOf(saved['docked'])];
	return Object.fromEntries(
		allPanes().flatMap(pane => {
			const is = docked[pane] === false ? 'closed' : chosen[pane];
			return is === 'open' || is === 'closed' ? [[pane, is]] : [];
		}),
	);
};

/** Ignores the `paneWidths` of earlier versions, which did not depend on the terminal's width. */
const dividersIn = (saved: Fields): State['dividers'] =>
	Object.fromEntries(
		WIDTH_CLASSES.flatMap(kind => {
			const widths = Object.entries(fieldsOf(saved[kind])).filter(
				([name, width]) =>
					(name === 'rail' || name === 'main') && typeof width === 'number' && width > 0 && width < Infinity,
			);
			return widths.length === 0 ? [] : [[kind, Object.fromEntries(widths)]];
		}),
	);

/** Restores a saved location, as far as it can be parsed. */
export const restoreLocation = (store: Store, read: unknown): void => {
	const saved = fieldsOf(read);
	const screen = allScreens().find(({id}) => id === saved['screen'])?.id;
	const paneIn = (name: string): Pane | undefined => allPanes().find(pane => pane === saved[name]);
	const main = paneIn('main') ?? (screen !== undefined && isPane(screen) ? screen : undefined);
	const lastCompanion = paneIn('lastCompanion');
	const server = saved['server'];
	store.setState({
		...(screen && {screen}),
		...(main && {main}),
		...(lastCompanion && lastCompanion !== main && {lastCompanion}),
		...(typeof server === 'string' && {current: server}),
		companions: companionsIn(saved),
		dividers: dividersIn(fieldsOf(saved['dividers'])),
		isTreeHidden: saved['isTreeHidden'] === true,
		zoomed: saved['zoomed'] === true,
	});
	const lists = fieldsOf(saved['lists']);
	for (const name of keptLists()) {
		const view = viewOf(fieldsOf(lists[name]));
		// The filter of some lists is more than text.
		if (view.filter) screenSpec(name).command?.filter?.(store.getState, view.filter);
		// Selects the current server, even if another server was selected in the list when the
		// program ended on another screen.
		listViews(store.getState).changeList(
			name,
			name === firstScreen() && typeof server === 'string' ? {...view, cursor: server} : view,
		);
	}
};
