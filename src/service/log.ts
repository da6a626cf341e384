import {randomBytes} from 'node:crypto';
import {closeSync, fstatSync, openSync, renameSync, writeSync} from 'node:fs';

/**
 * Log of the service. Lines contain method, route, status, time and size, but never headers,
 * queries or bodies.
 */
export type Log = {
	line(text: string): void;
	/** Logs the stack of an error and returns an id. The user sees only the id. */
	failure(error: unknown): string;
	close(): void;
};

/** Maximum size of the log file, in bytes. One older file of this size is retained. */
const largest = 8 * 2 ** 20;

const logOn = (write: (text: string) => void, close: () => void): Log => {
	let open = true;
	const line = (text: string): void => {
		if (!open) return;
		try {
			write(`${new Date().toISOString()} ${text.replaceAll('\n', '\n  ')}\n`);
		} catch {
			// The line is dropped, because a full disk must not stop the service.
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
	// The reader may have closed the pipe. Further lines are lost.
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
