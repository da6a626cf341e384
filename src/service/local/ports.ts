import {createServer} from 'node:net';

const LAST = 65_535;
const FIRST_UNPRIVILEGED = 1024;

/** The port that was bound, 0 for any; null when it cannot be. */
const bind = (port: number): Promise<number | null> =>
	new Promise(resolve => {
		const probe = createServer();
		probe.once('error', () => resolve(null));
		probe.listen({port, host: '127.0.0.1', exclusive: true}, () => {
			const bound = probe.address();
			probe.close(() => resolve(typeof bound === 'object' && bound ? bound.port : null));
		});
	});

/** A port of this machine that nobody uses now. */
export const freePort = async (): Promise<number> => (await bind(0)) ?? 0;

/** A port that a server has; `of` names the server, and until then it is just being started. */
export type PortClaim = {readonly port: number; of(id: string): void; release(): void};

/** Ports of this machine that servers have for their own programs: each at most one server's, and free when it gets it. */
export const createPorts = (isLive: (id: string) => boolean): {claim(wish: number): Promise<PortClaim>} => {
	const claims = new Map<number, string | null>();
	const isTaken = (port: number): boolean => {
		const id = claims.get(port);
		if (typeof id === 'string' && !isLive(id)) claims.delete(port);
		return claims.has(port);
	};
	return {
		/** The port that is wished for, else the next that can be had. */
		async claim(wish) {
			for (let port = wish; ; port = port === LAST ? FIRST_UNPRIVILEGED : port + 1) {
				if (isTaken(port)) continue;
				// Before anything is awaited: of two that ask at once one has it.
				claims.set(port, null);
				if ((await bind(port)) !== null)
					return {port, of: id => claims.set(port, id), release: () => claims.delete(port)};
				claims.delete(port);
			}
		},
	};
};
