import {randomBytes} from 'node:crypto';
import {closeSync, fstatSync, openSync, renameSync, writeSync} from 'node:fs';

/** Lines hold method, route, status, time and size; never a header, a query or a body. */
export type Log = {
	line(text: string): void;
	/** Logs the stack and returns an id, which is all the user sees of it. */
	failure(error: unknown): string;
	close(): void;
};

/** Size limit in bytes. One older file of this size remains beside the log. */
const largest = 8 * 2 ** 20;

const logOn = (write: (text: string) => void, close: () => void): Log => {
	let open = true;
	const line = (text: string): void => {
		if (!open) return;
		try {
			write(`${new Date().toISOString()} ${text.replaceAll('\n', '\n  ')}\n`);
		} catch {
			// A full disk must not stop the service, so the line is dropped.
		}
	};
	return {
		line,
		failure(error) {
			const id = randomBytes(4).toString('hex');
			line(`failure ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
			return id;
		},
		close() {
			if (open) close();
			open = false;
		},
	};
};

export const standardLog = (): Log => {
	// The reader may have closed the pipe; further lines are lost.
	process.stderr.on('error', () => undefined);
	return logOn(
		line => void process.stderr.write(line),
		() => undefined,
	);
};

export const openLog = (file: string, limit = largest): Log => {
	let descriptor = openSync(file, 'a', 0o600);
	let size = fstatSync(descriptor).size;
	const write = (text: string): void => {
		if (size > limit) {
			closeSync(descriptor);
			renameSync(file, `${file}.1`);
			descriptor = openSync(file, 'a', 0o600);
			size = 0;
		}
		size += writeSync(descriptor, text);
	};
	return logOn(write, () => closeSync(descriptor));
};
