import {setTimeout as sleep} from 'node:timers/promises';
import {promisify} from 'node:util';
import {takeInstanceLock} from '../settings/instance-lock.ts';
import {readInstance, removeInstance, serviceLogFile, writeInstance} from '../settings/instance.ts';
import {mcpRoute, type McpEndpoint} from './http/mcp-route.ts';
import {createRoutes} from './http/routes.ts';
import {openAssistantModels} from './assistant/models/assistant-models.ts';
import type {ModelLimits} from './assistant/models/model-request.ts';
import type {Backend, BackendOptions, BackendContext} from './backend.ts';
import {isOfThisMachine} from './local/addresses.ts';
import {bindingOf, type Binding, type BindingOptions} from './http/binding.ts';
import type {Metrics} from './metrics/metrics.ts';
import {openDataFolder} from './local/data-folder.ts';
import {trustedProxies} from './http/client-address.ts';
import {createForwardHosts} from './forward/host.ts';
import {createServerRoutes} from './forward/server-routes.ts';
import {createGuard} from './http/guard.ts';
import {createLeases, endlessLeases, type LeaseTimes} from './local/leases.ts';
import type {ServiceHosts} from './http/host-check.ts';
import type {Keyring} from './http/keyring.ts';
import {countRequests} from './http/count-requests.ts';
import {authority, hostValues, listen} from './http/listen.ts';
import {createAdmission} from './http/admission.ts';
import {createListener, listenerLimits, type ListenerLimits} from './http/listener.ts';
import {openLog, standardLog} from './log.ts';
import {isLoopback} from '../machine/loopback.ts';
import {openEvents, eventOf} from './events.ts';
import {createProxyUser} from './http/proxy-user.ts';
import {createToolKeys} from './http/tool-keys.ts';
import {openLocalBackend} from './local/backend.ts';
import {ServeError, usageError} from './serve-error.ts';
import {anotherFolder, startFault} from './local/start-fault.ts';

export type ServiceOptions = BindingOptions &
	BackendOptions & {
		/** Port to listen on. 0 selects a free port. */
		readonly port: number;
		/** File of the event log. */
		readonly eventsFile?: string | undefined;
		/** Address and port at which metrics are served. */
		readonly metrics?: {readonly address: string; readonly port: number} | undefined;
		/** Models file. If undefined, the built-in assistant answers for all models. */
		readonly modelsFile?: string | undefined;
		/** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
		readonly trustedProxies?: readonly string[] | undefined;
		/** Hosts of servers that users may attach. A leased service allows any host. */
		readonly allowAttach?: readonly string[] | undefined;
		/** True to end the service when no program holds a lease. */
		readonly leased: boolean;
		/** Endpoint for MCP clients. Undefined if there is none. */
		readonly mcp?: McpEndpoint | undefined;
		readonly leases?: Partial<LeaseTimes> | undefined;
		readonly modelLimits?: ModelLimits | undefined;
		readonly listenerLimits?: Partial<ListenerLimits> | undefined;
		/** Time for which the service keeps serving while /readyz fails, in s. Default: 0. */
		readonly drain?: number | undefined;
	};

export type Service = {
	/** Base URL for programs on this machine, without a trailing slash. */
	readonly url: string;
	/** Null without the option --public-url. */
	readonly publicUrl: string | null;
	readonly port: number;
	/** Null without the option --metrics. */
	readonly metricsUrl: string | null;
	/** File that contains the API key. Null if the key was given in another way. */
	readonly keyFile: string | null;
	/**
	 * Ends the service within 3 s. A service for a hub first waits for running requests. May be
	 * called more than once.
	 */
	close(): Promise<void>;
	/** Resolves when the service has ended, by `close` or after the last lease. */
	readonly closed: Promise<void>;
};

/** Time limit for ending the sessions, in ms. With the wait after the last lease, 3 s in total. */
const sessionsMayTake = 1500;

/** Time limit for pending starts on SSH hosts, in ms. A slow connection takes seconds to open. */
const LAUNCHES_MAY_TAKE = 10_000;

/** Time limit for finishing running requests if the servers outlive the service, in ms. */
const REQUESTS_MAY_TAKE = 30_000;

