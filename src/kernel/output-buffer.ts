import {EXCERPT} from '../text/output/fold.ts';
import {TEXT_PIECES} from '../text/output/text-pieces.ts';
import type {CellOutput} from '../contract/cells.ts';
import {isContinuation} from '../text/utf8.ts';
import {createStreamText, type StreamText} from './stream-text.ts';

export type StreamName = 'stdout' | 'stderr';

/**
 * Bytes stored per stream of a cell: half from the start, half from the end. Enough for 100,000
 * lines of 80 characters.
 */
export const STREAM_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Number of outputs above which new text is added to existing outputs. Code that alternates between
 * its streams then loses their order, but no text.
 */
const OUTPUT_LIMIT = 2000;

/** Longest prefix of at most `length` bytes that ends with a complete character. */
const wholeStart = (bytes: Buffer, length: number): Buffer => {
	let end = Math.min(length, bytes.length);
	while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end--;
	return bytes.subarray(0, end);
};
type TextOutput = {
	readonly name: StreamName;
	readonly printed: StreamText;
	/** Rendered output. Null if text was added since. */
	seen: CellOutput | null;
};
type StreamState = {kept: number; last: TextOutput | null};

const isText = (item: TextOutput | CellOutput): item is TextOutput => 'printed' in item;

/**
 * Collects the outputs of one cell. Adjacent text of a stream becomes one output, and streams are
 * limited. `dots`: marks around the note on hidden bytes.
 */
export const createOutputBuffer = (limit = STREAM_LIMIT_BYTES, dots: '…' | '...' = '…') => {
	const half = Math.floor(limit / 2);
	let items: (TextOutput | CellOutput)[] = [];
	const fresh = (): Record<StreamName, StreamState> => ({
		stdout: {kept: 0, last: null},
		stderr: {kept: 0, last: null},
	});
	let streams = fresh();
	let displayed = new Map<string, number[]>();
	let clearAtNext = false;

	const empty = (): void => {
		items = [];
		streams = fresh();
		displayed = new Map();
		clearAtNext = false;
	};

	const outputFor = (name: StreamName): TextOutput => {
		const state = streams[name];
		// Text beyond the limit is added to the output in which the limit was reached.
		if (
			state.last !== null &&
			(state.last.printed.isRolling() || items.at(-1) === state.last || items.length >= OUTPUT_LIMIT)
		)
			return state.last;
		state.last = {name, printed: createStreamText(half, dots), seen: null};
		items.push(state.last);
		return state.last;
	};

	const render = (item: TextOutput): CellOutput => {
		if (item.seen !== null) return item.seen;
		const {name, printed} = item;
		let text: string | undefined;
		// Computed on access, because drawing megabytes of growing text reads only its ends.
		const seen: CellOutput = {
			output_type: 'stream',
			name,
			get text() {
				text ??= printed.text();
				return text;
			},
		};
		Object.defineProperty(seen, EXCERPT, {value: printed.excerpt});
		Object.defineProperty(seen, TEXT_PIECES, {value: printed.pieces});
		item.seen = seen;
		return seen;
	};

	const look = (): CellOutput[] => items.map(item => (isText(item) ? render(item) : item));

	return {
		/** The outputs so far, without removing them. */
		look,
		/** Approximate UTF-16 units that are read for drawing. */
		drawn: () => items.reduce((sum, item) => sum + (isText(item) ? item.printed.drawn() : 0), 0),
		addText(name: StreamName, text: string): void {
			if (clearAtNext) empty();
			const state = streams[name];
			const output = outputFor(name);
			output.seen = null;
			const bytes = Buffer.from(text);
			if (output.printed.isRolling()) return output.printed.roll(text, bytes);
			if (state.kept + bytes.length <= half) {
				state.kept += bytes.length;
				output.printed.keep(text);
				return;
			}
			const start = wholeStart(bytes, half - state.kept);
			state.kept += start.length;
			const first = start.toString();
			output.printed.keep(first);
			output.printed.roll(text.slice(first.length), bytes.subarray(start.length));
		},
		/** An output with a `displayId` can be changed by `update`. */
		add(output: CellOutput, displayId?: string): void {
			if (clearAtNext) empty();
			if (displayId !== undefined)
				displayed.set(displayId, [...(displayed.get(displayId) ?? []), items.length]);
			items.push(output);
		},
		/** Replaces the content of this cell's outputs with the id. False if there are none. */
		update(displayId: string, shown: Pick<CellOutput, 'data' | 'metadata'>): boolean {
			const places = displayed.get(displayId) ?? [];
			for (const index of places) {
				const item = items[index];
				if (item && !isText(item)) items[index] = {...item, ...shown};
			}
			return places.length > 0;
		},
		/** Removes the outputs. With `wait`, does so when the next output arrives. */
		clear(wait: boolean): void {
			if (wait) clearAtNext = true;
			else empty();
		},
		/** Returns the outputs and empties the buffer. */
		take(): CellOutput[] {
			const outputs = look();
			empty();
			return outputs;
		},
	};
};

/** Receives the outputs of a cell as they arrive, through the methods of the buffer. */
export type OutputSink = {
	addText(name: StreamName, text: string): void;
	add(output: CellOutput, displayId?: string): void;
	update(displayId: string, shown: Pick<CellOutput, 'data' | 'metadata'>): void;
	clear(wait: boolean): void;
};

/** Adds an output or, for a pseudo-output of Jupyter's messages, applies it. */
export const collectOutput = (buffer: OutputSink, output: CellOutput): void => {
	// The notebook format has no `transient`.
	const {transient, ...shown} = output;
	const id = (transient as {readonly display_id?: unknown} | undefined)?.display_id;
	const displayId = typeof id === 'string' ? id : undefined;
	const {output_type: type, data, metadata} = shown;
	if (type === 'stream')
		buffer.addText(shown['name'] === 'stderr' ? 'stderr' : 'stdout', String(shown['text']));
	else if (type === 'clear_output') buffer.clear(shown['wait'] === true);
	else if (type !== 'update_display_data') buffer.add(shown, displayId);
	else if (displayId !== undefined) buffer.update(displayId, {data, metadata});
};
