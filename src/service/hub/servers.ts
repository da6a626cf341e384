import * as z from 'zod';
import type {ServerItem} from '../../contract/servers.ts';
import {DEFAULT_PORT, PENDING} from '../../contract/names.ts';
import {UnreachableSessionError} from '../../engines/engine.ts';
import type {Files} from '../../engines/files.ts';
import type {Hub, HubServer, HubUser} from '../../engines/jupyterhub/hub.ts';
import {addressesOf} from '../local/addresses.ts';
import {withToken} from '../../text/token.ts';
import type {LastError} from '../assistant/about.ts';
import type {Catalogue} from '../catalogue/catalogue.ts';
import {ServiceFault} from '../http/fault.ts';
import type {HubAccounts} from './accounts.ts';
import {hubFault, mayUse, notAllowed} from './scopes.ts';
import type {HubProgress} from './progress.ts';
import type {ServerTokens} from './tokens.ts';
import type {ServerLink, ServerLinks} from '../server-links.ts';
import {checkServerName} from '../http/params.ts';
import {requireOffer} from '../catalogue/quote.ts';
import type {Settings} from '../local/registry.ts';
import {orderAnswer, refusals, runCell, type Caller, type Servers} from '../servers.ts';

export type HubServersOptions = {
	readonly hub: Hub;
	readonly accounts: HubAccounts;
	readonly links: ServerLinks;
	readonly tokens: ServerTokens;
	readonly progress: HubProgress;
	readonly catalogue: Catalogue;
	/** Start of all addresses, without a trailing slash. */
	readonly base: () => string;
};

/** Maximum age of information from the hub that suffices for using a server, in ms. */
const FRESH_MS = 2000;
/** Maximum age of information that counts as current, in ms. */
const NOW_MS = 100;
/**
 * Maximum age of information for rejecting a request, in ms. Only information fetched during this
 * request is used, because clients do not retry after a rejection.
 */
const OWN_MS = 1;
/** Maximum age of a failed start whose reason is still shown, in ms. */
const REASONS_MS = 60 * 60_000;
/** Time after a failed start in which the hub may not report the failure yet, in ms. */
const SETTLED_MS = 10_000;

const optionsShape = z.object({
	environment: z.string().catch(''),
	port: z.int().catch(DEFAULT_PORT),
	server_request: z.string().catch(''),
});
/** Settings of a server. Servers that were started in the hub itself lack these options. */
const settingsOf = ({user_options: options}: HubServer): Settings => optionsShape.parse(options ?? {});

/**
 * State of a server. A hub that has just started reports servers as pending while it checks which
 * of them run.
 */
const stateOf = ({ready, pending}: HubServer): string =>
	pending === 'stop' ? 'stopping' : pending !== null ? 'starting' : ready ? 'ready' : 'offline';

