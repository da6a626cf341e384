import type {Live, Linked} from '../../api/client-types.ts';
import {label} from '../../text/safe.ts';
import {changed, type ByServer} from '../core/store/by-server.ts';
import type {Deps} from '../core/store/deps.ts';
import type {Slice} from '../core/program.ts';
import {findServer, type ServersSlice} from '../servers/slice.ts';

/**
 * `says`: why there is none, as the end of a sentence. `asks`: an origin that the user may allow. `isHeld`: it is there, and waits for the
 * user, since the names of the cells so far may not be.
 */
export type LinkState =
	| {readonly kind: 'asking' | 'live'}
	| {readonly kind: 'none'; readonly says: string; readonly asks: string | null; readonly isHeld?: true};

export type LiveSlice = {
	/** Whether output comes as it is printed, by server; one that is not in it was not looked at. */
	readonly links: ByServer<LinkState>;
	/** Looks once whether a ready server's own address answers as Jupyter. */
	seekLink(server: string): void;
	/** The link to a server; null where there is none. */
	linkOf(server: string): Promise<Live | null>;
	/** A cell goes over the service, as long as this server runs. */
	ranOverService(server: string): void;
	/** The kernel is not heard over the link that is there: cells go over the service for a while. */
	linkFailed(server: string): void;
	/** Uses a link that waits for the user; a sentence says what that means. Undefined where none does. */
	takeLink(server: string): string | undefined;
	/** How a server's output comes, and why, as a sentence. */
	explainLink(server: string): string;
	/** Lets its token go to the origin that its address names. A sentence says why there is nothing to allow. */
	allowLink(server: string): string | void;
	/** Ends all of them. */
	closeLinks(): void;
};

/** What could not be reached is looked for again after so many milliseconds, beside the work. */
const AGAIN_MS = 30_000;

const UNHEARD = 'its kernel does not answer at the address of the server';
const HELD = 'its address answers now, but cells ran over the service, and the kernel there may be another';

type Known = {
	/** What it was made of. */
	readonly address: string;
	readonly url: string | null | undefined;
	readonly linked: Promise<Linked>;
	/** When it may be looked for again; null: it was found, or will not be. */
	again: number | null;
	/** It was found; `again`: when it is used again. */
	isFound: boolean;
};

/** What the link to a ready server is made of; null for one that is not. */
export const addressOf = (state: Pick<ServersSlice, 'servers'>, server: string): string | null => {
	const found = findServer(state, server);
	return found?.status === 'ready' ? `${found.url ?? ''} ${found.token ?? ''}` : null;
};

/** A hub's tokens end with their time: a link asks for the next one by itself, and what runs over it goes on. */
const isOf = (entry: Known, state: Pick<ServersSlice, 'servers'>, server: string): boolean =>
	addressOf(state, server) === entry.address ||
	(entry.isFound && findServer(state, server)?.url === entry.url);

const NOT_READY: Linked = {says: 'the server is not ready'};

export const createLiveSlice =
	({client, now}: Deps): Slice<LiveSlice> =>
	(set, get, store) => {
		const known = new Map<string, Known>();
		const allowed = new Set<string>();
		/** Servers whose cells ran over the service, with the address that they had. */
		const overService = new Map<string, string | null | undefined>();

		const forget = (server: string, isLost = false): void => {
			const old = known.get(server);
			known.delete(server);
			void old?.linked.then(linked => 'live' in linked && linked.live.close(isLost));
		};
		// A server that stopped, and one that was started again, has ended what ran there.
		store.subscribe((state, old) => {
			if (state.servers === old.servers) return;
			const isAnother = (server: string, isSame: () => boolean): boolean => {
				const status = findServer(state, server)?.status;
				return status === 'offline' || (status === 'ready' && !isSame());
			};
			for (const [server, entry] of known)
				if (isAnother(server, () => isOf(entry, state, server))) forget(server, true);
			for (const [server, url] of overService)
				if (isAnother(server, () => findServer(state, server)?.url === url)) overService.delete(server);
		});
		const show = (server: string, state: LinkState): void =>
			set({links: changed<LinkState>(get().links, server, state, () => state)});

		/** The link is there: cells go over it. */
		const use = (server: string): void => {
			// The local service and its links use one kernel; of another service that is not known.
			if (get().isLocal || !overService.has(server)) return show(server, {kind: 'live'});
			show(server, {kind: 'none', says: HELD, asks: null, isHeld: true});
			get().notify(
				'info',
				`${label(server, 60)} answers at its own address now. Its cells go on over the service, which has their names, until ":live"`,
			);
		};

		const seek = async (server: string): Promise<Linked> => {
			const address = addressOf(get(), server);
			if (address === null) {
				forget(server);
				return NOT_READY;
			}
			const found = findServer(get(), server);
			const before = known.get(server);
			const isDue = before?.again !== undefined && before.again !== null && before.again < now();
			if (before !== undefined && isOf(before, get(), server)) {
				if (!isDue) return before.linked;
				if (before.isFound) {
					before.again = null;
					use(server);
					return before.linked;
				}
			}
			forget(server);
			const linked = client()
				.then(async reached =>
					reached.live(
						{url: found?.url, token: found?.token, token_reason: found?.['token_reason']},
						allowed,
					),
				)
				.catch((): Linked => ({says: 'it could not be looked for', mayPass: true}));
			const entry: Known = {address, url: found?.url, linked, again: null, isFound: false};
			known.set(server, entry);
			if (!isDue) show(server, {kind: 'asking'});
			const made = await linked;
			if (known.get(server) !== entry) return made;
			entry.isFound = 'live' in made;
			if ('live' in made) use(server);
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
			ranOverService(server) {
				const {status, url} = findServer(get(), server) ?? {};
				if (status === 'ready') overService.set(server, url);
			},
			linkFailed(server) {
				get().ranOverService(server);
				const entry = known.get(server);
				if (entry?.isFound !== true || entry.again !== null) return;
				entry.again = now() + AGAIN_MS;
				show(server, {kind: 'none', says: UNHEARD, asks: null});
				get().notify(
					'info',
					`The kernel of ${label(server, 60)} does not answer at the server's own address: the cell goes over the service, and its output comes at the end`,
				);
			},
			takeLink(server) {
				const state = get().links.get(server);
				if (state?.kind !== 'none' || !state.isHeld) return undefined;
				overService.delete(server);
				show(server, {kind: 'live'});
				return `The next cells of ${label(server, 60)} go to its own address: what cells over the service have defined may not be there`;
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
				overService.delete(server);
				forget(server);
				void seek(server);
			},
			closeLinks() {
				for (const server of [...known.keys()]) forget(server);
			},
		};
	};

/** Why a server's link cannot be used, as the end of a sentence. */
export const whyNoLink = (link: LinkState | undefined): string => {
	if (link?.kind !== 'none') return 'the server is not ready';
	return link.asks === null ? link.says : `${link.says}, and :live says how to allow it`;
};

const linkIn = (linked: Linked): Live | null => ('live' in linked ? linked.live : null);
