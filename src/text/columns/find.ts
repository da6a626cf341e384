/** UTF-16 units searched per step. */
const STEP = 1_000_000;
/** Maximum number of matches that are counted and can be visited. */
const MOST = 5_000_000;

/** Text search that runs in steps, so that keys are handled while a long text is searched. */
export type Find = {
	readonly count: number;
	/** Offset up to which the text has been searched. */
	readonly searched: number;
	readonly complete: boolean;
	advance(): void;
	/** Offset of a match. `index`: number of the match, from 0. */
	at(index: number): number;
	/**
	 * Number of the first match at or after an offset. Returns `count` if none has been found there
	 * yet.
	 */
	firstFrom(offset: number): number;
	/** Ranges of the matches in a part of the text, clipped to the part. */
	within(from: number, to: number): readonly (readonly [from: number, to: number])[];
};

/** Search pattern. It is case-sensitive only if the search text has a capital letter. */
const patternOf = (words: string): RegExp => {
	const flags = words === words.toLowerCase() ? 'gi' : 'g';
	return new RegExp(
		words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
		/[^\u0000-\u007f]/.test(words) ? `${flags}u` : flags,
	);
};

export const createFind = (text: string, words: string): Find => {
	const pattern = patternOf(words);
	let found = new Uint32Array(256);
	let count = 0;
	let searched = 0;
	// Maximum length of a match: a letter has at most three UTF-16 units in its other case.
	const overlap = words.length * 3;
	const matchesIn = (from: number, to: number, visit: (at: number, length: number) => void): void => {
		const part = text.slice(from, to);
		pattern.lastIndex = 0;
		for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
			visit(from + match.index, match[0].length);
			if (match[0] === '') pattern.lastIndex++;
		}
	};
	return {
		get count() {
			return count;
		},
		get searched() {
			return searched;
		},
		get complete() {
			return searched >= text.length;
		},
		advance() {
			const until = Math.min(text.length, searched + STEP);
			let last = count === 0 ? -1 : (found[count - 1] ?? 0) + words.length - 1;
			matchesIn(searched, Math.min(text.length, until + overlap), (at, length) => {
				if (at >= until || at <= last || count >= MOST) return;
				last = at + length - 1;
				if (count === found.length) {
					const more = new Uint32Array(count * 2);
					more.set(found);
					found = more;
				}
				found[count++] = at;
			});
			searched = until;
		},
		at: index => found[index] ?? 0,
		firstFrom(offset) {
			let low = 0;
			let high = count;
			while (low < high) {
				const middle = Math.floor((low + high) / 2);
				if ((found[middle] ?? 0) < offset) low = middle + 1;
				else high = middle;
			}
			return low;
		},
		within(from, to) {
			const spans: (readonly [number, number])[] = [];
			matchesIn(Math.max(0, from - overlap), Math.min(text.length, to + overlap), (at, length) => {
				if (at < to && at + length > from) spans.push([Math.max(at, from), Math.min(at + length, to)]);
			});
			return spans;
		},
	};
};
