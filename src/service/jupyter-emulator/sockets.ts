import type {IncomingMessage} from 'node:http';
import type {Duplex} from 'node:stream';
import {WebSocketServer, type RawData, type WebSocket} from 'ws';
import type {EmulatedKernel} from './emulated-kernel.ts';
import type {Line} from './replay-buffer.ts';
import {BINARY_PROTOCOL, parseIncoming} from './wire.ts';

/** Bytes of one message of a client. */
const MESSAGE_BYTES = 16 << 20;
/** A client that does not read is sent no answers to its pings beyond these bytes. */
const UNREAD_BYTES = 1 << 20;
/** A connection whose other end does not answer in this time is closed. */
const ALIVE_MS = 30_000;

const bytesOf = (data: RawData): Buffer =>
	Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);

/** The WebSockets of channels. */
export type Sockets = {
	open(
		request: IncomingMessage,
		socket: Duplex,
		head: Buffer,
		to: {readonly kernel: EmulatedKernel; readonly session: string},
	): void;
	close(): void;
};

/** How many messages of its session have come at a client that wants to go on behind them; null for one that does not say. */
const cameAt = ({headers}: IncomingMessage): number | null => {
	const said = headers['last-event-id'];
	return typeof said === 'string' && /^\d{1,12}$/.test(said) ? Number(said) : null;
};

/** Sends, and tells of each message when it has come: a ping behind it was answered. One ping at a time. */
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
		// One at a time, so that a burst of them leaves a turn to others.
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
				const came = cameAt(request);
				const line: Line = {
					form: opened.protocol === BINARY_PROTOCOL ? 'binary' : 'text',
					waiting: () => opened.bufferedAmount,
					send:
						came === null
							? (data, onSent) =>
									opened.send(data, error => {
										if (!error) onSent();
									})
							: createReceipts(opened),
					close: () => opened.close(1000),
				};
				const {receive, leave} = kernel.connect(session, line, came);
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
