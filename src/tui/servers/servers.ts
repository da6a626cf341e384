import type {Listing} from '../../api/client-types.ts';
import {isOver, isUp} from '../../text/server-states.ts';
import type {ServerItem} from '../../contract/servers.ts';
import type {RateStorage} from '../../costs/reported-rates.ts';
import {label} from '../../text/safe.ts';
import type {Deps} from '../core/store/deps.ts';
import {jittered, retryDelay} from '../core/store/retry.ts';
import {saveRentals, loadRentals} from './costs/rentals-storage.ts';
import type {CachedServers} from './cached-servers.ts';
import {idle, latestOnly, type Remote} from '../core/store/remote.ts';
import {signInOffer} from './offer-sign-in.ts';
import {updateRentals, type Rental} from './costs/rentals.ts';
import {watchStates} from './restless.ts';
import {stopNotices} from './stop-notices.ts';
import {storageErrorText} from '../../machine/disk-fault.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';

/**
 * A server that this program has asked to start and that is not ready yet. Times in ms since the
 * epoch.
 */
export type PendingStart = {
	readonly since: number;
	/** The states seen so far, each with the time of its first observation. */
	readonly seen: readonly {readonly status: string; readonly at: number}[];
};

declare module '../core/store/deps.ts' {
	interface Deps {
		/** Storage of rates that the service reported. */
		readonly rates?: RateStorage;
		/** The list of servers from an earlier run. */
		readonly lastServers?: CachedServers | null;
	}
}

export type ServersState = {
	readonly servers: Remote<Listing<ServerItem>>;
	/** Shown until the service has responded. */
	readonly lastServers: CachedServers | null;
	readonly rentals: ReadonlyMap<string, Rental>;
	readonly awaited: ReadonlyMap<string, PendingStart>;
	/** Time of the next poll in ms since the epoch; null while nothing polls. */
	readonly nextLook: number | null;
};

export type ServerList = {
	/** Reloads the list now. */
	refreshServers(): Promise<void>;
	/** Stops the request in progress; false if there is none. */
	stopLoading(): boolean;
	/**
	 * Marks the list as possibly outdated: reloads it now, and often for a while, because a hub may
	 * notice a killed server late.
	 */
	doubtServers(): void;
	/**
	 * Polls the list until the signal aborts: often while a server may change soon, else twice a
	 * minute. After failures, the intervals grow.
	 */
	pollServers(signal: AbortSignal): void;
	/**
	 * Polls often until a server becomes ready, and announces that. `isMeant`: true to make the
	 * server the current one.
	 */
	awaitServer(name: string, rental: Rental, isMeant: boolean): void;
};

/** Polling intervals in ms. */
const SOONEST = {local: 200, other: 1000} as const;
const CHANGING = 5000;
const STEADY = 30_000;
const DOUBT = 15_000;
/**
 * Interval at which the clock is read, in ms. After the machine has slept, timers resume where they
 * stopped, so one long timer would fire late.
 */
const SLICE = 5000;
/**
 * Time in which a service may still list a server as offline after it accepted the start, in ms.
 */
const OFFLINE_GRACE = {local: 2000, other: 10_000} as const;

export const findServer = (
	state: Pick<ServersState, 'servers'>,
	name: string | null,
): ServerItem | undefined =>
	name === null ? undefined : state.servers.value?.items.find(server => server.name === name);

/** True while the list shows the server in this state. Used as the condition of a notice. */
export const hasStatus =
	(name: string, status: string) =>
	(state: Pick<ServersState, 'servers'>): boolean =>
		findServer(state, name)?.status === status;

/** Sentence for a server that is not in the list. It may be among the unreadable entries. */
export const notListedText = ({servers}: Pick<ServersState, 'servers'>, name: string): string =>
	(servers.value?.unreadable ?? 0) > 0
		? `${name} is not among the servers that could be read`
		: `There is no server ${name} on this service`;

const inWords = (ms: number): string =>
	ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;

const firstServers = ({lastServers = null}: Deps): ServersState => ({
	servers: idle,
	lastServers,
	rentals: new Map(),
	awaited: new Map(),
	nextLook: null,
});

