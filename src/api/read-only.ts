import type {Client} from './client-types.ts';
import type {Reply} from './failure.ts';

/** A client that sends nothing that could change something or spend money, where the profile is read-only. */
export const guarded = (client: Client, {serviceName, readOnly}: {readonly serviceName: string; readonly readOnly: boolean}): Client => {
	if (!readOnly) return client;
	const refuse = async <T>(method: 'POST' | 'PUT'): Promise<Reply<T>> =>
		({ok: false, failure: {kind: 'config', method, path: '', message: `The profile ${serviceName} is read-only in your settings`}});
	return {...client, createServer: async () => refuse('POST'), startServer: async () => refuse('POST'), runCode: async () => refuse('POST'), putFile: async () => refuse('PUT')};
};
