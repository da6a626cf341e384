import type {IncomingMessage} from 'node:http';
import type {Duplex} from 'node:stream';
import {WebSocketServer, type RawData, type WebSocket} from 'ws';
import type {EmulatedKernel} from './emulated-kernel.ts';
import type {Line} from './replay-buffer.ts';
import {BINARY_PROTOCOL, parseIncoming} from './wire.ts';

/** Limit of a client's message, in bytes. */
const MESSAGE_BYTES = 16 << 20;
/** Unsent bytes beyond which pings of a client that does not read are ignored. */
const UNREAD_BYTES = 1 << 20;
/** Time in ms after which a connection without any response is closed. */
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

/** Number of messages that a returning client has received; null if unreported. */
const receivedCount = ({headers}: IncomingMessage): number | null => {
	const said = headers['last-event-id'];
	return typeof said === 'string' && /^\d{1,12}$/.test(said) ? Number(said) : null;
};

/** Confirms a message once the client has answered a ping after it. One ping at a time. */
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
		// Messages are handled one at a time, so that a burst does not block other work.
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
