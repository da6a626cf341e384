import {expect} from 'vitest';
import {screenOf, type Frame, type WatchedScreen} from './watched-screen.ts';

type Options = {
	/** First column that is read. */
	readonly from: number;
	readonly to: number;
	/** Position of the page; undefined on the last page. */
	readonly place: (frame: Frame) => string | undefined;
	readonly next: () => void;
	/** Throws if rows between two pages are missing. */
	readonly follows?: (before: Frame, after: Frame) => void;
	/** Throws if a page is not in order. */
	readonly check: (frame: Frame) => void;
};

/** Reads all pages from the current to the last. */
export const readPages = async (
	screen: WatchedScreen,
	{from, to, place, next, follows = () => {}, check}: Options,
): Promise<string> => {
	const pages: string[] = [];
	for (let frame = await screen.frame(); ;) {
		check(frame);
		pages.push(screenOf(frame.map(row => row.slice(from, to))));
		const here = place(frame);
		if (here === undefined) return pages.join('\n');
		next();
		const before = frame;
		frame = await screen.sees(now => expect(place(now), `behind\n${here}`).not.toBe(here));
		follows(before, frame);
	}
};
