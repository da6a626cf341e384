import type {
	LiveRecording,
	Evaluated,
	EvaluateHow,
	LiveCell,
	LiveChange,
	LiveCompletion,
	LiveRunOptions,
	LiveRecorder,
} from '../client-types.ts';
import {
	displayUpdate,
	executeRequest,
	isAbort,
	parseMessage,
	type KernelMessage,
} from '../../kernel/messages.ts';
import {createWidgets} from '../../kernel/widgets.ts';
import {encodingError} from '../../contract/code-encoding.ts';
import {createCells, unknownEnd, type Cell} from './cells.ts';
import {createChannel} from './channel.ts';
import {createEvaluation} from './evaluation.ts';
import {createIntrospection} from './introspection.ts';
import {createKernelLife, kernelEndText, type KernelEnd} from './kernel-life.ts';
import {createMessageCount, missingOutputText} from './message-count.ts';
import {createMessageOrder} from './message-order.ts';
import {recordedLines, messageLine} from './record-lines.ts';
import type {Rest} from './rest.ts';
import {createRunningCell, type RunningCell} from './running-cell.ts';
import {createKernelWatchdog} from './kernel-watchdog.ts';
import type {SocketTarget} from './socket.ts';

/**
 * Delay of an input request, in ms, because output that was printed before it arrives on another
 * channel.
 */
const STRAGGLER_MS = 50;

export type LiveKernel = {
	run(code: string, onChange: LiveChange, record?: LiveRecorder, how?: LiveRunOptions): LiveCell;
	/** Resumes cells. The kernel must have been opened with their session. */
	goOn(left: LiveRecording, changes: readonly LiveChange[]): readonly LiveCell[];
	hears(): Promise<boolean>;
	complete(code: string, cursor: number): Promise<LiveCompletion | null>;
	inspect(code: string, cursor: number, detail: 0 | 1): Promise<string | null>;
	evaluate(
		expression: string,
		how?: EvaluateHow,
	): Promise<{readonly end: Evaluated; readonly life: string | null}>;
	close(isLost?: boolean): void;
	/**
	 * True after the kernel has ended or restarted. The kernel is then looked up again for the next
	 * cell.
	 */
	readonly isOver: () => boolean;
	readonly id: string;
	/** State that the kernel last reported over the channel. Null if it has reported none. */
	readonly heardState: () => 'busy' | 'idle' | null;
	/** Called when a client has restarted or shut down the kernel. */
	hasEnded(how: 'restarting' | 'ended'): void;
};

