import net from 'node:net';
import {Transform} from 'node:stream';

export type CuttingProxy = AsyncDisposable & {
	readonly port: number;
	/** Ends what is open as a proxy does that is restarted: what was sent is still delivered. */
	cut(): void;
	/** Breaks what is open at once: what is on its way is lost. */
	tear(): void;
	readonly cuts: () => number;
	/** WebSockets of kernels that were asked for. */
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

/** Passes connections on to a port of this machine, and breaks them when told to. */
export const cuttingProxy = async (to: number): Promise<CuttingProxy> => {
	const pairs = new Set<readonly [net.Socket, net.Socket]>();
	let cuts = 0;
	let channels = 0;
	const server = net.createServer({allowHalfOpen: true}, near => {
		const far = net.connect({port: to, host: '127.0.0.1', allowHalfOpen: true});
		const pair = [near, far] as const;
		pairs.add(pair);
		// A server that looks at the name it is called by hears its own.
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
