/** Position to cut at: `at`, or one unit before it so as not to split a surrogate pair. */
const edge = (text: string, at: number): number =>
	/[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;

/**
 * Replaces the middle of a text longer than `most` UTF-16 units with the number of omitted
 * characters.
 */
export const cutMiddle = (text: string, most: number): string => {
	if (text.length <= most) return text;
	const head = edge(text, Math.ceil(most / 2));
	const tail = edge(text, text.length - Math.floor(most / 2));
	const left = (tail - head).toLocaleString('en');
	return `${text.slice(0, head)}\n… ${left} characters left out …\n${text.slice(tail)}`;
};
