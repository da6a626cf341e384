import type {ServerItem} from '../../contract/servers.ts';
import {CommandError} from '../command-error.ts';
import {findServer, statusReason, startLine} from '../find-server.ts';
import type {Call} from './tool.ts';

/**
 * Server with this name. Does not start it: only start_server does that. The list is read first,
 * also because results must not contain the tokens in it.
 * @throws {CommandError} if there is no such server, or if it is offline.
 */
export const namedServer = async ({context, service, allowed}: Call, name: string): Promise<ServerItem> => {
	const server = await findServer(context, service, name);
	// Any other state is accepted, because the server may work.
	if (server.status !== 'offline') return server;
	const start = startLine(context, name);
	throw new CommandError(
		'server-offline',
		`${JSON.stringify(name)} is offline.${statusReason(server)}`,
		allowed.has('run') || allowed.has('spend')
			? `start_server starts it; so does ${start}`
			: `The user starts it: ${start}`,
	);
};
