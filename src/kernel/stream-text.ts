import {StringDecoder} from 'node:string_decoder';
import {countBetween, EXCERPT_END, type Excerpt} from '../text/output/fold.ts';
import {redrawsLines, LONGEST_MOVE} from '../text/output/output.ts';
import {isContinuation} from '../text/utf8.ts';

/** Length below which an excerpt saves nothing. */
const SHORT = 2 * EXCERPT_END;

const wholeEnd = (bytes: Buffer): Buffer => {
	let start = 0;
	while (isContinuation(bytes[start])) start++;
	return bytes.subarray(start);
};

/** Bytes per piece of text. */
const PIECE = 64 * 1024;

/**
 * Ring buffer with the last bytes of the input. The memory is reused, so a flood of output creates
 * no garbage.
 */
const createTail = (limit: number) => {
	const ring = Buffer.allocUnsafe(limit);
	/** Position of the next byte, and number of stored bytes. */
	let at = 0;
	let length = 0;
	/** The last `count` bytes, as older and newer part. */
	const last = (count: number): readonly [Buffer, Buffer] =>
		count <= at
			? [ring.subarray(0, 0), ring.subarray(at - count, at)]
			: [ring.subarray(limit - (count - at)), ring.subarray(0, at)];
	/** The last `count` bytes, from the first complete character. */
	const lastWhole = (count: number): readonly [Buffer, Buffer] => {
		const [old, young] = last(Math.min(count, length));
		// A character may be cut at the start, and even extend over all of the older part.
		const first = wholeEnd(old);
		return [first, first.length === 0 ? wholeEnd(young) : young];
	};
	return {
		length: () => length,
		add(bytes: Buffer): void {
			const fitting = bytes.subarray(Math.max(0, bytes.length - limit));
			const copied = fitting.copy(ring, at);
			fitting.copy(ring, 0, copied);
			at += fitting.length;
			if (at >= limit) at -= limit;
			length = Math.min(limit, length + fitting.length);
		},
		/** Text of the last `count` bytes, from the first complete character. */
		read(count = length): {readonly text: string; readonly bytes: number} {
			const [first, rest] = lastWhole(count);
			const decoder = new StringDecoder('utf8');
			return {text: decoder.write(first) + decoder.end(rest), bytes: first.length + rest.length};
		},
		/** Everything that {@link read} returns, in pieces. */
		*pieces(): Generator<string> {
			const decoder = new StringDecoder('utf8');
			for (const part of lastWhole(length))
				for (let from = 0; from < part.length; from += PIECE)
					yield decoder.write(part.subarray(from, from + PIECE));
			yield decoder.end();
		},
		whole: () => lastWhole(length).reduce((sum, part) => sum + part.length, 0),
		lines(): number {
			let count = 0;
			for (const part of last(length))
				for (let end = part.indexOf(10); end !== -1; end = part.indexOf(10, end + 1)) count++;
			return count;
		},
	};
};

/** Output of a stream: its start and, once `roll` was called, its last bytes. */
export type StreamText = {
	/** Appends text that is stored completely. */
	keep(text: string): void;
	/** Appends text of which only the last bytes are stored. `bytes`: the text in UTF-8. */
	roll(text: string, bytes: Buffer): void;
	readonly isRolling: () => boolean;
	/** Approximate UTF-16 units that are read for drawing. */
	readonly drawn: () => number;
	text(): string;
	pieces(): Iterable<string>;
	/** Start and end of the text. Null if the text is short, or redraws its own lines. */
	excerpt(): Excerpt | null;
};

/** `limit`: in bytes, for the rolling end. `dots`: marks around the note on hidden bytes. */
export const createStreamText = (limit: number, dots: string): StreamText => {
	let head: string[] = [];
	let units = 0;
	/** Number of line feeds in the first `counted` pieces. */
	let lines = 0;
	let counted = 0;
	let start: string | null = null;
	let tail: ReturnType<typeof createTail> | null = null;
	let rolled = 0;
	let isAscii = true;
	let isDrawnOver = false;
	let before = '';

	const see = (text: string): void => {
		isDrawnOver ||= redrawsLines(text) || redrawsLines(before + text.slice(0, LONGEST_MOVE));
		before = (text.length < LONGEST_MOVE ? before + text : text).slice(-LONGEST_MOVE);
	};
	const count = (): number => {
		for (const piece of head.slice(counted)) lines += countBetween(piece, 0, piece.length);
		counted = head.length;
		return lines;
	};
	const noteOn = (hidden: number): string =>
		hidden === 0
			? ''
			: `${head.at(-1)?.endsWith('\n') === true ? '' : '\n'}${dots} ${hidden.toLocaleString('en')} bytes not shown ${dots}\n`;
	/** Pieces from either end of the stored start, enough for an excerpt. */
	const endOf = (pieces: Iterable<string>): readonly string[] => {
		const taken: string[] = [];
		let size = 0;
		for (const piece of pieces) {
			if (size >= EXCERPT_END) break;
			taken.push(piece);
			size += piece.length;
		}
		return taken;
	};
	const endOfHead = (): string => {
		const taken = endOf(
			(function* () {
				for (let index = head.length - 1; index >= 0; index--) yield head[index]!;
			})(),
		);
		return taken.toReversed().join('').slice(-EXCERPT_END);
	};
	const hasExcerpt = (): boolean => !isDrawnOver && units >= SHORT;
	const text = (): string => {
		count();
		// Stores the joined text, because it is read often while it grows.
		head = [head.join('')];
		counted = 1;
		const [first = ''] = head;
		if (tail === null) return first;
		const rest = tail.read();
		return first + noteOn(rolled - rest.bytes) + rest.text;
	};

	return {
		keep(more) {
			if (more === '') return;
			see(more);
			head.push(more);
			units += more.length;
		},
		roll(more, bytes) {
			see(more);
			tail ??= createTail(limit);
			tail.add(bytes);
			rolled += bytes.length;
			isAscii &&= more.length === bytes.length;
		},
		isRolling: () => tail !== null,
		drawn: () => (hasExcerpt() ? 2 * EXCERPT_END : units + (tail?.length() ?? 0)),
		text,
		*pieces() {
			yield* head;
			if (tail === null) return;
			yield noteOn(rolled - tail.whole());
			yield* tail.pieces();
		},
		excerpt() {
			if (!hasExcerpt()) return null;
			start ??= endOf(head).join('').slice(0, EXCERPT_END);
			const ringed = tail?.length() ?? 0;
			const note = tail === null ? '' : noteOn(rolled - ringed);
			// A UTF-16 unit has at most three bytes.
			const bytes = isAscii ? EXCERPT_END : 3 * EXCERPT_END;
			const end =
				tail === null
					? endOfHead()
					: ringed >= bytes
						? tail.read(bytes).text.slice(-EXCERPT_END)
						: endOfHead() + noteOn(rolled - tail.read().bytes) + tail.read().text;
			const shown = start + end;
			const all = count() + countBetween(note, 0, note.length) + (tail?.lines() ?? 0);
			return {
				text: shown,
				lines: all - countBetween(shown, 0, shown.length),
				units: () => (isAscii ? units + note.length + ringed : text().length) - shown.length,
			};
		},
	};
};
