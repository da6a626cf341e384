import type {Live} from '../api/client-types.ts';
import {label} from '../text/safe.ts';
import {CommandError} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {findServer} from './find-server.ts';

/** The link to a ready server's own address, or why there is none, as the end of a sentence. */
export const liveLink = async (context: Context, service: Service, name: string): Promise<Live | string> => {
	const server = await findServer(context, service, name);
	if (server.status !== 'ready') return 'the server is not ready';
	const linked = await service.client.live({url: server.url, token: server.token}, new Set());
	if ('live' in linked) return linked.live;
	return 'says' in linked ? linked.says : `it is at ${label(linked.asks, 200)}, which is not the service`;
};

/** For what only a server's own interface has. `verb` says what, `next` what to do without it. @throws {CommandError} */
export const needLink = async (
	context: Context,
	service: Service,
	name: string,
	{verb, next}: {readonly verb: string; readonly next: string},
): Promise<Live> => {
	const link = await liveLink(context, service, name);
	if (typeof link !== 'string') return link;
	throw new CommandError(
		'refused',
		`The service's interface has no ${verb}, and that of the server itself cannot be used: ${link}.`,
		next,
	);
};
