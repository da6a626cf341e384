import {open} from 'node:fs/promises';
import {codeOf} from '../text/errors.ts';

const PIECE = 256 << 10;
const LINE_END = 0x0a;

/** Lines of a file without empty ones, last first, read on demand. A missing file has none. */
export async function* readLinesBackwards(path: string): AsyncGenerator<string> {
	const handle = await open(path).catch((error: unknown) => {
		if (codeOf(error) === 'ENOENT') return null;
		throw error;
	});
	if (handle === null) return;
	try {
		let from = (await handle.stat()).size;
		/** Rest of the line that continues in the previously read piece. */
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
