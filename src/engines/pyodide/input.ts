import {readSync} from 'node:fs';
import {Socket} from 'node:net';
import {sendMessage, flushStreams} from './engine-output.ts';
import {INPUT_FD, type InputLine} from './protocol.ts';

const CHUNK_BYTES = 64 * 1024;

/**
 * Input for Python's blocking `input()`. Python sends a request and then polls, so that interrupts
 * can arrive.
 */
export type Input = {
	/** Sets whether a client responds to input requests. */
	allow(allowed: boolean): void;
	mayAsk(): boolean;
	ask(prompt: string, password: boolean): void;
	/**
	 * Returns the line, or undefined until it arrives. (Python maps undefined to None, but not
	 * null.)
	 */
	take(): string | undefined;
};

/** Opens the input channel. Call it before `lockDown` removes `process`. */
export const openInput = (): Input => {
	// The socket makes the descriptor non-blocking. Node never reads from it. Without a reference,
	// the socket would be garbage-collected and close the descriptor.
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
			// No data has arrived yet.
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
				// Skips lines that belong to earlier, interrupted requests.
				if (number === asked) return text;
			}
			return undefined;
		},
	};
};
