import type {Client} from './client-types.ts';
import type {Reply} from './failure.ts';

/** Of a read-only profile: a client that sends GET requests only. A question is no GET either: it may cost money, and carries files and outputs away. */
export const guarded = (
	client: Client,
	{serviceName, readOnly}: {readonly serviceName: string; readonly readOnly: boolean},
): Client => {
	if (!readOnly) return client;
	const refuse = async <T>(method: 'POST' | 'PUT'): Promise<Reply<T>> => ({
		ok: false,
		failure: {
			kind: 'read-only',
			method,
			path: '',
			message: `The profile ${serviceName} is read-only: this program sends only what reads`,
		},
	});
	return {
		...client,
		createServer: async () => refuse('POST'),
		startServer: async () => refuse('POST'),
		runCode: async () => refuse('POST'),
		chat: async () => refuse('POST'),
		putFile: async () => refuse('PUT'),
	};
};
