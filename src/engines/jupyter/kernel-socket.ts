import type {JupyterAddress} from './rest.ts';

export const OPEN_LIMIT_MS = 60_000;

// The types of highlight.js bring in the browser's WebSocket, which takes no headers; Node's does.
const NodeWebSocket = WebSocket as unknown as new (
	address: string,
	init: {readonly headers: Readonly<Record<string, string>>},
) => WebSocket;

/** The channels of a kernel, open. @throws {Error} when they cannot be opened. */
export const openSocket = async (
	{url, token, agent}: JupyterAddress,
	kernelId: string,
	session: string,
): Promise<WebSocket> => {
	const address = `${url.replace(/^http/, 'ws')}api/kernels/${kernelId}/channels?session_id=${session}`;
	// The token is in a header: an address ends up in logs.
	const headers = {authorization: `token ${token}`};
	const socket = agent
		? await (await import('./agent-call.ts')).socketOver(agent, address, headers)
		: new NodeWebSocket(address, {headers});
	const limit = setTimeout(() => socket.close(), OPEN_LIMIT_MS);
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	const fail = (): void => reject(new Error('no channel to the kernel'));
	socket.addEventListener('open', () => resolve(), {once: true});
	socket.addEventListener('error', fail, {once: true});
	socket.addEventListener('close', fail, {once: true});
	await promise.finally(() => clearTimeout(limit));
	return socket;
};
