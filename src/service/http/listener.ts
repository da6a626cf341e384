import http, {STATUS_CODES, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import https from 'node:https';
import type {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {getRequestListener} from '@hono/node-server';
import type {Hono} from 'hono';
import {capacity, createAdmission, type Admitted, type Capacity} from './admission.ts';
import type {AppEnv} from './app.ts';
import type {Identity} from './binding.ts';
import {clientAddress, type TrustedProxies} from './client-address.ts';
import {limitConnections} from './connections.ts';
import {answerHeaders, faultBody, jsonType, ServiceFault} from './fault.ts';
import type {ForwardHosts} from '../forward/host.ts';
import {framingFault, takesBody} from './framing.ts';
import type {Judgement} from './guard.ts';
import {ClientGoneError, readJsonBody} from './json-body.ts';
import type {Log} from '../log.ts';
import {beginLine} from './request-line.ts';
import type {Asked} from './route.ts';

export type ListenerLimits = {
	/** Milliseconds that the head of a request may take, and that a new connection may be silent. */
	readonly head: number;
	/** Milliseconds that a request with its body may take to arrive. */
	readonly request: number;
	/** Milliseconds that a connection may be silent after an answer. */
	readonly keepAlive: number;
	/** Milliseconds between two looks at these times. */
	readonly check: number;
	/** Those beyond that close the one that was silent longest. */
	readonly connections: number;
	/** Requests under way. */
	readonly capacity: Capacity;
};

export const listenerLimits: ListenerLimits = {
	head: 10_000,
	request: 30_000,
	keepAlive: 5000,
	check: 2000,
	connections: 1024,
	capacity,
};

export type ListenerOptions = {
	readonly judge: (request: IncomingMessage) => Promise<Judgement>;
	readonly app: Hono<AppEnv>;
	readonly log: Log;
	/** True while shutting down. */
	readonly closing: () => boolean;
	/** With it the service speaks HTTPS. */
	readonly identity: Identity | null;
	readonly limits: ListenerLimits;
	readonly proxies: TrustedProxies;
	/** Forward addresses whose requests come here; null where there are none. */
	readonly forwards: ForwardHosts | null;
};

const hasBody = ({headers}: IncomingMessage): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const noForward = (): ServiceFault =>
	new ServiceFault(
		404,
		'No server that is ready has this address; list your servers to see the addresses that they have.',
	);

const shuttingDown = (): ServiceFault =>
	new ServiceFault(503, 'The service is shutting down; start it again.', {connection: 'close'});

const faultOf = (error: unknown, log: Log): ServiceFault =>
	error instanceof ServiceFault
		? error
		: new ServiceFault(
				500,
				`Something went wrong in the service; its log says more under ${log.failure(error)}.`,
			);

const refuse = (
	request: IncomingMessage,
	response: ServerResponse,
	{status, message, headers}: ServiceFault,
): void => {
	if (response.headersSent || response.destroyed) return;
	const body = faultBody(status, message);
	const unread = hasBody(request) && !request.complete;
	response.writeHead(status, {
		...answerHeaders,
		'content-type': jsonType,
		'content-length': Buffer.byteLength(body),
		...headers,
		...(unread ? {connection: 'close'} : {}),
	});
	if (!unread) {
		response.end(body);
		return;
	}
	// Closing a socket with unread bytes resets it, and the client might lose the answer: take what comes for a moment, then close.
	response.write(body);
	const timer = setTimeout(() => response.end(), 500);
	request.once('close', () => clearTimeout(timer));
	request.once('end', () => response.end()).resume();
};

/** `begin` tells a client that asked first to send its body. */
const readBody = async (
	request: IncomingMessage,
	admitted: Admitted | undefined,
	begin: () => void,
): ReturnType<typeof readJsonBody> => {
	const arrived = admitted?.take('upload');
	begin();
	const body = await readJsonBody(request, count => admitted?.addBytes(count));
	arrived?.();
	return body;
};

const rawFault = (socket: Duplex, status: number, message: string, headers = ''): void => {
	// Node leaves a socket of CONNECT and upgrades without a listener, and a reset would end the service.
	socket.on('error', () => undefined);
	const body = faultBody(status, message);
	const fixed = Object.entries(answerHeaders)
		.map(([name, value]) => `${name}: ${value}\r\n`)
		.join('');
	socket.end(
		`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fixed}content-type: ${jsonType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}connection: close\r\n\r\n${body}`,
	);
	setTimeout(() => socket.destroy(), 500).unref();
};

/** Answers what is no request, or is one that came too slowly. */
const onClientError = (
	log: Log,
	error: NodeJS.ErrnoException,
	socket: Duplex & {readonly _httpMessage?: ServerResponse | null},
): void => {
	const answer = (status: number, message: string): void => {
		rawFault(socket, status, message);
		log.line(`- - ${status} 0ms 0b`);
	};
	// An answer that has begun on this connection must not get another one in its middle.
	if (!socket.writable || socket._httpMessage?.headersSent === true) socket.destroy();
	else if (error.code === 'HPE_HEADER_OVERFLOW')
		answer(431, 'The request headers are larger than 16 KiB; send fewer.');
	else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
		answer(408, 'The request took too long to arrive; send it again.');
	else answer(400, 'This is not a well-formed HTTP request.');
};

/**
 * Closes a connection whose time is over, unless something came meanwhile: after the service was stopped or busy its timers fire before it
 * reads, and a request that waits in the socket would be lost.
 */
const onSilence = (socket: Socket): void => {
	const {bytesRead} = socket;
	setImmediate(() => {
		if (socket.bytesRead === bytesRead) socket.destroy();
	});
};

/** The HTTP server: guard, then body, then Hono; one log line per request. Not yet listening. */
export const createListener = ({
	judge,
	app,
	log,
	closing,
	identity,
	limits,
	proxies,
	forwards,
}: ListenerOptions): Server => {
	const asked = new WeakMap<object, Asked>();
	/** Connections on which nothing more is carried out. */
	const ending = new WeakSet<Socket>();
	const admission = createAdmission(limits.capacity);
	const toHono = getRequestListener(
		(request, {incoming}) => {
			const found = asked.get(incoming);
			if (!found) throw new Error('a request came past the guard');
			return app.fetch(request, {asked: found});
		},
		// Its faster Request and Response would replace the globals of the whole process.
		{overrideGlobalObjects: false},
	);

	const clientOf = ({socket, headers}: IncomingMessage): string =>
		clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']?.toString(), proxies);

	const handle = async (
		request: IncomingMessage,
		response: ServerResponse,
		onJudged: () => void,
	): Promise<void> => {
		const {socket} = request;
		// At once, not after `await`: the parser hands over what a client sent behind it in the same turn.
		if (ending.has(socket)) return;
		const forward = forwards?.find(request);
		const framing = framingFault(request, {anyBody: forward !== undefined});
		if (framing) ending.add(socket);
		const end = beginLine(log, socket, clientOf(request));
		const gone = new AbortController();
		let route = forward?.passage.route ?? '-';
		let admitted: Admitted | undefined;
		const ended = connections.work(socket);
		response.once('close', () => {
			ended();
			admitted?.end();
			if (!response.writableFinished) gone.abort();
			end({method: request.method, route, status: response.headersSent ? response.statusCode : undefined});
		});
		try {
			if (framing) throw framing;
			if (forward !== undefined) {
				if (closing()) throw shuttingDown();
				if (forward === null) throw noForward();
				const verdict = forward.passage.judge(request, forward.place);
				if ('inner' in verdict) admitted = admission.admit(forward.passage.server.user, 'forward');
				onJudged();
				forward.passage.pass(request, response, verdict);
				return;
			}
			for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value);
			const judgement = await judge(request);
			({route} = judgement);
			if (closing() && route !== '/healthz') throw shuttingDown();
			// What comes after the gate sees neither the base path nor a name of ours.
			request.url = judgement.target;
			request.headers.host = 'localhost';
			// Open pages and probes are small and hold nothing.
			admitted = judgement.caller.user === '' ? undefined : admission.admit(judgement.caller.user);
			if (judgement.work) admitted?.take(judgement.work);
			const body = takesBody(request.method) ? await readBody(request, admitted, onJudged) : undefined;
			asked.set(request, {
				caller: judgement.caller,
				params: judgement.params,
				body,
				ifMatch: request.headers['if-match'],
				signal: gone.signal,
			});
			await toHono(request, response);
		} catch (error) {
			if (!(error instanceof ClientGoneError))
				refuse(request, response, closing() && !framing ? shuttingDown() : faultOf(error, log));
		}
	};

	const onUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
		if (ending.has(socket)) return;
		const forward = forwards?.find(request);
		let status: number | undefined;
		const end = beginLine(log, socket, clientOf(request));
		const ended = connections.work(socket);
		let admitted: Admitted | undefined;
		socket.once('close', () => {
			ended();
			admitted?.end();
			end({method: request.method, route: forward?.passage.route ?? '-', status});
		});
		try {
			if (forward === undefined) throw new ServiceFault(400, 'This service does not upgrade connections.');
			const framing = framingFault(request, {anyBody: true});
			if (framing) throw framing;
			if (closing()) throw shuttingDown();
			if (forward === null) throw noForward();
			const verdict = forward.passage.judge(request, forward.place);
			if ('inner' in verdict) admitted = admission.admit(forward.passage.server.user, 'forward');
			forward.passage.upgrade(request, socket, head, verdict, answered => {
				status = answered;
			});
		} catch (error) {
			const fault = faultOf(error, log);
			({status} = fault);
			rawFault(
				socket,
				fault.status,
				fault.message,
				fault.headers['retry-after'] === undefined ? '' : `retry-after: ${fault.headers['retry-after']}\r\n`,
			);
		}
	};

	const options = {
		maxHeaderSize: 16_384,
		headersTimeout: limits.head,
		requestTimeout: limits.request,
		keepAliveTimeout: limits.keepAlive,
		connectionsCheckingInterval: limits.check,
		// The guard refuses a missing Host with a sentence; Node would send an empty 400.
		requireHostHeader: false,
	};
	const server = identity
		? https.createServer({...options, ...identity, handshakeTimeout: limits.head})
		: http.createServer(options);
	const connections = limitConnections(server, limits.connections, socket => {
		rawFault(
			socket,
			503,
			'The service has as many connections as it can take; try again in a moment.',
			'retry-after: 2\r\n',
		);
		log.line('- - 503 0ms 0b');
	});
	server.on(
		'request',
		(request: IncomingMessage, response: ServerResponse) => void handle(request, response, () => {}),
	);
	server.on(
		'checkContinue',
		(request: IncomingMessage, response: ServerResponse) =>
			void handle(request, response, () => response.writeContinue()),
	);
	server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
		refuse(request, response, new ServiceFault(417, 'The header Expect can only be 100-continue.')),
	);
	server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
		// Its refusal is on the way: nobody cares what is wrong with the rest.
		if (!ending.has(socket)) onClientError(log, error, socket);
	});
	server.on('timeout', onSilence);
	server.on('upgrade', onUpgrade);
	server.on('connect', (_request, socket) =>
		rawFault(socket, 405, 'This service is not a proxy.', 'allow: GET, POST, PUT\r\n'),
	);
	return server;
};
