import http from 'node:http';
import https from 'node:https';
import type {Socket} from 'node:net';
import got, {type Got} from 'got';
import {TUNNEL_MS} from './limits.ts';
import type {Target} from './target.ts';
import {TunnelAgent} from './tunnel.ts';

/** Milliseconds; shorter than any service keeps an idle connection. Node's own is 5 s. */
const FRESH = 3000;

export type Connections = {
	/** For what may be asked again. */
	readonly pooled: Got;
	/** For what changes something: were it lost on a connection that the service has given up, nobody could say whether it was carried out. */
	fresh(): Got;
};

/** Destroys idle connections older than `FRESH`. Timers do not see that a laptop slept: the clock of the day does. */
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

export const createConnections = ({url, authorities, proxy}: Target, tunnel = TUNNEL_MS): Connections => {
	// An agent of our own: Node's default one would send loopback calls, key included, to HTTP_PROXY under NODE_USE_ENV_PROXY.
	const common = {maxSockets: 16, ...(proxy && {proxyEnv: {...proxy.env}})};
	const secure = (options: https.AgentOptions): https.Agent =>
		proxy ? new TunnelAgent(options, proxy, tunnel) : new https.Agent(options);
	const keptAlive = {...common, keepAlive: true};
	const base = got.extend({
		prefixUrl: url,
		allowAbsoluteUrls: false,
		// got forwards the key to any origin that a redirect names.
		followRedirect: false,
		throwHttpErrors: false,
		// By default got sends a PUT again whose answer was lost, and waits a day for `Retry-After: 86400`.
		retry: {limit: 0},
		http2: false,
		headers: {'user-agent': 'svc-tui'},
		https: authorities ? {certificateAuthority: [...authorities]} : {},
	});
	// Without TLS a new connection costs nothing, and a service that was stopped for a while cannot have given it up. With TLS it costs
	// two round trips, so that one that was used a moment ago is used again.
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
