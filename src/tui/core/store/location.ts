import {createEditor} from '../../../text/editor/editor.ts';
import {type ListName, type ListView, listViews} from './lists.ts';
import type {Pane} from '../program.ts';
import {allPanes, allScreens, screenSpec} from '../features.ts';
import {firstScreen} from './route.ts';
import type {State, Store} from '../program.ts';
import {fieldsOf} from '../../../text/record.ts';

/** Lists of panes belong to one server, so they are not stored. */
const keptLists = (): readonly ListName[] => allScreens().flatMap(({id, pane}) => (pane ? [] : [id]));

/** The user's location on a service, to which the next start returns. JSON. */
export const locationOf = ({screen, current, docked, partner, zoomed, paneWidths, lists}: State): object => ({
	screen,
	server: current,
	docked,
	partner,
	zoomed,
	paneWidths,
	lists: Object.fromEntries(
		keptLists().map(name => {
			const {filter, cursor, at, sort} = lists[name];
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

/** Restores a saved location, as far as it can be parsed. */
export const restoreLocation = (store: Store, read: unknown): void => {
	const saved = fieldsOf(read);
	const {docked, partner} = store.getState();
	const panes = fieldsOf(saved['docked']);
	const widths = fieldsOf(saved['paneWidths']);
	const screen = allScreens().find(({id}) => id === saved['screen'])?.id;
	const server = saved['server'];
	store.setState({
		...(screen && {screen}),
		...(typeof server === 'string' && {current: server}),
		docked: Object.fromEntries(
			(Object.keys(docked) as Pane[]).map(pane => [pane, panes[pane] !== false]),
		) as Record<Pane, boolean>,
		paneWidths: Object.fromEntries(
			allPanes().flatMap(pane => {
				const width = widths[pane];
				return typeof width === 'number' && width > 0 && width < Infinity ? [[pane, width]] : [];
			}),
		),
		partner:
			allPanes()
				.slice(0, -1)
				.find(pane => pane === saved['partner']) ?? partner,
		zoomed: saved['zoomed'] === true,
	});
	const lists = fieldsOf(saved['lists']);
	for (const name of keptLists()) {
		const view = viewOf(fieldsOf(lists[name]));
		// A filter may be more than its text.
		if (view.filter) screenSpec(name).command?.filter?.(store.getState, view.filter);
		// The current server is selected, even if another was when the program ended on another
		// screen.
		listViews(store.getState).changeList(
			name,
			name === firstScreen() && typeof server === 'string' ? {...view, cursor: server} : view,
		);
	}
};
