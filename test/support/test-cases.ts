import {test} from 'vitest';

/** Defines a test with many cases. `npm test` runs a tenth of them, the long tests run all. */
export const testCases = (title: string, all: number, run: (cases: number) => void | Promise<void>): void => {
	test(title, async () => run(Math.ceil(all / 10)));
	test(`${title} (${all} cases)`, {tags: 'long'}, async () => run(all));
};

/** Number of code points in Unicode. */
export const CHARACTERS = 0x11_00_00;

/**
 * Selects `cases` of all characters: those of the scripts at the beginning, and a regular sample of
 * the others.
 */
export const isTried = (point: number, cases: number): boolean =>
	point < 0x30_00 || point % Math.floor(CHARACTERS / cases) === 0;
