import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import * as z from 'zod';
import {infoRequests, type KernelMessage, type Request} from '../../kernel/messages.ts';
import type {Rest} from './rest.ts';
import {createSocket, type Socket, type SocketTarget} from './socket.ts';

/** Longest time for which a broken channel is reopened while a cell runs, in ms. */
const PATIENCE_MS = 30 * 60_000;
/**
 * Time limits per connection attempt, in ms. They grow because a new or busy kernel responds
 * slowly, while a silent channel never recovers.
 */
const CHANNEL_LIMITS_MS = [1500, 3000, 6000, 12_000];
const ASK_AGAIN_MS = 300;
const CHECK_INTERVAL_MS = 4;
/** Maximum number of unanswered requests to remember. Beyond that, the oldest is forgotten. */
const MAX_PROBES = 100;

const kernelState = z.object({execution_state: z.string()});

/** Connection to a kernel: a WebSocket with its Jupyter session. */
export type Channel = {
	readonly session: () => string;
	/** Opens the channel and waits until the kernel responds or is busy. False on failure. */
	ready(): Promise<boolean>;
	/** True if the kernel has responded since the channel was opened. */
	readonly isHeard: () => boolean;
	/** Opens the channel without waiting for the kernel. */
	open(): Promise<boolean>;
	/** Sends the text, without retries. Returns false if the channel is closed. */
	send(text: string): boolean;
	/** Sends a request whose replies are not outputs of a cell. */
	ask(request: Request): boolean;
	/** True for the id of a request sent by `ask`. */
	readonly asked: (request: string) => boolean;
	/** Handles a reply to a request sent by `ask`. */
	see(message: KernelMessage): void;
	/** True if the server is known to buffer messages while the channel is closed. */
	readonly isKept: () => boolean;
	/** Sets the number of messages that an earlier program has received in this session. */
	goOnBehind(came: number): void;
	/** Reopens the channel, with repeated attempts, as after a break. */
	reopen(): void;
	breakOff(): void;
	close(): void;
};

type Events = {
	/** `number`: position of the message in its session. */
	readonly onText: (text: string, number: number) => void;
	readonly onOpen: () => void;
	/** Called when the channel breaks. Returns true to reopen it. */
	readonly onBreak: () => boolean;
	readonly onGone: () => void;
	readonly onTooLarge: () => void;
	/** True while a cell runs. Only the channel of the cell's session is then useful. */
	readonly hasCells: () => boolean;
	readonly isOver: () => boolean;
};

/** Creates a channel that is not connected yet. `address`: address of the server. */
export const createChannel = (
	kernel: string,
	rest: Rest,
	place: Omit<SocketTarget, 'address'>,
	address: URL,
	first: string | undefined,
	events: Events,
): Channel => {
	const probes = new Set<string>();
	let session = first ?? randomUUID();
	/** Number of messages received in this session. */
	let came = 0;
	let isProven = false;
	let isHeard = false;
	let isKept = false;
	let heard = {reply: false, published: false};

	const newSocket = (): Socket =>
		createSocket(
			{
				...place,
				came: () => came,
				address: `${address.href.replace(/^http/, 'ws')}api/kernels/${encodeURIComponent(kernel)}/channels?session_id=${session}`,
			},
			PATIENCE_MS,
			{
				onText(text) {
					came++;
					events.onText(text, came);
				},
				onBytes() {
					came++;
				},
				onOpen: events.onOpen,
				onBreak() {
					isProven = false;
					isHeard = false;
					return events.onBreak();
				},
				onGone: events.onGone,
				onTooLarge() {
					// Counted as received, because the server would otherwise send the message
					// again.
					came++;
					events.onTooLarge();
				},
				onKept() {
					isKept = true;
				},
			},
		);
	let socket = newSocket();

	const ask = ({id, text}: Request): boolean => {
		probes.add(id);
		const [oldest] = probes;
		if (probes.size > MAX_PROBES && oldest !== undefined) probes.delete(oldest);
		return socket.send(text);
	};
	const isBusy = async (): Promise<boolean> => {
		const answer = await rest('GET', `kernels/${kernel}`);
		return kernelState.safeParse(answer?.json).data?.execution_state === 'busy';
	};
	/**
	 * Waits until the kernel responds. A server may open a channel that stays silent, and messages
	 * that are published before the response are lost.
	 */
	const prove = async (limit: number): Promise<boolean> => {
		const until = Date.now() + limit;
		heard = {reply: false, published: false};
		// Few requests are sent, because a slow kernel replies to every one of them in the end.
		for (let pause = ASK_AGAIN_MS; Date.now() < until; pause *= 2) {
			if (!infoRequests(session).every(ask)) return false;
			const next = Math.min(until, Date.now() + pause);
			while (Date.now() < next) {
				if (heard.reply && heard.published) return true;
				await sleep(CHECK_INTERVAL_MS);
			}
		}
		return false;
	};
	const reach = async (): Promise<boolean> => {
		for (const limit of CHANNEL_LIMITS_MS) {
			if (events.isOver() || !(await socket.open())) return false;
			if (isProven || events.hasCells()) return true;
			isHeard = await prove(limit);
			// The reported state is not reliable: a server may still report a kernel as busy that
			// has died and was restarted.
			isProven = isHeard || (await isBusy());
			if (isProven) return true;
			// Tries a new session, because the server may return the channel of a dead kernel for
			// the old one.
			socket.close();
			session = randomUUID();
			came = 0;
			socket = newSocket();
		}
		return false;
	};
	let reaching: Promise<boolean> | null = null;

	return {
		session: () => session,
		async ready() {
			reaching ??= reach().finally(() => {
				reaching = null;
			});
			return reaching;
		},
		isHeard: () => isHeard,
		open: async () => socket.open(),
		send: text => socket.send(text),
		ask,
		asked: request => probes.has(request),
		see({msg_type: type}) {
			if (type === 'kernel_info_reply') heard.reply = true;
			if (type === 'status') heard.published = true;
		},
		isKept: () => isKept,
		goOnBehind(number) {
			came = Math.max(came, number);
		},
		reopen: () => socket.reopen(),
		breakOff: () => socket.breakOff(),
		close: () => socket.close(),
	};
};
