import * as z from 'zod';
import type {ServerItem} from '../../contract/servers.ts';
import {DEFAULT_PORT, PENDING} from '../../contract/names.ts';
import {UnknownKernelError, UnreachableSessionError} from '../../engines/engine.ts';
import type {Files} from '../../engines/files.ts';
import {HubError, type Hub, type HubServer, type HubUser} from '../../engines/jupyterhub/hub.ts';
import {addressesOf} from '../local/addresses.ts';
import type {LastError} from '../assistant/reference.ts';
import type {Catalogue} from '../catalogue/catalogue.ts';
import {ServiceFault} from '../http/fault.ts';
import type {HubAccounts} from './accounts.ts';
import type {HubLink, HubLinks} from './links.ts';
import {lastErrorOf} from '../local/last-error.ts';
import {checkServerName} from '../http/params.ts';
import {quote} from '../catalogue/quote.ts';
import type {Settings} from '../local/registry.ts';
import {QueueFullError} from '../local/run-queue.ts';
import type {Caller, Servers} from '../local/servers.ts';

export type HubServersOptions = {
	readonly hub: Hub;
	readonly accounts: HubAccounts;
	readonly links: HubLinks;
	readonly catalogue: Catalogue;
	/** Without a trailing slash. */
	readonly base: () => string;
};

/** Milliseconds for which what the hub said of a server is good enough to use it. */
const FRESH_MS = 2000;
/** The gate has just asked. */
const NOW_MS = 100;
/** A start that failed is told of for an hour. */
const REASONS_MS = 60 * 60_000;
/** Until then the hub may not know yet that a start has failed. */
const SETTLED_MS = 10_000;

const optionsShape = z.object({
	environment: z.string().catch(''),
	port: z.int().catch(DEFAULT_PORT),
	server_request: z.string().catch(''),
});
/** Servers that were started at the hub itself have none of them. */
const settingsOf = ({user_options: options}: HubServer): Settings => optionsShape.parse(options ?? {});

/** A hub that has just started is still looking whether its servers run: that is pending too. */
const stateOf = ({ready, pending}: HubServer): string =>
	pending === 'stop' ? 'stopping' : pending !== null ? 'starting' : ready ? 'ready' : 'offline';

const faultOf = (error: unknown): unknown => {
	if (!(error instanceof HubError)) return error;
	if (error.status === 403)
		return new ServiceFault(403, `The hub does not allow it to this key: ${error.message}.`);
	if (error.status >= 400 && error.status < 500)
		return new ServiceFault(409, `The hub refused: ${error.message}.`);
	return new ServiceFault(503, error.message);
};

