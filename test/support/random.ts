import {setTimeout as delay} from 'node:timers/promises';

/**
 * Random numbers that a seed makes repeatable, and random pauses for tests of events that may
 * happen at any time.
 */
export const createRandom = (seed: number) => {
	let state = seed >>> 0;
	// The algorithm is Mulberry32.
	const next = (): number => {
		state = (state + 0x6d_2b_79_f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const below = (limit: number): number => Math.floor(next() * limit);
	return {
		seed,
		/** An integer from 0 up to, but not including, the limit. */
		below,
		pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
		/** Waits for a random time of at most `most` ms. */
		pause: async (most: number): Promise<void> => {
			await delay(below(most));
		},
	};
};

/** A new seed each time, or the seed in the variable SEED, to repeat a failure. */
export const newSeed = (): number => Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
