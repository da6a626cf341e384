import type {LiveCell} from '../../api/client-types.ts';
import {createGcTrigger} from '../../machine/gc.ts';

/** Duration of a frame, in ms. */
const FRAME_MS = 33;
/**
 * Interval for updates of a hidden pane, in ms. The pane must be up to date when the user returns
 * to it, and questions must appear.
 */
const HIDDEN_MS = 250;
/** Drawn output, in UTF-16 units, per ms of pause after it: long output is drawn less often. */
const UNITS_PER_MS = 16 * 1024;
const LARGE = 1 << 20;
/** Minimum delay of an update, in ms: a cell that ends within this time is drawn only once. */
const SOON_MS = 10;
/**
 * Most output per frame that a user can read, in UTF-16 units. While more arrives, each pause is
 * twice as long as the previous one, up to `FLOOD_MS`, to leave the processor to the kernel.
 */
const READABLE = 4096;
const FLOOD_MS = 300;

/** Calls `tell` after changes, at most once per frame; less often for a flood or a hidden pane. */
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
		// Drawing a long text leaves much garbage, which is collected now.
		if (drawn() > LARGE) clear(drawn());
	};
	return {
		changed(what?: 'value'): void {
			if (timer !== undefined && what === undefined) return;
			const pause = Math.max(isShown() ? frame : HIDDEN_MS, drawn() / UNITS_PER_MS);
			const left = updatedAt + pause - Date.now();
			// A value is drawn at once, because the end of the cell usually follows.
			if (what === 'value' && isShown() && left <= 0) return now();
			timer ??= setTimeout(now, Math.max(SOON_MS, left)).unref();
		},
		now,
	};
};
