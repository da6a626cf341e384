// Position of a dialog's box on the screen. The box sets it when drawn; the screen reader reads it.

/** Cells of the screen that a box covers: `width` with its sides, `height` without its rules. */
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
