import {vi} from 'vitest';

type Options = {
	/** Time between two checks, in ms. */
	readonly interval?: number;
};

/**
 * Time limit in ms of a wait that fails. A successful wait ends earlier, but may be slow on a busy
 * machine.
 */
export const PATIENCE = 60_000;

/** Repeats the check until it does not throw, and resolves to its result. */
export const waitFor = <T>(check: () => T | Promise<T>, {interval = 20}: Options = {}): Promise<T> =>
	vi.waitFor(check, {timeout: PATIENCE, interval});