const inUse = (dataFolder: string): ServeError => {
	const owner = readInstance(dataFolder);
	const who = owner ? `process ${owner.pid} on port ${owner.port}` : 'it is just starting or ending';
	return new ServeError(
		73,
		`Another service uses the data folder ${dataFolder}: ${who}. Use that one, or name another folder with --data.`,
	);
};

/**
 * Starts the service.
 * @throws {ServeError} if the folder, the port or a file cannot be used. Everything is then closed.
 */
export const startService = async (options: ServiceOptions): Promise<Service> => {
	const {dataFolder} = options;
	const binding = bindingOf(options);
	const elsewhere = anotherFolder(options.leased);
	const resources = new DisposableStack();
	try {
		if (dataFolder === null) return await startOwned(options, binding, resources);
		openDataFolder(dataFolder, elsewhere);
		const release = takeInstanceLock(dataFolder);
		if (!release) throw inUse(dataFolder);
		resources.defer(release);
		return await startOwned(options, binding, resources);
	} catch (error) {
		resources.dispose();
		throw dataFolder === null ? error : startFault(error, dataFolder, {elsewhere});
	}
};

const openBackend = async (options: BackendOptions, context: BackendContext): Promise<Backend> => {
	const {engine = 'pyodide', dataFolder} = options;
	if (engine !== 'jupyterhub') {
		if (dataFolder === null) throw new TypeError('servers of this machine need a data folder');
		return openLocalBackend({...options, engine, dataFolder}, context);
	}
	if (context.attachable.length > 0 && context.attachable !== 'anywhere')
		throw usageError(
			"--allow-attach is not for --engine jupyterhub: its servers are the hub's. Leave it out.",
		);
	if (context.forwards)
		throw usageError(
			'--forward-host is for --engine jupyter: behind a JupyterHub nothing is forwarded. Leave it out.',
		);
	if (options.userHeader !== undefined)
		throw usageError(
			"--user-header is not for --engine jupyterhub: the hub needs each user's own token. Leave the option out.",
		);
	const {openHubBackend} = await import('./hub/backend.ts');
	return openHubBackend(options, context);
};

