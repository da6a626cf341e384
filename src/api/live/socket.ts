import type {Proxy} from '../../machine/proxy.ts';
import type {ClientIdentity} from '../target.ts';
import {TunnelAgent} from '../tunnel.ts';
import http from 'node:http';
import https from 'node:https';
import type {LookupFunction} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import WebSocket from 'ws';
import {textOfFrame} from '../../kernel/messages.ts';
import {createGcTrigger} from '../../machine/gc.ts';
import type {Access} from './access.ts';
import {isUnavailable, isRefusal} from './status.ts';

const HANDSHAKE_MS = 60_000;
const LARGEST = 64 << 20;
const UNREAD_BYTES = 1 << 20;
/**
 * Silence in ms after which the connection is probed. After a laptop's sleep, a dead connection
 * still looks open.
 */
const QUIET_MS = 5000;
const PONG_MS = 4000;
const BEAT_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

export type SocketTarget = {
	/** Address that starts with `ws:` or `wss:`. */
	readonly address: string;
	readonly access: Access;
	readonly authorities: readonly string[] | undefined;
	readonly identity: ClientIdentity | undefined;
	readonly proxy: Proxy | undefined;
	readonly lookup: LookupFunction | undefined;
	/** Number of messages received so far. A server that buffers messages resumes after them. */
	readonly came?: () => number;
};

/**
 * Result of an attempt. `gone`: retrying is useless. `refused`: the server rejected the token.
 * `later`: a retry may succeed.
 */
type Tried = {readonly socket: WebSocket} | {readonly fault: 'gone' | 'refused' | 'later'};

/** A WebSocket that is reopened after it broke. */
export type Socket = {
	/** Opens the connection, or checks that it is still alive. False on failure. */
	open(): Promise<boolean>;
	/** Sends the text, without retries. Returns false if the connection is closed. */
	send(text: string): boolean;
	/** Tries repeatedly to open the connection, as after a break. */
	reopen(): void;
	/** Terminates a connection that no longer responds. */
	breakOff(): void;
	close(): void;
};

type Events = {
	readonly onText: (text: string) => void;
	/** Called for a message that is not readable text. */
	readonly onBytes?: () => void;
	/** Called before the first message, and after each reconnection. */
	readonly onOpen?: () => void;
	/** Called when the connection broke. Returns true to reconnect. */
	readonly onBreak: () => boolean;
	/** Called when reconnecting has failed. */
	readonly onGone: () => void;
	/** The server sent a message above the size limit. */
	readonly onTooLarge: () => void;
	/** Called when the server is known to buffer messages until they are received. */
	readonly onKept?: () => void;
};

const connect = async (
	{address, authorities, identity, proxy, lookup, came}: SocketTarget,
	token: string,
	onMade: (socket: WebSocket) => void,
	onMessage: (text: string | null, socket: WebSocket) => void,
	isRead: (socket: WebSocket) => boolean,
): Promise<Tried> => {
	const agent = !address.startsWith('wss:')
		? new http.Agent({...(proxy && {proxyEnv: {...proxy.env}})})
		: proxy
			? new TunnelAgent({}, proxy, HANDSHAKE_MS)
			: new https.Agent();
	const socket = new WebSocket(address, {
		// A header, because addresses are written to logs.
		headers: {
			authorization: `token ${token}`,
			'user-agent': 'svc-tui',
			...(came && {'last-event-id': String(came())}),
		},
		followRedirects: false,
		perMessageDeflate: false,
		maxPayload: LARGEST,
		autoPong: false,
		handshakeTimeout: HANDSHAKE_MS,
		agent,
		...(authorities && {ca: [...authorities]}),
		...identity,
		...(lookup && {lookup}),
	});
	onMade(socket);
	// Limited, because replies would fill the memory if the server pings but does not read.
	socket.on('ping', data => {
		// A pong with a number confirms messages. A closing connection must not confirm them,
		// because it has not passed them on.
		if (data.length > 0 && !isRead(socket)) return;
		if (socket.bufferedAmount < UNREAD_BYTES) socket.pong(data);
	});
	const clear = createGcTrigger();
	// Attached before `open`: buffered messages may arrive with the handshake response.
	socket.on('message', (data, isBinary) => {
		clear((data as Buffer).length);
		// The content of binary frames, such as those of widgets, is not shown. They are read
		// because the kernel numbers them too.
		onMessage(isBinary ? textOfFrame(data as Buffer) : (data as Buffer).toString(), socket);
	});
	return new Promise(resolve => {
		socket.once('open', () => resolve({socket}));
		socket.once('unexpected-response', (request, {statusCode = 0}) => {
			request.destroy();
			// Redirects are not followed, because the other host would receive the token.
			if (isRefusal(statusCode)) resolve({fault: 'refused'});
			else resolve({fault: isUnavailable(statusCode) || statusCode === 429 ? 'later' : 'gone'});
		});
		socket.on('error', () => resolve({fault: 'later'}));
	});
};

