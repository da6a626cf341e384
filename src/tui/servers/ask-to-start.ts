import {reasonText} from './state.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {startForm} from './create/form.ts';
import {findServer} from './servers.ts';
import type {State} from '../core/program.ts';
import {label} from '../../text/safe.ts';
import {isKeyAvailable, keyFor} from '../core/keys/live-keys.ts';
import {inState} from '../../text/known.ts';
import {Refusal, refused} from '../core/keys/action.ts';
import {route} from '../core/store/route.ts';

/** Sentence about why no server is selected. */
export const noServer = (state: State): string => {
	const {current, servers} = state;
	if (servers.value === undefined) return 'The list of servers has not loaded yet';
	if (current !== null && findServer(state, current) === undefined)
		return `${label(current, 40)} is not in the list${state.awaited.has(current) ? ' yet' : ''}`;
	const {items, unreadable} = servers.value;
	if (items.length === 0 && unreadable > 0) return 'There is no server that could be read';
	return items.length > 0
		? `No server is selected: ${keyFor('servers.showAll')} clears the filter`
		: isKeyAvailable('servers.create')
			? `There is no server: ${keyFor('servers.create')} creates one`
			: 'There is no server';
};

/** True if the server was started by its owner elsewhere, and this service only has its address. */
export const isAttached = (server: ServerItem): boolean => server['attached'] === true;

/**
 * True if this service may start the server. The local service reports states reliably, and starts
 * only offline servers. On other services only `ready` rules a start out; the service decides about
 * every other state.
 */
export const canStart = (server: ServerItem | undefined, isLocal: boolean): boolean =>
	server !== undefined &&
	!isAttached(server) &&
	(isLocal ? server.status === 'offline' : server.status !== 'ready');

/** The server if it can be started now. */
export const startable = (state: State, server: ServerItem | undefined): ServerItem | Refusal => {
	if (server === undefined) return refused(noServer(state));
	if (canStart(server, state.isLocal)) return server;
	if (!isAttached(server) || server.status === 'ready' || (state.isLocal && server.status !== 'offline'))
		return refused(`${label(server.name)} is ${inState(server.status)}: there is nothing to start`);
	const reason = reasonText(server);
	return refused(
		`${label(server.name)} is attached: it is started where it runs, not here${reason === null ? '' : `. ${reason}`}`,
	);
};

/** Opens the form that starts a server, or returns why it cannot be started now. */
export const askToStart = (get: () => State, server: ServerItem | undefined): string | void => {
	const found = startable(get(), server);
	if (found instanceof Refusal) return found.reason;
	route(get).openDialog({kind: 'create', form: startForm(found)});
};
