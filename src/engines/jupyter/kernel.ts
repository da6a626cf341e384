import * as z from 'zod';
import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {INTERRUPT_LIMIT_MS} from '../cell-errors.ts';
import type {CellOutput} from '../../contract/cells.ts';
import {createOutputBuffer} from '../../kernel/output-buffer.ts';
import {
	addFailure,
	collectMessage,
	executeRequest,
	failureIn,
	infoRequests,
	parseMessage,
	type KernelMessage,
} from '../../kernel/messages.ts';
import {callJupyter, type JupyterAddress} from './rest.ts';

const OPEN_LIMIT_MS = 60_000;

// The types of highlight.js declare the browser's WebSocket, which takes no headers, unlike Node's
// WebSocket.
const NodeWebSocket = WebSocket as unknown as new (
	address: string,
	init: {readonly headers: Readonly<Record<string, string>>},
) => WebSocket;

/** Opens the WebSocket to a kernel's channels. @throws {Error} if that fails. */
const openSocket = async (
	{url, token, agent, mayBreak = false}: JupyterAddress,
	kernelId: string,
	session: string,
	/** Number of messages already received in this session. */
	came: number,
): Promise<WebSocket> => {
	const address = `${url.replace(/^http/, 'ws')}api/kernels/${kernelId}/channels?session_id=${session}`;
	// The token is sent in a header, because addresses appear in logs.
	const headers = {authorization: `token ${token}`, ...(mayBreak && {'last-event-id': String(came)})};
	const socket = agent
		? await (await import('./agent-call.ts')).socketOver(agent, address, headers)
		: new NodeWebSocket(address, {headers});
	const limit = setTimeout(() => socket.close(), OPEN_LIMIT_MS);
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	const fail = (): void => reject(new Error('no channel to the kernel'));
	socket.addEventListener('open', () => resolve(), {once: true});
	socket.addEventListener('error', fail, {once: true});
	socket.addEventListener('close', fail, {once: true});
	await promise.finally(() => clearTimeout(limit));
	return socket;
};

/** Interval between interrupts, in ms. A kernel may miss an interrupt just before code starts. */
const INTERRUPT_AGAIN_MS = 1000;
/**
 * Time limit for the first responses on a channel, in ms. A restarted kernel may use other ports
 * than the channel, so that none arrive.
 */
const CHANNEL_LIMIT_MS = 1500;
const ASK_AGAIN_MS = 300;
const LOOK_EVERY_MS = 4;
const RECONNECT_MS = 15_000;
/** `RECONNECT_MS` for a server whose connection may be broken for a long time. */
const LONG_RECONNECT_MS = 30 * 60_000;
/** Time after which a server that a hub's proxy reports as missing counts as gone, in ms. */
const GONE_MS = 2000;
const RECONNECT_PAUSE_MS = 250;

/**
 * Outcome of a cell. `early`: interrupted before it started. `restarted`: the code ignored the
 * interrupt. `died`: the server restarts the kernel. `dead`: the server has given up restarting it.
 * `lost`: the server is unreachable or does not know the kernel. `unsent`: the kernel was lost
 * before the cell was sent.
 */
export type Outcome =
	| {readonly kind: 'done'; readonly count: number}
	| {readonly kind: 'early' | 'restarted' | 'died' | 'dead' | 'lost' | 'unsent'};

type Pending = {
	readonly id: string;
	began: boolean;
	count: number | null;
	idle: boolean;
	failure: CellOutput | null;
	readonly settle: (outcome: Outcome) => void;
};

const kernelState = z.object({execution_state: z.string()});

