import {expect} from 'vitest';
import {screenOf, type Frame, type WatchedScreen} from './watched-screen.ts';

type Options = {
	/** Columns that are read. */
	readonly from: number;
	readonly to: number;
	/** Says where the page is; it differs from page to page, and is undefined on the last. */
	readonly place: (frame: Frame) => string | undefined;
	/** Goes one page on. */
	readonly next: () => void;
	/** Throws where rows are missing between two pages. */
	readonly follows?: (before: Frame, after: Frame) => void;
	/** Throws for a page that is not in order. */
	readonly check: (frame: Frame) => void;
};

/** Reads all pages from the one on screen to the last. */
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
