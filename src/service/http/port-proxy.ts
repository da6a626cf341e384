import {randomBytes} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import type {SessionOptions} from '../../engines/engine.ts';
import {judgeForward, type ForwardTarget, type Verdict} from '../forward/gate.ts';
import {openRelay} from './relay.ts';

/** Forwards requests at a forward address to the program on a server's port. */
export const openPortProxy = (server: SessionOptions['server']) => {
	const {port, name} = server;
	const token = randomBytes(16).toString('hex');
	const key = randomBytes(24).toString('hex');
	const inner = `localhost:${port}`;
	const relay = openRelay({
		host: 'localhost',
		port,
		path: target => target,
		why: error =>
			error.code === 'ECONNREFUSED' || error instanceof AggregateError
				? `Nothing listens on port ${port} of the server ${name} yet. Start a program there, such as: python3 -m http.server ${port} --bind 127.0.0.1`
				: `The program on port ${port} of the server ${name} did not respond (${error.code ?? error.message}).`,
	});
	return {
		...relay,
		server,
		token,
		/** Route name that is logged for all requests. */
		route: `forward:${port}`,
		judge: (request: IncomingMessage, place: ForwardTarget): Verdict =>
			judgeForward(request, {place, token, key, inner, name}),
	};
};

export type PortProxy = ReturnType<typeof openPortProxy>;
