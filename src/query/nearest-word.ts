/** Number of edits between words: insert, delete or replace a letter, or swap two neighbours. */
const distance = (from: string, to: string): number => {
	let before: number[] = [];
	let last = Array.from({length: to.length + 1}, (_, index) => index);
	for (let row = 1; row <= from.length; row++) {
		const next = [row];
		for (let column = 1; column <= to.length; column++) {
			const same = from[row - 1] === to[column - 1];
			let best = Math.min(
				(last[column] ?? 0) + 1,
				(next[column - 1] ?? 0) + 1,
				(last[column - 1] ?? 0) + (same ? 0 : 1),
			);
			if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
				best = Math.min(best, (before[column - 2] ?? 0) + 1);
			next.push(best);
		}
		before = last;
		last = next;
	}
	return last[to.length] ?? 0;
};

/**
 * Most similar word. It has the same start as the typed text, or differs from it by at most two
 * edits. Undefined if there is none.
 */
export const nearestWord = (typed: string, words: readonly string[]): string | undefined => {
	const near = words
		.map(word => ({
			word,
			edits:
				typed.length > 1 && (word.startsWith(typed) || typed.startsWith(word))
					? 0.5
					: distance(typed.slice(0, 30), word),
		}))
		.filter(({word, edits}) => edits <= Math.min(2, Math.max(typed.length, word.length) - 1))
		.sort((a, b) => a.edits - b.edits);
	return near[0]?.word;
};
