// Kernel with Jupyter's message protocol. Requests are queued, and all clients receive all output.
import {randomUUID} from 'node:crypto';
import type {CellOutput} from '../../contract/cells.ts';
import type {Cell, CellEnd, KernelEvent, LiveKernel} from '../../engines/live-kernel.ts';
import {fieldsOf} from '../../text/record.ts';
import {createComposer, kernelInfo} from './compose.ts';
import {createHistory} from './history.ts';
import type {Line, ReplayBuffer} from './replay-buffer.ts';
import {createReplayBuffers} from './replay-buffers.ts';
import {createRequestQueue, MOST_WAITING, WAITING_BYTES} from './request-queue.ts';
import type {Header, Incoming} from './wire.ts';
import {messageOf} from '../../text/errors.ts';

/** Control requests that are accepted beyond the limits, because they shorten the queue. */
const URGENT: ReadonlySet<string> = new Set(['interrupt_request', 'shutdown_request']);

/** Message for a client that tries to end a kernel that other clients use. */
export const SHARED =
	'Other clients use this kernel and would lose their variables. Shut it down to release it, or restart it in svc-tui with :restart.';

export type KernelModel = {
	readonly id: string;
	readonly name: string;
	readonly last_activity: string;
	readonly execution_state: string;
	readonly connections: number;
};

export type EmulatedKernel = {
	readonly name: string;
	model(): KernelModel;
	/**
	 * Connects a client. `received`: as in {@link ReplayBuffer.open}. `mayEnd`: returns true if
	 * this client may delete the kernel's variables, which others may use.
	 */
	connect(
		session: string,
		line: Line,
		received: number | null,
		mayEnd?: () => boolean,
	): {readonly receive: (message: Incoming) => void; readonly leave: () => void};
	/** Time of the last use, in ms since the epoch. The current time while a cell runs. */
	lastUsed(): number;
	/** True if code has run since the kernel was last started. */
	holdsVariables(): boolean;
	interrupt(): void;
	restart(): Promise<void>;
	/** Notifies all clients that the kernel has ended permanently. */
	tellDead(): void;
	close(): void;
};

type Content = Readonly<Record<string, unknown>>;
type Asked = {
	readonly message: Incoming;
	readonly buffer: ReplayBuffer;
	readonly number: number;
	/** Size of the message, in bytes. */
	readonly size: number;
	readonly mayEnd: () => boolean;
};
type Running = {readonly parent: Header | null; readonly buffer: ReplayBuffer | null; shown: boolean};

const outputContent = ({output_type: _, ...content}: CellOutput): Content =>
	content['data'] === undefined || content['execution_count'] !== undefined
		? content
		: {...content, transient: content['transient'] ?? {}};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Emulates a kernel. @param onBegin Called when a cell starts that was not sent by a client. */
