import {once} from 'node:events';
import {connect, createServer, type AddressInfo, type Socket} from 'node:net';

/** Longest wait of a new connection for the route to the host, in ms. */
const PATIENCE_MS = 20_000;
const RETRY_MS = 100;

/**
 * A port of this machine that stays while the connection to the host breaks and returns. `near` is
 * the socket that leads to the server now, or null. `onBroken` is called if the socket is dead.
 */
export const openTunnel = async (
	wanted: number,
	near: () => string | null,
	onBroken: () => void,
): Promise<{readonly port: number; cut(): void; close(): void}> => {
	const all = new Set<Socket>();
	const joined = new Set<Socket>();
	const join = (client: Socket, until: number): void => {
		if (client.destroyed) return;
		const wait = (): void => {
			if (performance.now() > until) client.destroy();
			else setTimeout(() => join(client, until), RETRY_MS);
		};
		const path = near();
		if (path === null) {
			wait();
			return;
		}
		const far = connect(path);
		far.once('error', () => {
			far.destroy();
			onBroken();
			wait();
		});
		far.once('connect', () => {
			far.removeAllListeners('error');
			far.on('error', () => far.destroy());
			far.on('close', () => client.destroy());
			client.on('close', () => far.destroy());
			joined.add(client);
			client.pipe(far).pipe(client);
		});
	};
	const server = createServer({noDelay: true, pauseOnConnect: true}, client => {
		all.add(client);
		client.on('error', () => client.destroy());
		client.on('close', () => {
			all.delete(client);
			joined.delete(client);
		});
		join(client, performance.now() + PATIENCE_MS);
	});
	const listen = async (port: number): Promise<void> => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
	};
	// Another program may have the port by now.
	await listen(wanted).catch(() => listen(0));
	return {
		port: (server.address() as AddressInfo).port,
		/** Ends connections whose other end is gone, so that their clients reconnect. */
		cut() {
			for (const client of joined) client.destroy();
		},
		close() {
			server.close();
			for (const client of all) client.destroy();
		},
	};
};

export type Tunnel = Awaited<ReturnType<typeof openTunnel>>;