/** Servers that are a JupyterHub's named servers. Their state comes only from the hub. */
export const createHubServers = ({
	hub,
	accounts,
	links,
	tokens,
	progress,
	catalogue,
	base,
}: HubServersOptions): Servers => {
	const lastErrors = new Map<string, LastError>();
	/**
	 * Stopped servers whose last start had not failed. This cannot change until they are used
	 * again, so that all copies of the service agree.
	 */
	const stopped = new Set<string>();

	const ownerOf = async ({key, since = Infinity}: Caller, maxAge: number): Promise<HubUser> => {
		// The guard's information was fetched during this request, so it is current even if the hub
		// responded slowly.
		const age = maxAge === 0 ? 0 : Math.max(maxAge, performance.now() - since);
		try {
			const owner = await accounts.of(key, age);
			if (owner) return owner;
		} catch (error) {
			throw hubFault(error, hub.tokenPage);
		}
		throw new ServiceFault(401, 'The hub no longer accepts this token. Create a new one at the hub.');
	};
	const find = (owner: HubUser, name: string): HubServer => {
		const found = owner.servers.find(server => server.name === name);
		if (!found) throw refusals.unknown(name);
		return found;
	};
	const addressOf = ({url}: HubServer): string => hub.origin + url;
	const linkOf = async (caller: Caller, name: string): Promise<{server: HubServer; link: ServerLink}> => {
		const owner = await ownerOf(caller, FRESH_MS);
		let server = find(owner, name);
		if (!mayUse(owner, name)) throw notAllowed('it lacks the scope "access:servers"', hub.tokenPage);
		if (stateOf(server) !== 'ready') server = find(await ownerOf(caller, OWN_MS), name);
		const state = stateOf(server);
		if (state !== 'ready') throw refusals.notReady(name, state);
		return {server, link: links.of(addressOf(server), caller.key)};
	};
	const unreachable = (caller: Caller, name: string) => (error: unknown) => {
		if (!(error instanceof UnreachableSessionError)) throw error;
		accounts.forget(caller.key);
		throw new ServiceFault(
			503,
			`The server ${name} does not respond, although the hub reports it as ready. Check its status again in a moment.`,
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
			throw hubFault(error, hub.tokenPage);
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
		const opened = await tokens.of(caller, server, status === 'ready');
		const failure = status === 'offline' ? await failureOf(caller, server) : null;
		const said = status === 'starting' ? progress.of(caller, server.name) : null;
		return {
			assistant_editor_url,
			name: server.name,
			...settingsOf(server),
			port_forward_url: status === 'starting' ? PENDING : forward,
			status,
			thumb,
			token: opened.token,
			...(status === 'ready' && opened.token === null && {token_reason: opened.missingReason}),
			url: withToken(addressOf(server), opened.token),
			...(said !== null && {status_reason: `The hub says: ${said}`}),
			...(failure === null
				? {}
				: {status_reason: `The hub could not start it: ${failure.replace(/^Spawn failed: /, '')}`}),
		};
	};
	const files = async (caller: Caller, name: string): Promise<Files> => {
		const {link} = await linkOf(caller, name);
		const refuse = unreachable(caller, name);
		return {
			get: path => link.files.get(path).catch(refuse),
			put: (path, upload, expected) => link.files.put(path, upload, expected).catch(refuse),
		};
	};

	return {
		compute: () => catalogue.compute,
		environments: () => catalogue.environments,
		async list(caller) {
			const known = await ownerOf(caller, NOW_MS);
			// Fetches the servers again while any is pending, because another copy of the service
			// may already have seen a newer state.
			const {servers} = known.servers.some(({pending}) => pending !== null)
				? await ownerOf(caller, 0)
				: known;
			return Promise.all(servers.map(server => itemOf(caller, server)));
		},
		async create(caller, {server_name, environment, port, server_request}) {
			checkServerName(server_name);
			const settings = {environment, port, server_request};
			const option = requireOffer(catalogue, settings);
			const {servers} = await ownerOf(caller, NOW_MS);
			const taken = servers.find(({name}) => name.toLowerCase() === server_name.toLowerCase());
			if (taken) throw refusals.nameTaken(taken.name);
			await start(caller, server_name, settings);
			const {assistant_editor_url} = addressesOf(base(), caller.user, server_name);
			const url = `${hub.origin}${await pathOf(caller, server_name)}`;
			return orderAnswer(server_name, settings, option, {url, assistant_editor_url});
		},
		async start(caller, name, settings) {
			const server = find(await ownerOf(caller, OWN_MS), name);
			const option = requireOffer(catalogue, settings);
			const state = stateOf(server);
			if (state !== 'offline') throw refusals.notOffline(name, state);
			await start(caller, name, settings);
			const {assistant_editor_url} = addressesOf(base(), caller.user, name);
			return {
				...orderAnswer(name, settings, option, {url: addressOf(server), assistant_editor_url}),
				message: `Server ${name} started.`,
				token: null,
			};
		},
		portOf: async (caller, name) => settingsOf(find(await ownerOf(caller, FRESH_MS), name)).port,
		async run(caller, name, {code, kernel_name}, signal) {
			const {
				link: {queue, kernels},
			} = await linkOf(caller, name);
			const run = () => kernels.run(code, kernel_name, signal).catch(unreachable(caller, name));
			return runCell({queue, name, signal}, code, run, raised =>
				lastErrors.set(`${caller.user}/${name}`, raised),
			);
		},
		files,
		async about(caller, name) {
			const {server, link} = await linkOf(caller, name);
			return {
				files: await files(caller, name),
				lastError: () => lastErrors.get(`${caller.user}/${name}`) ?? null,
				seesLiveCells: false,
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
