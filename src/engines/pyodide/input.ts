import {readSync} from 'node:fs';
import {Socket} from 'node:net';
import {sendMessage, flushStreams} from './engine-output.ts';
import {INPUT_FD, type InputLine} from './protocol.ts';

const CHUNK_BYTES = 64 * 1024;

/** Blocking input for Python: it sends a request and then polls, so that interrupts can arrive. */
export type Input = {
	/** Sets whether a client answers. */
	allow(allowed: boolean): void;
	mayAsk(): boolean;
	ask(prompt: string, password: boolean): void;
	/** Undefined until the line arrives. (Python maps undefined to None, but not null.) */
	take(): string | undefined;
};

/** Call before `lockDown` removes `process`. */
export const openInput = (): Input => {
	// Makes the descriptor non-blocking; Node never reads it. Unreferenced, it would close.
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
				// Lines for earlier, interrupted requests are skipped.
				if (number === asked) return text;
			}
			return undefined;
		},
	};
};
