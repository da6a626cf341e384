import {randomBytes} from 'node:crypto';
import type {SessionOptions} from '../../engines/engine.ts';
import type {ForwardTarget} from './gate.ts';
import type {Log} from '../log.ts';
import {openDedicatedPort} from '../http/dedicated-port.ts';
import {openPortProxy, type PortProxy} from '../http/port-proxy.ts';

/** Address that forwards requests to a program on a server's port. */
export type Forward = Pick<PortProxy, 'usedSince'> & {
	/** URL including the token that grants access. */
	readonly url: string;
	close(): Promise<void>;
};

/**
 * Forwards from a dedicated port, so that the program's pages have a separate origin. Redirects
 * browsers to `LABEL.localhost`, because they would send cookies of `127.0.0.1` to every port.
 */
export const openForward = async (to: SessionOptions['server'], log: Log): Promise<Forward> => {
	const proxy = openPortProxy(to);
	const {token, route} = proxy;
	const label = randomBytes(8).toString('hex');
	const {port, close} = await openDedicatedPort({
		log,
		route,
		connections: 256,
		requestTimeout: 0,
		answer: (request, response) => proxy.pass(request, response, proxy.judge(request, place)),
		upgrade: (request, socket, head, onStatus) =>
			proxy.upgrade(request, socket, head, proxy.judge(request, place), onStatus),
	});
	const own = `${label}.localhost:${port}`;
	const place: ForwardTarget = {
		home: `http://${own}`,
		nameOf(host) {
			const isOwnHost = host === own;
			return isOwnHost || host === `127.0.0.1:${port}` || host === `localhost:${port}`
				? {origin: `http://${host}`, isOwnHost}
				: undefined;
		},
	};
	return {
		url: `http://127.0.0.1:${port}/?token=${token}`,
		usedSince: proxy.usedSince,
		async close() {
			const closed = close();
			proxy.close();
			await closed;
		},
	};
};
