import type {Proxy} from '../../machine/proxy.ts';
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
/** A connection that was quiet for so long is asked whether it still is one. A laptop that slept has open ones that are none. */
const QUIET_MS = 5000;
const PONG_MS = 4000;
const BEAT_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

export type SocketTarget = {
	/** `ws:` or `wss:`. */
	readonly address: string;
	readonly access: Access;
	readonly authorities: readonly string[] | undefined;
	readonly proxy: Proxy | undefined;
	readonly lookup: LookupFunction | undefined;
	/** How many messages have come so far: a server that keeps what it has sent goes on behind them. */
	readonly came?: () => number;
};

/** How a try to connect ended: `gone` will not get better by trying again, `refused` not with this token. */
type Tried = {readonly socket: WebSocket} | {readonly fault: 'gone' | 'refused' | 'later'};

/** One WebSocket that is opened again where it breaks. */
export type Socket = {
	/** Opens it, or sees to it that it is still open. False when that is in vain. */
	open(): Promise<boolean>;
	/** Sent once or not at all: false when it is not open. */
	send(text: string): boolean;
	/** Breaks what is open: it says nothing more. */
	breakOff(): void;
	close(): void;
};

type Events = {
	readonly onText: (text: string) => void;
	/** A message that cannot be read. */
	readonly onBytes?: () => void;
	/** It is open, for the first time or again; called before anything that comes. */
	readonly onOpen?: () => void;
	/** It broke. True: it is to be opened again. */
	readonly onBreak: () => boolean;
	/** It cannot be opened again. */
	readonly onGone: () => void;
	/** Something larger than is taken was sent. */
	readonly onTooLarge: () => void;
	/** The server keeps what it has sent until it has come. */
	readonly onKept?: () => void;
};

const connect = async (
	{address, authorities, proxy, lookup, came}: SocketTarget,
	token: string,
	onMade: (socket: WebSocket) => void,
	onMessage: (text: string | null, socket: WebSocket) => void,
): Promise<Tried> => {
	const agent = !address.startsWith('wss:')
		? new http.Agent({...(proxy && {proxyEnv: {...proxy.env}})})
		: proxy
			? new TunnelAgent({}, proxy, HANDSHAKE_MS)
			: new https.Agent();
	const socket = new WebSocket(address, {
		// In a header: an address ends up in logs.
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
		...(lookup && {lookup}),
	});
	onMade(socket);
	// A server that does not read would make us hold an answer for each of its pings.
	socket.on('ping', data => {
		if (socket.bufferedAmount < UNREAD_BYTES) socket.pong(data);
	});
	const clear = createGcTrigger();
	// From the start: what the server kept for us may come with its answer.
	socket.on('message', (data, isBinary) => {
		clear((data as Buffer).length);
		// What comes in binary frames has buffers, as widgets do, of which nothing is shown; the kernel counts it all the same.
		onMessage(isBinary ? textOfFrame(data as Buffer) : (data as Buffer).toString(), socket);
	});
	return new Promise(resolve => {
		socket.once('open', () => resolve({socket}));
		socket.once('unexpected-response', (request, {statusCode = 0}) => {
			request.destroy();
			// A redirect is not followed: beyond it somebody else would get the token.
			if (isRefusal(statusCode)) resolve({fault: 'refused'});
			else resolve({fault: isUnavailable(statusCode) || statusCode === 429 ? 'later' : 'gone'});
		});
		socket.on('error', () => resolve({fault: 'later'}));
	});
};

/** Opens nothing yet. `patience`: milliseconds for which it is tried again after it broke. */
export const createSocket = (place: SocketTarget, patience: number, events: Events): Socket => {
	let current: WebSocket | null = null;
	/** The newest: what an older one still has is sent again, or was passed on before. */
	let reader: WebSocket | null = null;
	let opening: Promise<boolean> | null = null;
	let heardAt = 0;
	let closed = false;

	const isOpen = (): boolean => current?.readyState === WebSocket.OPEN;
	const hear = (): void => {
		heardAt = Date.now();
	};
	/** Whether the other side is still there. */
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
		// Its pings hold the number of a message; those that only ask whether somebody is there hold nothing.
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
		const tried = await connect(
			place,
			token,
			socket => {
				reader = socket;
			},
			(text, socket) => {
				if (closed || reader !== socket) return;
				hear();
				if (text === null) events.onBytes?.();
				else events.onText(text);
			},
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
		breakOff: () => current?.terminate(),
		close() {
			closed = true;
			current?.close();
		},
	};
};
