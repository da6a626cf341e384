import {readSync} from 'node:fs';
import {Socket} from 'node:net';
import {sendMessage, flushStreams} from './engine-output.ts';
import {INPUT_FD, type InputLine} from './protocol.ts';

const CHUNK_BYTES = 64 * 1024;

/** How Python asks for a line while it lets nothing else run: it asks, then looks again and again, so that an interrupt finds it. */
export type Input = {
	/** Whether somebody answers. */
	allow(allowed: boolean): void;
	mayAsk(): boolean;
	ask(prompt: string, password: boolean): void;
	/** The line, once it is there. Python knows undefined as None, and has a value of its own for null. */
	take(): string | undefined;
};

/** To be called before `process` is taken away. */
export const openInput = (): Input => {
	// Never read by Node: it only makes the descriptor one that a read does not wait on. Held, or its end would close it.
	const socket = new Socket({fd: INPUT_FD, manualStart: true} as object);
	const chunk = Buffer.alloc(CHUNK_BYTES);
	let allowed = false;
	let asked = 0;
	let rest = Buffer.alloc(0);

	const read = (): void => {
		if (socket.destroyed) return;
		try {
			for (;;) {
				const length = readSync(INPUT_FD, chunk);
				if (length === 0) return;
				rest = Buffer.concat([rest, chunk.subarray(0, length)]);
			}
		} catch {
			// Nothing is there yet.
		}
	};
	return {
		allow(now) {
			allowed = now;
		},
		mayAsk: () => allowed,
		ask(prompt, password) {
			flushStreams();
			sendMessage({type: 'input', number: ++asked, prompt, password});
		},
		take() {
			read();
			for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
				const {number, text} = JSON.parse(rest.subarray(0, end).toString()) as InputLine;
				rest = rest.subarray(end + 1);
				// An earlier one was for a question that was interrupted.
				if (number === asked) return text;
			}
			return undefined;
		},
	};
};
