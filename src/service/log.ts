import {randomBytes} from 'node:crypto';
import {closeSync, openSync, renameSync, statSync, writeSync} from 'node:fs';

/** The service's log. Lines hold method, route pattern, status, time and size; never a header, a query or a body. */
export type Log = {
	line(text: string): void;
	/** Keeps the stack here and answers an id for the user, who sees nothing else of it. */
	failure(error: unknown): string;
	close(): void;
};

const largest = 8 * 2 ** 20;

const keepOneOld = (file: string): void => {
	if ((statSync(file, {throwIfNoEntry: false})?.size ?? 0) > largest) renameSync(file, `${file}.1`);
};

export const openLog = (file: string): Log => {
	keepOneOld(file);
	const descriptor = openSync(file, 'a', 0o600);
	let open = true;
	const line = (text: string): void => {
		if (!open) return;
		try {
			writeSync(descriptor, `${new Date().toISOString()} ${text.replaceAll('\n', '\n  ')}\n`);
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
			if (open) closeSync(descriptor);
			open = false;
		},
	};
};
