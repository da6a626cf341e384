import type {AttachAnswer, AttachRequest} from '../../contract/attach.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {agentFor, type ConnectionOptions} from '../../engines/jupyter/agent-call.ts';
import {UnreachableSessionError} from '../../engines/engine.ts';
import type {Files} from '../../engines/files.ts';
import type {LastError} from '../assistant/about.ts';
import {ServiceFault} from '../http/fault.ts';
import {checkServerName} from '../http/params.ts';
import type {ServerLinks} from '../server-links.ts';
import {refusals, runCell, type Caller, type Servers} from '../servers.ts';
import {nameFor, readAddress, readAuthority} from './address.ts';
import {probe} from './probe.ts';
import type {AttachedServer, AttachedStore} from './store.ts';
import {setTimeout as sleep} from 'node:timers/promises';

/** Maximum age of a probe's result that is reused, in ms. */
const FRESH_MS = 2000;
/** Maximum time that a listing waits for a server that does not respond, in ms. */
const PATIENCE_MS = 1500;

type State = {at: number; problem: string | null; asking: Promise<string | null> | null};

const SILENT = 'The server has not responded yet. Check again in a moment.';

/**
 * Health of attached servers. The result is null if the server is online, else the reason why it is
 * not. `ask` must never reject.
 */
const createHealth = (ask: (server: AttachedServer) => Promise<string | null>) => {
	const states = new Map<string, State>();
	const idOf = ({url, token, authority = ''}: AttachedServer): string => `${url} ${token} ${authority}`;

	const renew = (server: AttachedServer, state: State): Promise<string | null> => {
		state.asking ??= ask(server).then(problem => {
			Object.assign(state, {at: performance.now(), problem, asking: null});
			return problem;
		});
		return state.asking;
	};
	return {
		async of(server: AttachedServer): Promise<string | null> {
			const id = idOf(server);
			const state = states.get(id) ?? {at: -Infinity, problem: SILENT, asking: null};
			states.set(id, state);
			if (performance.now() - state.at < FRESH_MS) return state.problem;
			return Promise.race([
				renew(server, state),
				sleep(PATIENCE_MS, undefined, {ref: false}).then(() => state.problem),
			]);
		},
		/** Discards the known result, because it may be outdated. */
		doubt(server: AttachedServer): void {
			states.delete(idOf(server));
		},
	};
};

const MOST = 64;
const PROBE_MS = 10_000;

/** Hosts of servers that may be attached: any host, or the listed ones (`name` or `name:port`). */
export type Attachable = 'anywhere' | readonly string[];

/**
 * Adds Jupyter Servers to a user's list and removes them from it. Its functions throw
 * {@link ServiceFault}.
 */
export type Attaching = {
	attach(caller: Caller, request: AttachRequest): Promise<Pick<AttachAnswer, 'server_name' | 'host'>>;
	/** Does not stop the server. */
	detach(caller: Caller, name: string): Promise<void>;
};

export type AttachedOptions = {
	readonly store: AttachedStore;
	readonly attachable: Attachable;
	readonly openLinks: () => Promise<ServerLinks>;
	/** HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, if set. */
	readonly proxyEnv: Readonly<Record<string, string>>;
	readonly onFailure: (error: unknown) => void;
};

/**
 * Adds the attached servers to the service's own. Each is visible only to the user who attached it.
 */
