import {setTimeout as delay} from 'node:timers/promises';

/** Yields at moments that do not depend on the work of the caller, for `length` ms. */
export async function* due(length: number, gap: () => number): AsyncGenerator<void> {
	const start = performance.now();
	for (let at = 0; at < length; at += gap()) {
		await delay(Math.max(0, start + at - performance.now()));
		yield;
	}
}
