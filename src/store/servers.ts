import type {StateCreator} from 'zustand/vanilla';
import type {Listing} from '../api/client-types.ts';
import type {Reply} from '../api/failure.ts';
import type {CreatedServer, CreateRequest, ServerItem, StartedServer} from '../contract/servers.ts';
import {textFilter} from '../query/text-filter.ts';
import {label} from '../text/safe.ts';
import type {Deps} from './deps.ts';
import {lastResult} from './last-result.ts';
import type {ListsSlice, ListView} from './lists.ts';
import type {NoticesSlice} from './notices.ts';
import {idle, newestWins, type Remote} from './remote.ts';
import type {RouteSlice} from './route.ts';

export type ServersSlice = {
	readonly servers: Remote<Listing<ServerItem>>;
	/** Rates per hour that create and start answered, by server name. */
	readonly rates: ReadonlyMap<string, number>;
	/** Servers asked to start from here and not yet seen ready, with the time of asking in ms. */
	readonly awaited: ReadonlyMap<string, number>;
	refreshServers(): Promise<void>;
	/** Asks again and again: soon while something changes, else twice a minute. Ends when the signal aborts. */
	pollServers(signal: AbortSignal): Promise<void>;
	startServer(server: ServerItem): Promise<void>;
	createServer(request: CreateRequest): Promise<Reply<CreatedServer>>;
};

type Needs = ServersSlice & NoticesSlice & RouteSlice & ListsSlice;

const SOONEST = 200;
const CHANGING = 5000;
const STEADY = 30_000;

/** A state that may become another by itself; every state but the two documented ones. */
export const isChanging = (status: string): boolean => status !== 'ready' && status !== 'offline';

export const findServer = (state: Pick<ServersSlice, 'servers'>, name: string | null): ServerItem | undefined =>
	name === null ? undefined : state.servers.value?.items.find(server => server.name === name);

const passing = lastResult((items: readonly ServerItem[] | undefined, typed: string): readonly ServerItem[] => {
	const passes = textFilter(typed);
	return (items ?? []).filter(({name, status, environment, server_request, port}) => passes([name, status, environment, server_request, port].join('\n')));
});

/** The servers that pass the filter of the list. */
export const shownServers = ({servers, lists}: Pick<ServersSlice, 'servers'> & {readonly lists: {readonly servers: Pick<ListView, 'filter'>}}): readonly ServerItem[] =>
	passing(servers.value?.items, lists.servers.filter.text);

export const createServersSlice = ({client, now}: Deps): StateCreator<Needs, [], [], ServersSlice> => (set, get) => {
	const load = newestWins<Listing<ServerItem>>(() => get().servers, servers => set({servers}), now);
	let wake: (() => void) | undefined;
	let created: string | null = null;

	const noticeArrivals = (): void => {
		const {awaited, servers, notify} = get();
		const left = new Map(awaited);
		for (const server of servers.value?.items ?? []) {
			if (!left.has(server.name)) continue;
			if (server.status === 'ready') {
				left.delete(server.name);
				notify('good', `${label(server.name)} is ready`);
			} else if (server.status === 'offline' && now() - (left.get(server.name) ?? 0) > 2000) {
				left.delete(server.name);
				notify('bad', `${label(server.name)} did not start; it is offline again`);
			}
		}
		if (left.size !== awaited.size) set({awaited: left});
	};

	const accepted = (name: string, answer: CreatedServer | StartedServer): void => {
		const {rates, awaited, notify} = get();
		set({rates: new Map(rates).set(name, answer.hourly_rate), awaited: new Map(awaited).set(name, now()), current: name});
		notify('info', `${label(name)} is starting, ${answer.hourly_rate.toFixed(2)} /h`);
		wake?.();
	};

	return {
		servers: idle,
		rates: new Map(),
		awaited: new Map(),
		async refreshServers() {
			await load(async signal => (await client()).servers({signal}));
			const {servers, current} = get();
			// With nothing chosen yet, the only server there is, or the first that is ready, is the one meant.
			const items = servers.value?.items ?? [];
			if (current === null) set({current: (items.find(server => server.status === 'ready') ?? items[0])?.name ?? null});
			// A server made from here is looked for in the list: the cursor goes to it once, when it first appears.
			const made = items.findIndex(server => server.name === created);
			if (made >= 0) {
				created = null;
				get().changeList('servers', {cursor: items[made]?.name ?? null, at: made});
			}
			noticeArrivals();
		},
		async pollServers(signal) {
			let pause = SOONEST;
			while (!signal.aborted) {
				await get().refreshServers();
				const changing = get().awaited.size > 0 || (get().servers.value?.items ?? []).some(server => isChanging(server.status));
				await new Promise<void>(resolve => {
					const timer = setTimeout(resolve, changing ? pause : STEADY);
					wake = () => {
						pause = SOONEST;
						clearTimeout(timer);
						resolve();
					};
					signal.addEventListener('abort', () => wake?.(), {once: true});
				});
				pause = changing ? Math.min(pause * 1.5, CHANGING) : SOONEST;
			}
		},
		async startServer(server) {
			const {name, environment, port, server_request} = server;
			const reply = await (await client()).startServer(name, {environment, port, server_request});
			if (reply.ok) accepted(name, reply.value);
			else get().notify('bad', `${label(name)} was not started: ${label(reply.failure.message)}`);
		},
		async createServer(request) {
			const reply = await (await client()).createServer(request);
			if (reply.ok) {
				created = request.server_name;
				accepted(request.server_name, reply.value);
			}
			return reply;
		},
	};
};
