/**
 * Removes the characters of `set` from the end of a text. Linear in its length, unlike the regular
 * expression `/x+$/`, which rescans a run of `x` in the middle of the text from each of its
 * characters.
 */
export const withoutEnd = (text: string, set: string): string => {
	let end = text.length;
	while (end > 0 && set.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
};

/** Removes the characters of `set` from both ends of a text. Linear, like {@link withoutEnd}. */
export const withoutEnds = (text: string, set: string): string => {
	const kept = withoutEnd(text, set);
	let start = 0;
	while (start < kept.length && set.includes(kept.charAt(start))) start++;
	return kept.slice(start);
};
