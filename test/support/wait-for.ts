import {vi} from 'vitest';

type Options = {
	/** Time between two checks, in ms. */
	readonly interval?: number;
};

/** Limit of a failing wait, in ms. A successful one ends earlier, though late on a busy machine. */
export const PATIENCE = 60_000;

/** Repeats the check until it no longer throws, and returns its result. */
export const waitFor = <T>(check: () => T | Promise<T>, {interval = 20}: Options = {}): Promise<T> =>
	vi.waitFor(check, {timeout: PATIENCE, interval});
