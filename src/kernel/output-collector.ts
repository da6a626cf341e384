import {EXCERPT} from '../text/output/fold.ts';
import {TEXT_PIECES} from '../text/output/text-pieces.ts';
import type {CellOutput} from '../contract/cells.ts';
import {isContinuation} from '../text/utf8.ts';
import {createOutputBuffer, type OutputBuffer} from './output-buffer.ts';

export type StreamName = 'stdout' | 'stderr';

/**
 * Most bytes kept of one stream of one cell: the first and the last half. The research asks for 1 MiB; the product promises 100,000
 * printed lines, so lines of 80 characters must fit too.
 */
export const STREAM_LIMIT_BYTES = 8 * 1024 * 1024;

/** From this many outputs on, text no longer begins a new one: code that alternates between its streams loses their order, not its text. */
const OUTPUT_LIMIT = 2000;

/** The longest prefix of at most `length` bytes that ends with a whole character. */
const wholeStart = (bytes: Buffer, length: number): Buffer => {
	let end = Math.min(length, bytes.length);
	while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end--;
	return bytes.subarray(0, end);
};
type TextOutput = {
	readonly name: StreamName;
	readonly printed: OutputBuffer;
	/** As it was looked at last, until more comes. */
	seen: CellOutput | null;
};
type StreamState = {kept: number; last: TextOutput | null};

const isText = (item: TextOutput | CellOutput): item is TextOutput => 'printed' in item;

/**
 * Gathers the outputs of one cell: adjacent text of a stream becomes one output, and each stream is bounded. `dots` stand around what is said
 * of the bytes left out.
 */
export const createOutputCollector = (limit = STREAM_LIMIT_BYTES, dots: '…' | '...' = '…') => {
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
		// Text past the limit stays with the output in which the limit was reached.
		if (
			state.last !== null &&
			(state.last.printed.isRolling() || items.at(-1) === state.last || items.length >= OUTPUT_LIMIT)
		)
			return state.last;
		state.last = {name, printed: createOutputBuffer(half, dots), seen: null};
		items.push(state.last);
		return state.last;
	};

	const render = (item: TextOutput): CellOutput => {
		if (item.seen !== null) return item.seen;
		const {name, printed} = item;
		let text: string | undefined;
		// Made when somebody reads it: what is drawn of megabytes that grow is their ends.
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
		/** The outputs so far, which stay. */
		look,
		/** UTF-16 units of what was printed that are looked at when it is drawn, about. */
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
		/** An output with a `displayId` may be changed by `update`. */
		add(output: CellOutput, displayId?: string): void {
			if (clearAtNext) empty();
			if (displayId !== undefined)
				displayed.set(displayId, [...(displayed.get(displayId) ?? []), items.length]);
			items.push(output);
		},
		/** Shows something else in place of what was added under this id in the same cell. True when there was such a thing. */
		update(displayId: string, shown: Pick<CellOutput, 'data' | 'metadata'>): boolean {
			const places = displayed.get(displayId) ?? [];
			for (const index of places) {
				const item = items[index];
				if (item && !isText(item)) items[index] = {...item, ...shown};
			}
			return places.length > 0;
		},
		/** Forgets the outputs so far; with `wait`, as soon as the next one comes. */
		clear(wait: boolean): void {
			if (wait) clearAtNext = true;
			else empty();
		},
		/** The outputs so far; empties the collector. */
		take(): CellOutput[] {
			const outputs = look();
			empty();
			return outputs;
		},
	};
};

/** Takes what a cell gives, piece by piece, in the collector's words. */
export type OutputSink = {
	addText(name: StreamName, text: string): void;
	add(output: CellOutput, displayId?: string): void;
	update(displayId: string, shown: Pick<CellOutput, 'data' | 'metadata'>): void;
	clear(wait: boolean): void;
};

/** Adds an output, or does what one that is none in nbformat says, as Jupyter's messages have them. */
export const collectOutput = (collector: OutputSink, output: CellOutput): void => {
	// nbformat keeps no `transient`.
	const {transient, ...shown} = output;
	const id = (transient as {readonly display_id?: unknown} | undefined)?.display_id;
	const displayId = typeof id === 'string' ? id : undefined;
	const {output_type: type, data, metadata} = shown;
	if (type === 'stream')
		collector.addText(shown['name'] === 'stderr' ? 'stderr' : 'stdout', String(shown['text']));
	else if (type === 'clear_output') collector.clear(shown['wait'] === true);
	else if (type !== 'update_display_data') collector.add(shown, displayId);
	else if (displayId !== undefined) collector.update(displayId, {data, metadata});
};
