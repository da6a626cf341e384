import {randomBytes} from 'node:crypto';
import {PENDING} from '../../contract/names.ts';
import type {SessionOptions} from '../../engines/engine.ts';
import {addressesOf, isOfThisMachine} from './addresses.ts';
import type {EnginePool} from './engine-pool.ts';
import type {ServerRecord} from './registry.ts';
import {createServer} from 'node:net';

const LAST = 65_535;
const FIRST_UNPRIVILEGED = 1024;

/** Checks whether a port is free. Returns it, or a free port for 0. Null if the port is in use. */
const bind = (port: number): Promise<number | null> =>
	new Promise(resolve => {
		const probe = createServer();
		probe.once('error', () => resolve(null));
		probe.listen({port, host: '127.0.0.1', exclusive: true}, () => {
			const bound = probe.address();
			probe.close(() => resolve(typeof bound === 'object' && bound ? bound.port : null));
		});
	});

export const freePort = async (): Promise<number> => (await bind(0)) ?? 0;

/**
 * Port claimed for a server. `of` assigns it to a server. Until then, the server is still starting.
 */
type PortClaim = {readonly port: number; of(id: string): void; release(): void};

/**
 * Assigns ports for the programs that run on servers. Each port is claimed by only one server and
 * is free at that time.
 */
const createPorts = (isLive: (id: string) => boolean): {claim(wantedPort: number): Promise<PortClaim>} => {
	const claims = new Map<number, string | null>();
	const isTaken = (port: number): boolean => {
		const id = claims.get(port);
		if (typeof id === 'string' && !isLive(id)) claims.delete(port);
		return claims.has(port);
	};
	return {
		/** Claims the requested port, or the next free port after it. */
		async claim(wantedPort) {
			for (let port = wantedPort; ; port = port === LAST ? FIRST_UNPRIVILEGED : port + 1) {
				if (isTaken(port)) continue;
				// Claimed before any `await`, so that simultaneous requests get different ports.
				claims.set(port, null);
				if ((await bind(port)) !== null)
					return {port, of: id => claims.set(port, id), release: () => claims.delete(port)};
				claims.delete(port);
			}
		},
	};
};

type Own = NonNullable<SessionOptions['own']>;

/** Ports reserved for a server. They are released on disposal, unless `keep` was called. */
export type Reservation = Disposable & {readonly port: number; readonly own?: Own; keep(id: string): void};

export const createListening = ({
	pool,
	base,
	isAway,
	listens,
}: {
	readonly pool: EnginePool;
	/** Start of all addresses, without a trailing slash. */
	readonly base: () => string;
	readonly isAway: () => boolean;
	/** True if servers, and the programs that they run, can listen on this machine. */
	readonly listens: boolean;
}) => {
	const ports = createPorts(id => pool.get(id) !== undefined);
	/** Listening port and token of each live server, by id. */
	const owns = new Map<string, Own>();
	return {
		async reserve(wantedPort: number): Promise<Reservation> {
			if (!listens) return {port: wantedPort, keep() {}, [Symbol.dispose]() {}};
			const [claim, port] = await Promise.all([ports.claim(wantedPort), freePort()]);
			const own = {port, token: randomBytes(24).toString('base64url')};
			let isKept = false;
			return {
				port: claim.port,
				own,
				keep(id) {
					isKept = true;
					owns.set(id, own);
					claim.of(id);
				},
				[Symbol.dispose]() {
					if (!isKept) claim.release();
				},
			};
		},
		/**
		 * Current addresses of a server. In place of a missing address, the address of a page that
		 * explains why it is missing.
		 */
		addresses(user: string, {id, name}: Pick<ServerRecord, 'id' | 'name'>) {
			const live = pool.get(id);
			const pages = addressesOf(base(), user, name);
			const own = live && owns.get(id);
			const forward = !live
				? pages.forward
				: live.running
					? (live.running.forward ?? pages.forward)
					: PENDING;
			// Uses the port that a running server reports, because another program may have taken
			// the reserved one.
			const address =
				live?.running?.address ??
				(own &&
					!isAway() && {
						url: addressesOf(`http://127.0.0.1:${own.port}`, user, name).url,
						token: own.token,
						page: null,
					});
			if (!address) return {...pages, token: null, forward};
			const {token, page} = address;
			const url = isAway() ? pages.url : address.url;
			// No editor for remote clients, because its pages would have the service's own origin.
			const editor =
				page === null || !isOfThisMachine(base())
					? pages.assistant_editor_url
					: `${address.url}${page}?token=${token}`;
			return {...pages, url: `${url}?token=${token}`, token, assistant_editor_url: editor, forward};
		},
	};
};