export const withAttached = (
	own: Servers,
	{store, attachable, openLinks, proxyEnv, onFailure}: AttachedOptions,
): {readonly servers: Servers; readonly attaching: Attaching; close(): Promise<void>} => {
	let links: Promise<ServerLinks> | undefined;
	const lastErrors = new Map<string, LastError>();

	/**
	 * Reason why the service may not connect to a host, or null. Checked for each request, because
	 * the allowed hosts may have changed.
	 */
	const notAllowedText = ({host, hostname}: URL): string | null => {
		if (attachable === 'anywhere' || attachable.some(each => each === host || each === hostname)) return null;
		return `This service only connects to allowed hosts. Ask its operator to add --allow-attach ${hostname}.`;
	};
	const health = createHealth(({url, token, authority}) => {
		const place = new URL(url);
		const problem = notAllowedText(place);
		return problem === null
			? probe(place, token, {authority, proxyEnv}, PROBE_MS).then(answer => answer.problem)
			: Promise.resolve(problem);
	});
	const find = ({user}: Caller, name: string): AttachedServer | undefined =>
		store.list(user).find(server => server.name === name);
	/** Name of the server that already uses a name. Letter case is ignored. */
	const takenName = async (caller: Caller, wanted: string): Promise<string | undefined> =>
		[...(await own.list(caller)), ...store.list(caller.user)].find(
			({name}) => name.toLowerCase() === wanted.toLowerCase(),
		)?.name;
	const itemOf = async (server: AttachedServer): Promise<ServerItem> => {
		const {name, url, token, authority} = server;
		const reason = await health.of(server);
		return {
			assistant_editor_url: null,
			environment: '',
			name,
			port: portOf(server),
			port_forward_url: null,
			server_request: '',
			status: reason === null ? 'ready' : 'offline',
			thumb: '/thumb/server.svg',
			token,
			url: `${url}?token=${encodeURIComponent(token)}`,
			attached: true,
			...(authority !== undefined && {certificate_authority: authority}),
			...(reason === null ? {} : {status_reason: reason}),
		};
	};
	const linkTo = async (server: AttachedServer) => {
		const reason = await health.of(server);
		if (reason !== null) throw new ServiceFault(409, `The server ${server.name} is offline. ${reason}`);
		links ??= openLinks();
		return (await links).of(server.url, server.token, {
			agentOf: () => agentFor(new URL(server.url), {authority: server.authority, proxyEnv}),
		});
	};
	const unreachable = (server: AttachedServer) => (error: unknown) => {
		health.doubt(server);
		if (!(error instanceof UnreachableSessionError)) throw error;
		throw new ServiceFault(
			503,
			`The server ${server.name} no longer responds. Check its status again in a moment.`,
		);
	};
	const filesOf = async (server: AttachedServer): Promise<Files> => {
		const {files} = await linkTo(server);
		const refuse = unreachable(server);
		return {
			get: path => files.get(path).catch(refuse),
			put: (path, upload, expected) => files.put(path, upload, expected).catch(refuse),
		};
	};
	const idOf = ({user}: Caller, name: string): string => `${user}/${name}`;

	const servers: Servers = {
		...own,
		async list(caller) {
			const attached = store.list(caller.user);
			if (attached.length === 0) return own.list(caller);
			const [mine, others] = await Promise.all([own.list(caller), Promise.all(attached.map(itemOf))]);
			return [...mine, ...others];
		},
		async create(caller, request) {
			const wanted = request.server_name.toLowerCase();
			const taken = store.list(caller.user).find(({name}) => name.toLowerCase() === wanted);
			if (taken) throw refusals.nameTaken(taken.name);
			return own.create(caller, request);
		},
		async start(caller, name, request) {
			const server = find(caller, name);
			if (!server) return own.start(caller, name, request);
			const reason = await health.of(server);
			if (reason === null) throw refusals.notOffline(name, 'ready');
			throw new ServiceFault(
				409,
				`The server ${name} is an attached server. Start it on its own machine. ${reason}`,
			);
		},
		portOf(caller, name) {
			const server = find(caller, name);
			return server ? portOf(server) : own.portOf(caller, name);
		},
		async run(caller, name, request, signal) {
			const server = find(caller, name);
			if (!server) return own.run(caller, name, request, signal);
			const {queue, kernels} = await linkTo(server);
			const {code, kernel_name: kernel} = request;
			const run = () => kernels.run(code, kernel, signal).catch(unreachable(server));
			return runCell({queue, name, signal}, code, run, raised => lastErrors.set(idOf(caller, name), raised));
		},
		files(caller, name) {
			const server = find(caller, name);
			return server ? filesOf(server) : own.files(caller, name);
		},
		async about(caller, name) {
			const server = find(caller, name);
			if (!server) return own.about(caller, name);
			return {
				files: await filesOf(server),
				lastError: () => lastErrors.get(idOf(caller, name)) ?? null,
				seesLiveCells: false,
				lookup: (await linkTo(server)).lookup,
				serverName: name,
				environment: '',
			};
		},
	};

	const attaching: Attaching = {
		async attach(caller, request) {
			const {places, token} = readAddress(request);
			const [first] = places;
			const refused = first && notAllowedText(first);
			if (refused != null) throw new ServiceFault(403, refused);
			if (request.name !== undefined) checkServerName(request.name);
			const {certificate_authority: pem} = request;
			const authority = pem === undefined ? undefined : readAuthority(pem);
			const found = await findServer(places, token, {authority, proxyEnv});
			if (typeof found === 'string') throw new ServiceFault(400, found);
			// There must be no `await` between this check and writing the file, because two
			// requests may attach servers at the same time.
			const mine = await own.list(caller);
			const attached = store.list(caller.user);
			const names = new Set([...mine, ...attached].map(({name}) => name.toLowerCase()));
			const same = attached.find(({url}) => url === found.href);
			if (same && request.name !== undefined && same.name !== request.name)
				throw new ServiceFault(409, `This server is already attached as ${same.name}. Detach it first.`);
			if (request.name !== undefined && !same && names.has(request.name.toLowerCase()))
				throw refusals.nameTaken(request.name);
			if (attached.length >= MOST)
				throw new ServiceFault(409, `The limit of ${MOST} attached servers is reached. Detach one first.`);
			const name = same?.name ?? request.name ?? nameFor(found, wanted => names.has(wanted.toLowerCase()));
			// Attaching the same address again replaces the token, because a restarted server has a
			// new one.
			if (same) await forget(caller, same);
			store.add(caller.user, {name, url: found.href, token, ...(authority !== undefined && {authority})});
			return {server_name: name, host: found.host};
		},
		async detach(caller, name) {
			const server = find(caller, name);
			if (server) return forget(caller, server);
			throw (await takenName(caller, name)) === undefined
				? refusals.unknown(name)
				: new ServiceFault(409, `The server ${name} is not an attached server and cannot be detached.`);
		},
	};

	async function forget(caller: Caller, server: AttachedServer): Promise<void> {
		store.remove(caller.user, server.name);
		health.doubt(server);
		lastErrors.delete(idOf(caller, server.name));
		// Not awaited, because the server may not respond.
		void links?.then(opened => opened.drop(server.url, server.token)).catch(onFailure);
	}

	return {servers, attaching, close: async () => (await links)?.close()};
};

const portOf = ({url}: AttachedServer): number => {
	const {port, protocol} = new URL(url);
	return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
};

/** First address at which a Jupyter Server responds, or the reason why none does. */
const findServer = async (
	places: readonly URL[],
	token: string,
	way: ConnectionOptions,
): Promise<URL | string> => {
	let said: string | undefined;
	for (const place of places) {
		const {isJupyter, problem} = await probe(place, token, way, PROBE_MS);
		if (problem === null) return place;
		if (isJupyter) return problem;
		said ??= problem;
	}
	return said ?? 'No server was found at this address. Correct the address; jupyter server list prints it.';
};
