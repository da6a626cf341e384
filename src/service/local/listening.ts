import {randomBytes} from 'node:crypto';
import {PENDING} from '../../contract/names.ts';
import type {SessionOptions} from '../../engines/engine.ts';
import {addressesOf, isOfThisMachine} from './addresses.ts';
import type {EnginePool} from './engine-pool.ts';
import type {ServerRecord} from './registry.ts';
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
type PortClaim = {readonly port: number; of(id: string): void; release(): void};

/** Ports of this machine that servers have for their own programs: each at most one server's, and free when it gets it. */
const createPorts = (isLive: (id: string) => boolean): {claim(wish: number): Promise<PortClaim>} => {
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

type Own = NonNullable<SessionOptions['own']>;

/** What a server gets of this machine's ports; given back at once unless it is kept. */
export type Reservation = Disposable & {readonly port: number; readonly own?: Own; keep(id: string): void};

/** Where the servers of this machine listen, and the addresses that they have by it. */
export const createListening = ({
	pool,
	base,
	isAway,
	listens,
}: {
	readonly pool: EnginePool;
	/** Without a trailing slash. */
	readonly base: () => string;
	readonly isAway: () => boolean;
	/** A server, and the programs that it runs, listen on ports of this machine. */
	readonly listens: boolean;
}) => {
	const ports = createPorts(id => pool.get(id) !== undefined);
	/** Where a live server listens itself, by id. */
	const owns = new Map<string, Own>();
	return {
		async reserve(wish: number): Promise<Reservation> {
			if (!listens) return {port: wish, keep() {}, [Symbol.dispose]() {}};
			const [claim, port] = await Promise.all([ports.claim(wish), freePort()]);
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
		/** Its addresses now. The page of the service stands for what is not there: it says what is. */
		addresses(user: string, {id, name}: Pick<ServerRecord, 'id' | 'name'>) {
			const live = pool.get(id);
			const pages = addressesOf(base(), user, name);
			const own = live && owns.get(id);
			const forward = !live
				? pages.forward
				: live.running
					? (live.running.forward ?? pages.forward)
					: PENDING;
			// Once it listens it knows where: another program may have taken the port in between.
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
			// Pages would all have the service's own origin there.
			const editor =
				page === null || !isOfThisMachine(base())
					? pages.assistant_editor_url
					: `${address.url}${page}?token=${token}`;
			return {...pages, url: `${url}?token=${token}`, token, assistant_editor_url: editor, forward};
		},
	};
};