export const serverList = part(
	'serverList',
	({get, set, subscribe, deps: {client, now, rates: kept}}: App): ServerList => {
		const load = latestOnly<Listing<ServerItem>>(
			() => get().servers,
			servers => set({servers}),
			now,
		);
		let timer: NodeJS.Timeout | undefined;
		let polling: AbortSignal | undefined;
		let looks = 0;
		let failures = 0;
		let doubtedUntil = 0;
		const signIn = signInOffer(get);
		subscribe(signIn.offer);
		let soon: number = SOONEST.local;
		const isRestless = watchStates(now);

		/** Undefined until the rates of earlier runs have been read, just before the first list. */
		let rates: RateStorage | null | undefined;
		const takeKept = (): void => {
			if (rates !== undefined) return;
			rates = kept ?? null;
			if (rates !== null) set({rentals: new Map([...loadRentals(rates), ...get().rentals])});
		};

		const setRentals = (rentals: ReadonlyMap<string, Rental>): void => {
			const before = get().rentals;
			set({rentals});
			if (!rates) return;
			try {
				saveRentals(rates, before, rentals);
			} catch (error) {
				rates = null;
				notices(get).notify('bad', `Cost history cannot be saved: ${storageErrorText(error)}`);
			}
		};

		/** Announces the outcome of starts that this program has requested. */
		const noticeArrivals = (items: readonly ServerItem[]): void => {
			const {awaited, isLocal} = get();
			const left = new Map(awaited);
			for (const {name, status, status_reason: reason} of items) {
				const wait = left.get(name);
				if (wait === undefined) continue;
				const waited = now() - wait.since;
				const hasLeft = wait.seen.some(each => !isOver(each.status));
				if (wait.seen.at(-1)?.status !== status)
					left.set(name, {...wait, seen: [...wait.seen, {status, at: now()}]});
				if (isUp(status)) {
					left.delete(name);
					notices(get).notify(
						'good',
						`${label(name)} is ${label(status, 20)}${waited > 2000 ? ` after ${inWords(waited)}` : ''}`,
						hasStatus(name, status),
					);
					// The first poll may be older than the start request, and then shows offline.
				} else if (
					isOver(status) &&
					(hasLeft ||
						(wait.seen.length > 0 && typeof reason === 'string') ||
						waited > OFFLINE_GRACE[isLocal ? 'local' : 'other'])
				) {
					left.delete(name);
					notices(get).notify(
						'bad',
						`${label(name)} did not start; it is ${status === 'offline' ? 'offline again' : label(status, 20)}${typeof reason === 'string' ? `: ${label(reason)}` : ''}`,
						hasStatus(name, status),
					);
				}
			}
			set({awaited: left});
		};

		const pauseAfterLook = (): number | null => {
			const {servers, awaited, isLocal} = get();
			if (servers.status === 'failed') {
				soon = SOONEST[isLocal ? 'local' : 'other'];
				return retryDelay(servers.failure, failures++, CHANGING);
			}
			failures = 0;
			const changesSoon = isRestless(servers.value?.items ?? []);
			if (awaited.size === 0 && now() >= doubtedUntil && !changesSoon) {
				soon = SOONEST[isLocal ? 'local' : 'other'];
				return jittered(STEADY);
			}
			const pause = Math.min(soon, CHANGING);
			soon *= 1.5;
			return pause;
		};

		/** Plans the next request; null for none until the user requests one. */
		const plan = (pause: number | null): void => {
			clearTimeout(timer);
			if (polling === undefined || polling.aborted) return;
			if (pause === null) return set({nextLook: null});
			const due = now() + pause;
			const {servers} = get();
			set({nextLook: due, ...(servers.status === 'failed' && {servers: {...servers, again: due}})});
			const wait = (left: number): void => {
				const slice = Math.min(left, SLICE);
				timer = setTimeout(
					() => (left <= slice || now() >= due ? void serverList(get).refreshServers() : wait(left - slice)),
					slice,
				);
			};
			wait(pause);
		};

		return {
			async refreshServers() {
				clearTimeout(timer);
				const look = ++looks;
				const isFirst = get().servers.value === undefined;
				const before = get().servers.value?.items ?? [];
				await load(async signal => {
					takeKept();
					const reply = await (await client()).servers({signal});
					return reply;
				});
				if (look !== looks) return;
				const {servers, current, awaited, isLocal} = get();
				if (servers.failure?.kind === 'auth' && !isLocal) signIn.refused();
				if (servers.status === 'ready') {
					signIn.accepted();
					const items = servers.value?.items ?? [];
					// A pane has no highlight that could choose the current server. As in the list,
					// the first ready server is chosen, else the first server.
					if (current === null)
						set({current: (items.find(server => server.status === 'ready') ?? items[0])?.name ?? null});
					setRentals(updateRentals(get().rentals, {servers: items, isFirst, starting: awaited, at: now()}));
					noticeArrivals(items);
					for (const {kind, text} of stopNotices(before, items, now())) notices(get).notify(kind, text);
				}
				plan(pauseAfterLook());
			},
			stopLoading() {
				if (!load.stop()) return false;
				// Prevents the stopped request from planning another one.
				looks++;
				set({nextLook: null});
				return true;
			},
			doubtServers() {
				doubtedUntil = now() + DOUBT;
				soon = SOONEST[get().isLocal ? 'local' : 'other'];
				void serverList(get).refreshServers();
			},
			pollServers(signal) {
				polling = signal;
				signal.addEventListener('abort', () => clearTimeout(timer), {once: true});
				void serverList(get).refreshServers();
			},
			awaitServer(name, rental, isMeant) {
				const {rentals, awaited} = get();
				setRentals(new Map(rentals).set(name, rental));
				set({
					awaited: new Map(awaited).set(name, {since: rental.since, seen: []}),
					...(isMeant && {current: name}),
				});
				soon = SOONEST[get().isLocal ? 'local' : 'other'];
				plan(soon);
			},
		};
	},
	firstServers,
);
