import {writeSync} from 'node:fs';
import type {StreamName} from '../output-collector.ts';
import {ANSWER_FD, type Answer} from './protocol.ts';

const FLUSH_BYTES = 8192;
const FLUSH_INTERVAL_MS = 16;
const PIECE_BYTES = 64 * 1024;

const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Writes one line to the parent and waits until the pipe has taken it: Python never runs ahead of its reader by more than the pipe holds. */
export const answer = (message: Answer): void => {
	const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
	for (let offset = 0; offset < bytes.length; ) {
		try {
			offset += writeSync(ANSWER_FD, bytes, offset);
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
			Atomics.wait(pause, 0, 0, 1);
		}
	}
};

let pending = '';
let pendingName: StreamName = 'stdout';
let flushedAt = 0;
let scheduled = false;

/** Sends what was printed so far. */
export const flushStreams = (): void => {
	flushedAt = performance.now();
	if (pending === '') return;
	const text = pending;
	pending = '';
	answer({type: 'stream', name: pendingName, text});
};

/** Adds printed text; small pieces are sent together. */
export const print = (name: StreamName, text: string): void => {
	if (text === '') return;
	if (name !== pendingName) flushStreams();
	pendingName = name;
	pending += text;
	if (pending.length > FLUSH_BYTES || performance.now() - flushedAt > FLUSH_INTERVAL_MS) flushStreams();
	else if (!scheduled) {
		// For code that awaits, and for tasks that print after their cell.
		scheduled = true;
		setImmediate(() => {
			scheduled = false;
			flushStreams();
		});
	}
};

/** A sink for one of Python's streams, which may cut a character in two. */
export const streamSink = (name: StreamName): {write(bytes: Uint8Array): number} => {
	const decoder = new TextDecoder();
	return {
		write(bytes) {
			for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
				print(name, decoder.decode(bytes.subarray(start, start + PIECE_BYTES), {stream: true}));
			}
			return bytes.length;
		},
	};
};
