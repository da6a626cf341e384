import type {ServerItem} from '../../contract/servers.ts';
import {clockTime, hoursText} from '../../text/clock.ts';
import type {StoredServer} from './store.ts';
import {addressOf, type Watched} from './watched.ts';

/** Time before the end of a job at which the user is warned, in ms. */
const WARN_MS = 10 * 60_000;

/**
 * Fields that state the end of a job's time limit in the same way as a stop by the service's own
 * limits.
 */
const stopFields = (endsAt: number | null) =>
	endsAt !== null && {
		stops_at: new Date(endsAt).toISOString(),
		stop_cause: 'time-limit',
		stops_soon: endsAt - Date.now() <= WARN_MS,
	};

const seenText = (at: number): string => {
	const age = Date.now() - at;
	return `at ${clockTime(at)}${age < 60_000 ? '' : `, ${hoursText(age)} ago`}`;
};

/** Server on a host as shown in a list. `live`: undefined unless the server is being watched. */
export const listItem = (server: StoredServer, live: Watched | undefined): ServerItem => {
	const {name, environment, port, server_request, host, token} = server;
	const fields = {
		...{environment, name, port, server_request, host},
		assistant_editor_url: null,
		port_forward_url: null,
		thumb: '/thumb/server.svg',
	};
	if (!live) {
		const reason = server.ended_reason;
		return {
			...fields,
			status: server.started ? 'starting' : server.failed ? 'error' : 'offline',
			token: null,
			url: null,
			...(reason !== null && !server.started && {status_reason: reason}),
		};
	}
	const {url} = addressOf(live);
	const {state, since} = live.earlier ?? live;
	const reason = live.earlier
		? `Last seen ${seenText(live.earlier.at)}; connecting to ${host}.`
		: live.reason;
	return {
		...fields,
		status: state,
		token,
		url: `${url}?token=${encodeURIComponent(token)}`,
		since: new Date(since).toISOString(),
		...(reason !== '' && {status_reason: reason}),
		...(live.earlier && {last_seen: new Date(live.earlier.at).toISOString()}),
		...stopFields(live.endsAt),
	};
};
