// Queries to the terminal of the screens. Only code that lends the terminal waits for pending
// replies.
import {setTimeout as sleep} from 'node:timers/promises';
import {BACKGROUND_QUERY, backgroundIn, type Background} from '../text/terminal-background.ts';

/** Query of device attributes. Every terminal replies to it, after all earlier queries. */
const DEVICE_QUESTION = '\u001B[c';
const DEVICE = /^\u001B\[\?[\d;]*c$/;
/**
 * Prints an invisible circle and queries the cursor's position. Some fonts and terminals give the
 * circle two cells. Then they give two cells to all our lines and marks too.
 */
const WIDTH_QUESTION = '\u001B[H\u001B[8m○\u001B[m\u001B[6n\u001B[H\u001B[2K';
const WIDTH = /^\u001B\[1;([23])R$/;

/** Longest time in which a reply is still expected, in ms. */
const ON_THE_WAY_MS = 1000;

export type TerminalReports = {
	/** Background colour of the terminal. */
	readonly ground?: Background;
	/** True if the terminal gives two cells to our lines and marks. */
	readonly isWide?: boolean;
};

export type TerminalQueries = {
	/**
	 * Sends a query. `question` must end with a query of device attributes, to which every terminal
	 * replies.
	 */
	ask(question: string): void;
	/** Handles a sequence from the terminal. */
	told(report: string): void;
	/** Resolves once no reply is pending. */
	answered(): Promise<void>;
};

/** True for terminals that might print a query as text. */
export const cannotQuery = (name: string | undefined): boolean =>
	name === undefined || /^(?:$|dumb|linux|eterm|cons|vt\d)/.test(name);

/** Sends the queries in `asks` immediately. `name`: value of TERM. */
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
			// Only the first match is a reply. Later, the same sequence is a key of xterm: Shift-F3
			// or Alt-F3.
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
