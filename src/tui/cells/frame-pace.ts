import type {LiveCell} from '../../api/client-types.ts';
import {createGcTrigger} from '../../machine/gc.ts';

/** Duration of a frame, in ms. */
const FRAME_MS = 33;
/**
 * Interval for updates of a hidden pane, in ms. It must be current when the user returns, and show
 * questions.
 */
const HIDDEN_MS = 250;
/** Output drawn per ms, in UTF-16 units. Output that takes longer is drawn less often. */
const UNITS_PER_MS = 16 * 1024;
const LARGE = 1 << 20;
/** A cell that ends within this time is drawn once, in ms. */
const SOON_MS = 10;
/**
 * Maximum output per frame that a user can read, in UTF-16 units. During a larger flood each pause
 * doubles, up to `FLOOD_MS`, which leaves the processor to the kernel.
 */
const READABLE = 4096;
const FLOOD_MS = 300;

/** Reports changes at most once per frame, and less often for a flood or a hidden pane. */
export const createUpdates = (
	cell: () => Pick<LiveCell, 'came' | 'drawn'> | null,
	tell: () => void,
	isShown: () => boolean,
) => {
	let timer: NodeJS.Timeout | undefined;
	let updatedAt = 0;
	let seen = 0;
	let frame = FRAME_MS;
	const clear = createGcTrigger();
	const drawn = (): number => cell()?.drawn() ?? 0;
	const now = (): void => {
		clearTimeout(timer);
		timer = undefined;
		updatedAt = Date.now();
		const came = cell()?.came() ?? 0;
		frame = came - seen > READABLE ? Math.min(2 * frame, FLOOD_MS) : FRAME_MS;
		seen = came;
		tell();
		// Drawing a long text leaves garbage each time.
		if (drawn() > LARGE) clear(drawn());
	};
	return {
		changed(what?: 'value'): void {
			if (timer !== undefined && what === undefined) return;
			const pause = Math.max(isShown() ? frame : HIDDEN_MS, drawn() / UNITS_PER_MS);
			const left = updatedAt + pause - Date.now();
			// Draws the value without waiting for the end of the cell, which usually follows at
			// once.
			if (what === 'value' && isShown() && left <= 0) return now();
			timer ??= setTimeout(now, Math.max(SOON_MS, left)).unref();
		},
		now,
	};
};
