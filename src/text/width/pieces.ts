/** `block` and `output` look at 1 MB only. */
const PIECE = 500_000;

/** A long text in pieces that `block` and `output` take whole, each ending with a line where lines are not longer than that. */
export const pieces = (text: string): readonly string[] => {
	const found: string[] = [];
	for (let from = 0; from < text.length;) {
		const end = from + PIECE >= text.length ? text.length : text.lastIndexOf('\n', from + PIECE) + 1;
		const to = end > from ? end : Math.min(text.length, from + PIECE);
		found.push(text.slice(from, to));
		from = to;
	}
	return found;
};
