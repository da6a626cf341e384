import type {ServerItem} from '../../contract/servers.ts';
import {CommandError} from '../command-error.ts';
import {findServer, statusReason, startLine} from '../find-server.ts';
import type {Call} from './tool.ts';

/**
 * Server of that name. Only start_server starts one, not its mention in another tool. The list is
 * read first also for its tokens, which are then removed from results.
 * @throws {CommandError} if there is no such server, or it is offline.
 */
export const namedServer = async ({context, service, allowed}: Call, name: string): Promise<ServerItem> => {
	const server = await findServer(context, service, name);
	// A server in any other state may work, so it is not refused.
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
