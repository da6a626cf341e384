import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import {createClient} from '../../src/api/client.ts';
import type {Client, ClientSettings} from '../../src/api/client-types.ts';
import {LIMITS, type CallKind, type Limit, type Limits} from '../../src/api/limits.ts';

/** The API key of these tests. It may appear only in the header. */
export const CANARY = 'canary-"key"-4711-never-shown';

export type Peer = AsyncDisposable & {
	readonly url: string;
	/** Requests so far; for an HTTP peer as `METHOD path`. */
	readonly asked: string[];
	/** Number of open connections. */
	readonly open: () => number;
	/** Connections accepted so far. */
	readonly accepted: () => number;
};

const listen = async (server: net.Server, asked: string[], protocol = 'http'): Promise<Peer> => {
	const sockets = new Set<net.Socket>();
	let accepted = 0;
	server.on('connection', (socket: net.Socket) => {
		accepted++;
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => sockets.delete(socket));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string')
		throw new Error('a TCP server has an address with a port');
	return {
		url: `${protocol}://127.0.0.1:${address.port}`,
		asked,
		open: () => sockets.size,
		accepted: () => accepted,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			await new Promise(resolve => server.close(resolve));
		},
	};
};

/**
 * Starts an HTTP server whose responses the test determines. They are computed after the body was
 * read.
 */
export const httpPeer = (
	answer: (response: http.ServerResponse, request: http.IncomingMessage, body: string) => void,
): Promise<Peer> => {
	const asked: string[] = [];
	const server = http.createServer((request, response) => {
		asked.push(`${request.method} ${request.url}`);
		let body = '';
		request
			.setEncoding('utf8')
			.on('data', (piece: string) => (body += piece))
			.on('end', () => answer(response, request, body));
	});
	return listen(server, asked);
};

/** An HTTPS server with an empty list of servers. */
export const tlsPeer = (identity: {readonly cert: string; readonly key: string}): Promise<Peer> => {
	const asked: string[] = [];
	const server = https.createServer(identity, (request, response) => {
		asked.push(`${request.method} ${request.url}`);
		response.end('{"status":"success","servers":[]}');
	});
	return listen(server, asked, 'https');
};

/** Starts a TCP server. The test handles each connection. */
export const rawPeer = (serve: (socket: net.Socket) => void): Promise<Peer> =>
	listen(net.createServer(serve), []);

/** An HTTP peer that sends this status, body and these headers for every request. */
export const answering = (
	status: number,
	body: string | Buffer = '',
	headers: http.OutgoingHttpHeaders = {},
): Promise<Peer> =>
	httpPeer(response =>
		response.writeHead(status, {'content-type': 'application/json', ...headers}).end(body),
	);

/** Sends the piece repeatedly until the connection is closed. */
export const drip = (response: http.ServerResponse, piece: string): void => {
	const timer = setInterval(() => response.write(piece), 10);
	response.on('close', () => clearInterval(timer));
};

/**
 * A peer that answers a chat with these pieces. Each is sent after the previous one was written;
 * `end` determines how the response ends.
 */
export const streaming = (
	pieces: readonly (string | Buffer)[],
	end: (response: http.ServerResponse) => void = response => response.end(),
	headers: http.OutgoingHttpHeaders = {},
): Promise<Peer> =>
	httpPeer(response => {
		response.writeHead(200, {'content-type': 'text/plain', ...headers});
		const send = async (): Promise<void> => {
			for (const piece of pieces) await new Promise(resolve => response.write(piece, resolve));
			end(response);
		};
		void send();
	});

/** A client with the canary key. */
export const connect = (url: string, limits: Limits = LIMITS, more: Partial<ClientSettings> = {}): Client =>
	createClient({baseUrl: url, apiKey: CANARY, ...more}, limits);

/** The usual limits, changed for some kinds of request. */
export const limited = (
	changes: {readonly [kind in CallKind]?: {readonly timeout?: Limit['timeout']; readonly cap?: number}} & {
		readonly silence?: number;
		readonly afterDone?: number;
		readonly errorBody?: number;
		readonly tunnel?: number;
	},
): Limits => {
	const {
		silence = LIMITS.silence,
		afterDone = LIMITS.afterDone,
		errorBody = LIMITS.errorBody,
		tunnel = LIMITS.tunnel,
	} = changes;
	const one = (kind: CallKind): Limit => ({
		cap: changes[kind]?.cap ?? LIMITS[kind].cap,
		timeout: {...LIMITS[kind].timeout, ...changes[kind]?.timeout},
	});
	return {
		list: one('list'),
		file: one('file'),
		change: one('change'),
		upload: one('upload'),
		run: one('run'),
		chat: one('chat'),
		silence,
		afterDone,
		errorBody,
		tunnel,
	};
};
