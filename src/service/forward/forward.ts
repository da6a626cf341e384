import http from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {SessionOptions} from '../../engines/engine.ts';
import type {ForwardPlace} from './gate.ts';
import type {Log} from '../log.ts';
import {openPassage, type Passage} from '../http/passage.ts';
import {beginLine} from '../http/request-line.ts';

const CONNECTIONS = 256;
const HEAD_MS = 10_000;

/** An address behind which a server's own program answers. */
export type Forward = Pick<Passage, 'usedSince'> & {
	/** With the token that opens it. */
	readonly url: string;
	close(): Promise<void>;
};

/**
 * Forwards to a port of this machine from a port of its own, so that what the program serves is an origin of its own. A browser is sent on to
 * `TOKEN.localhost`, since a cookie of `127.0.0.1` would go to every port of it.
 */
export const openForward = async (to: SessionOptions['server'], log: Log): Promise<Forward> => {
	const passage = openPassage(to);
	const {token, route} = passage;
	const server = http.createServer({
		headersTimeout: HEAD_MS,
		requestTimeout: 0,
		keepAliveTimeout: 5000,
		requireHostHeader: false,
	});
	server.maxConnections = CONNECTIONS;
	const open = new Set<Socket>();
	server.on('connection', socket => {
		open.add(socket);
		socket.once('close', () => open.delete(socket));
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	const {port} = server.address() as AddressInfo;
	const own = `${token}.localhost:${port}`;
	const place: ForwardPlace = {
		home: `http://${own}`,
		nameOf(host) {
			const isOwnHost = host === own;
			return isOwnHost || host === `127.0.0.1:${port}` || host === `localhost:${port}`
				? {origin: `http://${host}`, isOwnHost, holdsToken: isOwnHost}
				: undefined;
		},
	};
	server.on('request', (request, response) => {
		const end = beginLine(log, request.socket);
		response.once('close', () =>
			end({method: request.method, route, status: response.headersSent ? response.statusCode : undefined}),
		);
		passage.pass(request, response, passage.judge(request, place));
	});
	server.on('upgrade', (request, socket: Socket, head) => {
		const end = beginLine(log, socket);
		let status: number | undefined;
		socket.once('close', () => end({method: request.method, route, status}));
		passage.upgrade(request, socket, head, passage.judge(request, place), answered => {
			status = answered;
		});
	});
	server.on('clientError', (_, socket) => socket.destroy());
	return {
		url: `http://127.0.0.1:${port}/?token=${token}`,
		usedSince: passage.usedSince,
		close: () =>
			new Promise<void>(resolve => {
				server.close(() => resolve());
				passage.close();
				for (const socket of open) socket.destroy();
			}),
	};
};