/** Starts the service. This process must have locked the data folder. */
const startOwned = async (
	options: ServiceOptions,
	{address, names: allowed, identity, publicUrl, forwardHost}: Binding,
	resources: DisposableStack,
): Promise<Service> => {
	const {dataFolder, leased} = options;
	// Removes the file of a service that was killed, because it would direct clients and their key
	// to a port that another program may use now.
	if (dataFolder !== null) removeInstance(dataFolder);
	const models = openAssistantModels(options.modelsFile);
	const log = resources.adopt(
		dataFolder === null ? standardLog() : openLog(serviceLogFile(dataFolder)),
		opened => opened.close(),
	);
	const event = options.eventsFile === undefined ? () => {} : openEvents(options.eventsFile, log);
	const trusted = options.trustedProxies ?? [];
	const proxies = trustedProxies(trusted);
	const proxyUser = createProxyUser(options.userHeader, proxies, trusted.length > 0);
	let url = '';
	let direct: ReadonlySet<string> = new Set();
	let draining = false;
	let closing = false;
	const ending = new AbortController();
	const forwards = forwardHost && createForwardHosts(forwardHost);
	const isPersonal =
		leased &&
		options.keysFile === undefined &&
		options.userHeader === undefined &&
		isLoopback(address) &&
		publicUrl === null;
	const base = (): string => publicUrl?.href ?? url;
	const isAway = (): boolean => publicUrl !== null || !isOfThisMachine(base());
	const backend = await openBackend(options, {
		log,
		event,
		base,
		isAway,
		forwards,
		attachable: isPersonal ? 'anywhere' : (options.allowAttach ?? []),
		isPersonal,
		resources,
	});
	const {engine, keyFrom, keyFile, runningServers} = backend;
	const reach = forwards
		? 'wildcard'
		: isOfThisMachine(publicUrl?.href ?? `https://${authority(allowed[0] ?? address, 0)}`)
			? 'machine'
			: 'service';

	const ended = Promise.withResolvers<void>();
	const leases = resources.adopt(
		leased ? createLeases(() => void close(), options.leases, backend.keeping) : endlessLeases,
		taken => taken.stop(),
	);
	const {modelLimits} = options;
	// Deferred, so that the response is sent before the service starts to shut down.
	const stop = leased ? (): void => void setImmediate(() => void close()) : null;
	const routes = createRoutes(backend, {
		...{reach, models, modelLimits, leases, stop, log},
		ending: ending.signal,
	});
	const names = (): ServiceHosts => ({direct, publicUrl});
	const toolKeys = createToolKeys();
	const own = options.mcp
		? [...routes, mcpRoute(options.mcp, {url: () => url, mcpOf: backend.mcpOf, keyOf: toolKeys.keyOf})]
		: routes;
	const userOf: Keyring = key => toolKeys.userOf(key) ?? backend.userOf(key);
	const judge = createGuard(own, {userOf, proxyUser}, names);
	const serverRoute = backend.ownAddress && createServerRoutes(backend.ownAddress, names);
	const limits = {...listenerLimits, ...options.listenerLimits};
	const admission = createAdmission(limits.capacity);
	let observe: Metrics['observe'] = () => {};
	const listener = createListener({
		judge,
		log,
		closing: () => closing,
		draining: () => draining,
		identity,
		proxies,
		proxyRouteOf(request) {
			const forward = forwards?.find(request);
			return forward === undefined && isAway() ? serverRoute?.(request) : forward;
		},
		limits,
		admission,
		onRecord(record) {
			observe(record);
			const found = eventOf(record);
			if (found) event(found);
		},
	});
	const requests = countRequests(listener);
	let metricsUrl: string | null = null;
	if (options.metrics) {
		const {createMetrics} = await import('./metrics/metrics.ts');
		const connections = promisify(listener.getConnections.bind(listener));
		const metrics = createMetrics({engine, slots: admission.slots, connections, runningServers});
		const named = {port: '--metrics', host: '--metrics'};
		const bound = await listen(metrics.server, options.metrics.port, options.metrics.address, named);
		resources.defer(() => metrics.server.close().closeAllConnections());
		({observe} = metrics);
		metricsUrl = `http://${authority(options.metrics.address, bound)}/metrics`;
	}
	const port = await listen(listener, options.port, address);
	url = `${identity ? 'https' : 'http'}://${authority(allowed[0] ?? address, port)}`;
	direct = hostValues(allowed, port, identity !== null);
	if (dataFolder !== null)
		writeInstance(dataFolder, {
			pid: process.pid,
			port,
			url,
			startedAt: new Date().toISOString(),
			keyFrom,
			leased,
			engine,
		});
	log.line(`listening on port ${port}, process ${process.pid}, engine ${engine}`);
	event({event: 'service.start', engine, port, pid: process.pid});

	const close = async (): Promise<void> => {
		if (draining) return ended.promise;
		draining = true;
		// Only for a hub. With other engines, leases stay open until the end, because a program
		// whose lease ends would start another service.
		if (engine === 'jupyterhub') ending.abort();
		if (options.drain !== undefined) await sleep(options.drain * 1000);
		closing = true;
		try {
			if (dataFolder !== null) removeInstance(dataFolder);
		} catch (error) {
			// The file remains on a read-only disk. The released lock shows that the service has
			// ended.
			log.failure(error);
		}
		if (engine === 'jupyterhub') {
			listener.close();
			await Promise.race([requests.settled(), sleep(REQUESTS_MAY_TAKE, undefined, {ref: false})]);
		}
		await Promise.race([backend.launched?.(), sleep(LAUNCHES_MAY_TAKE, undefined, {ref: false})]);
		await Promise.race([backend.close(), sleep(sessionsMayTake, undefined, {ref: false})]);
		listener.close();
		listener.closeAllConnections();
		log.line('ended');
		event({event: 'service.end', pid: process.pid});
		resources.dispose();
		ended.resolve();
	};
	return {url, publicUrl: publicUrl?.href ?? null, port, metricsUrl, keyFile, close, closed: ended.promise};
};
