import {vi} from 'vitest';

type Options = {
	/** Milliseconds between two looks. */
	readonly interval?: number;
};

/** It only bounds a failure: what is waited for comes in its own time, late on a busy machine. In ms. */
export const PATIENCE = 60_000;

/** Looks again and again until the check no longer throws, and answers what it answered. */
export const waitFor = <T>(check: () => T | Promise<T>, {interval = 20}: Options = {}): Promise<T> =>
	vi.waitFor(check, {timeout: PATIENCE, interval});
