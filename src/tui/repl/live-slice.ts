import type {Live, Linked} from '../../api/client-types.ts';
import {label} from '../../text/safe.ts';
import {changed, type ByServer} from '../core/store/by-server.ts';
import type {Deps} from '../core/store/deps.ts';
import type {Slice} from '../core/program.ts';
import {findServer, type ServersSlice} from '../servers/slice.ts';

/** `says`: why there is none, as the end of a sentence. `asks`: an origin that the user may allow. */
export type LinkState =
	| {readonly kind: 'asking' | 'live'}
	| {readonly kind: 'none'; readonly says: string; readonly asks: string | null};

export type LiveSlice = {
	/** Whether output comes as it is printed, by server; one that is not in it was not looked at. */
	readonly links: ByServer<LinkState>;
	/** Looks once whether a ready server's own address answers as Jupyter. */
	seekLink(server: string): void;
	/** The link to a server; null where there is none. */
	linkOf(server: string): Promise<Live | null>;
	/** How a server's output comes, and why, as a sentence. */
	explainLink(server: string): string;
	/** Lets its token go to the origin that its address names. A sentence says why there is nothing to allow. */
	allowLink(server: string): string | void;
	/** Ends all of them. */
	closeLinks(): void;
};

/** What could not be reached is looked for again after so many milliseconds, beside the work. */
const AGAIN_MS = 30_000;

type Known = {
	/** What it was made of. */
	readonly address: string;
	readonly linked: Promise<Linked>;
	/** When it may be looked for again; null: it was found, or will not be. */
	again: number | null;
};

/** What the link to a ready server is made of; null for one that is not. */
export const addressOf = (state: Pick<ServersSlice, 'servers'>, server: string): string | null => {
	const found = findServer(state, server);
	return found?.status === 'ready' ? `${found.url ?? ''} ${found.token ?? ''}` : null;
};

const NOT_READY: Linked = {says: 'the server is not ready'};

export const createLiveSlice =
	({client, now}: Deps): Slice<LiveSlice> =>
	(set, get, store) => {
		const known = new Map<string, Known>();
		const allowed = new Set<string>();

		const forget = (server: string, isLost = false): void => {
			const old = known.get(server);
			known.delete(server);
			void old?.linked.then(linked => 'live' in linked && linked.live.close(isLost));
		};
		// A server that stopped, and one that was started again, has ended what ran there.
		store.subscribe((state, old) => {
			if (state.servers === old.servers) return;
			for (const [server, {address}] of known) {
				const found = findServer(state, server);
				if (
					found?.status === 'offline' ||
					(found?.status === 'ready' && addressOf(state, server) !== address)
				)
					forget(server, true);
			}
		});
		const show = (server: string, state: LinkState): void =>
			set({links: changed<LinkState>(get().links, server, state, () => state)});

		const seek = async (server: string): Promise<Linked> => {
			const address = addressOf(get(), server);
			if (address === null) {
				forget(server);
				return NOT_READY;
			}
			const {url, token} = findServer(get(), server) ?? {};
			const before = known.get(server);
			const isDue = before?.again !== undefined && before.again !== null && before.again < now();
			if (before?.address === address && !isDue) return before.linked;
			forget(server);
			const linked = client()
				.then(async reached => reached.live({url, token}, allowed))
				.catch((): Linked => ({says: 'it could not be looked for', mayPass: true}));
			const entry: Known = {address, linked, again: null};
			known.set(server, entry);
			if (!isDue) show(server, {kind: 'asking'});
			const made = await linked;
			if (known.get(server) !== entry) return made;
			if ('live' in made) show(server, {kind: 'live'});
			else if ('asks' in made)
				show(server, {kind: 'none', says: 'its address is elsewhere', asks: made.asks});
			else {
				entry.again = made.mayPass ? now() + AGAIN_MS : null;
				show(server, {kind: 'none', says: made.says, asks: null});
			}
			return made;
		};

		return {
			links: new Map(),
			seekLink(server) {
				void seek(server);
			},
			async linkOf(server) {
				const seeking = seek(server);
				// No cell waits while what was in vain is tried once more.
				return get().links.get(server)?.kind === 'none' ? null : linkIn(await seeking);
			},
			explainLink(server) {
				const state = get().links.get(server);
				if (state?.kind === 'live')
					return 'Output comes as it is printed, from the address of the server itself';
				if (state?.kind !== 'none')
					return 'Whether output can come as it is printed is known once the server is ready and its REPL was open';
				return state.asks === null
					? `Output comes at the end: ${state.says}`
					: `${label(server, 60)} is at ${label(state.asks, 200)}, which is not the service: ":live allow" lets its token go there`;
			},
			allowLink(server) {
				const state = get().links.get(server);
				if (state?.kind !== 'none' || state.asks === null) return get().explainLink(server);
				allowed.add(state.asks);
				forget(server);
				void seek(server);
			},
			closeLinks() {
				for (const server of [...known.keys()]) forget(server);
			},
		};
	};

const linkIn = (linked: Linked): Live | null => ('live' in linked ? linked.live : null);
