/** Maximum length of the part of a line that is drawn or measured in one step, in UTF-16 units. */
export const PIECE = 4096;

/**
 * Line starts of a text of up to 100 MB. Scans in steps. The lines found so far can be used at any
 * time.
 */
export type LineIndex = {
	readonly text: string;
	/**
	 * Number of lines found so far. A final newline does not start another line. An empty text has
	 * one line.
	 */
	readonly count: number;
	readonly complete: boolean;
	/** Scans up to `units` more UTF-16 units. */
	advance(units: number): void;
	start(line: number): number;
	/** Offset after a line's last character, before its line end. */
	end(line: number): number;
	lineAt(offset: number): number;
};

export const createLineIndex = (text: string): LineIndex => {
	let starts = new Uint32Array(1024);
	let count = 1;
	let at = 0;
	let complete = false;
	const advance = (units: number): void => {
		const until = at + units;
		while (!complete && at < until) {
			const found = text.indexOf('\n', at);
			if (found === -1 || found + 1 >= text.length) {
				complete = true;
				at = text.length;
				return;
			}
			at = found + 1;
			if (count === starts.length) {
				const more = new Uint32Array(count * 2);
				more.set(starts);
				starts = more;
			}
			starts[count++] = at;
		}
	};
	const end = (line: number): number => {
		const next = starts[line + 1];
		let last = line + 1 < count && next !== undefined ? next - 1 : text.indexOf('\n', starts[line] ?? 0);
		if (last === -1) last = text.length;
		return last > (starts[line] ?? 0) && text.charCodeAt(last - 1) === 0x0d ? last - 1 : last;
	};
	return {
		text,
		get count() {
			return count;
		},
		get complete() {
			return complete;
		},
		advance,
		start: line => starts[line] ?? 0,
		end,
		lineAt(offset) {
			let low = 0;
			let high = count - 1;
			while (low < high) {
				const middle = Math.ceil((low + high) / 2);
				if ((starts[middle] ?? 0) <= offset) low = middle;
				else high = middle - 1;
			}
			return low;
		},
	};
};

const JOINS_BEFORE = /[\p{M}\u200d\ufe0f]/u;

/** Start offset of a piece of the line from `start` to `end`. Never splits a character. */
export const pieceStart = (text: string, start: number, end: number, piece: number): number => {
	let at = start + piece * PIECE;
	if (piece === 0 || at >= end) return Math.min(at, end);
	const unit = text.charCodeAt(at);
	if (unit >= 0xdc00 && unit <= 0xdfff) at++;
	for (let moved = 0; moved < 8 && at < end && JOINS_BEFORE.test(text.charAt(at)); moved++) at++;
	return Math.min(at, end);
};

export const pieceCount = (start: number, end: number): number =>
	Math.max(1, Math.ceil((end - start) / PIECE));
