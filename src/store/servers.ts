import type {StateCreator} from 'zustand/vanilla';
import type {Listing} from '../api/client-types.ts';
import type {ServerItem} from '../contract/servers.ts';
import {label} from '../text/safe.ts';
import type {Deps} from './deps.ts';
import type {ListsSlice} from './lists.ts';
import type {NoticesSlice} from './notices.ts';
import {idle, newestWins, type Remote} from './remote.ts';
import {seenRunning, type Rental} from './rentals.ts';
import type {RouteSlice} from './route.ts';
import type {SessionSlice} from './session.ts';

/** A server that was asked to start from here and is not ready yet. Times in ms since the epoch. */
export type Wait = {readonly since: number; /** The states seen so far, each with when it was first seen. */ readonly seen: readonly {readonly status: string; readonly at: number}[]};

export type ServersSlice = {
	readonly servers: Remote<Listing<ServerItem>>;
	readonly rentals: ReadonlyMap<string, Rental>;
	readonly awaited: ReadonlyMap<string, Wait>;
	/** ms since the epoch of the next look at the list; null while nobody looks by himself. */
	readonly nextLook: number | null;
	/** Looks at the list now. */
	refreshServers(): Promise<void>;
	/** What the list says of a server may be out of date: it is asked for now, and often for a while, since a hub may learn late of what was killed. */
	doubtServers(): void;
	/** Looks again and again: soon while something changes, else twice a minute, and less and less often while it fails. Ends when the signal aborts. */
	pollServers(signal: AbortSignal): void;
	/** A server that is to become ready: looked for often, told of when it is, and the one meant from now on. */
	awaitServer(name: string, rental: Rental): void;
};

type Needs = ServersSlice & NoticesSlice & RouteSlice & SessionSlice & ListsSlice;

/** Milliseconds between two looks. */
const SOONEST = {local: 200, other: 1000} as const;
const CHANGING = 5000;
const STEADY = 30_000;
const SELDOM = 60_000;
const DOUBT = 15_000;
/** A machine that slept wakes with its timers where they stood, and its clock far on: the clock is looked at so often. */
const SLICE = 5000;
/** The longest that a service which asks for patience gets. */
const PATIENCE = 300_000;
/** A service may list a server as offline for a moment after it took the start. */
const OFFLINE_GRACE = {local: 2000, other: 10_000} as const;

/** A state that may become another by itself; every state but the two documented ones. */
export const isChanging = (status: string): boolean => status !== 'ready' && status !== 'offline';

export const findServer = (state: Pick<ServersSlice, 'servers'>, name: string | null): ServerItem | undefined =>
	name === null ? undefined : state.servers.value?.items.find(server => server.name === name);

const jittered = (ms: number): number => Math.round(ms * (0.9 + Math.random() * 0.2));

const inWords = (ms: number): string => (ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`);

export const createServersSlice = ({client, now}: Deps): StateCreator<Needs, [], [], ServersSlice> => (set, get) => {
	const load = newestWins<Listing<ServerItem>>(() => get().servers, servers => set({servers}), now);
	let timer: NodeJS.Timeout | undefined;
	let polling: AbortSignal | undefined;
	let looks = 0;
	let failures = 0;
	let doubtedUntil = 0;
	let soon: number = SOONEST.local;
	let made: string | null = null;

	/** What became of the servers that were asked to start. */
	const noticeArrivals = (items: readonly ServerItem[]): void => {
		const {awaited, notify, isLocal} = get();
		const left = new Map(awaited);
		for (const {name, status, status_reason: reason} of items) {
			const wait = left.get(name);
			if (wait === undefined) continue;
			const waited = now() - wait.since;
			const hasLeft = wait.seen.some(each => each.status !== 'offline');
			if (wait.seen.at(-1)?.status !== status) left.set(name, {...wait, seen: [...wait.seen, {status, at: now()}]});
			if (status === 'ready') {
				left.delete(name);
				notify('good', `${label(name)} is ready${waited > 2000 ? ` after ${inWords(waited)}` : ''}`);
			// The first look may have been on its way already when the start was asked for.
			} else if (status === 'offline' && (hasLeft || (wait.seen.length > 0 && typeof reason === 'string') || waited > OFFLINE_GRACE[isLocal ? 'local' : 'other'])) {
				left.delete(name);
				notify('bad', `${label(name)} did not start; it is offline again${typeof reason === 'string' ? `: ${label(reason)}` : ''}`);
			}
		}
		set({awaited: left});
	};

	const pauseAfterLook = (): number => {
		const {servers, awaited, isLocal} = get();
		if (servers.status === 'failed') {
			soon = SOONEST[isLocal ? 'local' : 'other'];
			const asked = (servers.failure?.retryAfter ?? 0) * 1000;
			return Math.min(PATIENCE, Math.max(asked, jittered(Math.min(SELDOM, CHANGING * 2 ** failures++))));
		}
		failures = 0;
		if (awaited.size === 0 && now() >= doubtedUntil && !(servers.value?.items ?? []).some(server => isChanging(server.status))) {
			soon = SOONEST[isLocal ? 'local' : 'other'];
			return jittered(STEADY);
		}
		const pause = Math.min(soon, CHANGING);
		soon *= 1.5;
		return pause;
	};

	const plan = (pause: number): void => {
		clearTimeout(timer);
		if (polling === undefined || polling.aborted) return;
		const due = now() + pause;
		set({nextLook: due});
		const wait = (left: number): void => {
			const slice = Math.min(left, SLICE);
			timer = setTimeout(() => (left <= slice || now() >= due ? void get().refreshServers() : wait(left - slice)), slice);
		};
		wait(pause);
	};

	return {
		servers: idle,
		rentals: new Map(),
		awaited: new Map(),
		nextLook: null,
		async refreshServers() {
			clearTimeout(timer);
			const look = ++looks;
			const isFirst = get().servers.value === undefined;
			await load(async signal => (await client()).servers({signal}));
			if (look !== looks) return;
			const {servers, current, rentals, awaited} = get();
			if (servers.status === 'ready') {
				const items = servers.value?.items ?? [];
				// With nothing chosen yet, the only server there is, or the first that is ready, is the one meant.
				if (current === null) set({current: (items.find(server => server.status === 'ready') ?? items[0])?.name ?? null});
				// A server made from here is looked for in the list: the cursor goes to it once, when it first appears.
				if (made !== null && items.some(server => server.name === made)) {
					get().changeList('servers', {cursor: made});
					made = null;
				}
				set({rentals: seenRunning(rentals, {servers: items, isFirst, starting: awaited, at: now()})});
				noticeArrivals(items);
			}
			plan(pauseAfterLook());
		},
		doubtServers() {
			doubtedUntil = now() + DOUBT;
			soon = SOONEST[get().isLocal ? 'local' : 'other'];
			void get().refreshServers();
		},
		pollServers(signal) {
			polling = signal;
			signal.addEventListener('abort', () => clearTimeout(timer), {once: true});
			void get().refreshServers();
		},
		awaitServer(name, rental) {
			const {rentals, awaited} = get();
			if (findServer(get(), name) === undefined) made = name;
			else get().changeList('servers', {cursor: name});
			set({rentals: new Map(rentals).set(name, rental), awaited: new Map(awaited).set(name, {since: rental.since, seen: []}), current: name});
			soon = SOONEST[get().isLocal ? 'local' : 'other'];
			plan(soon);
		},
	};
};
