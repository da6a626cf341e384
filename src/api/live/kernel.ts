// One kernel behind one channel: its cells, and what comes of them. Long, since a cell ends in many ways that share what is known of it.
import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import * as z from 'zod';
import type {KeptLive, LiveCell, LiveCompletion, LiveEnd, LiveHow, LiveRecord} from '../client-types.ts';
import {
	completeRequest,
	completionIn,
	displayUpdate,
	executeRequest,
	infoRequests,
	inputReply,
	inspectionIn,
	inspectRequest,
	parseMessage,
	type KernelMessage,
	type Request,
} from '../../contract/kernel-messages.ts';
import {createCellOutputs, type CellOutputs} from './cell-outputs.ts';
import {createKernelLife} from './kernel-life.ts';
import {createMessageCount} from './message-count.ts';
import {createMessageOrder} from './message-order.ts';
import {echoLine, keptLines, messageLine} from './kept-lines.ts';
import {createQuestions, type Questions} from './questions.ts';
import type {Rest} from './rest.ts';
import {createSocket, type Socket, type SocketPlace} from './socket.ts';

/** For which a broken channel is opened again while a cell runs. */
const PATIENCE_MS = 30 * 60_000;
const CHANNEL_LIMIT_MS = 1500;
const ASK_AGAIN_MS = 300;
const LOOK_EVERY_MS = 4;
/** After a cut: a channel that is silent for so long is asked whether it still is one. */
const SILENT_MS = 4000;
const WATCH_MS = 1000;
/** A channel that answers nothing is opened anew so many times while a cell runs: a kernel may be too busy to answer. */
const MOST_OPENED = 5;
/** What was printed before a question comes another way, and may come a little later. */
const STRAGGLER_MS = 50;
/** A question about names is given up after so long: a kernel that works for somebody else answers afterwards. */
const ANSWER_MS = 5000;
const INTERRUPT_AGAIN_MS = 1000;
/** A second interrupt ends the first one's traceback, which a busy machine may take seconds to write. */
const INTERRUPT_BEGUN_MS = 10_000;
const MOST_INTERRUPTS = 10;
/** Questions whose answers may still come. */
const KEPT_PROBES = 100;
/** Cells that are over and whose late outputs are still taken, and what they may hold. */
const KEPT_CELLS = 200;
const KEPT_SIZE = 16 << 20;

export type LiveKernel = {
	run(code: string, onChange: () => void, record?: LiveRecord, how?: LiveHow): LiveCell;
	/** The kernel has to be opened with the session of the cell. */
	goOn(kept: KeptLive, onChange: () => void, record: LiveRecord): LiveCell;
	complete(code: string, cursor: number): Promise<LiveCompletion | null>;
	inspect(code: string, cursor: number, detail: 0 | 1): Promise<string | null>;
	close(isLost?: boolean): void;
	/** It is gone, or was started again: the next cell asks for it anew. */
	readonly isOver: () => boolean;
	readonly id: string;
	/** It was started again. */
	wasRestarted(): void;
};

type Cell = {
	readonly outputs: CellOutputs;
	readonly questions: Questions;
	readonly onChange: () => void;
	readonly settle: (end: LiveEnd) => void;
	readonly record: LiveRecord | undefined;
	over: boolean;
	idle: boolean;
	replied: boolean;
	wasCut: boolean;
	/** Messages of it so far. */
	heard: number;
};

type Behind = {
	readonly id: string;
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly cells: readonly Cell[];
	replied: boolean;
	idle: boolean;
};

const kernelState = z.object({execution_state: z.string()});
const LOST = 'its names are lost, files are kept';

const unknownEnd = (message: string): LiveEnd => ({
	kind: 'failed',
	failure: {
		kind: 'connection-lost',
		method: '',
		path: '',
		message,
		advice: 'It is not sent again. Look what it did before you run it once more.',
	},
});

