/**
 * Text without the characters of `set` at its end. Linear, unlike the regular expression `/x+$/`,
 * which reads a run of `x` in the middle of a text once for every `x` in it.
 */
export const withoutEnd = (text: string, set: string): string => {
	let end = text.length;
	while (end > 0 && set.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
};

/** Text without the characters of `set` at either end. Linear, as {@link withoutEnd}. */
export const withoutEnds = (text: string, set: string): string => {
	const kept = withoutEnd(text, set);
	let start = 0;
	while (start < kept.length && set.includes(kept.charAt(start))) start++;
	return kept.slice(start);
};
