import http from 'node:http';
import https from 'node:https';
import type {Socket} from 'node:net';
import got, {type Got} from 'got';
import {TUNNEL_MS} from './limits.ts';
import type {Target} from './target.ts';
import {TunnelAgent} from './tunnel.ts';

/** Longest idle time of a reused connection, in ms. Shorter than any service's; Node's is 5 s. */
const FRESH = 3000;

export type Connections = {
	/** HTTP client for requests that can be repeated safely. It reuses connections. */
	readonly pooled: Got;
	/**
	 * HTTP client for requests with effects. The service may just have closed a reused connection,
	 * and the outcome of the request would then be unknown.
	 */
	fresh(): Got;
};

/**
 * Destroys connections that were idle for longer than `FRESH`. Uses wall-clock time, because a
 * laptop may sleep.
 */
const dropStale = (agent: http.Agent): (() => void) => {
	const idleSince = new WeakMap<Socket, number>();
	agent.on('free', (socket: Socket) => idleSince.set(socket, Date.now()));
	return () => {
		for (const socket of Object.values(agent.freeSockets).flatMap(sockets => sockets ?? [])) {
			const age = Date.now() - (idleSince.get(socket) ?? 0);
			if (age < 0 || age > FRESH) socket.destroy();
		}
	};
};

export const createConnections = (
	{url, authorities, identity, proxy}: Target,
	tunnel = TUNNEL_MS,
): Connections => {
	// Own agents, because under NODE_USE_ENV_PROXY Node's default agent would send loopback
	// requests, with the key, to HTTP_PROXY.
	const common = {maxSockets: 16, ...(proxy && {proxyEnv: {...proxy.env}})};
	const secure = (options: https.AgentOptions): https.Agent =>
		proxy ? new TunnelAgent(options, proxy, tunnel) : new https.Agent(options);
	const keptAlive = {...common, keepAlive: true};
	const base = got.extend({
		prefixUrl: url,
		allowAbsoluteUrls: false,
		// Not followed, because got would forward the key to any origin that a redirect names.
		followRedirect: false,
		throwHttpErrors: false,
		// No retries, because got would repeat a PUT whose response was lost, and wait for any
		// Retry-After time.
		retry: {limit: 0},
		http2: false,
		headers: {'user-agent': 'svc-tui'},
		https: {
			...(authorities && {certificateAuthority: [...authorities]}),
			...(identity && {certificate: identity.cert, key: identity.key}),
		},
	});
	// New connections for plain HTTP, because the service cannot have closed them yet. With TLS a
	// new one costs two round trips, so a recently used connection is reused.
	const safest = secure({...keptAlive, timeout: FRESH});
	const drop = dropStale(safest);
	const pooled = base.extend({agent: {http: new http.Agent(keptAlive), https: secure(keptAlive)}});
	const changing = base.extend({agent: {http: new http.Agent({...common, keepAlive: false}), https: safest}});
	return {
		pooled,
		fresh() {
			drop();
			return changing;
		},
	};
};
