// Picture in pixels over a part of the screen that Ink leaves empty. Drawn once Ink's output
// pauses, and again after Ink has cleared the screen.
import {DELETE_OVERLAY} from '../text/pixels/overlay.ts';
import type {Overlay} from '../tui/core/store/deps.ts';

/** Time without output that counts as a pause, in ms. */
const REST_MS = 30;
/** Sequences that clear the screen or switch to another one. */
const CLEARS = /\u001B\[(?:[23]J|\?1049h)/;

const erased = ({y, height}: Overlay): string =>
	Array.from({length: height}, (_, row) => `\u001B[${y + row + 1};1H\u001B[2K`).join('');

export type ScreenOverlay = {
	/** Shows a picture. Null removes it. */
	show(overlay: Overlay | null): void;
	wrote(text: string): void;
};

/** `write`: raw output to the terminal. `isAway`: true while another program has the terminal. */
export const createOverlay = (write: (text: string) => void, isAway: () => boolean): ScreenOverlay => {
	let shown: Overlay | null = null;
	let isDrawn = false;
	let timer: NodeJS.Timeout | undefined;
	const atCursor = (text: string): void => write(`\u001B7${text}\u001B8`);
	const draw = (): void => {
		if (shown === null || isDrawn || isAway()) return;
		isDrawn = true;
		atCursor(`\u001B[${shown.y + 1};${shown.x + 1}H${shown.drawn}`);
	};
	const soon = (): void => {
		clearTimeout(timer);
		timer = setTimeout(draw, REST_MS).unref();
	};
	return {
		show(next) {
			if (shown !== null && isDrawn && !isAway())
				atCursor((shown.drawn.startsWith('\u001B_G') ? DELETE_OVERLAY : '') + erased(shown));
			shown = next;
			isDrawn = false;
			if (next !== null) soon();
		},
		wrote(text) {
			if (shown === null) return;
			if (CLEARS.test(text)) isDrawn = false;
			if (!isDrawn) soon();
		},
	};
};