export const createLiveKernel = (
	id: string,
	rest: Rest,
	place: Omit<SocketTarget, 'address'>,
	base: URL,
	session?: string,
): LiveKernel => {
	const cells = createCells();
	const {pending, finish, finishAll} = cells;
	const life = createKernelLife(id);
	const widgets = createWidgets();
	const isOurs = (request: string): boolean => cells.has(request) || channel.asked(request);
	const count = createMessageCount(isOurs);
	let isOver = false;
	let heardState: 'busy' | 'idle' | null = null;
	let breaks = 0;
	let isReplaying = false;
	/** Number of cells of other clients since the last cell of this link. */
	let others = 0;

	/** False if the kernel has certainly not started the cell. */
	const mayHaveBegun = ({began, heard, wasCut}: Cell): boolean =>
		began || heard > 0 || (wasCut && !isWhole());
	const died = (state: KernelEnd): void => {
		if (isOver) return;
		isOver = true;
		// The first cell may have started, because its messages may have been lost with the kernel.
		const [first] = pending();
		finishAll(cell => {
			if (cell !== first && !mayHaveBegun(cell)) return {kind: 'not-run', why: 'kernel-ended'};
			cell.outputs.fail('KernelDied', kernelEndText(state));
			return {kind: 'done'};
		});
		evaluation.end();
		channel.close();
	};
	const settleIfDone = (cell: Cell): void => {
		if (!cell.idle || !cell.replied || cell.over) return;
		if (cell.wasAborted) return finish(cell, {kind: 'not-run', why: 'aborted'});
		if (cell.wasCut) {
			const missing = count.missing();
			if (missing !== 0) cell.outputs.say(missingOutputText(missing, channel.isKept()));
		}
		cell.outputs.end();
		finish(cell, {kind: 'done'});
	};
	const changeDisplays = (message: KernelMessage, size: number): void => {
		const update = displayUpdate(message);
		if (update === null) return;
		for (const cell of cells.values()) if (cell.outputs.update(update, size)) cell.onChange();
	};
	const take = (message: KernelMessage, size: number): void => {
		const {msg_type: type, content, parent_header: parent} = message;
		const state = content['execution_state'];
		if (type === 'status' && (state === 'busy' || state === 'idle')) heardState = state;
		const ended = life.see(message, channel.session());
		if (ended !== null) return died(ended);
		if (channel.asked(parent.msg_id)) {
			channel.see(message);
			silence.see(message);
			inquiries.see(message);
			evaluation.see(message);
			return;
		}
		if (type === 'status' && (state === 'restarting' || state === 'dead')) return died(state);
		// Any client of the kernel may update a display.
		if (type === 'update_display_data') changeDisplays(message, size);
		const change = widgets.see(message, size);
		if (change !== null)
			for (const each of cells.values()) if (each.outputs.widgetChanged(change.id)) each.onChange();
		const cell = cells.get(parent.msg_id);
		if (type === 'execute_input') {
			if (cell !== undefined) cell.others = others;
			others = cell === undefined ? others + 1 : 0;
			if (cell !== undefined && !cell.began) {
				cell.began = true;
				cell.onChange('began');
			}
		}
		if (cell === undefined) return;
		cell.heard++;
		if (type === 'input_request') {
			if (isReplaying || count.missing() === 0) cell.questions.ask(message);
			else setTimeout(() => !cell.over && cell.questions.ask(message), STRAGGLER_MS).unref();
			return;
		}
		if (type === 'status') {
			// The kernel responds, so the end will arrive too.
			cell.wasUnheard = false;
			cell.idle ||= state === 'idle';
		} else if (isAbort(message) && !cell.began) cell.wasAborted = true;
		else if (type !== 'update_display_data' && change === null) {
			cell.outputs.receive(message, size);
			cell.onChange(type === 'execute_result' ? 'value' : undefined);
		}
		if (type === 'execute_reply') cell.replied = true;
		settleIfDone(cell);
	};

	const order = createMessageOrder(
		() => pending().some(({wasCut}) => wasCut),
		isOurs,
		(message, size) => {
			// Counts in order, because a gap after the end of a cell is not a loss of that cell.
			count.see(message);
			take(message, size);
		},
	);
	/** Id of a resumed cell, until its first message. Gaps before that message are not losses. */
	let begins: string | null = null;
	/** True if no message of the kernel was lost since its first pending cell was sent. */
	const isWhole = (): boolean => begins === null && !order.isWaiting() && count.missing() === 0;
	const pass = (message: KernelMessage, size: number): void => {
		if (begins !== null && message.parent_header.msg_id !== begins) return take(message, size);
		begins = null;
		order.take(message, size);
	};
	const channel = createChannel(id, rest, place, base, session, {
		onText(text, number) {
			const message = parseMessage(text);
			if (message === null) return;
			silence.heard();
			// Messages for other clients are logged too, because a missing number would count as a
			// lost message.
			const logs = new Set(pending().map(({record}) => record?.log));
			for (const log of logs) log?.add(channel.session(), messageLine(number, text));
			pass(message, text.length);
		},
		onOpen() {
			for (const cell of pending()) cell.onLink?.(true);
		},
		onBreak() {
			breaks++;
			silence.cut();
			evaluation.end();
			for (const cell of pending()) {
				cell.wasCut = true;
				cell.onLink?.(false);
			}
			silence.begin();
			return pending().length > 0;
		},
		onGone() {
			isOver = true;
			evaluation.end();
			finishAll(() =>
				unknownEnd('The connection broke while the cell ran and cannot be reopened; its result is unknown.'),
			);
		},
		onTooLarge() {
			for (const cell of pending())
				cell.outputs.say('[One output was larger than 64 MiB and was left out.]\n');
		},
		hasCells: () => pending().length > 0,
		isOver: () => isOver,
	});
	const inquiries = createIntrospection(channel, () => pending().length > 0);
	const evaluation = createEvaluation(channel);
	const silence = createKernelWatchdog(id, rest, channel, cells, {
		/**
		 * The kernel has replied to a probe that was queued behind these cells, so all of them have
		 * ended. If a cell is still pending, its end was lost.
		 */
		onBehind(before) {
			for (const cell of before) {
				if (cell.over) continue;
				if (!mayHaveBegun(cell)) finish(cell, {kind: 'not-run', why: 'never-arrived'});
				else if (cell.idle || cell.replied) {
					cell.idle = true;
					cell.replied = true;
					settleIfDone(cell);
				} else
					finish(
						cell,
						unknownEnd('The connection broke while the cell ran. It has ended, but its result is unknown.'),
					);
			}
		},
		onGone() {
			isOver = true;
			finishAll(() => unknownEnd("The kernel is gone; the cell's result is unknown."));
		},
	});

	const create = (
		code: string,
		onChange: LiveChange,
		record: LiveRecorder | undefined,
		how?: LiveRunOptions,
	): RunningCell =>
		createRunningCell(id, rest, {channel, breaks: () => breaks, life, widgets}, code, onChange, record, how);

	return {
		id,
		isOver: () => isOver,
		heardState: () => heardState,
		hasEnded: died,
		hears: async () => (await channel.ready()) && !isOver,
		run(code, onChange, record, how = {}) {
			const running = create(code, onChange, record, how);
			const {settle} = running.cell;
			const send = async (): Promise<void> => {
				const refused = encodingError(code);
				if (refused !== null) {
					running.cell.outputs.fail(refused.ename, refused.evalue);
					return settle({kind: 'done'});
				}
				const isReady = await channel.ready();
				if (isOver) return settle({kind: 'unsent', isNew: true});
				if (how.follows && pending().length === 0) return settle({kind: 'unsent'});
				if (!isReady) {
					const answer = await rest('GET', `kernels/${id}`);
					// The kernel ended while no cell was running. The next cell starts a new
					// kernel.
					isOver ||= answer?.status === 404;
					if (isOver) return settle({kind: 'unsent', isNew: true});
					return settle({kind: 'unsent', ...(answer?.status === 200 && {isSilent: true as const})});
				}
				const session = channel.session();
				const request = executeRequest(session, code, {
					answers: how.answers ?? true,
					silent: how.silent ?? false,
					stopOnError: how.stopOnError ?? false,
				});
				if (pending().length === 0) count.begin();
				begins = null;
				cells.add(request.id, running.cell);
				record?.begin({kernel: id, session, request: request.id});
				if (!channel.send(request.text)) {
					cells.remove(request.id);
					return settle({kind: 'unsent'});
				}
				silence.heard();
				if (!channel.isHeard()) {
					running.cell.wasUnheard = true;
					silence.begin();
				}
				running.began();
				onChange('sent');
			};
			void send();
			return running.live;
		},
		goOn({cells: left, came, lines}, changes) {
			const resumed = left.map(({request, source, record, how}, index) => {
				const running = create(source, changes[index] ?? (() => {}), record, how);
				running.cell.wasCut = true;
				return {request, running};
			});
			if (pending().length === 0) begins = resumed[0]?.request ?? null;
			for (const {request, running} of resumed) {
				cells.add(request, running.cell);
				running.began();
			}
			silence.heard();
			channel.goOnBehind(came);
			isReplaying = true;
			for (const {number, text, echo} of recordedLines(lines)) {
				if (echo !== undefined) {
					// Releases waiting messages, so that the input request is known even if
					// messages before it are missing.
					order.release();
					resumed
						.find(({running}) => running.cell.questions.open())
						?.running.cell.questions.wasAnswered(echo);
				}
				if (text === undefined) continue;
				channel.goOnBehind(number);
				const message = parseMessage(text);
				if (message !== null) pass(message, text.length);
			}
			isReplaying = false;
			for (const change of changes) change();
			const open = async (): Promise<void> => {
				if (resumed.every(({running}) => running.cell.over)) return;
				const isOpen = await channel.open();
				if (!isOpen && (await rest('GET', `kernels/${id}`))?.status === 404) {
					for (const {running} of resumed) finish(running.cell, {kind: 'unsent'});
					return;
				}
				// The connection broke, which does not show whether the kernel still runs.
				if (!isOpen) {
					for (const cell of pending()) cell.onLink?.(false);
					channel.reopen();
				}
				silence.begin();
			};
			void open();
			return resumed.map(({running}) => running.live);
		},
		complete: inquiries.complete,
		inspect: inquiries.inspect,
		evaluate: async (expression, how) => ({
			end: await evaluation.evaluate(expression, how),
			life: life.now(),
		}),
		close(isLost = false) {
			isOver = true;
			evaluation.end();
			channel.close();
			if (isLost)
				finishAll(() =>
					unknownEnd(
						`The connection to ${base.host} was lost before the result was complete: the server stopped.`,
					),
				);
		},
	};
};
