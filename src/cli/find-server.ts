import type {Listing} from '../api/client-types.ts';
import {DEFAULT_PORT} from '../contract/names.ts';
import type {ServerItem, StartRequest} from '../contract/servers.ts';
import {joinNames} from '../text/join-names.ts';
import {CommandError, valueOf} from './command-error.ts';
import type {Context, Service} from './context.ts';

/**
 * Error that lists the existing servers. Unreadable entries are counted, since their names are
 * unknown.
 */
export const unknownServer = (
	context: Context,
	name: string,
	{items, unreadable}: Listing<ServerItem>,
): CommandError => {
	const names = joinNames(items.map(server => server.name));
	const others = unreadable === 0 ? '' : `${unreadable} that could not be read`;
	const have = [names, others].filter(part => part !== '').join(', and ');
	return new CommandError(
		'not-found',
		`There is no server ${JSON.stringify(name)}${others === '' ? '' : ' among those that could be read'}. You have ${have === '' ? 'none yet' : have}.`,
		others === ''
			? `${context.typed('servers')} lists them.`
			: `${context.typed('servers', '--json')} shows the list as the service sent it.`,
	);
};

/**
 * Server of that name in the current list. @throws {CommandError} `not-found`, which lists the
 * existing servers.
 */
export const findServer = async (context: Context, {client}: Service, name: string): Promise<ServerItem> => {
	const list = valueOf(await client.servers({signal: context.signal}));
	const found = list.items.find(server => server.name === name);
	if (!found) throw unknownServer(context, name, list);
	return found;
};

/**
 * True if the state is that of an earlier check, because the service is still connecting to the
 * server's host.
 */
export const isStale = (server: ServerItem): boolean => typeof server['last_seen'] === 'string';

/** Request that starts a server with the settings of its last start. */
export const lastSettings = ({environment, port, server_request}: ServerItem): StartRequest => ({
	environment,
	port: port ?? DEFAULT_PORT,
	server_request,
});

export const startLine = (context: Context, name: string): string =>
	context.typed('server', 'start', name, '--wait');

/**
 * Reason for the status that the service gives, such as the progress of a start, with a space
 * before it. Empty if there is none.
 */
export const statusReason = (server: ServerItem): string =>
	typeof server['status_reason'] === 'string' ? ` ${server['status_reason']}` : '';
