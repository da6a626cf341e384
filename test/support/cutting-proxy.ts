import net from 'node:net';
import {Transform} from 'node:stream';

export type CuttingProxy = AsyncDisposable & {
	readonly port: number;
	/** Closes open connections like a restarting proxy: bytes already sent are still delivered. */
	cut(): void;
	/** Breaks open connections at once: bytes in transit are lost. */
	tear(): void;
	readonly cuts: () => number;
	/** Number of kernel WebSockets that were requested. */
	readonly channels: () => number;
};

const calling = (from: string, to: string): Transform =>
	new Transform({
		transform(chunk: Buffer, _, done) {
			done(
				null,
				chunk.includes(from) ? Buffer.from(chunk.toString('latin1').replace(from, to), 'latin1') : chunk,
			);
		},
	});

/** Forwards connections to a port of this machine, and breaks them on demand. */
export const cuttingProxy = async (to: number): Promise<CuttingProxy> => {
	const pairs = new Set<readonly [net.Socket, net.Socket]>();
	let cuts = 0;
	let channels = 0;
	const server = net.createServer({allowHalfOpen: true}, near => {
		const far = net.connect({port: to, host: '127.0.0.1', allowHalfOpen: true});
		const pair = [near, far] as const;
		pairs.add(pair);
		// Servers may check the Host header, so the proxy sends the server's own host name.
		near.on('data', (chunk: Buffer) => {
			if (chunk.includes('/channels?session_id=')) channels++;
		});
		near.pipe(calling(`127.0.0.1:${near.localPort}`, `127.0.0.1:${to}`)).pipe(far);
		far.pipe(near);
		for (const socket of pair) {
			socket.on('error', () => {});
			socket.on('close', () => {
				pairs.delete(pair);
				for (const each of pair) each.destroySoon();
			});
		}
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('no port');
	return {
		port: address.port,
		cuts: () => cuts,
		channels: () => channels,
		cut() {
			for (const [, far] of pairs) {
				cuts++;
				far.end();
			}
		},
		tear() {
			for (const pair of pairs) {
				cuts++;
				for (const socket of pair) socket.resetAndDestroy();
			}
		},
		async [Symbol.asyncDispose]() {
			for (const pair of pairs) for (const socket of pair) socket.destroy();
			await new Promise(resolve => server.close(resolve));
		},
	};
};