export const createEmulatedKernel = (live: LiveKernel, onBegin: () => void): EmulatedKernel => {
	const id = randomUUID();
	const history = createHistory();
	const running = new Map<Cell, Running>();
	let asked = 0;
	/** Highest number of a request whose cell is skipped, because an earlier cell failed. */
	let abortedUpTo = 0;
	let state = 'idle';
	let lastActivity = Date.now();
	let holdsVariables = false;
	/** Last cell. Its outputs may still arrive after it has ended. */
	let lastCell: Running = {parent: null, buffer: null, shown: false};

	const {compose, aside, note, headerOf, skip, renew} = createComposer();
	const buffers = createReplayBuffers(({parent}, count) =>
		note(parent, `${count} outputs dropped: they arrived faster than they could be read`),
	);
	const publish = (type: string, parent: Header | null, content: object): void =>
		buffers.tell(compose('iopub', type, parent, content));
	const setState = (now: string, parent: Header | null): void => {
		state = now;
		publish('status', parent, {execution_state: now});
	};

	const onEvent = (news: KernelEvent): void => {
		lastActivity = Date.now();
		if (news.type === 'restarting') {
			history.clear();
			holdsVariables = false;
			setState('restarting', null);
		} else if (news.type === 'started') {
			renew();
			setState('starting', null);
			setState('idle', null);
		} else if (news.type === 'begin') {
			const {cell, execution_count: count} = news;
			holdsVariables = true;
			let mine = running.get(cell);
			if (!mine) {
				// Cell run by the service itself. It was not sent by any client, and all clients
				// may see it.
				onBegin();
				mine = {parent: headerOf('execute_request'), buffer: null, shown: false};
				running.set(cell, mine);
				setState('busy', mine.parent);
			}
			lastCell = mine;
			if (cell.silent !== true)
				publish('execute_input', mine.parent, {code: cell.code, execution_count: count});
			if (cell.uncounted !== true) history.add(count, cell.code);
		} else if (news.type === 'output') {
			const mine = (news.cell && running.get(news.cell)) ?? lastCell;
			mine.shown = true;
			publish(news.output.output_type, mine.parent, outputContent(news.output));
		} else if (news.type === 'input') {
			const {parent, buffer} = running.get(news.cell) ?? lastCell;
			buffer?.push(compose('stdin', 'input_request', parent, {prompt: news.prompt, password: news.password}));
		} else {
			const mine = running.get(news.cell);
			running.delete(news.cell);
			// The end of a cell that a client sent follows the reply. It is sent in `handle`.
			if (mine && mine.buffer === null) {
				skip();
				setState('idle', mine.parent);
			}
		}
	};
	const stopWatching = live.watch(onEvent);

	const errorOf = ({error}: CellEnd): Content => ({
		ename: text(error?.['ename']),
		evalue: text(error?.['evalue']),
		traceback: Array.isArray(error?.['traceback']) ? error['traceback'] : [],
	});
	const execute = async ({message, buffer, number}: Asked): Promise<Content> => {
		const {header, content} = message;
		if (number <= abortedUpTo) return {status: 'aborted'};
		const silent = content['silent'] === true;
		const cell: Cell = {
			code: text(content['code']),
			silent,
			uncounted: silent || content['store_history'] === false,
			stdin: content['allow_stdin'] !== false,
		};
		running.set(cell, {parent: header, buffer, shown: false});
		const end = await live.run(cell).finally(() => running.delete(cell));
		const reply = {execution_count: end.execution_count, payload: []};
		if (end.error) {
			if (!silent && content['stop_on_error'] !== false) abortedUpTo = asked;
			return {status: 'error', ...reply, ...errorOf(end), user_expressions: {}};
		}
		const wanted = fieldsOf(content['user_expressions']);
		const expressions = Object.keys(wanted).length === 0 ? {} : await live.ask('expressions', wanted);
		return {status: 'ok', ...reply, user_expressions: expressions ?? {}};
	};
	/** Content of the reply to a request. Null for requests that have no reply. */
	const answer = async (asking: Asked): Promise<Content | null> => {
		const {header, content} = asking.message;
		const code = text(content['code']);
		switch (header.msg_type) {
			case 'execute_request':
				return execute(asking);
			case 'kernel_info_request':
				return kernelInfo(live.python);
			case 'complete_request': {
				const position = typeof content['cursor_pos'] === 'number' ? content['cursor_pos'] : [...code].length;
				const none = {matches: [], cursor_start: position, cursor_end: position, metadata: {}, status: 'ok'};
				return fieldsOf((await live.ask('complete', {code, cursor_pos: position})) ?? none);
			}
			case 'inspect_request': {
				const position = typeof content['cursor_pos'] === 'number' ? content['cursor_pos'] : [...code].length;
				const level = content['detail_level'] === 1 ? 1 : 0;
				const found = await live.ask('inspect', {code, cursor_pos: position, detail_level: level});
				return fieldsOf(found ?? {status: 'ok', found: false, data: {}, metadata: {}});
			}
			case 'is_complete_request':
				return fieldsOf((await live.ask('is_complete', {code})) ?? {status: 'unknown'});
			case 'history_request':
				return history.answer(content);
			case 'comm_info_request':
				return {status: 'ok', comms: {}};
			case 'connect_request':
				return {status: 'ok'};
			case 'interrupt_request':
				live.interrupt();
				return {status: 'ok'};
			case 'shutdown_request': {
				const isRestart = content['restart'] === true;
				if (asking.mayEnd()) restart().catch(() => undefined);
				else if (isRestart)
					return {status: 'error', ename: 'KernelShared', evalue: SHARED, traceback: [], restart: true};
				return {status: 'ok', restart: isRestart};
			}
			default:
				return null;
		}
	};
	const handle = async (asking: Asked): Promise<void> => {
		const {channel, header} = asking.message;
		lastActivity = Date.now();
		// A status message during a cell would make clients think that the cell has ended.
		// Therefore it is sent only for queued requests, and while no cell runs.
		const sendsState = channel === 'shell' || running.size === 0;
		if (sendsState) setState('busy', header);
		const content = await answer(asking).catch((error: unknown) => ({
			status: 'error',
			ename: 'KernelClosed',
			evalue: messageOf(error),
			traceback: [],
		}));
		const reply = header.msg_type.replace(/_request$/, '_reply');
		if (content) asking.buffer.push((sendsState ? compose : aside)(channel, reply, header, content));
		if (sendsState) setState('idle', header);
		lastActivity = Date.now();
	};
	const queue = createRequestQueue(handle);
	/** Rejects a request. Only its own client is notified. */
	const refuse = ({message: {channel, header}, buffer}: Asked): void => {
		const error = {
			ename: 'TooManyRequests',
			evalue: `Too many requests are queued (limit: ${MOST_WAITING}, or ${WAITING_BYTES >> 20} MiB). Try again when one has finished.`,
			traceback: [],
		};
		const isCell = header.msg_type === 'execute_request';
		if (isCell) buffer.push(aside('iopub', 'error', header, error));
		const reply = header.msg_type.replace(/_request$/, '_reply');
		buffer.push(aside(channel, reply, header, {status: 'error', ...error}));
		// Clients wait for both the reply and this status.
		if (isCell) buffer.push(aside('iopub', 'status', header, {execution_state: 'idle'}));
	};
	const restart = async (): Promise<void> => {
		abortedUpTo = asked;
		await live.restart();
	};
	const receive = (message: Incoming, buffer: ReplayBuffer, mayEnd: () => boolean): void => {
		lastActivity = Date.now();
		const {channel, header, content} = message;
		if (channel === 'stdin') {
			if (header.msg_type === 'input_reply') live.input(text(content['value']));
			return;
		}
		if (channel === 'iopub') return;
		const asking: Asked = {message, buffer, number: ++asked, size: message.size, mayEnd};
		const isTaken =
			channel === 'control' ? queue.addAside(asking, URGENT.has(header.msg_type)) : queue.add(asking);
		if (!isTaken) refuse(asking);
	};

	return {
		name: 'python3',
		model: () => ({
			id,
			name: 'python3',
			last_activity: new Date(lastActivity).toISOString(),
			execution_state: state,
			connections: buffers.count(),
		}),
		connect(session, line, received, mayEnd = () => true) {
			const {buffer, known} = buffers.connect(session, line, received);
			for (const {parent, buffer: whose, shown} of running.values())
				if (!known && shown && whose !== buffer)
					buffer.push(
						note(
							JSON.stringify(parent ?? {}),
							'earlier output of this cell is not available on this connection (different session_id)',
						),
					);
			return {
				receive: message => receive(message, buffer, mayEnd),
				leave: () => buffers.leave(session, line),
			};
		},
		lastUsed: () => (running.size > 0 || queue.isWaiting() ? Date.now() : lastActivity),
		holdsVariables: () => holdsVariables,
		interrupt: () => live.interrupt(),
		restart,
		tellDead: () => setState('dead', null),
		close() {
			queue.clear();
			stopWatching();
			buffers.close();
		},
	};
};
