import {randomUUID} from 'node:crypto';
import {textPieces} from '../text/output/text-pieces.ts';

/** UTF-16 units encoded at once, and bytes per buffer. */
const PIECE = 64 * 1024;
const ROOM = 1 << 20;

/** Collects UTF-8 text in few buffers. */
const createBytes = () => {
	const full: Buffer[] = [];
	let room = Buffer.alloc(0);
	let length = 0;
	const close = (): void => {
		if (length > 0) full.push(room.subarray(0, length));
	};
	return {
		add(text: string): void {
			// A UTF-16 unit has at most three bytes.
			const most = 3 * text.length;
			if (length + most > room.length) {
				close();
				room = Buffer.allocUnsafeSlow(Math.max(full.length === 0 ? PIECE : ROOM, most));
				length = 0;
			}
			length += room.write(text, length);
		},
		all(): readonly Buffer[] {
			close();
			return full;
		},
	};
};

/** A JSON string without its quotes. */
const inside = (text: string): string => JSON.stringify(text).slice(1, -1);

/** JSON line in UTF-8, with a line feed before and after. Copies long texts only once. */
export const jsonLine = (value: unknown): readonly Buffer[] => {
	const mark = randomUUID();
	const texts: Iterable<string>[] = [];
	const json = JSON.stringify(value, (_, part: unknown) => {
		const pieces = textPieces(part);
		if (pieces === null) return part;
		texts.push(pieces);
		const {output_type: type, name} = part as {readonly output_type: unknown; readonly name: unknown};
		return {output_type: type, name, text: mark};
	});
	const bytes = createBytes();
	bytes.add('\n');
	for (const [index, between] of json.split(mark).entries()) {
		if (index > 0)
			for (const text of texts[index - 1] ?? [])
				for (let at = 0; at < text.length; at += PIECE) bytes.add(inside(text.slice(at, at + PIECE)));
		bytes.add(between);
	}
	bytes.add('\n');
	return bytes.all();
};

/** Removes this number of bytes from the start of the buffers. */
export const linesAfter = (buffers: readonly Buffer[], bytes: number): readonly Buffer[] => {
	let left = bytes;
	return buffers.flatMap(buffer => {
		const gone = Math.min(left, buffer.length);
		left -= gone;
		return gone === buffer.length ? [] : [buffer.subarray(gone)];
	});
};