export const createLiveKernel = (
	id: string,
	rest: Rest,
	place: Omit<SocketPlace, 'address'>,
	base: URL,
	session: string = randomUUID(),
): LiveKernel => {
	const cells = new Map<string, Cell>();
	const asked = new Map<string, (message: KernelMessage) => void>();
	/** Requests that are no cells: what the kernel says of them is no output. */
	const probes = new Set<string>();
	const life = createKernelLife(id);
	const count = createMessageCount(parent => cells.has(parent) || probes.has(parent));
	let socket: Socket;
	let heardAt = 0;
	let isOver = false;
	let isProven = false;
	let watching = false;
	let breaks = 0;
	let heard = {reply: false, published: false};
	/** Messages that came in this session. */
	let came = 0;
	/** Asked on shell behind cells whose end may be lost. */
	let behind: Behind | null = null;

	const noteProbe = (probe: string): void => {
		probes.add(probe);
		const [oldest] = probes;
		if (probes.size > KEPT_PROBES && oldest !== undefined) probes.delete(oldest);
	};
	const pending = (): readonly Cell[] => [...cells.values()].filter(cell => !cell.over);
	/** Cells that are over are forgotten, the oldest first. */
	const tidy = (): void => {
		const done = [...cells].filter(([, cell]) => cell.over);
		let size = done.reduce((sum, [, {outputs}]) => sum + outputs.size(), 0);
		let left = done.length;
		for (const [key, {outputs}] of done) {
			if (left <= KEPT_CELLS && size <= KEPT_SIZE) break;
			cells.delete(key);
			size -= outputs.size();
			left--;
		}
	};
	const finish = (cell: Cell, end: LiveEnd): void => {
		if (cell.over) return;
		cell.over = true;
		cell.settle(end);
		tidy();
	};
	const finishAll = (end: (cell: Cell) => LiveEnd): void => {
		for (const cell of pending()) finish(cell, end(cell));
	};
	const died = (state: 'restarting' | 'dead' | 'ended'): void => {
		if (isOver) return;
		isOver = true;
		finishAll(cell => {
			cell.outputs.fail(
				'KernelDied',
				state === 'dead'
					? `The kernel died and cannot be started again: ${LOST}.`
					: state === 'ended'
						? `The kernel was shut down: ${LOST}.`
						: `The kernel ended and was started again: ${LOST}.`,
			);
			return {kind: 'done'};
		});
		socket.close();
	};
	const settleIfDone = (cell: Cell): void => {
		if (!cell.idle || !cell.replied || cell.over) return;
		if (cell.wasCut) {
			const missing = count.missing();
			if (missing !== 0)
				cell.outputs.say(
					missing === null
						? '[The connection broke while this ran: some of its output may be missing.]\n'
						: `[The connection broke while this ran: ${missing} message${missing === 1 ? '' : 's'} of the kernel did not come, so output may be missing.]\n`,
				);
		}
		finish(cell, {kind: 'done'});
	};
	const changeDisplays = (message: KernelMessage, size: number): void => {
		const update = displayUpdate(message);
		if (update === null) return;
		for (const cell of cells.values()) if (cell.outputs.update(update, size)) cell.onChange();
	};
	const take = (message: KernelMessage, size: number): void => {
		const {msg_type: type, content, parent_header: parent} = message;
		const ended = life.see(message, session);
		if (ended !== null) return died(ended);
		if (probes.has(parent.msg_id)) {
			if (type === 'kernel_info_reply') heard.reply = true;
			if (type === 'status') heard.published = true;
			if (parent.msg_id === behind?.id) {
				if (type === 'kernel_info_reply') behind.replied = true;
				if (type === 'status' && content['execution_state'] === 'idle') behind.idle = true;
				if (behind.replied && behind.idle) endBefore(behind.cells);
			}
			if (type.endsWith('_reply')) asked.get(parent.msg_id)?.(message);
			return;
		}
		const state = content['execution_state'];
		if (type === 'status' && (state === 'restarting' || state === 'dead')) return died(state);
		// A display may be changed by whoever uses the kernel.
		if (type === 'update_display_data') changeDisplays(message, size);
		const cell = cells.get(parent.msg_id);
		if (cell === undefined) return;
		cell.heard++;
		if (type === 'input_request') {
			if (count.missing() === 0) cell.questions.ask(message);
			else setTimeout(() => !cell.over && cell.questions.ask(message), STRAGGLER_MS).unref();
			return;
		}
		if (type === 'status') cell.idle ||= state === 'idle';
		else if (type !== 'update_display_data') {
			cell.outputs.receive(message, size);
			cell.onChange();
		}
		if (type === 'execute_reply') cell.replied = true;
		settleIfDone(cell);
	};

	const order = createMessageOrder(
		() => pending().some(({wasCut}) => wasCut),
		parent => cells.has(parent) || probes.has(parent),
		take,
	);
	const receive = (text: string): void => {
		came++;
		const message = parseMessage(text);
		if (message === null) return;
		heardAt = Date.now();
		// Also what is not of the cell: its number would be missed.
		for (const cell of pending()) cell.record?.add(messageLine(came, text));
		count.see(message);
		order.take(message, text.length);
	};

	/** What was asked behind cells on the kernel's shell is answered, so they are over: the end of those that wait was lost. */
	const endBefore = (before: readonly Cell[]): void => {
		behind = null;
		for (const cell of before) {
			if (cell.over) continue;
			if (cell.idle || cell.replied) {
				cell.idle = true;
				cell.replied = true;
				settleIfDone(cell);
			} else
				finish(
					cell,
					unknownEnd('The connection broke while it ran, and how it ended is not known: it is over.'),
				);
		}
	};
	/**
	 * After a cut: a channel may stay silent for ever, and the end of a cell may be lost. What the server calls the kernel says nothing: it is
	 * `idle` behind every answer on the control channel, whatever runs.
	 */
	const watch = async (): Promise<void> => {
		if (watching) return;
		watching = true;
		let opened = 0;
		let patience = SILENT_MS;
		while (pending().some(({wasCut}) => wasCut)) {
			await sleep(WATCH_MS, undefined, {ref: false});
			const silent = Date.now() - heardAt;
			if (silent < SILENT_MS) continue;
			const answer = await rest('GET', `kernels/${id}`);
			if (answer?.status === 404) {
				isOver = true;
				finishAll(() => unknownEnd('The kernel is not there any more, and how the cell ended is not known.'));
			}
			if (answer?.status !== 200 || !(await socket.open()) || Date.now() - heardAt < SILENT_MS) continue;
			if (behind === null || Date.now() - behind.at > patience) {
				// It did not answer either, not even on control.
				if (behind !== null && heardAt < behind.at && opened < MOST_OPENED) {
					opened++;
					patience *= 2;
					socket.breakOff();
					continue;
				}
				askBehind();
			}
		}
		behind = null;
		watching = false;
	};
	/** Asks on control, which is heard at once, and behind the cells on shell. */
	const askBehind = (): void => {
		const [shell, control] = infoRequests(session);
		for (const {id: probe, text} of [shell, control]) {
			noteProbe(probe);
			if (!socket.send(text)) return;
		}
		behind = {id: shell.id, at: Date.now(), cells: pending(), replied: false, idle: false};
	};
	const newSocket = (): Socket =>
		createSocket(
			{
				...place,
				came: () => came,
				address: `${base.href.replace(/^http/, 'ws')}api/kernels/${encodeURIComponent(id)}/channels?session_id=${session}`,
			},
			PATIENCE_MS,
			{
				onText: receive,
				onBreak() {
					isProven = false;
					breaks++;
					behind = null;
					for (const cell of pending()) cell.wasCut = true;
					void watch();
					return pending().length > 0;
				},
				onGone() {
					isOver = true;
					finishAll(() =>
						unknownEnd(
							'The connection broke while it ran and cannot be opened again; how it ended is not known.',
						),
					);
				},
				onTooLarge() {
					// It would be sent again.
					came++;
					for (const cell of pending())
						cell.outputs.say('[One output was larger than 64 MiB and was left out.]\n');
				},
			},
		);
	socket = newSocket();

	const isBusy = async (): Promise<boolean> => {
		const answer = await rest('GET', `kernels/${id}`);
		return kernelState.safeParse(answer?.json).data?.execution_state === 'busy';
	};
	/** A channel is used once the kernel was heard on it: a server may open one that stays silent for ever, and what is published before is lost. */
	const prove = async (): Promise<boolean> => {
		const until = Date.now() + CHANNEL_LIMIT_MS;
		heard = {reply: false, published: false};
		while (Date.now() < until) {
			for (const {id: probe, text} of infoRequests(session)) {
				noteProbe(probe);
				if (!socket.send(text)) return false;
			}
			for (let waited = 0; waited < ASK_AGAIN_MS; waited += LOOK_EVERY_MS) {
				if (heard.reply && heard.published) return true;
				await sleep(LOOK_EVERY_MS);
			}
		}
		return false;
	};
	const reach = async (): Promise<boolean> => {
		for (let tries = 0; tries < 3 && !isOver; tries++) {
			if (!(await socket.open())) return false;
			if (isProven || pending().length > 0) return true;
			isProven = (await prove()) || (await isBusy());
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
	const ready = async (): Promise<boolean> => {
		reaching ??= reach().finally(() => {
			reaching = null;
		});
		return reaching;
	};

	/**
	 * Sends what a cell waits for, and again where the connection broke before anything more came of it. A kernel throws away what comes when it
	 * asks for nothing.
	 */
	const deliver = async (cell: Cell, reply: string): Promise<void> => {
		const {heard: before} = cell;
		const isMissing = (): boolean => !cell.over && cell.heard === before;
		while (isMissing()) {
			const since = breaks;
			const isSent = (await socket.open()) && isMissing() && socket.send(reply);
			do await sleep(ASK_AGAIN_MS, undefined, {ref: false});
			while (isSent && isMissing() && breaks === since);
			// What the server kept meanwhile comes first.
			if (isSent && isMissing() && (await socket.open())) await sleep(ASK_AGAIN_MS, undefined, {ref: false});
		}
	};

	/** Asks what counts as no cell; null while one of ours runs, and where no answer comes. */
	const ask = async <T>(
		requestFor: (session: string) => Request,
		read: (message: KernelMessage) => T | null,
	): Promise<T | null> => {
		if (pending().length > 0 || !(await ready())) return null;
		const request = requestFor(session);
		const {promise, resolve} = Promise.withResolvers<T | null>();
		const limit = setTimeout(() => resolve(null), ANSWER_MS);
		noteProbe(request.id);
		asked.set(request.id, message => resolve(read(message)));
		if (!socket.send(request.text)) resolve(null);
		const found = await promise;
		clearTimeout(limit);
		asked.delete(request.id);
		return found;
	};

	/** What the screens have of a cell, before it was sent too. */
	const follow = (code: string, onChange: () => void, record: LiveRecord | undefined, how: LiveHow = {}) => {
		const outputs = createCellOutputs(code, how.taker);
		const {promise, resolve} = Promise.withResolvers<LiveEnd>();
		let sent: Cell | null = null;
		const questions = createQuestions(outputs, onChange, async (message, text, echo) => {
			if (sent === null) return;
			record?.add(echoLine(echo));
			await deliver(sent, inputReply(session, message, text).text);
		});
		let stopped = false;
		const interrupt = async (): Promise<void> => {
			stopped = true;
			// The kernel may not heed one that came just before the code began.
			for (let tries = 0; tries < MOST_INTERRUPTS && sent !== null && !sent.over; tries++) {
				await rest('POST', `kernels/${id}/interrupt`);
				// Its code is told of once it runs: behind `busy`.
				const wait = sent.heard > 1 ? INTERRUPT_BEGUN_MS : INTERRUPT_AGAIN_MS;
				await Promise.race([promise, sleep(wait, undefined, {ref: false})]);
			}
		};
		const live: LiveCell = {
			ended: promise,
			now: outputs.look,
			size: outputs.size,
			interrupt: () => void interrupt(),
			life: life.now,
			asks: () => (sent?.over === false ? questions.open() : null),
			answer: questions.answer,
		};
		return {
			live,
			settle: resolve,
			cellFor: (): Cell => ({
				outputs,
				questions,
				onChange,
				settle: resolve,
				record,
				over: false,
				idle: false,
				replied: false,
				wasCut: false,
				heard: 0,
			}),
			began(cell: Cell) {
				sent = cell;
				heardAt = Date.now();
				if (stopped) void interrupt();
			},
		};
	};

	return {
		id,
		isOver: () => isOver,
		wasRestarted: () => died('restarting'),
		run(code, onChange, record, how = {}) {
			const {live, settle, cellFor, began} = follow(code, onChange, record, how);
			const send = async (): Promise<void> => {
				if (!(await ready()) || isOver)
					return settle({kind: 'unsent', ...(isOver && {isNew: true as const})});
				const request = executeRequest(session, code, {
					answers: how.answers ?? true,
					silent: how.silent ?? false,
				});
				if (pending().length === 0) count.begin();
				const cell = cellFor();
				cells.set(request.id, cell);
				record?.begin({kernel: id, session, request: request.id, source: code});
				if (!socket.send(request.text)) {
					cells.delete(request.id);
					return settle({kind: 'unsent'});
				}
				began(cell);
			};
			void send();
			return live;
		},
		goOn({at, lines}, onChange, record) {
			const {live, settle, cellFor, began} = follow(at.source, onChange, record);
			const cell = cellFor();
			cell.wasCut = true;
			cells.set(at.request, cell);
			began(cell);
			for (const {number, text, echo} of keptLines(lines)) {
				if (echo !== undefined) cell.questions.wasAnswered(echo);
				if (text === undefined) continue;
				came = number;
				const message = parseMessage(text);
				if (message === null) continue;
				count.see(message);
				order.take(message, text.length);
			}
			onChange();
			const open = async (): Promise<void> => {
				if (cell.over) return;
				if (!(await socket.open())) return settle({kind: 'unsent'});
				void watch();
			};
			void open();
			return live;
		},
		complete: (code, cursor) =>
			ask(
				of => completeRequest(of, code, cursor),
				message => completionIn(message, code),
			),
		inspect: (code, cursor, detail) => ask(of => inspectRequest(of, code, cursor, detail), inspectionIn),
		close(isLost = false) {
			isOver = true;
			socket.close();
			if (isLost)
				finishAll(() =>
					unknownEnd(
						`The connection to ${base.host} was lost before the answer was complete: the server stopped.`,
					),
				);
		},
	};
};
