import {STATUS_CODES} from 'node:http';
import type {Duplex} from 'node:stream';

/** Responds on a socket that Node's HTTP server has handed over, then closes the socket. */
export const respondRaw = (
	socket: Duplex,
	status: number,
	headers: Readonly<Record<string, string>>,
	body: string,
): void => {
	// Needed because Node has removed its error listener from the socket, and a reset would crash
	// the service.
	socket.on('error', () => undefined);
	const lines = Object.entries({
		...headers,
		'content-length': String(Buffer.byteLength(body)),
		connection: 'close',
	}).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
	setTimeout(() => socket.destroy(), 500).unref();
};
