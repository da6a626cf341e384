/**
 * First and last lines of a long text. `hidden`: number of omitted lines between them, or of
 * omitted characters if lines are cut. 0 if `head` is the whole text.
 */
export type Folded = {
	readonly head: string;
	readonly hidden: number;
	readonly unit: 'line' | 'character';
	readonly tail: string;
};

/**
 * Maximum length of a line that counts as one, in UTF-16 units. A longer line counts as several.
 */
const LONG_LINE = 2000;
const CSI = /\u001B\[[0-?]*[ -/]*[@-~]/y;
/** Longest colour sequence, in UTF-16 units. */
const LONGEST_CSI = 64;

/** Moves an offset before or after an escape sequence or surrogate pair that it would split. */
const uncut = (text: string, at: number, side: 'before' | 'behind'): number => {
	const escape = text.lastIndexOf('\u001B', at - 1);
	if (escape !== -1 && at - escape < LONGEST_CSI) {
		CSI.lastIndex = escape;
		if (CSI.test(text) && CSI.lastIndex > at) return side === 'before' ? escape : CSI.lastIndex;
	}
	const code = text.charCodeAt(at);
	if (code >= 0xdc00 && code <= 0xdfff) return side === 'before' ? at - 1 : at + 1;
	return at;
};

/** Offset after the first `count` lines. Returns the text's length if there are fewer lines. */
const afterLines = (text: string, count: number): number => {
	let at = 0;
	for (let line = 0; line < count; line++) {
		const end = text.indexOf('\n', at);
		if (end === -1) return text.length;
		at = end + 1;
	}
	return at;
};

/** Offset at which the last `count` lines start. A final line feed is part of the last line. */
const beforeLines = (text: string, count: number): number => {
	let at = text.endsWith('\n') ? text.length - 1 : text.length;
	for (let line = 0; line < count; line++) {
		const end = at === 0 ? -1 : text.lastIndexOf('\n', at - 1);
		if (end === -1) return 0;
		at = end;
	}
	return at + 1;
};

/** Number of line feeds between two offsets. */
export const countBetween = (text: string, from: number, to: number): number => {
	let count = 0;
	for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
	return count;
};

/**
 * Folds a text of more than `most` lines to its `first` first and `last` last lines, and cuts lines
 * that are too long. Only searches for line feeds, so it is fast on large texts.
 */
export const fold = (
	text: string,
	{most, first, last}: {readonly most: number; readonly first: number; readonly last: number},
): Folded => {
	const isLarge = text.length > most * LONG_LINE;
	if (!isLarge && afterLines(text, most) >= text.length)
		return {head: text, hidden: 0, unit: 'line', tail: ''};
	const from = afterLines(text, first);
	const to = beforeLines(text, last);
	const head = first * LONG_LINE;
	const tail = text.length - last * LONG_LINE;
	if (isLarge && (from > head || to < tail)) {
		const start = from > head ? uncut(text, head, 'before') : from - 1;
		const end = to < tail ? uncut(text, tail, 'behind') : to;
		return {head: text.slice(0, start), hidden: end - start, unit: 'character', tail: text.slice(end)};
	}
	return {
		head: text.slice(0, from - 1),
		hidden: countBetween(text, from, to),
		unit: 'line',
		tail: text.slice(to),
	};
};

/**
 * Start and end of a long text, joined. `lines`, `units`: number of omitted line feeds and UTF-16
 * units.
 */
export type Excerpt = {readonly text: string; readonly lines: number; readonly units: () => number};

/**
 * Key of the property that returns an output's excerpt. A registered symbol, because the live
 * link's bundle has its own copy of this module.
 */
export const EXCERPT = Symbol.for('svc-tui.excerpt');

/**
 * Start and end of an output's text, for callers that draw only these. Null if the whole text is
 * needed.
 */
export const excerptOf = (output: {
	readonly output_type: string;
	readonly [EXCERPT]?: () => Excerpt | null;
}): Excerpt | null => output[EXCERPT]?.() ?? null;

/**
 * Length of each end of an excerpt, in UTF-16 units. Larger than the up to 30 lines that a fold
 * shows.
 */
export const EXCERPT_END = 40_960;

/** Folds an excerpt. Same result as {@link fold} for the whole text. */
export const foldExcerpt = ({text, lines, units}: Excerpt, how: Parameters<typeof fold>[1]): Folded => {
	const folded = fold(text, how);
	return {...folded, hidden: folded.hidden + (folded.unit === 'line' ? lines : units())};
};

/** Number of UTF-16 units shown of a line that is redrawn. */
const FRAME = 4000;

/**
 * Drops the earlier drawings of lines that are redrawn: a progress bar may have been drawn 100,000
 * times.
 */
export const lastDrawings = (text: string): string => {
	if (text.length < 10 * FRAME || !text.includes('\r')) return text;
	return text
		.split('\n')
		.map(line => {
			const at = line.length < 2 * FRAME ? -1 : line.lastIndexOf('\r', line.length - FRAME);
			return at === -1 ? line : line.slice(at);
		})
		.join('\n');
};
