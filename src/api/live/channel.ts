import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import * as z from 'zod';
import {infoRequests, type KernelMessage, type Request} from '../../kernel/messages.ts';
import type {Rest} from './rest.ts';
import {createSocket, type Socket, type SocketTarget} from './socket.ts';

/** For which a broken channel is opened again while a cell runs. */
const PATIENCE_MS = 30 * 60_000;
/** How long a kernel is listened for on each channel that is opened for it: a young or busy one takes its time, a silent channel stays silent. */
const CHANNEL_LIMITS_MS = [1500, 3000, 6000, 12_000];
const ASK_AGAIN_MS = 300;
const LOOK_EVERY_MS = 4;
/** Questions whose answers may still come. */
const KEPT_PROBES = 100;

const kernelState = z.object({execution_state: z.string()});

/** A kernel's WebSocket, and the session of Jupyter it is opened with. */
export type Channel = {
	readonly session: () => string;
	/** Opens it, and sees to it that the kernel is heard on it, unless it is busy. False when that is in vain. */
	ready(): Promise<boolean>;
	/** The kernel was heard on it since it was opened. */
	readonly isHeard: () => boolean;
	/** Also a channel on which the kernel was not heard yet. */
	open(): Promise<boolean>;
	/** Sent once or not at all: false when it is not open. */
	send(text: string): boolean;
	/** Sends what is no cell: what the kernel says of it is no output. */
	ask(request: Request): boolean;
	/** A request that is no cell has this id. */
	readonly asked: (request: string) => boolean;
	/** An answer to what was asked. */
	see(message: KernelMessage): void;
	/** The server keeps what it has sent until it has come, as far as is known. */
	readonly isKept: () => boolean;
	/** The messages of an earlier program were so many. */
	goOnBehind(came: number): void;
	breakOff(): void;
	close(): void;
};

type Events = {
	/** The how-manieth of the session it is. */
	readonly onText: (text: string, number: number) => void;
	readonly onOpen: () => void;
	/** True: it is to be opened again. */
	readonly onBreak: () => boolean;
	readonly onGone: () => void;
	readonly onTooLarge: () => void;
	/** A cell runs, so it is the session's channel that is needed. */
	readonly hasCells: () => boolean;
	readonly isOver: () => boolean;
};

/** Opens nothing yet. `address`: of the server. */
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
	/** Messages that came in this session. */
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
					// It would be sent again.
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
		if (probes.size > KEPT_PROBES && oldest !== undefined) probes.delete(oldest);
		return socket.send(text);
	};
	const isBusy = async (): Promise<boolean> => {
		const answer = await rest('GET', `kernels/${kernel}`);
		return kernelState.safeParse(answer?.json).data?.execution_state === 'busy';
	};
	/** A channel is used once the kernel was heard on it: a server may open one that stays silent for ever, and what is published before is lost. */
	const prove = async (limit: number): Promise<boolean> => {
		const until = Date.now() + limit;
		heard = {reply: false, published: false};
		// Each question is answered in the end: a slow kernel gets few.
		for (let pause = ASK_AGAIN_MS; Date.now() < until; pause *= 2) {
			if (!infoRequests(session).every(ask)) return false;
			const next = Math.min(until, Date.now() + pause);
			while (Date.now() < next) {
				if (heard.reply && heard.published) return true;
				await sleep(LOOK_EVERY_MS);
			}
		}
		return false;
	};
	const reach = async (): Promise<boolean> => {
		for (const limit of CHANNEL_LIMITS_MS) {
			if (events.isOver() || !(await socket.open())) return false;
			if (isProven || events.hasCells()) return true;
			isHeard = await prove(limit);
			// A server may go on to call a kernel busy that ended and was started again.
			isProven = isHeard || (await isBusy());
			if (isProven) return true;
			// The server may hold the channel of a kernel that died for the old session.
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
			came = number;
		},
		breakOff: () => socket.breakOff(),
		close: () => socket.close(),
	};
};
