import type {ServerItem} from '../../contract/servers.ts';
import {CommandError} from '../command-error.ts';
import {findServer, statusReason, startLine} from '../find-server.ts';
import type {Call} from './tool.ts';

/**
 * The server of that name. No tool starts one for being named: only start_server does. The list is read first also for the tokens in it, which
 * then stand in no answer.
 * @throws {CommandError}
 */
export const namedServer = async ({context, service, allowed}: Call, name: string): Promise<ServerItem> => {
	const server = await findServer(context, service, name);
	// Only a guess would tell that a server in another state cannot do it.
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
