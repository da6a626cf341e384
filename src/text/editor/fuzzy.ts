const isBoundary = (text: string, at: number): boolean =>
	at === 0 ||
	/[\s\-_/.:·]/.test(text[at - 1] ?? '') ||
	(/\p{Lu}/u.test(text[at] ?? '') && !/\p{Lu}/u.test(text[at - 1] ?? ''));

/**
 * Score for the typed characters, which must occur in the text in order but may be apart. Higher is
 * better. Null if the text does not match. Ignores letter case. Word starts and unbroken runs score
 * highest. Shorter texts score slightly higher. Linear in the length of the text.
 */
export const fuzzyScore = (typed: string, text: string): number | null => {
	const wanted = typed.toLowerCase().replaceAll(/\s+/g, '');
	if (wanted === '') return 0;
	const lower = text.toLowerCase();
	const whole = lower.indexOf(typed.trim().toLowerCase());
	if (whole >= 0) return 1000 - whole + (isBoundary(text, whole) ? 500 : 0) - text.length / 100;
	let score = 0;
	let from = 0;
	let previous = -2;
	for (const character of wanted) {
		// A word start or an unbroken run is preferred to the first occurrence.
		let found = -1;
		for (let at = lower.indexOf(character, from); at !== -1; at = lower.indexOf(character, at + 1)) {
			if (found === -1) found = at;
			if (at === previous + 1 || isBoundary(text, at)) {
				found = at;
				break;
			}
		}
		if (found === -1) return null;
		score += found === previous + 1 ? 15 : isBoundary(text, found) ? 10 : 1;
		previous = found;
		from = found + character.length;
	}
	// Scattered characters do not count as a match.
	return score < wanted.length * 6 ? null : score - text.length / 100;
};

/** Matching items, best first; equal scores keep their order. */
export const fuzzyFilter = <T>(
	typed: string,
	items: readonly T[],
	textOf: (item: T) => string,
): readonly T[] => {
	if (typed.trim() === '') return items;
	return items
		.flatMap(item => {
			const score = fuzzyScore(typed, textOf(item));
			return score === null ? [] : [{item, score}];
		})
		.sort((a, b) => b.score - a.score)
		.map(({item}) => item);
};
