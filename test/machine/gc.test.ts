import {expect, test} from 'vitest';
import {createGcTrigger} from '../../src/machine/gc.ts';

test('unused memory is freed after each given number of bytes, and not before', async () => {
	const seen: object[] = [];
	const registry = new FinalizationRegistry((held: object) => void seen.push(held));
	const clear = createGcTrigger(1000);
	clear(999);
	for (let piece = 0; piece < 100; piece++) registry.register({piece}, {piece});
	expect(seen).toEqual([]);
	clear(1);
	await expect.poll(() => seen.length).toBeGreaterThan(50);
});
