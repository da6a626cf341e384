// Position of a dialog's box on the screen. The box sets it when drawn; the screen below and the
// screen reader read it.

/** Cells of the screen that a box covers, `width` with its sides and `height` without its rules. */
export type BoxRect = Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;

let place: BoxRect | null = null;
const hearers = new Set<() => void>();

/** Position of the box, or null if no dialog has one. */
export const boxOnScreen = (): BoxRect | null => place;

export const placeBox = (next: BoxRect | null): void => {
	place = next;
	for (const hear of hearers) hear();
};

export const followBox = (hear: () => void): (() => void) => {
	hearers.add(hear);
	return () => hearers.delete(hear);
};

/** Minimum width of the text beside a box, in cells: a narrower strip shows fragments of words. */
const LEAST_BESIDE = 16;

/**
 * The columns that a box and its blank margins cover in each of its rows, up to `to`. All columns
 * if too few would be left.
 */
export const coveredColumns = ({
	left,
	width,
}: Pick<BoxRect, 'left' | 'width'>): {readonly from: number; readonly to: number} =>
	left < LEAST_BESIDE ? {from: 0, to: Infinity} : {from: left - 1, to: left + width + 1};
