import type {Live, LinkResult, LiveSession} from '../../api/client-types.ts';
import {label} from '../../text/safe.ts';
import {changed, type ByServer} from '../core/store/by-server.ts';
import {isOver} from '../../text/server-states.ts';
import {isOpen, type Openness, openServers} from '../servers/opened.ts';
import {findServer} from '../servers/servers.ts';
import {
	answersThere,
	HELD,
	linkFor,
	UNHEARD,
	noLinkReason,
	withSession,
	type LinkState,
} from './link-state.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';

export type LinksState = {
	/** State of each server's link. A server without an entry has not been checked yet. */
	readonly links: ByServer<LinkState>;
};

export type ServerLinks = {
	/** Checks once whether an open server's own address responds as Jupyter. */
	seekLink(server: string): void;
	/** Link that the cells of a server or of one session use. Null if they use the service. */
	linkOf(server: string, session?: LiveSession): Promise<Live | null>;
	/** Link for everything except cells. Null if the server's own address does not respond. */
	addressLink(server: string): Promise<Live | null>;
	/**
	 * Calls `act` with the address link. Without a link, returns the sentence of `lacks`, or shows
	 * it as a notice if the check takes longer.
	 */
	withAddress(server: string, lacks: (why: string) => string, act: (live: Live) => void): string | void;
	/** Records that a cell of this session ran through the service. Kept until the server stops. */
	ranOverService(server: string, session: LiveSession): void;
	/** Diverts the cells of this session to the service until the session's kernel responds. */
	linkFailed(server: string, session: LiveSession): void;
	/**
	 * Switches the cells to the link if there is one. Returns a sentence about the effect, if any.
	 */
	takeLink(server: string): string | undefined;
	/**
	 * Allows the token to be sent to the origin of the server's address. False if no link waits for
	 * that.
	 */
	allowLink(server: string): boolean;
	closeLinks(): void;
};

/** Delay before the next attempt to reach a server or a kernel, in ms. */
const AGAIN_MS = 30_000;

type Known = {
	/** Address and token with which the link was made. */
	readonly address: string;
	readonly place: string | undefined;
	readonly linked: Promise<LinkResult>;
	/** Time of the next attempt; null if the link works, or if no attempt will follow. */
	again: number | null;
	isFound: boolean;
	/**
	 * Sessions whose kernels do not respond on the link, by path, and the time of the next attempt;
	 * null during an attempt.
	 */
	readonly unheard: Map<string, {readonly session: LiveSession; again: number | null}>;
};

/** Address and token of an open server, as one key; null if the server is not open. */
export const addressOf = (state: Openness, server: string): string | null => {
	const found = findServer(state, server);
	return found !== undefined && isOpen(state, server) ? `${found.url ?? ''} ${found.token ?? ''}` : null;
};

/**
 * The address without its query, which contains the token. A hub may issue a new token for the same
 * server.
 */
