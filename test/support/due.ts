import {setTimeout as delay} from 'node:timers/promises';

/**
 * Yields at times that are planned in advance, independent of how long the caller works, for
 * `length` ms.
 */
export async function* due(length: number, gap: () => number): AsyncGenerator<void> {
	const start = performance.now();
	for (let at = 0; at < length; at += gap()) {
		await delay(Math.max(0, start + at - performance.now()));
		yield;
	}
}
