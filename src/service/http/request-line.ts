import type {Socket} from 'node:net';
import {isLoopback} from '../../machine/loopback.ts';
import type {Log} from '../log.ts';

/** What the log says of a request: never a header, a query or a body. The status is undefined where the client went away first. */
type RequestLine = {
	readonly method: string | undefined;
	readonly route: string;
	readonly status: number | undefined;
};

/** From the beginning of a request on; the answer, called once at its end, writes its line. `client` is who asks, if not of this machine. */
export const beginLine = (log: Log, socket: Socket, client = ''): ((said: RequestLine) => void) => {
	const began = performance.now();
	const written = socket.bytesWritten;
	return ({method = '-', route, status = 'gone'}) =>
		log.line(
			`${method} ${route} ${status} ${Math.round(performance.now() - began)}ms ${socket.bytesWritten - written}b${client === '' || isLoopback(client) ? '' : ` from ${client}`}`,
		);
};
