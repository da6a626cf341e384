/** Where a text may be cut at or before `at`: never between the halves of a character. */
const edge = (text: string, at: number): number =>
	/[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;

/** A text of more than `most` UTF-16 units without its middle, which is counted in a line of its own. */
export const cutMiddle = (text: string, most: number): string => {
	if (text.length <= most) return text;
	const head = edge(text, Math.ceil(most / 2));
	const tail = edge(text, text.length - Math.floor(most / 2));
	const left = (tail - head).toLocaleString('en');
	return `${text.slice(0, head)}\n… ${left} characters left out …\n${text.slice(tail)}`;
};
