import type {Socket} from 'node:net';
import {isLoopback} from '../../machine/loopback.ts';
import type {Log} from '../log.ts';

/** Never holds a header, a query or a body. No status if the client disconnected first. */
type RequestLine = {
	readonly method: string | undefined;
	readonly route: string;
	readonly status: number | undefined;
};

/**
 * Returns the function that writes the line, to call at the end. `client` is only logged if remote.
 */
export const beginLine = (log: Log, socket: Socket, client = ''): ((said: RequestLine) => void) => {
	const began = performance.now();
	const written = socket.bytesWritten;
	return ({method = '-', route, status = 'gone'}) =>
		log.line(
			`${method} ${route} ${status} ${Math.round(performance.now() - began)}ms ${socket.bytesWritten - written}b${client === '' || isLoopback(client) ? '' : ` from ${client}`}`,
		);
};
