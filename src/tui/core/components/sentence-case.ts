/** Words of column heads that stay in capitals: acronyms and units. */
const CAPITALS = new Set(['CPU', 'G', 'GPU', 'N', 'VRAM']);

/**
 * Head of a column in sentence case, for example `Rate /h`. Commands print it in capitals. A head
 * with a small letter, as in `EUR/h`, is in its final form.
 */
export const inSentenceCase = (head: string): string => (/\p{Ll}/u.test(head) ? head : inSmallLetters(head));

const inSmallLetters = (head: string): string =>
	head.replaceAll(/\p{Lu}+/gu, (word, at: number) => {
		if (CAPITALS.has(word)) return word;
		if (CAPITALS.has(word.replace(/S$/, ''))) return `${word.slice(0, -1)}s`;
		const isFirst = !/\p{L}/u.test(head.slice(0, at));
		return isFirst ? word.slice(0, 1) + word.slice(1).toLowerCase() : word.toLowerCase();
	});