const placeOf = (state: Openness, server: string): string | undefined =>
	findServer(state, server)?.url?.replace(/[?#][^]*/, '');

/**
 * True if the link belongs to the server as it is now. A working link fetches a new token itself.
 */
const isOf = (entry: Known, state: Openness, server: string): boolean =>
	addressOf(state, server) === entry.address || (entry.isFound && placeOf(state, server) === entry.place);

const NOT_READY: LinkResult = {says: 'the server is not ready'};

const firstLinks = (): LinksState => ({links: new Map()});

export const serverLinks = part(
	'serverLinks',
	({get, set, subscribe, deps: {client, now}}: App): ServerLinks => {
		const known = new Map<string, Known>();
		const allowed = new Set<string>();
		/** Servers whose cells ran through the service, with their address at that time. */
		const overService = new Map<string, string | undefined>();

		const forget = (server: string, isLost = false): void => {
			const old = known.get(server);
			known.delete(server);
			void old?.linked.then(linked => 'live' in linked && linked.live.close(isLost));
		};
		/** Closes a lost link and deletes its state. */
		const drop = (server: string): void => {
			forget(server, true);
			set({links: new Map([...get().links].filter(([name]) => name !== server))});
		};
		// Stopping or restarting a server ends its kernels, so the link is closed.
		subscribe((state, old) => {
			if (state.servers === old.servers) return;
			const isAnother = (server: string, isSame: () => boolean): boolean => {
				const status = findServer(state, server)?.status;
				return (status !== undefined && isOver(status)) || (isOpen(state, server) && !isSame());
			};
			for (const [server, entry] of known)
				if (isAnother(server, () => isOf(entry, state, server))) drop(server);
			for (const [server, place] of overService)
				if (isAnother(server, () => placeOf(state, server) === place)) overService.delete(server);
		});
		const show = (server: string, state: LinkState): void =>
			set({links: changed<LinkState>(get().links, server, state, () => state)});

		const hold = (server: string, words: string): void => {
			show(server, HELD);
			notices(get).notify('info', words);
		};
		const answersNow = (server: string): string =>
			`${label(server, 60)} is now reachable at its own address. Cells keep running through the service, where their variables are; ":live" switches`;
		const holdSession = (server: string, session: LiveSession): void => {
			showFor(server, session, HELD);
			notices(get).notify('info', answersNow(server));
		};
		/** Makes cells use a link that works. */
		const use = (server: string): void => {
			// The local service and the link reach the same kernel. Another service may run a
			// second kernel for its own cells.
			if (get().isLocal || !overService.has(server)) return show(server, {kind: 'live'});
			hold(server, answersNow(server));
		};
		const showFor = (server: string, session: LiveSession, how: Parameters<typeof withSession>[2]): void => {
			const link = get().links.get(server);
			if (link !== undefined) show(server, withSession(link, session, how));
		};
		/**
		 * Retries the kernels that did not respond. Their cells use the link again after a
		 * response.
		 */
		const listen = async (server: string, entry: Known): Promise<void> => {
			for (const [path, silent] of entry.unheard) {
				if (silent.again === null || silent.again >= now()) continue;
				silent.again = null;
				const isHeard = (await linkIn(await entry.linked)?.kernels.hears(silent.session)) ?? false;
				if (known.get(server) !== entry || entry.unheard.get(path) !== silent) continue;
				if (!isHeard) {
					silent.again = now() + AGAIN_MS;
					continue;
				}
				entry.unheard.delete(path);
				if (get().isLocal) showFor(server, silent.session, null);
				else holdSession(server, silent.session);
			}
		};

		const seek = async (server: string): Promise<LinkResult> => {
			const address = addressOf(get(), server);
			if (address === null) {
				forget(server);
				return NOT_READY;
			}
			const found = findServer(get(), server);
			const before = known.get(server);
			const isDue = before?.again !== undefined && before.again !== null && before.again < now();
			if (before !== undefined && isOf(before, get(), server)) {
				void listen(server, before);
				if (!isDue) return before.linked;
			}
			forget(server);
			const linked = client()
				.then(async reached =>
					reached.live(
						{
							url: found?.url,
							token: found?.token,
							token_reason: found?.['token_reason'],
							certificate_authority: found?.['certificate_authority'],
						},
						allowed,
					),
				)
				.catch((): LinkResult => ({says: 'it could not be checked', mayPass: true}));
			const entry: Known = {
				address,
				place: placeOf(get(), server),
				linked,
				again: null,
				isFound: false,
				unheard: new Map(),
			};
			known.set(server, entry);
			if (!isDue) show(server, {kind: 'asking'});
			const made = await linked;
			if (known.get(server) !== entry) return made;
			entry.isFound = 'live' in made;
			if (entry.isFound) openServers(get).heardServer(server);
			if ('live' in made) use(server);
			else if ('asks' in made)
				show(server, {kind: 'none', says: 'its address is on another host', asks: made.asks});
			else {
				entry.again = made.mayPass ? now() + AGAIN_MS : null;
				show(server, {kind: 'none', says: made.says, asks: null});
			}
			return made;
		};

		return {
			seekLink(server) {
				void seek(server);
			},
			async linkOf(server, session) {
				const seeking = seek(server);
				const goesElsewhere = (): boolean => {
					const link = get().links.get(server);
					return (session === undefined ? link : linkFor(link, session))?.kind === 'none';
				};
				// A cell does not wait for a retry of the link: it uses the service.
				return goesElsewhere() ? null : linkIn(await seeking);
			},
			async addressLink(server) {
				const seeking = seek(server);
				return isLacking(get().links.get(server)) ? null : linkIn(await seeking);
			},
			withAddress(server, lacks, act) {
				const why = (): string => lacks(noLinkReason(get().links.get(server)));
				const link = serverLinks(get).addressLink(server);
				if (isLacking(get().links.get(server))) return why();
				void link.then(live => {
					if (live) act(live);
					else notices(get).notify('info', why());
				});
			},
			ranOverService(server, session) {
				if (!isOpen(get(), server)) return;
				overService.set(server, placeOf(get(), server));
				if (!get().isLocal && linkFor(get().links.get(server), session)?.kind === 'live')
					hold(
						server,
						`The cell could not be sent to ${label(server, 60)} at its own address. It runs through the service, and so do later cells until ":live"`,
					);
			},
			linkFailed(server, session) {
				const entry = known.get(server);
				if (entry?.isFound !== true || entry.unheard.has(session.path)) return;
				entry.unheard.set(session.path, {session, again: now() + AGAIN_MS});
				showFor(server, session, UNHEARD);
				notices(get).notify(
					'info',
					`The kernel of ${label(server, 60)} does not respond at the server's own address. The cell runs through the service; its output arrives at the end`,
				);
			},
			takeLink(server) {
				const state = get().links.get(server);
				const isUsed = state?.kind === 'live' && state.diverted === undefined;
				if (isUsed || !answersThere(state)) return undefined;
				known.get(server)?.unheard.clear();
				overService.delete(server);
				show(server, {kind: 'live'});
				return `New cells on ${label(server, 60)} use its own address. Variables from earlier cells may be missing`;
			},
			allowLink(server) {
				const state = get().links.get(server);
				if (state?.kind !== 'none' || state.asks === null) return false;
				allowed.add(state.asks);
				overService.delete(server);
				forget(server);
				void seek(server);
				return true;
			},
			closeLinks() {
				for (const server of [...known.keys()]) forget(server);
			},
		};
	},
	firstLinks,
);

/** True if the server's address is known not to respond. */
const isLacking = (link: LinkState | undefined): boolean => link?.kind === 'none' && link.isThere !== true;

const linkIn = (linked: LinkResult): Live | null => ('live' in linked ? linked.live : null);
