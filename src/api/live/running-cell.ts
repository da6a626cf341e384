import {setTimeout as sleep} from 'node:timers/promises';
import type {LiveCell, LiveChange, LiveOutcome, LiveRunOptions, LiveRecorder} from '../client-types.ts';
import {inputReply} from '../../kernel/messages.ts';
import type {Widgets} from '../../kernel/widgets.ts';
import {createCellOutputs} from './cell-outputs.ts';
import type {Cell} from './cells.ts';
import type {Channel} from './channel.ts';
import type {KernelLife} from './kernel-life.ts';
import {echoLine} from './record-lines.ts';
import {createInputRequests} from './input-requests.ts';
import type {Rest} from './rest.ts';

const ASK_AGAIN_MS = 300;
const INTERRUPT_AGAIN_MS = 1000;
/**
 * Pause between interrupts of running code, in ms. A second interrupt would cut off the traceback
 * of the first, which may take seconds on a busy machine.
 */
const INTERRUPT_RUNNING_MS = 10_000;
const MOST_INTERRUPTS = 10;

export type RunningCell = {
	/** The cell as returned to callers, even before it is sent. */
	readonly live: LiveCell;
	readonly cell: Cell;
	/** Called after the cell was sent. Only then can it be interrupted and receive input. */
	began(): void;
};

/** `breaks`: how often the channel has broken so far. */
export const createRunningCell = (
	kernel: string,
	rest: Rest,
	{
		channel,
		breaks,
		life,
		widgets,
	}: {
		readonly channel: Channel;
		readonly breaks: () => number;
		readonly life: KernelLife;
		readonly widgets: Widgets;
	},
	code: string,
	onChange: LiveChange,
	record: LiveRecorder | undefined,
	{taker, onLink}: LiveRunOptions = {},
): RunningCell => {
	const outputs = createCellOutputs(code, taker, widgets);
	const {promise, resolve} = Promise.withResolvers<LiveOutcome>();
	let hasBegun = false;
	let stopped = false;

	/**
	 * Sends input, and repeats it if the connection broke before the kernel responded. A repetition
	 * is harmless, because a kernel discards input that it has not requested.
	 */
	const deliver = async (reply: string): Promise<void> => {
		const {heard: before} = cell;
		const isMissing = (): boolean => !cell.over && cell.heard === before;
		while (isMissing()) {
			const since = breaks();
			const isSent = (await channel.open()) && isMissing() && channel.send(reply);
			do await sleep(ASK_AGAIN_MS, undefined, {ref: false});
			while (isSent && isMissing() && breaks() === since);
			// Waits for the messages that the server has buffered, because they may show that the
			// input arrived.
			if (isSent && isMissing() && (await channel.open())) await sleep(ASK_AGAIN_MS, undefined, {ref: false});
		}
	};
	const questions = createInputRequests(outputs, onChange, async (message, text, echo) => {
		if (!hasBegun) return;
		record?.log.add(channel.session(), echoLine(echo));
		await deliver(inputReply(channel.session(), message, text).text);
	});
	const cell: Cell = {
		outputs,
		questions,
		onChange,
		onLink,
		settle: resolve,
		record,
		over: false,
		began: false,
		wasAborted: false,
		idle: false,
		replied: false,
		wasCut: false,
		wasUnheard: false,
		heard: 0,
		others: 0,
	};
	const interrupt = async (): Promise<void> => {
		stopped = true;
		// The kernel may ignore an interrupt just before the code starts.
		for (let tries = 0; tries < MOST_INTERRUPTS && hasBegun && !cell.over; tries++) {
			await rest('POST', `kernels/${kernel}/interrupt`);
			// A second message, after `busy`, means that the code runs.
			const wait = cell.heard > 1 ? INTERRUPT_RUNNING_MS : INTERRUPT_AGAIN_MS;
			await Promise.race([promise, sleep(wait, undefined, {ref: false})]);
		}
	};
	return {
		live: {
			ended: promise,
			now: outputs.look,
			came: outputs.came,
			drawn: outputs.drawn,
			interrupt: () => void interrupt(),
			life: life.now,
			others: () => cell.others,
			asks: () => (hasBegun && !cell.over ? questions.open() : null),
			answer: questions.answer,
		},
		cell,
		began() {
			hasBegun = true;
			if (stopped) void interrupt();
		},
	};
};
