import http, {type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import https from 'node:https';
import type {Socket} from 'node:net';
import {pipeline} from 'node:stream/promises';
import {capacity, createAdmission, type Admission, type Admitted} from './admission.ts';
import type {Identity} from './binding.ts';
import {clientAddress, type TrustedProxies} from './client-address.ts';
import {limitConnections} from './connections.ts';
import {canBeServerName} from '../../contract/names.ts';
import {THINKING_HEADER} from '../../contract/stream.ts';
import {answerHeaders, ServiceFault} from './fault.ts';
import type {Verdict} from '../forward/gate.ts';
import type {ProxyRoute} from '../forward/server-routes.ts';
import {framingFault, pipelineFault, takesBody} from './framing.ts';
import type {GuardResult} from './guard.ts';
import {ClientGoneError, readJsonBody} from './json-body.ts';
import type {Log} from '../log.ts';
import {beginRecord, recordLine, type RequestRecord} from './request-record.ts';
import {beforeError, faultOf, respondError, respondErrorRaw, respondParseError} from './error-response.ts';
import type {RouteResponse} from './route.ts';
import {createTurns} from './turns.ts';

export const listenerLimits = {
	/** Time limit for the headers of a request, and for a new silent connection, in ms. */
	head: 10_000,
	/** Time limit for receiving a request with its body, in ms. */
	request: 30_000,
	/** Maximum idle time of a connection after a response, in ms. */
	keepAlive: 5000,
	/** Interval at which these limits are checked, in ms. */
	check: 2000,
	/**
	 * Maximum number of connections. If there are more, the connection that has been idle longest
	 * is closed.
	 */
	connections: 1024,
	capacity,
};
export type ListenerLimits = Readonly<typeof listenerLimits>;

export type ListenerOptions = {
	readonly judge: (request: IncomingMessage) => Promise<GuardResult>;
	readonly log: Log;
	readonly closing: () => boolean;
	/**
	 * True some time before `closing`. /readyz then directs clients to other copies of the service,
	 * while this one still serves requests.
	 */
	readonly draining?: () => boolean;
	readonly identity: Identity | null;
	readonly limits: ListenerLimits;
	/** Slots of all requests. Default: created from `limits`. */
	readonly admission?: Admission;
	/** Called at the end of each request. */
	readonly onRecord?: ((record: RequestRecord) => void) | undefined;
	readonly proxies: TrustedProxies;
	/**
	 * Returns the route of a proxied request. Null if its server no longer exists, undefined for
	 * requests to the service itself.
	 */
	readonly proxyRouteOf: (request: IncomingMessage) => ProxyRoute | null | undefined;
};

const noForward = (): ServiceFault =>
	new ServiceFault(404, 'No ready server has this address. List your servers to see their addresses.');

const shuttingDown = (): ServiceFault =>
	new ServiceFault(503, 'The service is shutting down; start it again.', {connection: 'close'});

const noBody = {body: undefined, decoded: undefined};

/** Reads the body of a request. `begin` sends `100 Continue` to a client that waits for it. */
const readBody = async (
	request: IncomingMessage,
	{user, admitted}: {readonly user: string; readonly admitted: Admitted | undefined},
	begin: () => void,
): ReturnType<typeof readJsonBody> => {
	const arrived = admitted?.take('upload');
	begin();
	const body = await readJsonBody(request, user, count => admitted?.addBytes(count));
	arrived?.();
	return body;
};

/**
 * Closes a connection after a timeout, unless data has arrived in the meantime. Checks after one
 * turn of the event loop, because after a suspension of the machine, timers fire before sockets are
 * read.
 */
const onSilence = (socket: Socket): void => {
	const {bytesRead} = socket;
	setImmediate(() => {
		if (socket.bytesRead === bytesRead) socket.destroy();
	});
};

/** Sends a response until it ends or the client disconnects. */
const send = async (
	response: ServerResponse,
	{status = 200, headers, body}: RouteResponse,
): Promise<void> => {
	if (typeof body === 'string') {
		// A 304 has no body, so its length would be wrong.
		const length = status === 304 ? {} : {'content-length': Buffer.byteLength(body)};
		response.writeHead(status, {...headers, ...length}).end(body);
		return;
	}
	response.writeHead(status, headers).flushHeaders();
	await pipeline(body, response);
};

/** Server name in the body of a request. Undefined if there is no valid name. */
const serverIn = (body: Readonly<Record<string, unknown>> | undefined): string | undefined => {
	const name = body?.['server_name'];
	return typeof name === 'string' && canBeServerName(name, true) ? name : undefined;
};

/** Creates the HTTP server, which does not listen yet. Each request is logged as one line. */
export const createListener = (options: ListenerOptions): Server => {
	const {
		judge,
		log,
		closing,
		draining = closing,
		identity,
		limits,
		proxies,
		proxyRouteOf,
		onRecord,
	} = options;
	/** Connections on which further requests are ignored. */
	const ending = new WeakSet<Socket>();
	/** Number of requests without a complete response, by connection. */
	const running = new WeakMap<Socket, number>();
	const {admission = createAdmission(limits.capacity)} = options;
	const turnOf = createTurns();

	/** Tracks a request until `side` closes. Then releases its slots and records it. */
	const track = (
		request: IncomingMessage,
		side: ServerResponse | Socket,
		way: ProxyRoute | null | undefined,
		{status, isUpgrade}: {readonly status: () => number | undefined; readonly isUpgrade: boolean},
	) => {
		const {socket, headers, method} = request;
		const client = clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']?.toString(), proxies);
		const recordOf = beginRecord(socket, client);
		const ended = connections.work(socket);
		const held = {
			route: way?.route ?? '-',
			user: way?.user ?? '',
			server: way?.server,
			admitted: undefined as Admitted | undefined,
		};
		side.once('close', () => {
			ended();
			held.admitted?.end();
			const {route, user, server} = held;
			const record = recordOf({method, route, user, server, status: status(), isUpgrade});
			log.line(recordLine(record));
			onRecord?.(record);
		});
		return {
			held,
			judgeProxied(): {readonly way: ProxyRoute; readonly verdict: Verdict} {
				if (closing()) throw shuttingDown();
				if (!way) throw noForward();
				const verdict = way.judge(request);
				if ('inner' in verdict) held.admitted = admission.admit(way.user, 'forward');
				return {way, verdict};
			},
		};
	};

	const handle = async (
		request: IncomingMessage,
		response: ServerResponse,
		onJudged: () => void,
	): Promise<void> => {
		const {socket} = request;
		// Checked before any `await`, because the parser delivers pipelined requests synchronously.
		if (ending.has(socket)) return;
		const found = proxyRouteOf(request);
		const count = (running.get(socket) ?? 0) + 1;
		running.set(socket, count);
		response.once('close', () => running.set(socket, (running.get(socket) ?? 1) - 1));
		const framing = pipelineFault(count) ?? framingFault(request, {anyBody: found !== undefined});
		if (framing) ending.add(socket);
		const gone = new AbortController();
		const {held, judgeProxied} = track(request, response, found, {
			status: () => (response.headersSent ? response.statusCode : undefined),
			isUpgrade: false,
		});
		response.once('close', () => {
			if (!response.writableFinished) gone.abort();
		});
		try {
			if (framing) throw framing;
			if (found !== undefined) {
				const {way, verdict} = judgeProxied();
				onJudged();
				way.pass(request, response, verdict);
				return;
			}
			for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value);
			const {caller, route, params} = await judge(request);
			await turnOf(caller.user);
			// The connection has already closed, so slots taken now would never be released.
			if (gone.signal.aborted) return;
			held.route = route.path;
			held.user = caller.user;
			held.server = params['server_name'];
			const takesNothing = route.path === '/readyz' ? draining : closing;
			if (takesNothing() && route.path !== '/healthz') throw shuttingDown();
			if (draining()) response.setHeader('connection', 'close');
			// Pages and probes that need no key are small, so they need no slot.
			const admitted = caller.user === '' ? undefined : admission.admit(caller.user);
			held.admitted = admitted;
			if (route.work) admitted?.take(route.work);
			const {body, decoded} = takesBody(request.method) ? await readBody(request, held, onJudged) : noBody;
			held.server ??= serverIn(body);
			const {'if-match': ifMatch, 'if-none-match': ifNoneMatch} = request.headers;
			const takesThinking = request.headers[THINKING_HEADER] !== undefined;
			const query = request.url?.split('?')[1] ?? '';
			await send(
				response,
				await route.answer({
					...{caller, params, query, body, decoded, ifMatch, ifNoneMatch, takesThinking},
					signal: gone.signal,
				}),
			);
		} catch (error) {
			if (error instanceof ClientGoneError || gone.signal.aborted) return;
			const fault = closing() && !framing ? shuttingDown() : faultOf(error, log);
			await beforeError(fault);
			respondError(request, response, fault);
		}
	};

	const onUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
		if (ending.has(socket)) return;
		const found = proxyRouteOf(request);
		let status: number | undefined;
		const {judgeProxied} = track(request, socket, found, {status: () => status, isUpgrade: true});
		try {
			if (found === undefined) throw new ServiceFault(400, 'This service does not upgrade connections.');
			const framing = framingFault(request, {anyBody: true});
			if (framing) throw framing;
			const {way, verdict} = judgeProxied();
			way.upgrade(request, socket, head, verdict, answered => {
				status = answered;
			});
		} catch (error) {
			const fault = faultOf(error, log);
			({status} = fault);
			respondErrorRaw(socket, fault);
		}
	};

	const settings = {
		maxHeaderSize: 16_384,
		headersTimeout: limits.head,
		requestTimeout: limits.request,
		keepAliveTimeout: limits.keepAlive,
		connectionsCheckingInterval: limits.check,
		// The guard responds to a missing Host header with an explanation. Node would send an empty
		// 400.
		requireHostHeader: false,
	};
	const server: Server = identity
		? https.createServer({...settings, ...identity, handshakeTimeout: limits.head})
		: http.createServer(settings);
	const connections = limitConnections(server, limits.connections, socket => {
		const message = 'The service is at its limit of connections. Try again in a moment.';
		respondErrorRaw(socket, new ServiceFault(503, message, {'retry-after': '2'}));
		log.line('- - 503 0ms 0b');
	});
	server.on('request', (request, response) => void handle(request, response, () => {}));
	server.on(
		'checkContinue',
		(request, response) => void handle(request, response, () => response.writeContinue()),
	);
	server.on('checkExpectation', (request, response) =>
		respondError(request, response, new ServiceFault(417, 'The header Expect can only be 100-continue.')),
	);
	server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
		// An error response is already being sent on this connection, so further errors are
		// ignored.
		if (!ending.has(socket)) respondParseError(log, error, socket);
	});
	server.on('timeout', onSilence);
	server.on('upgrade', onUpgrade);
	server.on('connect', (_request, socket) =>
		respondErrorRaw(socket, new ServiceFault(405, 'This service is not a proxy.', {allow: 'GET, POST, PUT'})),
	);
	return server;
};
