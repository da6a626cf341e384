import type {LiveCell} from '../../api/client-types.ts';
import {createGcTrigger} from '../../machine/gc.ts';

/** Milliseconds of a frame, and how many units of output are drawn in one: what takes long to draw is drawn less often. */
const FRAME_MS = 33;
/** How often a hidden pane is updated: it stands there when somebody comes back, and questions are. */
const HIDDEN_MS = 250;
const UNITS_PER_MS = 16 * 1024;
const LARGE = 1 << 20;
/** What is over so soon is drawn once. */
const SOON_MS = 10;
/** Nobody reads more than so many units a frame: while more come each pause is twice the one before, up to the longest, and the kernel has the processor. */
const READABLE = 4096;
const FLOOD_MS = 300;

/** Tells of changes at most once a frame, of a flood and of what is not on screen less often. */
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
		// Each drawing of a long text leaves the one before behind.
		if (drawn() > LARGE) clear(drawn());
	};
	return {
		changed(what?: 'value'): void {
			if (timer !== undefined && what === undefined) return;
			const pause = Math.max(isShown() ? frame : HIDDEN_MS, drawn() / UNITS_PER_MS);
			const left = updatedAt + pause - Date.now();
			// The end that mostly follows is waited for by nobody.
			if (what === 'value' && isShown() && left <= 0) return now();
			timer ??= setTimeout(now, Math.max(SOON_MS, left)).unref();
		},
		now,
	};
};
