import type {IncomingMessage} from 'node:http';
import type {Duplex} from 'node:stream';
import {WebSocketServer, type RawData, type WebSocket} from 'ws';
import type {EmulatedKernel} from './emulated-kernel.ts';
import type {Line} from './replay-buffer.ts';
import {BINARY_PROTOCOL, parseIncoming} from './wire.ts';

/** Maximum size of a client's message, in bytes. */
const MESSAGE_BYTES = 16 << 20;
/** Number of unsent bytes above which pings are not answered, because the client does not read. */
const UNREAD_BYTES = 1 << 20;
/** Time without any sign of life after which a connection is closed, in ms. */
const ALIVE_MS = 30_000;

const bytesOf = (data: RawData): Buffer =>
	Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);

export type Sockets = {
	open(
		request: IncomingMessage,
		socket: Duplex,
		head: Buffer,
		to: {readonly kernel: EmulatedKernel; readonly session: string},
	): void;
	close(): void;
};

/**
 * Number of messages that a returning client has received. Null if the client does not report it.
 */
const receivedCount = ({headers}: IncomingMessage): number | null => {
	const said = headers['last-event-id'];
	return typeof said === 'string' && /^\d{1,12}$/.test(said) ? Number(said) : null;
};

/**
 * Sends messages and confirms their receipt. A message counts as received once the client has
 * answered a ping that was sent after it. Only one ping is pending at a time.
 */
const createReceipts = (socket: WebSocket) => {
	const open: (() => void)[] = [];
	let first = 0;
	let pinged = 0;
	const ask = (): void => {
		if (pinged > first || open.length === 0) return;
		pinged = first + open.length;
		socket.ping(String(pinged));
	};
	socket.on('pong', data => {
		const upTo = Math.min(Number(data.toString() || 0), pinged);
		while (first < upTo) {
			first++;
			open.shift()?.();
		}
		ask();
	});
	return (data: string | Buffer, onCame: () => void): void => {
		open.push(onCame);
		socket.send(data);
		ask();
	};
};

export const createSockets = (): Sockets => {
	const server = new WebSocketServer({
		noServer: true,
		maxPayload: MESSAGE_BYTES,
		perMessageDeflate: false,
		// Handles one message per turn of the event loop, so that a burst of messages does not
		// block other work.
		allowSynchronousEvents: false,
		autoPong: false,
		handleProtocols: offered => (offered.has(BINARY_PROTOCOL) ? BINARY_PROTOCOL : false),
	});
	const silent = new WeakSet<WebSocket>();
	const beat = setInterval(() => {
		for (const socket of server.clients) {
			if (silent.has(socket)) socket.terminate();
			silent.add(socket);
			socket.ping();
		}
	}, ALIVE_MS).unref();
	return {
		open(request, socket, head, {kernel, session}) {
			server.handleUpgrade(request, socket, head, opened => {
				opened.on('error', () => undefined);
				const received = receivedCount(request);
				const line: Line = {
					form: opened.protocol === BINARY_PROTOCOL ? 'binary' : 'text',
					waiting: () => opened.bufferedAmount,
					send:
						received === null
							? (data, onSent) =>
									opened.send(data, error => {
										if (!error) onSent();
									})
							: createReceipts(opened),
					close: () => opened.close(1000),
				};
				const {receive, leave} = kernel.connect(session, line, received);
				opened.on('ping', data => {
					if (opened.bufferedAmount < UNREAD_BYTES) opened.pong(data);
				});
				opened.on('pong', () => silent.delete(opened));
				opened.on('message', (data, isBinary) => {
					silent.delete(opened);
					const message = parseIncoming(bytesOf(data), isBinary);
					if (message) receive(message);
					else opened.close(1003, 'not a message of Jupyter');
				});
				opened.on('close', leave);
			});
		},
		close() {
			clearInterval(beat);
			for (const socket of server.clients) socket.terminate();
			server.close();
		},
	};
};
