/** Index of the first visible row, as close as possible to `top`, so that `cursor` is visible. */
export const keepInView = (top: number, cursor: number, height: number, count: number): number => {
	const last = Math.max(0, count - height);
	if (cursor < top) return Math.max(0, Math.min(cursor, last));
	if (cursor >= top + height) return Math.max(0, Math.min(cursor - height + 1, last));
	return Math.max(0, Math.min(top, last));
};

/**
 * Index of the first visible row of a list whose only state is its cursor. The cursor stays near
 * the middle if possible.
 */
export const windowAround = (cursor: number, height: number, count: number): number =>
	Math.max(0, Math.min(cursor - Math.floor(height / 2), count - height));

export const clamp = (value: number, low: number, high: number): number =>
	Math.max(low, Math.min(value, high));

type Step = (target: (at: number) => number) => () => void;

const steps = (to: Step, page: number, last: number) => ({
	up: to(at => at - 1),
	down: to(at => at + 1),
	pageUp: to(at => at - page),
	pageDown: to(at => at + page),
	first: to(() => 0),
	last: to(() => last),
});

/**
 * Handlers of the six movements that every list has. `cursor` is called at each key, because a held
 * key arrives several times before the next frame.
 */
export const movements = (cursor: () => number, count: number, page: number, move: (to: number) => void) => {
	const last = Math.max(0, count - 1);
	return steps(target => () => move(clamp(target(clamp(cursor(), 0, last)), 0, last)), page, count - 1);
};

/**
 * Handlers for a text that scrolls. `top`: index of the first line; null follows the end, and
 * scrolling to the end makes it null again. `last`: largest possible index of the first line.
 */
export const scrolling = (
	top: () => number | null,
	last: number,
	page: number,
	move: (to: number | null) => void,
) =>
	steps(
		target => () => {
			const now = target(Math.min(top() ?? last, last));
			move(now >= last ? null : Math.max(0, now));
		},
		page,
		last,
	);
