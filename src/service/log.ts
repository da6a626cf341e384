import {randomBytes} from 'node:crypto';
import {closeSync, fstatSync, openSync, renameSync, writeSync} from 'node:fs';

/** The service's log. Lines hold method, route pattern, status, time and size; never a header, a query or a body. */
export type Log = {
	line(text: string): void;
	/** Keeps the stack here and answers an id for the user, who sees nothing else of it. */
	failure(error: unknown): string;
	close(): void;
};

/** Bytes. One older file of this size is kept beside the log. */
const largest = 8 * 2 ** 20;

const logOn = (write: (text: string) => void, close: () => void): Log => {
	let open = true;
	const line = (text: string): void => {
		if (!open) return;
		try {
			write(`${new Date().toISOString()} ${text.replaceAll('\n', '\n  ')}\n`);
		} catch {
			// A full disk must not stop the service: the line is lost.
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

/** On standard error, where whoever started the service keeps it. */
export const standardLog = (): Log => {
	// Whoever read it may have gone: the lines are lost then.
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
