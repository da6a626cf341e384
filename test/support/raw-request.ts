import {connect} from 'node:net';

export type RawAnswer = {readonly status: number; readonly head: string; readonly body: string};

const parse = (text: string): RawAnswer => {
	const [head = '', ...rest] = text.split('\r\n\r\n');
	return {status: Number(head.split(' ')[1] ?? 0), head: head.toLowerCase(), body: rest.join('\r\n\r\n')};
};

/**
 * Sends bytes exactly as given, unlike an HTTP client. Resolves to the bytes received until the
 * connection was closed; the status is 0 if there were none.
 */
export const rawRequest = (port: number, bytes: string | Buffer): Promise<RawAnswer> =>
	new Promise(resolve => {
		const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
		const parts: Buffer[] = [];
		socket.on('data', part => parts.push(part));
		// The other side may reset the connection after its response; what has arrived counts.
		socket.on('error', () => {});
		socket.on('close', () => resolve(parse(Buffer.concat(parts).toString('latin1'))));
	});

/** Bytes of a request with these header lines. A header whose value is null is omitted. */
export const requestBytes = (
	line: string,
	headers: Readonly<Record<string, string | number | null>>,
	body: string | Buffer = '',
): Buffer => {
	const lines = Object.entries(headers)
		.filter(([, value]) => value !== null)
		.map(([name, value]) => `${name}: ${value}\r\n`);
	return Buffer.concat([
		Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
		Buffer.from(body),
	]);
};
