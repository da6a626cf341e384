import type {Server, ServerResponse} from 'node:http';

/**
 * Counts running requests, to wait until there are none. `server.close` would also wait for idle
 * connections.
 */
export const countRequests = (server: Server) => {
	let running = 0;
	const settled: Array<() => void> = [];
	const begin = (_request: unknown, response: ServerResponse): void => {
		running++;
		response.once('close', () => {
			running--;
			if (running === 0) for (const resolve of settled.splice(0)) resolve();
		});
	};
	server.on('request', begin);
	server.on('checkContinue', begin);
	return {
		settled: (): Promise<void> =>
			new Promise(resolve => {
				if (running === 0) resolve();
				else settled.push(resolve);
			}),
	};
};
