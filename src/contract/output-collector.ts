import {StringDecoder} from 'node:string_decoder';
import type {CellOutput} from './cells.ts';

export type StreamName = 'stdout' | 'stderr';

/**
 * Most bytes kept of one stream of one cell: the first and the last half. The research asks for 1 MiB; the product promises 100,000
 * printed lines, so lines of 80 characters must fit too.
 */
export const STREAM_LIMIT_BYTES = 8 * 1024 * 1024;

/** From this many outputs on, text no longer begins a new one: code that alternates between its streams loses their order, not its text. */
const OUTPUT_LIMIT = 2000;

type Tail = {add(bytes: Buffer): void; read(): {readonly text: string; readonly bytes: number}};

/** The last bytes of what it is given, in one buffer that goes round: a flood leaves nothing behind. */
const createTail = (limit: number): Tail => {
	const ring = Buffer.allocUnsafe(limit);
	/** Where the next byte goes, and how many there are. */
	let at = 0;
	let length = 0;
	return {
		add(bytes) {
			const last = bytes.subarray(Math.max(0, bytes.length - limit));
			const fitting = last.copy(ring, at);
			last.copy(ring, 0, fitting);
			at += last.length;
			if (at >= limit) at -= limit;
			length = Math.min(limit, length + last.length);
		},
		/** From its first whole character. */
		read() {
			const [old, young] =
				length < limit
					? [ring.subarray(0, 0), ring.subarray(0, length)]
					: [ring.subarray(at), ring.subarray(0, at)];
			// The end of the buffer may be in the middle of a character, and all of what is old may be the rest of one.
			const first = wholeEnd(old);
			const rest = first.length === 0 ? wholeEnd(young) : young;
			const decoder = new StringDecoder('utf8');
			return {text: decoder.write(first) + decoder.end(rest), bytes: first.length + rest.length};
		},
	};
};

/** The longest prefix of at most `length` bytes that ends with a whole character. */
const wholeStart = (bytes: Buffer, length: number): Buffer => {
	let end = Math.min(length, bytes.length);
	while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end--;
	return bytes.subarray(0, end);
};
const wholeEnd = (bytes: Buffer): Buffer => {
	let start = 0;
	while (isContinuation(bytes[start])) start++;
	return bytes.subarray(start);
};
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

type TextOutput = {
	readonly name: StreamName;
	head: string[];
	tail: Tail | null;
	/** As it was looked at last, until more comes. */
	seen: CellOutput | null;
};
type StreamState = {total: number; kept: number; last: TextOutput | null};

const isText = (item: TextOutput | CellOutput): item is TextOutput => 'head' in item;

/**
 * Gathers the outputs of one cell: adjacent text of a stream becomes one output, and each stream is bounded. `dots` stand around what is said
 * of the bytes left out.
 */
export const createOutputCollector = (limit = STREAM_LIMIT_BYTES, dots: '…' | '...' = '…') => {
	const half = Math.floor(limit / 2);
	let items: (TextOutput | CellOutput)[] = [];
	const fresh = (): Record<StreamName, StreamState> => ({
		stdout: {total: 0, kept: 0, last: null},
		stderr: {total: 0, kept: 0, last: null},
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
			(state.last.tail !== null || items.at(-1) === state.last || items.length >= OUTPUT_LIMIT)
		)
			return state.last;
		state.last = {name, head: [], tail: null, seen: null};
		items.push(state.last);
		return state.last;
	};

	const textOf = (item: TextOutput): string => {
		const head = item.head.join('');
		// Looked at again and again while it grows.
		item.head = [head];
		if (item.tail === null) return head;
		const {text, bytes} = item.tail.read();
		const {total, kept} = streams[item.name];
		const hidden = total - kept - bytes;
		return hidden === 0
			? head + text
			: `${head}${head.endsWith('\n') ? '' : '\n'}${dots} ${hidden.toLocaleString('en')} bytes hidden ${dots}\n${text}`;
	};
	const render = (item: TextOutput): CellOutput => {
		item.seen ??= {output_type: 'stream', name: item.name, text: textOf(item)};
		return item.seen;
	};

	const look = (): CellOutput[] => items.map(item => (isText(item) ? render(item) : item));

	return {
		/** The outputs so far, which stay. */
		look,
		addText(name: StreamName, text: string): void {
			if (clearAtNext) empty();
			const state = streams[name];
			const output = outputFor(name);
			output.seen = null;
			const bytes = Buffer.from(text);
			state.total += bytes.length;
			if (output.tail !== null) return output.tail.add(bytes);
			if (state.kept + bytes.length <= half) {
				state.kept += bytes.length;
				output.head.push(text);
				return;
			}
			const start = wholeStart(bytes, half - state.kept);
			state.kept += start.length;
			output.head.push(start.toString());
			output.tail = createTail(half);
			output.tail.add(bytes.subarray(start.length));
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
export type OutputTaker = {
	addText(name: StreamName, text: string): void;
	add(output: CellOutput, displayId?: string): void;
	update(displayId: string, shown: Pick<CellOutput, 'data' | 'metadata'>): void;
	clear(wait: boolean): void;
};

/** Adds an output, or does what one that is none in nbformat says, as Jupyter's messages have them. */
export const collectOutput = (collector: OutputTaker, output: CellOutput): void => {
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
