import type {ServerItem} from '../contract/servers.ts';
import {label} from '../text/safe.ts';
import {CommandError, valueOf} from './command-error.ts';
import type {Context, Service} from './context.ts';

const NAMES_SHOWN = 10;

/** Names those that there are. */
export const unknownServer = (
	context: Context,
	name: string,
	servers: readonly ServerItem[],
): CommandError => {
	const names = servers
		.slice(0, NAMES_SHOWN)
		.map(server => label(server.name, 40))
		.join(', ');
	const more = servers.length > NAMES_SHOWN ? ` and ${servers.length - NAMES_SHOWN} more` : '';
	const have = names === '' ? 'You have none yet.' : `You have ${names}${more}.`;
	return new CommandError(
		'not-found',
		`There is no server ${JSON.stringify(name)}. ${have}`,
		`${context.typed('servers')} lists them.`,
	);
};

/** The server of that name, as the list tells it now. @throws {CommandError} `not-found` names those there are. */
export const findServer = async (context: Context, {client}: Service, name: string): Promise<ServerItem> => {
	const {items} = valueOf(await client.servers({signal: context.signal}));
	const found = items.find(server => server.name === name);
	if (!found) throw unknownServer(context, name, items);
	return found;
};

/** What the user types to start it. */
export const startLine = (context: Context, name: string): string =>
	context.typed('server', 'start', name, '--wait');

/** Why a server went offline, where the service says it. */
export const offlineReason = (server: ServerItem): string =>
	typeof server['status_reason'] === 'string' ? ` ${server['status_reason']}` : '';
