import type {App} from '../core/app.ts';
import {cursorIn, type ListsState, listViews} from '../core/store/lists.ts';
import {type RouteState, route} from '../core/store/route.ts';
import {shownServers} from './rows.ts';
import type {ServersState} from './servers.ts';

type Known = Parameters<typeof shownServers>[0] &
	Pick<ListsState, 'lists'> &
	Pick<ServersState, 'awaited'> &
	Pick<RouteState, 'current'>;

/**
 * Index of the highlighted server. -1: none, or the current server was just created and is not
 * listed yet.
 */
export const highlightedAt = (state: Known): number => {
	const rows = shownServers(state);
	const {servers: view} = state.lists;
	const at = Math.min(
		cursorIn(view, rows, ({name}) => name),
		rows.length - 1,
	);
	const isMade = view.cursor !== null && view.cursor === state.current && state.awaited.has(view.cursor);
	return isMade && rows[at]?.name !== view.cursor ? -1 : at;
};

/**
 * Keeps the highlighted row and the current server in sync. While the list is on screen, keys for a
 * server's panes act on the highlighted row, and a server chosen elsewhere becomes highlighted.
 * While a pane is on screen, only a key changes the server.
 */
export const followHighlight = (app: App): void => {
	let isFollowing = false;
	app.subscribe((state, previous) => {
		const {
			current,
			screen,
			lists: {servers: view},
		} = state;
		if (isFollowing) return;
		if (current !== previous.current && current !== null && view.cursor !== current) {
			listViews(app).changeList('servers', {cursor: current});
			return;
		}
		if (screen !== 'servers') return;
		const isSame =
			screen === previous.screen &&
			current === previous.current &&
			view === previous.lists.servers &&
			state.servers === previous.servers &&
			state.awaited === previous.awaited &&
			state.rentals === previous.rentals &&
			state.compute === previous.compute;
		if (isSame) return;
		const rows = shownServers(state);
		// Until the user chooses a server, the current one is the first ready server, else the
		// first.
		const row =
			view.cursor === null
				? (rows.find(({status}) => status === 'ready') ?? rows[0])
				: rows[highlightedAt(state)];
		if (row === undefined || row.name === current) return;
		// Keeps the cursor's id while a filter hides its row, so that the cursor can return to it.
		isFollowing = view.cursor !== null;
		route(app).chooseServer(row.name);
		isFollowing = false;
	});
};
