import {createEditor} from '../../../text/editor/editor.ts';
import {type ListName, type ListView, listViews} from './lists.ts';
import type {Pane} from '../program.ts';
import {allPanes, allScreens, isPane, screenSpec} from '../features.ts';
import {WIDTH_CLASSES} from '../frame/workspace-layout.ts';
import {firstScreen} from './route.ts';
import type {State, Store} from '../program.ts';
import {fieldsOf} from '../../../text/record.ts';

/** Lists whose view is stored. Those of panes are left out, because they belong to one server. */
const keptLists = (): readonly ListName[] => allScreens().flatMap(({id, pane}) => (pane ? [] : [id]));

/** The user's location on a service, as JSON. The next start restores it. */
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

/** Earlier versions stored `docked` instead, with false for a hidden pane. */
const companionsIn = (saved: Fields): State['companions'] => {
	const [chosen, docked] = [fieldsOf(saved['companions']), fieldsOf(saved['docked'])];
	return Object.fromEntries(
		allPanes().flatMap(pane => {
			const is = docked[pane] === false ? 'closed' : chosen[pane];
			return is === 'open' || is === 'closed' ? [[pane, is]] : [];
		}),
	);
};

/**
 * Dividers by width class. The `paneWidths` of earlier versions are ignored: they had no width
 * classes.
 */
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

/** Restores a saved location. Fields that cannot be parsed keep their defaults. */
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
		// Some screens do more than set the text of a filter, so their own function applies it.
		if (view.filter) screenSpec(name).command?.filter?.(store.getState, view.filter);
		// The first list selects the current server, even if its cursor was on another server when
		// the program ended.
		listViews(store.getState).changeList(
			name,
			name === firstScreen() && typeof server === 'string' ? {...view, cursor: server} : view,
		);
	}
};
