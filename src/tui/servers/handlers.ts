import type {ServerItem} from '../../contract/servers.ts';
import {offlineScrollKeys, tryAnyway} from './offline-content.ts';
import {COLUMNS} from '../../settings/columns.ts';
import {label} from '../../text/safe.ts';
import {listOf} from '../core/components/list.ts';
import {sortKeys} from '../core/components/sort-keys.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {State} from '../core/program.ts';
import type {KeyContext, KeyHandlers, ScopeHandlers, ScreenSpec} from '../core/feature.ts';
import {askToStart, canStart, noServer} from './ask-to-start.ts';
import {copyForm, newForm} from './create/form.ts';
import {highlightedAt} from './highlight.ts';
import {shownServers} from './rows.ts';
import {findServer, notListedText} from './servers.ts';
import {estimateOf} from './costs/rentals.ts';
import {serverColumns, serverDetailWidth} from './columns.ts';
import {route} from '../core/store/route.ts';
import {renting} from './create/submit.ts';
import {jobList} from './jobs.ts';
import {serverCosts} from './costs/costs.ts';
import {serverAddresses} from './addresses.ts';

export const list = listOf({
	name: 'servers',
	rowsOf: shownServers,
	idOf: server => server.name,
	cursorOf: highlightedAt,
	page: ({height}) => height - 6,
});

/** A cached list of an earlier program is never acted on. */
const selected = (state: State): ServerItem | undefined =>
	state.servers.value === undefined ? undefined : list.selected(state);

const NEED_A_SERVER: ReadonlySet<string> = new Set(['open', 'detail', 'addresses', 'jobs']);

const onServer =
	({get}: KeyContext, act: (server: ServerItem) => string | void) =>
	(): string | void => {
		const server = selected(get());
		return server === undefined ? noServer(get()) : act(server);
	};

/** True if the details fit beside the list. */
const hasRoomBeside = ({get, rect}: KeyContext): boolean => {
	const state = get();
	const {items = [], at = 0} = {...state.servers.value, at: state.servers.at};
	const columns = serverColumns(
		each => estimateOf(state, each, at),
		state.lists.servers.sort,
		state.columns.servers,
	);
	return serverDetailWidth(rect.width, columns, items) > 0;
};

const servers: KeyHandlers<'servers'> = at => {
	const {get} = at;
	return {
		...list.keys(at),
		...sortKeys(get, 'servers', get().columns.servers ?? COLUMNS.servers),
		open: onServer(at, ({name}) => route(get).chooseServer(name, 'files')),
		start: () => askToStart(get, selected(get())),
		create() {
			const kept = get().keptForm;
			route(get).openDialog({kind: 'create', form: kept === null ? newForm() : {...kept, reopened: kept}});
			// Stored again if it is closed with a change.
			renting(get).keepForm(null);
		},
		duplicate: onServer(at, server =>
			route(get).openDialog({kind: 'create', form: copyForm(server, get().servers.value?.items ?? [])}),
		),
		detail: onServer(at, ({name}) =>
			hasRoomBeside(at) ? route(get).toggleDetail() : route(get).openDialog({kind: 'server', server: name}),
		),
		jobs: onServer(at, ({name}) => {
			void jobList(get).lookAtJobs(name);
			if (!hasRoomBeside(at)) route(get).openDialog({kind: 'server', server: name});
			else if (get().isDetailHidden) route(get).toggleDetail();
		}),
		costs() {
			void serverCosts(get).lookAtCosts();
			route(get).openDialog({kind: 'costs'});
		},
		addresses: onServer(at, ({name}) => route(get).openDialog({kind: 'addresses', server: name, at: 'url'})),
		copy: onServer(at, ({name}) => serverAddresses(get).copyAddress(name, 'url', false)),
		copyWithToken: onServer(at, ({name}) => serverAddresses(get).copyAddress(name, 'url', true)),
	};
};

/** Label of a list key: its effect on the selected row. */
export const serverLabel: NonNullable<ScreenSpec['labelNow']> = (state, {scope, action}) => {
	if (scope !== 'servers') return undefined;
	const server = selected(state);
	if (action === 'start') return canStart(server, state.isLocal) ? undefined : null;
	if (action === 'filter') return list.filterLabel(state, state.servers);
	return server === undefined && NEED_A_SERVER.has(action) ? null : undefined;
};

export const serverHandlers: ScopeHandlers = {servers, filter: list.filter};

const missing = (state: State, name: string): string =>
	`${notListedText(state, label(name, 60))}: ${keyFor('global.servers')} shows your servers`;

const offline: KeyHandlers<'offline'> = ({get, rect}) => ({
	...offlineScrollKeys(get, rect),
	start() {
		const {current, servers} = get();
		const found = findServer(get(), current);
		return current !== null && found === undefined && servers.value
			? missing(get(), current)
			: askToStart(get, found);
	},
	tryAnyway: () => tryAnyway(get()),
});

export const offlineHandlers: ScopeHandlers = {offline};
