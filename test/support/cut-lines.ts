import {expect} from 'vitest';
import type {LiveCell} from '../../src/api/client-types.ts';
import {runNow, textOf, type Cut} from './live-link.ts';
import {createRandom, newSeed} from './random.ts';
import {waitFor} from './wait-for.ts';

const LINES = 10_000;
const CUTS = 20;

/** Numbers that a cell printed, one in each line. */
export const numbersOf = (cell: LiveCell): readonly number[] =>
	textOf(cell).split('\n').filter(Boolean).map(Number);

/**
 * Prints ten thousand numbered lines over a link that is cut and torn at random. Checks that each
 * line arrives once and in order, and that none is reported as missing.
 */
export const expectEachOnceWhileCut = async ({live, proxy}: Cut): Promise<void> => {
	const {pause, below} = createRandom(newSeed());
	const cell = await runNow(
		live,
		`import time\nfor i in range(${LINES}):\n    print(i, flush=True)\n    if i % 50 == 0: time.sleep(0.02)`,
	);
	for (let breaks = 0; breaks < CUTS; breaks++) {
		const before = numbersOf(cell).length;
		// Waits until the connection that is cut next has delivered a message.
		await waitFor(
			() => expect(numbersOf(cell).length === LINES || numbersOf(cell).length > before).toBe(true),
			{interval: 3},
		);
		await pause(100);
		if (below(2) === 0) proxy.cut();
		else proxy.tear();
	}
	expect(await cell.ended).toEqual({kind: 'done'});
	expect(textOf(cell, 'stderr')).toBe('');
	expect(numbersOf(cell)).toEqual(Array.from({length: LINES}, (_, index) => index));
	expect(proxy.cuts()).toBeGreaterThanOrEqual(CUTS / 2);
};
