import {once} from 'node:events';
import {get} from 'node:http';
import {expect} from 'vitest';
import type {LocalService} from './local-service.ts';
import {waitFor} from './wait-for.ts';

/**
 * Opens a lease of the service, as a program does, and asks the service to retain kernel state for
 * `keep` ms.
 */
export const openLease = async ({service, key}: LocalService, keep: number) => {
	const request = get(`${service.url}/local/lease?keep=${keep}`, {agent: false, headers: {apiKey: key}});
	const [response] = await once(request, 'response');
	expect(response.statusCode).toBe(200);
	request.on('error', () => {});
	return {leave: () => void request.destroy()};
};

/** Advances this process's clock, as if a laptop had slept. */
export const sleepFor = (milliseconds: number): Disposable => {
	const {now} = Date;
	Date.now = () => now() + milliseconds;
	return {
		[Symbol.dispose]() {
			Date.now = now;
		},
	};
};

/**
 * Clock of this process that a test can advance several times. `moveUntil` advances it by an hour
 * at a time.
 */
export const movingClock = () => {
	const moves = new DisposableStack();
	const move = (milliseconds: number): void => void moves.use(sleepFor(milliseconds));
	return {
		move,
		async moveUntil(event: Promise<unknown>): Promise<void> {
			let hasCome = false;
			void event.then(() => {
				hasCome = true;
			});
			await waitFor(
				() => {
					move(3_600_000);
					expect(hasCome).toBe(true);
				},
				{interval: 100},
			);
		},
		[Symbol.dispose]: () => moves.dispose(),
	};
};
