import type {Client} from './client-types.ts';
import type {Failure, Reply} from './failure.ts';
import type {Method} from './methods.ts';

/**
 * Restricts the client as the profile requires. With a read-only profile, it sends only GET
 * requests and opens no link. It does not send questions to the assistant either, because they may
 * cost money, and may contain files and outputs.
 */
export const restrictedClient = (
	client: Client,
	{
		serviceName,
		readOnly,
		live,
	}: {readonly serviceName: string; readonly readOnly: boolean; readonly live: boolean},
): Client => {
	const unlinked: Client = live
		? client
		: {...client, live: async () => ({says: `the profile ${serviceName} says "live": false`})};
	if (!readOnly) return unlinked;
	const failureOf = (method: Method): Failure => ({
		kind: 'read-only',
		method,
		path: '',
		message: `The profile ${serviceName} is read-only: only GET requests are sent`,
	});
	const refuse = async <T>(method: Method): Promise<Reply<T>> => ({ok: false, failure: failureOf(method)});
	return {
		...client,
		call: (typed, options) => (typed.method === 'GET' ? client.call(typed, options) : refuse(typed.method)),
		live: async () => ({says: `the profile ${serviceName} is read-only`, refused: failureOf('POST')}),
		createServer: async () => refuse('POST'),
		startServer: async () => refuse('POST'),
		attachServer: async () => refuse('POST'),
		detachServer: async () => refuse('POST'),
		setLimits: async () => refuse('POST'),
		openProject: async () => refuse('POST'),
		planEnvironment: async () => refuse('POST'),
		allowDownload: async () => refuse('POST'),
		createEnvironment: async () => refuse('POST'),
		removeEnvironment: async () => refuse('POST'),
		addHost: async () => refuse('POST'),
		hostControl: async () => refuse('POST'),
		removeHost: async () => refuse('POST'),
		serversOnHost: async () => refuse('POST'),
		adoptOnHost: async () => refuse('POST'),
		stopOnHost: async () => refuse('POST'),
		openPortOnHost: async () => refuse('POST'),
		runCode: async () => refuse('POST'),
		chat: async () => refuse('POST'),
		putFile: async () => refuse('PUT'),
	};
};