/** Connects to a running kernel. @throws {Error} if the channel cannot be opened. */
export const connectKernel = async (
	server: JupyterAddress,
	kernelId: string,
	{
		reborn = false,
	}: {
		/** True if the kernel has just died. */
		readonly reborn?: boolean;
	} = {},
) => {
	// Id under which the server buffers messages while the channel is broken. The server then also
	// keeps using the kernel's old ports.
	let session = randomUUID();
	const sessions = new Set<string>([session]);
	let came = 0;
	const buffer = createOutputBuffer();
	let pending: Pending | null = null;
	let died = false;
	let closed = false;
	/** Cells whose caller no longer waits. Interrupted when they start; their output is dropped. */
	const abandoned = new Set<string>();
	/** Abandoned cells that are running. */
	const unwanted = new Set<string>();

	const call = (what: 'interrupt' | 'restart'): Promise<unknown> =>
		callJupyter(server, 'POST', `api/kernels/${kernelId}/${what}`).catch(() => undefined);

	/**
	 * Interrupts repeatedly until `isOver`. After a time limit, restarts the kernel and settles its
	 * cell with `kind`.
	 */
	const stop = async (isOver: () => boolean, kind: 'restarted' | 'unsent'): Promise<void> => {
		const until = Date.now() + INTERRUPT_LIMIT_MS;
		while (!isOver() && Date.now() < until) {
			await call('interrupt');
			await sleep(INTERRUPT_AGAIN_MS);
		}
		if (isOver()) return;
		await call('restart');
		pending?.settle({kind});
	};

	/**
	 * Ids of requests that test the channel in both directions. Needed because messages published
	 * before the channel's subscription are lost.
	 */
	const probes = new Set<string>();
	let answered = {reply: false, published: false};

	const onProbe = ({msg_type: type}: KernelMessage): void => {
		if (type === 'kernel_info_reply') answered.reply = true;
		if (type === 'status') answered.published = true;
	};
	const onStatus = (state: unknown, parent: string): void => {
		if (state === 'busy' && abandoned.has(parent)) {
			unwanted.add(parent);
			void stop(() => !unwanted.has(parent), 'unsent');
		}
		if (state === 'idle') unwanted.delete(parent);
		if (state === 'restarting' || state === 'dead') {
			died = true;
			pending?.settle({kind: state === 'dead' ? 'dead' : 'died'});
		} else if (pending?.id === parent) {
			if (state === 'busy') pending.began = true;
			if (state === 'idle') pending.idle = true;
		}
	};
	const receive = (message: KernelMessage): void => {
		const {msg_type: type, parent_header: parent, content} = message;
		if (probes.has(parent.msg_id)) {
			onProbe(message);
			return;
		}
		if (type === 'status') onStatus(content['execution_state'], parent.msg_id);
		// Ignores cells of other clients. Late output of a thread is added to the next cell.
		else if (sessions.has(parent.session) && !abandoned.has(parent.msg_id)) {
			collectMessage(buffer, message);
			const count = content['execution_count'];
			if (type === 'execute_reply' && pending?.id === parent.msg_id) {
				pending.count = typeof count === 'number' ? count : 0;
				pending.failure = failureIn(message);
			}
		}
		if (pending === null || !pending.idle || pending.count === null) return;
		addFailure(buffer, buffer.look(), pending.failure);
		pending.settle({kind: 'done', count: pending.count});
	};

	const isAwake = async (opened: WebSocket): Promise<boolean> => {
		answered = {reply: false, published: false};
		const until = Date.now() + CHANNEL_LIMIT_MS;
		while (Date.now() < until && opened.readyState === WebSocket.OPEN) {
			for (const {id, text} of infoRequests(session)) {
				probes.add(id);
				opened.send(text);
			}
			for (let waited = 0; waited < ASK_AGAIN_MS; waited += LOOK_EVERY_MS) {
				if (answered.reply && answered.published) return true;
				await sleep(LOOK_EVERY_MS);
			}
		}
		return false;
	};
	const connect = async (): Promise<WebSocket> => {
		const until = Date.now() + OPEN_LIMIT_MS;
		for (;;) {
			const opened = await openSocket(server, kernelId, session, came);
			opened.addEventListener('message', ({data}) => {
				came++;
				const message = parseMessage(data);
				if (message) receive(message);
			});
			const awake = await isAwake(opened);
			if (awake || Date.now() > until || (await isBusy())) {
				opened.addEventListener('close', () => void reconnect());
				if (opened.readyState !== WebSocket.OPEN) void reconnect();
				return opened;
			}
			opened.close();
			if (pending !== null) throw new Error('no channel to the kernel');
			session = randomUUID();
			sessions.add(session);
			came = 0;
		}
	};
	/**
	 * True if the kernel is running code, during which some kernels do not respond. A dead kernel's
	 * state is outdated, so it counts as not busy.
	 */
	const isBusy = async (): Promise<boolean> => {
		if (reborn || died) return false;
		const {json} = await callJupyter(server, 'GET', `api/kernels/${kernelId}`).catch(() => ({
			json: undefined,
		}));
		return kernelState.safeParse(json).data?.execution_state === 'busy';
	};
	/** Reconnects during a cell. Between cells, the next cell opens the channel anyway. */
	const reconnect = async (): Promise<void> => {
		const until = Date.now() + (server.mayBreak === true ? LONG_RECONNECT_MS : RECONNECT_MS);
		let goneSince = Infinity;
		while (pending !== null && !closed) {
			const kernel = await callJupyter(server, 'GET', `api/kernels/${kernelId}`).catch(() => null);
			goneSince = kernel === null || kernel.status === 200 ? Infinity : Math.min(goneSince, Date.now());
			if (kernel?.status === 404 || Date.now() > Math.min(until, goneSince + GONE_MS)) {
				pending?.settle({kind: 'lost'});
				return;
			}
			try {
				socket = await connect();
				return;
			} catch {
				await sleep(RECONNECT_PAUSE_MS);
			}
		}
	};
	let socket = await connect();

	return {
		buffer,
		/** Runs one cell and collects its outputs in `buffer`. Never rejects. */
		async execute(code: string, signal?: AbortSignal): Promise<Outcome> {
			const {promise, resolve} = Promise.withResolvers<Outcome>();
			const {id, text} = executeRequest(session, code, {answers: false});
			const cell: Pending = {id, began: false, count: null, idle: false, failure: null, settle: resolve};
			const onAbort = (): void => {
				if (cell.began) {
					void stop(() => pending !== cell, 'restarted');
				} else {
					abandoned.add(id);
					resolve({kind: 'early'});
				}
			};
			try {
				if (socket.readyState !== WebSocket.OPEN) socket = await connect();
				pending = cell;
				socket.send(text);
			} catch {
				pending = null;
				return {kind: 'unsent'};
			}
			signal?.addEventListener('abort', onAbort, {once: true});
			if (signal?.aborted) onAbort();
			const outcome = await promise;
			signal?.removeEventListener('abort', onAbort);
			pending = null;
			return outcome;
		},
		/** Returns true once after each death of the kernel between two cells. */
		consumeDeath(): boolean {
			const was = died;
			died = false;
			return was;
		},
		close(): void {
			closed = true;
			pending?.settle({kind: 'lost'});
			socket.close();
		},
	};
};

export type Kernel = Awaited<ReturnType<typeof connectKernel>>;
