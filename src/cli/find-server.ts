import type {Listing} from '../api/client-types.ts';
import {DEFAULT_PORT} from '../contract/names.ts';
import type {ServerItem, StartRequest} from '../contract/servers.ts';
import {joinNames} from '../text/join-names.ts';
import {CommandError, valueOf} from './command-error.ts';
import type {Context, Service} from './context.ts';

/** Names those that there are; of one that could not be read nobody knows the name. */
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

/** The server of that name, as it is listed now. @throws {CommandError} `not-found` names those there are. */
export const findServer = async (context: Context, {client}: Service, name: string): Promise<ServerItem> => {
	const list = valueOf(await client.servers({signal: context.signal}));
	const found = list.items.find(server => server.name === name);
	if (!found) throw unknownServer(context, name, list);
	return found;
};

/** What starts a server as it was started last. */
export const lastSettings = ({environment, port, server_request}: ServerItem): StartRequest => ({
	environment,
	port: port ?? DEFAULT_PORT,
	server_request,
});

/** What the user types to start it. */
export const startLine = (context: Context, name: string): string =>
	context.typed('server', 'start', name, '--wait');

/** Why a server went offline, or how far its start is, where the service says it; a space comes before it. */
export const statusReason = (server: ServerItem): string =>
	typeof server['status_reason'] === 'string' ? ` ${server['status_reason']}` : '';
