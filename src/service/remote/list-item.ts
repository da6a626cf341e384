import type {ServerItem} from '../../contract/servers.ts';
import type {StoredServer} from './store.ts';
import {addressOf, type Watched} from './watched.ts';

/** A server on a host as the list shows it. `live`: undefined unless it is watched. */
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
			status: server.started ? 'starting' : 'offline',
			token: null,
			url: null,
			...(reason !== null && !server.started && {status_reason: reason}),
		};
	}
	const {url} = addressOf(live);
	return {
		...fields,
		status: live.state,
		token,
		url: `${url}?token=${encodeURIComponent(token)}`,
		since: new Date(live.since).toISOString(),
		...(live.reason !== '' && {status_reason: live.reason}),
	};
};
