import {setTimeout as delay} from 'node:timers/promises';
import {serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {keyToFrame} from './key-to-frame.ts';
import type {Measurement} from './measurement.ts';
import {cpuTime} from './process-costs.ts';

const SIZES = [100, 1000, 10_000] as const;
const KEYS = 100;
const REFRESHES = 20;
const READ_WITHIN_MS = 400;

const measure = async (
	home: Home,
	count: number,
): Promise<{readonly keys: readonly number[]; readonly refresh: number}> => {
	const servers = Array.from({length: count}, (_, index) =>
		serverItem(`server-${String(index).padStart(5, '0')}`, {status: index % 3 === 0 ? 'ready' : 'offline'}),
	);
	await using service = await startHostileService({servers: () => success({servers})});
	await using terminal = await openProgram({home, args: ['--fresh'], env: service.env});
	await terminal.until(new RegExp(`Servers ${count} `));
	await keyToFrame(terminal, () => pressAction(terminal, 'servers', 'pageDown'));
	const keys: number[] = [];
	for (let key = 0; key < KEYS; key++)
		keys.push(
			await keyToFrame(terminal, () => pressAction(terminal, 'servers', key % 10 < 5 ? 'down' : 'up')),
		);
	const before = await cpuTime(terminal.pid);
	for (let refresh = 0; refresh < REFRESHES; refresh++) {
		const asked = service.asked.length;
		pressAction(terminal, 'global', 'refresh');
		while (service.asked.length === asked) await delay(5);
		// If nothing changes, no frame is drawn that the test could wait for.
		await delay(READ_WITHIN_MS);
	}
	return {keys, refresh: ((await cpuTime(terminal.pid)) - before) / REFRESHES};
};

/**
 * Lists of servers with 1, 10 and 100 times as many servers. Measures a key, which draws only the
 * visible rows, and a refresh, which reads all.
 */
export const growth = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	const at = [];
	for (const size of SIZES) at.push(await measure(home, size));
	const [least, ...more] = at;
	if (!least) return [];
	return more.flatMap(({keys, refresh}, index): readonly Measurement[] => {
		const size = SIZES[index + 1] ?? 0;
		const times = size / SIZES[0];
		return [
			{
				id: 'P12',
				what: `key to frame in ${size} servers, against ${SIZES[0]}`,
				unit: 'ms',
				values: keys,
				reference: {what: `${SIZES[0]} servers`, values: least.keys},
				budget: {figure: 'ratio', atMost: 1.3},
			},
			{
				id: 'P12',
				what: `processor time of a refresh of ${size} servers`,
				unit: 'ms',
				values: [refresh],
				reference: {what: `${SIZES[0]} servers`, values: [least.refresh]},
				budget: {figure: 'ratio', atMost: times},
			},
		];
	});
};
