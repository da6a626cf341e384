// Resource use of a process, as Linux reports it.
import {expect, test} from 'vitest';
import {createLoad, processUsage} from '../../src/service/jupyter-emulator/load.ts';

const STAT = `77 (a ) b) S 1 77 77 0 -1 4194304 101 0 0 0 250 50 0 0 20 0 1 0 1621204 3133440 380 18446744073709551615`;

test('memory in bytes and time in seconds; a name with brackets and spaces is passed over', () => {
	expect(processUsage('Name:\tnode\nVmRSS:\t  2280 kB\nVmData: 1 kB\n', STAT)).toEqual({
		rss: 2280 * 1024,
		seconds: 3,
	});
});

test('values that the system does not report are unknown', () => {
	expect(processUsage('', '')).toEqual({rss: null, seconds: null});
});

test.skipIf(process.platform !== 'linux')(
	'CPU is reported from the second request on, and memory for each kernel and in all',
	async () => {
		const load = createLoad();
		const {pid} = process;
		const first = await load([{id: 'k', pid}]);
		expect(first).toMatchObject({rss: expect.any(Number), kernels: {k: first.rss}});
		expect(first).not.toHaveProperty('cpu_percent');
		const second = await load([
			{id: null, pid},
			{id: 'k', pid: process.ppid},
			{id: 'starting', pid: null},
		]);
		expect(second).toHaveProperty('cpu_percent');
		expect(Object.keys(second.kernels)).toEqual(['k']);
		expect(second.rss).toBeGreaterThan(second.kernels['k'] ?? 0);
		expect(await load([{id: 'k', pid: null}])).toEqual({
			limits: {},
			cpu_count: expect.any(Number),
			kernels: {},
		});
		expect(await load([{id: 'k', pid}])).not.toHaveProperty('cpu_percent');
	},
);