/** Does not connect yet. `patience`: time for which a broken connection is reopened, in ms. */
export const createSocket = (place: SocketTarget, patience: number, events: Events): Socket => {
	let current: WebSocket | null = null;
	/**
	 * Newest connection. Messages of older ones are ignored: they will be sent again, or were
	 * already passed on.
	 */
	let reader: WebSocket | null = null;
	let opening: Promise<boolean> | null = null;
	let heardAt = 0;
	let closed = false;

	const isOpen = (): boolean => current?.readyState === WebSocket.OPEN;
	const hear = (): void => {
		heardAt = Date.now();
	};
	/** True if the other side responds to a ping. */
	const answers = async (socket: WebSocket): Promise<boolean> => {
		const asked = Promise.withResolvers<boolean>();
		const yes = (): void => asked.resolve(true);
		const no = (): void => asked.resolve(false);
		const limit = setTimeout(no, PONG_MS);
		socket.once('pong', yes).once('close', no);
		socket.ping();
		const answered = await asked.promise;
		clearTimeout(limit);
		socket.off('pong', yes).off('close', no);
		if (!answered) {
			socket.terminate();
			broke(socket);
		}
		return answered;
	};
	const broke = (socket: WebSocket): void => {
		if (current !== socket) return;
		current = null;
		if (!closed && events.onBreak()) void openAgain();
	};
	const use = (socket: WebSocket): void => {
		current = socket;
		hear();
		socket.on('pong', hear);
		// Pings with a message number come from a server that buffers messages. Ordinary keep-alive
		// pings are empty.
		socket.on('ping', data => {
			if (/^\d+$/.test(data.toString())) events.onKept?.();
		});
		const beat = setInterval(() => {
			if (Date.now() - heardAt > BEAT_MS) void answers(socket);
		}, BEAT_MS).unref();
		socket.on('error', error => {
			if ('code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') events.onTooLarge();
		});
		socket.on('close', () => {
			clearInterval(beat);
			broke(socket);
		});
		events.onOpen?.();
	};
	const tryOnce = async (isAgain = false): Promise<'open' | 'gone' | 'later'> => {
		const token = place.access.token();
		const isRead = (socket: WebSocket): boolean => !closed && reader === socket;
		const tried = await connect(
			place,
			token,
			socket => {
				reader = socket;
			},
			(text, socket) => {
				if (!isRead(socket)) return;
				hear();
				if (text === null) events.onBytes?.();
				else events.onText(text);
			},
			isRead,
		);
		if ('fault' in tried) {
			if (tried.fault !== 'refused') return tried.fault;
			const renewed = await place.access.renewed(token);
			if (renewed === 'yes' && !isAgain) return tryOnce(true);
			return renewed === 'no' ? 'gone' : 'later';
		}
		if (closed || tried.socket.readyState !== WebSocket.OPEN) {
			tried.socket.terminate();
			return closed ? 'gone' : 'later';
		}
		use(tried.socket);
		return 'open';
	};
	const openAgain = async (): Promise<void> => {
		const until = Date.now() + patience;
		for (let pause = FIRST_PAUSE_MS; !closed; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
			await sleep(pause, undefined, {ref: false});
			if (isOpen()) return;
			opening ??= tryOnce().then(how => {
				opening = null;
				if (how === 'gone' || (how === 'later' && Date.now() > until)) events.onGone();
				return how === 'open' || how === 'gone' || Date.now() > until;
			});
			if (await opening) return;
		}
	};

	return {
		async open() {
			if (current !== null && isOpen() && (Date.now() - heardAt < QUIET_MS || (await answers(current))))
				return true;
			if (isOpen()) return true;
			opening ??= tryOnce().then(how => {
				opening = null;
				return how === 'open';
			});
			return opening;
		},
		send(text) {
			if (current === null || !isOpen()) return false;
			current.send(text);
			return true;
		},
		reopen: () => void openAgain(),
		breakOff: () => current?.terminate(),
		close() {
			closed = true;
			current?.close();
		},
	};
};
