// Where the box of a dialog is on the screen: it says so when it is drawn, and what lies below it, or reads it out, hears of it.

/** Cells of the screen that a box has, `width` with its sides and `height` without its rules. */
export type BoxRect = Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;

let place: BoxRect | null = null;
const hearers = new Set<() => void>();

/** Null: no dialog has a box there. */
export const boxOnScreen = (): BoxRect | null => place;

export const placeBox = (next: BoxRect | null): void => {
	place = next;
	for (const hear of hearers) hear();
};

export const followBox = (hear: () => void): (() => void) => {
	hearers.add(hear);
	return () => hearers.delete(hear);
};

/** With fewer cells beside a box, what is whole there would be no more than debris. */
const LEAST_BESIDE = 16;

/** The columns that a box and the blank cells beside it cover in each of its rows, up to `to`: all of them where little is left. */
export const coveredColumns = ({
	left,
	width,
}: Pick<BoxRect, 'left' | 'width'>): {readonly from: number; readonly to: number} =>
	left < LEAST_BESIDE ? {from: 0, to: Infinity} : {from: left - 1, to: left + width + 1};
