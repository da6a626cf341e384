import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {startBenchService} from './bench-service.ts';
import {keyToFrame} from './key-to-frame.ts';
import type {Measurement} from './measurement.ts';

const ROUNDS = 3;
const SERVERS_A_ROUND = 4;
const KEYS = 240;

/**
 * Moves the cursor in the list of servers. Three rounds use the same service; only four servers may
 * run at once, so those of earlier rounds are offline.
 */
export const keys = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	for (let round = 0; round < ROUNDS; round++) {
		await using filling = await startBenchService(home);
		for (let server = 0; server < SERVERS_A_ROUND; server++)
			await filling.createReady(`bench-${round}-${server}`);
	}
	await using service = await startBenchService(home);
	await using terminal = await openProgram({
		home,
		args: ['--base-url', service.url, '--api-key-file', service.keyFile],
	});
	const last = `bench-${ROUNDS - 1}-${SERVERS_A_ROUND - 1}`;
	await terminal.until(last);
	const steps = ROUNDS * SERVERS_A_ROUND;
	const values: number[] = [];
	pressAction(terminal, 'servers', 'last');
	pressAction(terminal, 'servers', 'first');
	await keyToFrame(terminal, () => {
		pressAction(terminal, 'servers', 'down');
	});
	await keyToFrame(terminal, () => {
		pressAction(terminal, 'servers', 'up');
	});
	for (let key = 0; key < KEYS; key++) {
		const action = Math.floor(key / (steps - 1)) % 2 === 0 ? 'down' : 'up';
		values.push(
			await keyToFrame(terminal, () => {
				pressAction(terminal, 'servers', action);
			}),
		);
	}
	return [
		{
			id: 'P2',
			what: 'key to frame in the servers list',
			unit: 'ms',
			values,
			reference: {what: 'a frame at 60 Hz', values: [1000 / 60]},
			budget: {figure: 'p95', atMost: 16},
		},
	];
};
