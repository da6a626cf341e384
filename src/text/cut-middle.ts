/** Cut position at or just before `at` that does not split a surrogate pair. */
const edge = (text: string, at: number): number =>
	/[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;

/** Replaces the middle of a text beyond `most` UTF-16 units with a count of what is missing. */
export const cutMiddle = (text: string, most: number): string => {
	if (text.length <= most) return text;
	const head = edge(text, Math.ceil(most / 2));
	const tail = edge(text, text.length - Math.floor(most / 2));
	const left = (tail - head).toLocaleString('en');
	return `${text.slice(0, head)}\n… ${left} characters left out …\n${text.slice(tail)}`;
};
