import {once} from 'node:events';
import {connect, createServer, type AddressInfo, type Socket} from 'node:net';

/** Maximum time for which a new connection waits until the host can be reached, in ms. */
const PATIENCE_MS = 20_000;
const RETRY_MS = 100;

/**
 * Local port that stays open while the connection to the host breaks and returns. `near` returns
 * the socket that currently leads to the server, or null. `onBroken` is called if the socket does
 * not accept connections.
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
	// Another program may have taken the port in the meantime.
	await listen(wanted).catch(() => listen(0));
	return {
		port: (server.address() as AddressInfo).port,
		/** Closes connections whose remote end is gone, so that their clients reconnect. */
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
