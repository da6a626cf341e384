import type {CellOutput, ExecutedCell} from '../../contract/cells.ts';
import {
	addFailure,
	collectMessage,
	displayUpdate,
	type DisplayUpdate,
	failureIn,
	type KernelMessage,
} from '../../kernel/messages.ts';
import {
	createOutputBuffer,
	STREAM_LIMIT_BYTES,
	type OutputSink,
	type StreamName,
} from '../../kernel/output-buffer.ts';
import {createWidgets, type Widgets} from '../../kernel/widgets.ts';
import {createWidgetOutputs} from './widget-outputs.ts';

/** Limit per cell for displays and values, in UTF-16 units. Streams have their own limit. */
const MOST_SHOWN = 32 << 20;
const MOST_DISPLAYS = 5000;

export type CellOutputs = {
	/** `size`: length of the received message, in UTF-16 units. */
	receive(message: KernelMessage, size: number): void;
	/** Applies a display update. Returns true if the cell contains that display. */
	update(update: DisplayUpdate, size: number): boolean;
	/** Notes a changed widget. Returns true if the cell shows it. */
	widgetChanged(id: string): boolean;
	/** Adds text that does not come from the kernel, such as a warning of the client. */
	say(text: string, name?: StreamName): void;
	/**
	 * Adds a prompt or its input. Does not pass it to the sink, because the caller has already
	 * shown it.
	 */
	echo(text: string): void;
	fail(ename: string, evalue: string): void;
	/** Called after the last message. Adds a failure that only the reply has reported. */
	end(): void;
	readonly hasDisplays: () => boolean;
	/** Approximate size of the stored outputs, in UTF-16 units. */
	readonly size: () => number;
	/** Sizes as in {@link LiveCell}. */
	readonly came: () => number;
	readonly drawn: () => number;
	look(): ExecutedCell;
};

const SHOWN: ReadonlySet<string> = new Set(['display_data', 'execute_result', 'error']);

const teed = (one: OutputSink, other: OutputSink | undefined): OutputSink =>
	other === undefined
		? one
		: {
				addText(...given) {
					one.addText(...given);
					other.addText(...given);
				},
				add(...given) {
					one.add(...given);
					other.add(...given);
				},
				update(...given) {
					one.update(...given);
					other.update(...given);
				},
				clear(wait) {
					one.clear(wait);
					other.clear(wait);
				},
			};

/**
 * Collects the messages of a cell and passes outputs to the sink. The caller determines the last
 * message.
 */
export const createCellOutputs = (
	source: string,
	sink?: OutputSink,
	widgets: Widgets = createWidgets(),
): CellOutputs => {
	// Dots as ASCII, because a single character beyond Latin-1 would double the memory of megabytes
	// of text.
	const buffer = createOutputBuffer(STREAM_LIMIT_BYTES, '...');
	const inWidgets = createWidgetOutputs(widgets, sink);
	const {taker} = inWidgets;
	const all = teed(buffer, taker);
	let count: number | null = null;
	let shown = 0;
	let displays = 0;
	let printed = 0;
	let came = 0;
	let isFull = false;
	let hasIds = false;
	let failure: CellOutput | null = null;

	const say = (text: string, name: StreamName = 'stderr'): void => all.addText(name, text);
	const hasRoom = (size: number): boolean => {
		shown += size;
		displays++;
		if (shown <= MOST_SHOWN && displays <= MOST_DISPLAYS) return true;
		if (!isFull)
			say(
				`… more than ${MOST_SHOWN >> 20} MiB or ${MOST_DISPLAYS.toLocaleString('en')} displays: the rest is left out …\n`,
			);
		isFull = true;
		return false;
	};

	return {
		receive(message, size) {
			const {msg_type: type, content} = message;
			came += size;
			const counted = content['execution_count'];
			if ((type === 'execute_input' || type === 'execute_reply') && Number.isSafeInteger(counted))
				count = counted as number;
			failure ??= failureIn(message);
			if (type === 'clear_output') {
				shown = 0;
				displays = 0;
				isFull = false;
			} else if (type === 'stream') printed += size;
			if (SHOWN.has(type) && !hasRoom(size)) return;
			inWidgets.see(message);
			if (displayUpdate(message) === null) collectMessage(all, message);
			if ('transient' in content) hasIds = true;
		},
		update({id, shown: next}, size) {
			if (!hasIds || size > MOST_SHOWN / 8) return false;
			const isMine = buffer.update(id, next);
			if (isMine) taker?.update(id, next);
			return isMine;
		},
		widgetChanged: inWidgets.changed,
		say,
		echo: text => buffer.addText('stdout', text),
		fail(ename, evalue) {
			all.add({output_type: 'error', ename, evalue, traceback: [`${ename}: ${evalue}`]});
		},
		end: () => addFailure(all, buffer.look(), failure),
		hasDisplays: () => hasIds,
		came: () => came,
		drawn: () => shown + buffer.drawn(),
		size: () => shown + Math.min(printed, 2 * STREAM_LIMIT_BYTES),
		look: () => ({
			cell_type: 'code',
			execution_count: count,
			metadata: {},
			source,
			outputs: inWidgets.shown(buffer.look()),
		}),
	};
};
