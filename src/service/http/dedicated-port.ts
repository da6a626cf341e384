import http, {type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {Log} from '../log.ts';
import {beginRecord, recordLine} from './request-record.ts';

export type DedicatedPort = {readonly port: number; close(): Promise<void>};

/** Serves HTTP on a separate loopback port, which makes its content a separate origin. */
export const openDedicatedPort = async ({
	log,
	route,
	connections,
	requestTimeout,
	answer,
	upgrade,
}: {
	readonly log: Log;
	/** Route name that is logged for all requests. */
	readonly route: string;
	readonly connections: number;
	/** Time limit for receiving a request, in ms. 0 for no limit. */
	readonly requestTimeout: number;
	readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
	readonly upgrade: (
		request: IncomingMessage,
		socket: Socket,
		head: Buffer,
		onStatus: (status: number) => void,
	) => void;
}): Promise<DedicatedPort> => {
	const server = http.createServer({
		headersTimeout: 10_000,
		requestTimeout,
		keepAliveTimeout: 5000,
		requireHostHeader: false,
	});
	server.maxConnections = connections;
	const open = new Set<Socket>();
	server.on('connection', socket => {
		open.add(socket);
		socket.once('close', () => open.delete(socket));
	});
	server.on('request', (request, response) => {
		const end = beginRecord(request.socket);
		response.once('close', () => {
			const status = response.headersSent ? response.statusCode : undefined;
			log.line(recordLine(end({method: request.method, route, status})));
		});
		answer(request, response);
	});
	server.on('upgrade', (request, socket: Socket, head) => {
		const end = beginRecord(socket);
		let status: number | undefined;
		socket.once('close', () => log.line(recordLine(end({method: request.method, route, status}))));
		upgrade(request, socket, head, answered => {
			status = answered;
		});
	});
	server.on('clientError', (_, socket) => socket.destroy());
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		close: () =>
			new Promise<void>(resolve => {
				server.close(() => resolve());
				for (const socket of open) socket.destroy();
			}),
	};
};