/** Servers that are a JupyterHub's named servers. All that is told of them is asked of the hub. */
export const createHubServers = ({hub, accounts, links, catalogue, base}: HubServersOptions): Servers => {
	const lastErrors = new Map<string, LastError>();
	/** Servers that stopped without a failure, by the moment: only what can change no more, so that every copy answers alike. */
	const stopped = new Set<string>();

	const ownerOf = async ({key}: Caller, maxAge: number): Promise<HubUser> => {
		try {
			const owner = await accounts.of(key, maxAge);
			if (owner) return owner;
		} catch (error) {
			throw faultOf(error);
		}
		throw new ServiceFault(401, 'The hub does not know this key any more; make a new token at the hub.');
	};
	const find = (owner: HubUser, name: string): HubServer => {
		const found = owner.servers.find(server => server.name === name);
		if (!found)
			throw new ServiceFault(
				404,
				`You have no server ${name}; create it, or list your servers to see their names.`,
			);
		return found;
	};
	const addressOf = ({url}: HubServer): string => hub.origin + url;
	const linkOf = async (caller: Caller, name: string): Promise<{server: HubServer; link: HubLink}> => {
		let server = find(await ownerOf(caller, FRESH_MS), name);
		if (stateOf(server) !== 'ready') server = find(await ownerOf(caller, NOW_MS), name);
		const state = stateOf(server);
		if (state === 'offline') throw new ServiceFault(409, `The server ${name} is offline; start it first.`);
		if (state !== 'ready')
			throw new ServiceFault(409, `The server ${name} is still ${state}; wait until it is ready.`);
		return {server, link: links.of(addressOf(server), caller.key)};
	};
	const unreachable = (caller: Caller, name: string, error: unknown): unknown => {
		if (!(error instanceof UnreachableSessionError)) return error;
		accounts.forget(caller.key);
		return new ServiceFault(
			503,
			`The server ${name} does not answer, though the hub said that it is ready; look at its state again in a moment.`,
		);
	};
	const start = async (
		caller: Caller,
		name: string,
		{environment, port, server_request}: Settings,
	): Promise<void> => {
		try {
			await hub.start(caller.key, caller.user, name, {
				...catalogue.userOptions(server_request, environment),
				environment,
				port,
				server_request,
			});
		} catch (error) {
			throw faultOf(error);
		} finally {
			accounts.forget(caller.key);
			lastErrors.delete(`${caller.user}/${name}`);
		}
	};
	const failureOf = async (
		caller: Caller,
		{name, last_activity: last}: HubServer,
	): Promise<string | null> => {
		const age = last === null ? Infinity : Date.now() - Date.parse(last);
		const id = `${caller.user}/${name} ${last}`;
		if (age > REASONS_MS || stopped.has(id)) return null;
		const failure = await hub.failure(caller.key, caller.user, name);
		if (failure === null && age > SETTLED_MS) stopped.add(id);
		for (const oldest of stopped) if (stopped.size > 1000) stopped.delete(oldest);
		return failure ?? null;
	};
	const itemOf = async (caller: Caller, server: HubServer): Promise<ServerItem> => {
		const status = stateOf(server);
		const {assistant_editor_url, forward, thumb} = addressesOf(base(), caller.user, server.name);
		const failure = status === 'offline' ? await failureOf(caller, server) : null;
		return {
			assistant_editor_url,
			name: server.name,
			...settingsOf(server),
			port_forward_url: status === 'starting' ? PENDING : forward,
			status,
			thumb,
			token: null,
			url: addressOf(server),
			...(failure === null
				? {}
				: {status_reason: `The hub could not start it: ${failure.replace(/^Spawn failed: /, '')}`}),
		};
	};
	const files = async (caller: Caller, name: string): Promise<Files> => {
		const {link} = await linkOf(caller, name);
		const told = (error: unknown): never => {
			throw unreachable(caller, name, error);
		};
		return {
			get: path => link.files.get(path).catch(told),
			put: (path, upload, expected) => link.files.put(path, upload, expected).catch(told),
		};
	};

	return {
		compute: () => catalogue.compute,
		async list(caller) {
			const known = await ownerOf(caller, NOW_MS);
			// Another copy may have asked a moment later.
			const {servers} = known.servers.some(({pending}) => pending !== null)
				? await ownerOf(caller, 0)
				: known;
			return Promise.all(servers.map(server => itemOf(caller, server)));
		},
		async create(caller, {server_name, environment, port, server_request}) {
			checkServerName(server_name);
			const settings = {environment, port, server_request};
			const {hourly_price: hourly_rate} = quote(catalogue, settings);
			const {servers} = await ownerOf(caller, NOW_MS);
			const taken = servers.find(({name}) => name.toLowerCase() === server_name.toLowerCase());
			if (taken)
				throw new ServiceFault(
					409,
					`You already have a server ${taken.name}; choose another name, or start that one.`,
				);
			await start(caller, server_name, settings);
			const {assistant_editor_url} = addressesOf(base(), caller.user, server_name);
			return {
				...settings,
				assistant_editor_url,
				hourly_rate,
				port_forward_url: PENDING,
				server_name,
				status: 'success',
				url: `${hub.origin}${await pathOf(caller, server_name)}`,
			};
		},
		async start(caller, name, settings) {
			const server = find(await ownerOf(caller, NOW_MS), name);
			const {hourly_price: hourly_rate} = quote(catalogue, settings);
			const state = stateOf(server);
			if (state !== 'offline')
				throw new ServiceFault(409, `The server ${name} is already ${state}; use it as it is.`);
			await start(caller, name, settings);
			const {assistant_editor_url} = addressesOf(base(), caller.user, name);
			return {
				...settings,
				assistant_editor_url,
				hourly_rate,
				message: `Server ${name} started.`,
				port_forward_url: PENDING,
				server_name: name,
				status: 'success',
				token: null,
				url: addressOf(server),
			};
		},
		portOf: async (caller, name) => settingsOf(find(await ownerOf(caller, FRESH_MS), name)).port,
		async run(caller, name, {code, kernel_name}, signal) {
			const {link} = await linkOf(caller, name);
			const endTurn = await link.queue.turn(signal).catch((error: unknown) => {
				if (error instanceof QueueFullError)
					throw new ServiceFault(
						429,
						`Too many runs wait on ${name}; wait for one to finish and send this again.`,
						{'retry-after': '1'},
					);
				throw error;
			});
			try {
				const {execution_count, outputs} = await link.kernels.run(code, kernel_name, signal);
				const failed = lastErrorOf(outputs, code);
				if (failed && !signal.aborted) lastErrors.set(`${caller.user}/${name}`, failed);
				return {cell_type: 'code', execution_count, metadata: {}, source: code, outputs: [...outputs]};
			} catch (error) {
				if (error instanceof UnknownKernelError) throw new ServiceFault(404, error.message);
				throw unreachable(caller, name, error);
			} finally {
				endTurn();
			}
		},
		files,
		async about(caller, name) {
			const {server, link} = await linkOf(caller, name);
			return {
				files: await files(caller, name),
				lastError: () => lastErrors.get(`${caller.user}/${name}`) ?? null,
				lookup: link.lookup,
				serverName: name,
				environment: settingsOf(server).environment,
			};
		},
	};

	async function pathOf(caller: Caller, name: string): Promise<string> {
		const {servers} = await ownerOf(caller, FRESH_MS);
		return servers.find(server => server.name === name)?.url ?? `/user/${caller.user}/${name}/`;
	}
};
