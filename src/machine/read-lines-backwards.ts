import {open} from 'node:fs/promises';
import {codeOf} from '../text/errors.ts';

const PIECE = 256 << 10;
const LINE_END = 0x0a;

/**
 * Yields the non-empty lines of a file, last line first, and reads them on demand. Yields none if
 * the file does not exist.
 */
export async function* readLinesBackwards(path: string): AsyncGenerator<string> {
	const handle = await open(path).catch((error: unknown) => {
		if (codeOf(error) === 'ENOENT') return null;
		throw error;
	});
	if (handle === null) return;
	try {
		let from = (await handle.stat()).size;
		/** End of a line whose start is in the piece that is read next. */
		let tail: Buffer[] = [];
		while (from > 0) {
			const size = Math.min(PIECE, from);
			from -= size;
			const {buffer, bytesRead} = await handle.read(Buffer.alloc(size), 0, size, from);
			let end = bytesRead;
			for (
				let at = buffer.subarray(0, end).lastIndexOf(LINE_END);
				at !== -1;
				at = buffer.subarray(0, end).lastIndexOf(LINE_END)
			) {
				const line = Buffer.concat([buffer.subarray(at + 1, end), ...tail]);
				tail = [];
				end = at;
				if (line.length > 0) yield line.toString('utf8');
			}
			tail.unshift(buffer.subarray(0, end));
		}
		const first = Buffer.concat(tail);
		if (first.length > 0) yield first.toString('utf8');
	} finally {
		await handle.close();
	}
}
