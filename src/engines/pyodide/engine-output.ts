import {writeSync} from 'node:fs';
import type {StreamName} from '../../kernel/output-buffer.ts';
import {endProcess} from './sandbox.ts';
import {OUTPUT_FD, type EngineMessage} from './protocol.ts';

const FLUSH_BYTES = 32 * 1024;
const FLUSH_INTERVAL_MS = 16;
/**
 * Number of pieces that are sent immediately in each interval, for code that prints a few lines and
 * then computes.
 */
const AT_ONCE = 8;
/**
 * Amount of waiting output that counts as a flood, in bytes. A flood is sent only once in the next
 * interval.
 */
const FLOOD_BYTES = 1024;
const PIECE_BYTES = 64 * 1024;

const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

const send = (json: string): void => {
	const bytes = Buffer.from(`${json}\n`);
	for (let offset = 0; offset < bytes.length;) {
		try {
			offset += writeSync(OUTPUT_FD, bytes, offset);
		} catch (error) {
			// Code that escaped from the Python sandbox may have closed the descriptor.
			if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) endProcess();
			Atomics.wait(pause, 0, 0, 1);
		}
	}
};

/**
 * Sends a message to the parent process. Blocks while the pipe is full, so that Python cannot
 * outrun the reader.
 */
export const sendMessage = (message: EngineMessage): void => send(JSON.stringify(message));

/** Sends one nbformat output as the JSON that Python produced. */
export const sendOutput = (json: string): void => {
	flushStreams();
	send(`{"type":"output","output":${json}}`);
};

type Sink = {readonly name: StreamName; readonly decoder: TextDecoder; write(bytes: Uint8Array): number};

let pending = '';
let pendingName: StreamName = 'stdout';
let flushedAt = 0;
let atOnce = AT_ONCE;
let scheduled = false;
/**
 * Short writes that are not decoded yet. Code often prints line by line, and decoding each line
 * separately is slow.
 */
const short = Buffer.allocUnsafe(FLUSH_BYTES);
let shortLength = 0;
let shortOf: Sink | null = null;

const decodeShort = (): void => {
	if (shortOf === null || shortLength === 0) return;
	const text = shortOf.decoder.decode(short.subarray(0, shortLength), {stream: true});
	shortLength = 0;
	print(shortOf.name, text);
};

export const flushStreams = (): void => {
	decodeShort();
	flushedAt = performance.now();
	if (pending === '') return;
	const text = pending;
	pending = '';
	sendMessage({type: 'stream', name: pendingName, text});
};

/**
 * Sends waiting output if there is much of it or it has waited long. Otherwise sends it when Python
 * next yields.
 */
const flushSoon = (): void => {
	const waiting = pending.length + shortLength;
	if (performance.now() - flushedAt > FLUSH_INTERVAL_MS) atOnce = waiting > FLOOD_BYTES ? 1 : AT_ONCE;
	if (waiting > FLUSH_BYTES || atOnce > 0) {
		atOnce--;
		flushStreams();
	} else if (!scheduled) {
		scheduled = true;
		setImmediate(() => {
			scheduled = false;
			flushStreams();
		});
	}
};

/** Sends output that has waited long enough, for code that keeps running without printing. */
export const flushLate = (): void => {
	if ((pending !== '' || shortLength > 0) && performance.now() - flushedAt > FLUSH_INTERVAL_MS)
		flushStreams();
};

/** Buffers printed text, so that small pieces are sent together. */
export const print = (name: StreamName, text: string): void => {
	decodeShort();
	if (text === '') return;
	if (name !== pendingName) flushStreams();
	pendingName = name;
	pending += text;
	flushSoon();
};

/** Sink for one of Python's output streams. A write may end in the middle of a character. */
export const streamSink = (name: StreamName): Sink => {
	const sink: Sink = {
		name,
		decoder: new TextDecoder(),
		write(bytes) {
			if (shortOf !== sink || shortLength + bytes.length > FLUSH_BYTES) decodeShort();
			shortOf = sink;
			if (bytes.length <= FLUSH_BYTES) {
				short.set(bytes, shortLength);
				shortLength += bytes.length;
				flushSoon();
				return bytes.length;
			}
			for (let start = 0; start < bytes.length; start += PIECE_BYTES)
				print(name, sink.decoder.decode(bytes.subarray(start, start + PIECE_BYTES), {stream: true}));
			return bytes.length;
		},
	};
	return sink;
};
