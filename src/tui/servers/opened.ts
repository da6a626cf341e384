import {isOver, meaningOf} from '../../text/server-states.ts';
import type {State} from '../core/program.ts';
import {findServer, type ServersState} from './servers.ts';
import {part, type App} from '../core/app.ts';

export type OpenState = {
	/**
	 * Servers whose panes the user opened although they were not ready, with their state at that
	 * time.
	 */
	readonly tried: ReadonlyMap<string, string>;
	/** Servers that were ready or responded, and were not seen stopped or restarted since. */
	readonly answering: ReadonlySet<string>;
};

export type OpenServers = {
	/** Opens the panes of a server in any state. */
	tryServer(name: string): void;
	/** Records that the server responded to a request. */
	heardServer(name: string): void;
};

/** True for a state in which a server that responded once is expected to respond again. */
const keepsAnswering = (status: string): boolean => ['ready', 'up', 'unknown'].includes(meaningOf(status));

export type Openness = Pick<ServersState, 'servers'> & Pick<OpenState, 'tried' | 'answering'>;

/** True if a server is usable: it is ready, has responded, or the user has opened it anyway. */
export const isOpen = (state: Openness, name: string | null): boolean => {
	const server = findServer(state, name);
	if (server === undefined) return false;
	const {status} = server;
	return (
		status === 'ready' ||
		state.tried.get(server.name) === status ||
		(state.answering.has(server.name) && keepsAnswering(status))
	);
};

/** Path of a request that a server itself answers. Group 1 or 2 is the server's encoded name. */
const CALL = /^\/api\/(?:servers\/([^/?]+)\/(?:files|run-code)|assistant\/([^/?]+)\/)/;

const answererOf = (path: string): string | undefined => {
	const [, server, asked = server] = CALL.exec(path) ?? [];
	return asked === undefined ? undefined : decodeURIComponent(asked);
};

/** Updates `tried` and `answering` from a new list of servers. */
const afterList = ({servers, tried, answering}: Openness): Pick<OpenState, 'tried' | 'answering'> => {
	const items = servers.value?.items ?? [];
	const statusOf = new Map(items.map(({name, status}) => [name, status]));
	const ready = items.filter(({status}) => status === 'ready').map(({name}) => name);
	return {
		tried: new Map([...tried].filter(([name, status]) => statusOf.get(name) === status)),
		answering: new Set(
			[...answering, ...ready].filter(name => keepsAnswering(statusOf.get(name) ?? 'offline')),
		),
	};
};

const firstOpen = (): OpenState => ({tried: new Map(), answering: new Set()});

export const openServers = part(
	'openServers',
	({get, set, subscribe}: App): OpenServers => {
		const heard = new Set<number>();
		/** Detects responding servers from all requests: files, code and the assistant alike. */
		const listen = ({requests}: State): void => {
			for (const {id, path, took, problem} of requests) {
				if (took === null || heard.has(id)) continue;
				heard.add(id);
				const name = problem === undefined ? answererOf(path) : undefined;
				if (name !== undefined) openServers(get).heardServer(name);
			}
			const [oldest] = requests;
			for (const id of heard) if (oldest !== undefined && id < oldest.id) heard.delete(id);
		};
		subscribe((state, old) => {
			if (state.servers.value !== old.servers.value && state.servers.value !== undefined)
				set(afterList(state));
			if (state.requests !== old.requests) listen(state);
		});
		return {
			tryServer(name) {
				const found = findServer(get(), name);
				if (found !== undefined) set({tried: new Map(get().tried).set(name, found.status)});
			},
			heardServer(name) {
				const {answering, awaited} = get();
				const status = findServer(get(), name)?.status;
				if (status === undefined || isOver(status)) return;
				if (!answering.has(name)) set({answering: new Set(answering).add(name)});
				// A responding server is usable, so an unknown state need not become `ready`.
				if (!awaited.has(name) || !keepsAnswering(status)) return;
				set({awaited: new Map([...awaited].filter(([each]) => each !== name))});
			},
		};
	},
	firstOpen,
);
