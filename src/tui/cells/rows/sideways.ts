const areSame = (one: readonly string[], other: readonly string[]): boolean =>
	one === other || (one.length === other.length && one.every((row, index) => row === other[index]));

/**
 * Number of columns of a cell's wide tables that are scrolled out of view at the left, after one
 * step to the side. A sentence if no step is possible. `rowsAt`: rows of the cell for such a
 * number.
 */
export const movedSideways = (
	rowsAt: (left: number) => readonly string[],
	left: number,
	step: 1 | -1,
): number | string => {
	const now = rowsAt(left);
	if (step > 0 && !areSame(rowsAt(left + 1), now)) return left + 1;
	if (step < 0 && left > 0) {
		let to = left - 1;
		// Skips steps without an effect, which exist once the pane has grown wider.
		while (to > 0 && areSame(rowsAt(to), now)) to--;
		return to;
	}
	if (step < 0 ? areSame(rowsAt(1), now) : left === 0 || areSame(rowsAt(0), now))
		return 'No table of this cell is wider than the pane';
	return step < 0 ? 'This is the first column' : 'This is the last column';
};
