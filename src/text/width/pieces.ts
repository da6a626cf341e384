/** Length of a piece, less than the 1 MB that `block` and `output` read at most. */
const PIECE = 500_000;

/**
 * Splits a long text at line ends where possible, so that `block` and `output` can read all of it.
 */
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
