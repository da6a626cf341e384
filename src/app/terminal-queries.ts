// The one way of questions to the terminal of the screens: nothing waits for an answer but what would hand the terminal on before it has come.
import {setTimeout as sleep} from 'node:timers/promises';
import {BACKGROUND_QUERY, backgroundIn, type Background} from '../text/terminal-background.ts';

/** What it is: every terminal answers it, after all that was asked before. */
const DEVICE_QUESTION = '\u001B[c';
const DEVICE = /^\u001B\[\?[\d;]*c$/;
/** A circle that nobody sees, and where the cursor is then: some fonts and terminals give it two cells, and then all our lines and marks. */
const WIDTH_QUESTION = '\u001B[H\u001B[8m○\u001B[m\u001B[6n\u001B[H\u001B[2K';
const WIDTH = /^\u001B\[1;([23])R$/;

/** Milliseconds after a question in which its answer can be on the way. */
const ON_THE_WAY_MS = 1000;

export type TerminalReports = {
	/** Of the terminal's colours. */
	readonly ground?: Background;
	/** Our lines and marks have two cells each. */
	readonly isWide?: boolean;
};

export type TerminalQueries = {
	/** Writes a question that ends with that for the device. */
	ask(question: string): void;
	/** A sequence that the terminal has sent. */
	told(report: string): void;
	/** When no answer is on the way. */
	answered(): Promise<void>;
};

/** Terminals that may draw a question. */
export const cannotQuery = (name: string | undefined): boolean =>
	name === undefined || /^(?:$|dumb|linux|eterm|cons|vt\d)/.test(name);

/** `TERM`, and what is not known without the terminal. It is asked at once. */
export const createTerminalQueries = (
	{name, asks}: {readonly name: string | undefined; readonly asks: readonly (keyof TerminalReports)[]},
	write: (bytes: string) => void,
	hear: (told: TerminalReports) => void,
): TerminalQueries => {
	let open = 0;
	let isWidthOut = false;
	let until = 0;
	let over = Promise.withResolvers<void>();
	const ask = (question: string): void => {
		if (open === 0) over = Promise.withResolvers();
		open++;
		until = Date.now() + ON_THE_WAY_MS;
		write(question);
	};
	if (!cannotQuery(name) && asks.length > 0) {
		isWidthOut = asks.includes('isWide');
		ask(
			(asks.includes('ground') ? BACKGROUND_QUERY : '') +
				(asks.includes('isWide') ? WIDTH_QUESTION : '') +
				DEVICE_QUESTION,
		);
	}
	return {
		ask,
		told(report) {
			const ground = backgroundIn(report);
			if (ground !== null) hear({ground});
			const cells = WIDTH.exec(report)?.[1];
			// Only once: later, and where it was not asked, it is a key of xterm's, Shift-F3 or Alt-F3.
			if (cells !== undefined && isWidthOut) {
				isWidthOut = false;
				hear({isWide: cells === '3'});
			}
			if (!DEVICE.test(report)) return;
			isWidthOut = false;
			if (open > 0 && --open === 0) over.resolve();
		},
		async answered() {
			const left = until - Date.now();
			if (open > 0 && left > 0) await Promise.race([over.promise, sleep(left, undefined, {ref: false})]);
		},
	};
};
