import type {Live} from '../api/client-types.ts';
import {isOver} from '../text/server-states.ts';
import type {ServerItem} from '../contract/servers.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {findServer} from './find-server.ts';
import {endSentence} from '../text/sentence.ts';

/**
 * Link to a server's own address. Asks the user before the token is sent to another origin than the
 * service's.
 * @throws {CommandError} if there is no link. `none`: creates this error from the reason.
 */
export const linkTo = async (
	context: Context,
	{client}: Service,
	server: ServerItem,
	none: (says: string, mayPass?: boolean) => CommandError,
): Promise<Live> => {
	const linked = await client.live(server, new Set());
	if ('live' in linked) return linked.live;
	if ('says' in linked) throw linked.refused ? failed(linked.refused) : none(linked.says, linked.mayPass);
	const place = label(linked.asks, 200);
	const answer = await context.ask?.(
		`${label(server.name, 60)} is at ${place}, not at the service's address. Send its token there? [y/N] `,
		{masked: false},
	);
	if (answer === undefined || !/^y(?:es)?$/i.test(answer.trim()))
		throw none(`its address is elsewhere (${place}) and was not allowed`);
	const allowed = await client.live(server, new Set([linked.asks]));
	if ('live' in allowed) return allowed.live;
	throw none('says' in allowed ? allowed.says : 'its address has changed');
};

/**
 * Link for an operation that only the server's own API has. `verb`: the operation. `next`: hint for
 * users without a link. @throws {CommandError} if there is no link.
 */
export const needLink = async (
	context: Context,
	service: Service,
	name: string,
	{verb, next}: {readonly verb: string; readonly next: string},
): Promise<Live> => {
	const none = (says: string): CommandError =>
		new CommandError(
			'refused',
			`The service does not support ${verb}, and the server's own address cannot be used: ${endSentence(says)}`,
			next,
		);
	const server = await findServer(context, service, name);
	if (isOver(server.status)) throw none(`the server is ${label(server.status, 40)}`);
	return linkTo(context, service, server, none);
};
