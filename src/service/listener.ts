import http, {STATUS_CODES, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import https from 'node:https';
import type {Duplex} from 'node:stream';
import {getRequestListener} from '@hono/node-server';
import type {Hono} from 'hono';
import type {AppEnv} from './app.ts';
import type {Identity} from './binding.ts';
import {limitConnections} from './connections.ts';
import {answerHeaders, faultBody, jsonType, ServiceFault} from './fault.ts';
import type {Judgement} from './guard.ts';
import {ClientGoneError, readJsonBody} from './json-body.ts';
import type {Log} from './log.ts';
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
	readonly connections: number;
};

export const listenerLimits: ListenerLimits = {head: 10_000, request: 30_000, keepAlive: 5000, check: 2000, connections: 128};

export type ListenerOptions = {
	readonly judge: (request: IncomingMessage) => Promise<Judgement>;
	readonly app: Hono<AppEnv>;
	readonly log: Log;
	/** True while shutting down. */
	readonly closing: () => boolean;
	/** With it the service speaks HTTPS. */
	readonly identity: Identity | null;
	readonly limits: ListenerLimits;
};

const hasBody = ({headers}: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const faultOf = (error: unknown, log: Log): ServiceFault =>
	error instanceof ServiceFault ? error : new ServiceFault(500, `Something went wrong in the service; its log says more under ${log.failure(error)}.`);

const refuse = (request: IncomingMessage, response: ServerResponse, {status, message, headers}: ServiceFault): void => {
	if (response.headersSent || response.destroyed) return;
	const body = faultBody(status, message);
	const unread = hasBody(request) && !request.complete;
	response.writeHead(status, {...answerHeaders, 'content-type': jsonType, 'content-length': Buffer.byteLength(body), ...headers, ...(unread ? {connection: 'close'} : {})});
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

const rawFault = (socket: Duplex, status: number, message: string, headers = ''): void => {
	const body = faultBody(status, message);
	const fixed = Object.entries(answerHeaders).map(([name, value]) => `${name}: ${value}\r\n`).join('');
	socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fixed}content-type: ${jsonType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}connection: close\r\n\r\n${body}`);
	setTimeout(() => socket.destroy(), 500).unref();
};

/** Answers what is no request, or is one that came too slowly. */
const onClientError = (log: Log, error: NodeJS.ErrnoException, socket: Duplex & {readonly _httpMessage?: ServerResponse | null}): void => {
	const answer = (status: number, message: string): void => {
		rawFault(socket, status, message);
		log.line(`- - ${status} 0ms 0b`);
	};
	// An answer that has begun on this connection must not get another one in its middle.
	if (!socket.writable || socket._httpMessage?.headersSent === true) socket.destroy();
	else if (error.code === 'HPE_HEADER_OVERFLOW') answer(431, 'The request headers are larger than 16 KiB; send fewer.');
	else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') answer(408, 'The request took too long to arrive; send it again.');
	else answer(400, 'This is not a well-formed HTTP request.');
};

/** The HTTP server: guard, then body, then Hono; one log line per request. Not yet listening. */
export const createListener = ({judge, app, log, closing, identity, limits}: ListenerOptions): Server => {
	const asked = new WeakMap<object, Asked>();
	const toHono = getRequestListener(
		(request, {incoming}) => {
			const found = asked.get(incoming);
			if (!found) throw new Error('a request came past the guard');
			return app.fetch(request, {asked: found});
		},
		// Its faster Request and Response would replace the globals of the whole process.
		{overrideGlobalObjects: false},
	);

	const handle = async (request: IncomingMessage, response: ServerResponse, onJudged: () => void): Promise<void> => {
		const began = performance.now();
		const {socket} = request;
		const written = socket.bytesWritten;
		const gone = new AbortController();
		let route = '-';
		const ended = connections.work(socket);
		response.once('close', () => {
			ended();
			if (!response.writableFinished) gone.abort();
			log.line(`${request.method ?? '-'} ${route} ${response.headersSent ? response.statusCode : 'gone'} ${Math.round(performance.now() - began)}ms ${socket.bytesWritten - written}b`);
		});
		for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value);
		try {
			if (closing()) throw new ServiceFault(503, 'The service is shutting down; start it again.', {connection: 'close'});
			const judgement = await judge(request);
			({route} = judgement);
			onJudged();
			const body = request.method === 'GET' ? undefined : await readJsonBody(request);
			asked.set(request, {caller: judgement.caller, params: judgement.params, body, ifMatch: request.headers['if-match'], signal: gone.signal});
			await toHono(request, response);
		} catch (error) {
			if (!(error instanceof ClientGoneError)) refuse(request, response, faultOf(error, log));
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
	const server = identity ? https.createServer({...options, ...identity, handshakeTimeout: limits.head}) : http.createServer(options);
	const connections = limitConnections(server, limits.connections);
	server.on('request', (request: IncomingMessage, response: ServerResponse) => void handle(request, response, () => {}));
	server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => void handle(request, response, () => response.writeContinue()));
	server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => refuse(request, response, new ServiceFault(417, 'The header Expect can only be 100-continue.')));
	server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => onClientError(log, error, socket));
	server.on('upgrade', (_request, socket) => rawFault(socket, 400, 'This service does not upgrade connections.'));
	server.on('connect', (_request, socket) => rawFault(socket, 405, 'This service is no proxy.', 'allow: GET, POST, PUT\r\n'));
	return server;
};
