import {createClearing} from '../../text/garbage.ts';

/** Milliseconds of a frame, and how many units of output are drawn in one: what takes long to draw is drawn less often. */
const FRAME_MS = 33;
/** What nobody sees is told of this often: it stands there when somebody comes back, and questions are. */
const HIDDEN_MS = 250;
const UNITS_PER_MS = 16 * 1024;
const LARGE = 1 << 20;
/** What is over so soon is drawn once. */
const SOON_MS = 10;

/** Tells of changes at most once a frame, of what is not on screen less often. */
export const createUpdates = (size: () => number, tell: () => void, isShown: () => boolean) => {
	let timer: NodeJS.Timeout | undefined;
	let toldAt = 0;
	const clear = createClearing();
	const now = (): void => {
		clearTimeout(timer);
		timer = undefined;
		toldAt = Date.now();
		tell();
		// Each drawing of a long text leaves the one before behind.
		if (size() > LARGE) clear(size());
	};
	return {
		changed(): void {
			if (timer !== undefined) return;
			const pause = Math.max(isShown() ? FRAME_MS : HIDDEN_MS, size() / UNITS_PER_MS);
			timer = setTimeout(now, Math.max(SOON_MS, toldAt + pause - Date.now())).unref();
		},
		now,
	};
};
