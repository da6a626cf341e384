import {writeFileSync} from 'node:fs';
import os from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {linuxMemory, readMemory} from '../../src/service/local/memory.ts';
import {
	kernelRefusal,
	memoryCapacity,
	sessionCosts,
	shareOf,
} from '../../src/service/local/memory-capacity.ts';
import {localService, readyService, settings, type LocalService} from '../support/local-service.ts';
import {memoryFor} from '../support/memory.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {createTinyEngine} from '../support/tiny-engine.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const meminfo =
	'MemTotal:        8388608 kB\nMemFree:          100000 kB\nMemAvailable:    6291456 kB\nSwapFree:        0 kB\n';

describe('available memory', () => {
	test.each([
		['no container', {}, 8 * GIB, 6 * GIB],
		[
			'no limit',
			{
				'/proc/self/cgroup': '0::/user.slice\n',
				'/sys/fs/cgroup/user.slice/memory.max': 'max\n',
				'/sys/fs/cgroup/user.slice/memory.current': '4096\n',
			},
			8 * GIB,
			6 * GIB,
		],
		[
			'a container with a limit, its cached files counted as free',
			{
				'/proc/self/cgroup': '0::/\n',
				'/sys/fs/cgroup/memory.max': `${2 * GIB}\n`,
				'/sys/fs/cgroup/memory.current': `${GIB}\n`,
				'/sys/fs/cgroup/memory.stat': `anon 5\ninactive_file ${512 * MIB}\n`,
			},
			2 * GIB,
			1.5 * GIB,
		],
		[
			'a limit above our own group',
			{
				'/proc/self/cgroup': '0::/a/b\n',
				'/sys/fs/cgroup/a/b/memory.max': 'max\n',
				'/sys/fs/cgroup/a/b/memory.current': '1\n',
				'/sys/fs/cgroup/a/memory.max': `${GIB}\n`,
				'/sys/fs/cgroup/a/memory.current': `${GIB}\n`,
			},
			GIB,
			0,
		],
		[
			'more than its limit in use',
			{
				'/proc/self/cgroup': '0::/\n',
				'/sys/fs/cgroup/memory.max': `${GIB}\n`,
				'/sys/fs/cgroup/memory.current': `${2 * GIB}\n`,
			},
			GIB,
			0,
		],
		[
			'the first kind of groups',
			{
				'/proc/self/cgroup': '5:devices:/\n4:memory:/docker/x\n0::/\n',
				'/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes': `${3 * GIB}\n`,
				'/sys/fs/cgroup/memory/docker/x/memory.usage_in_bytes': `${GIB}\n`,
				'/sys/fs/cgroup/memory/docker/x/memory.stat': 'cache 7\ntotal_inactive_file 4096\n',
			},
			3 * GIB,
			2 * GIB + 4096,
		],
		[
			'the first kind seen from within its container',
			{
				'/proc/self/cgroup': '4:cpu,memory:/docker/of/the/host\n',
				'/sys/fs/cgroup/memory/memory.limit_in_bytes': `${GIB}\n`,
				'/sys/fs/cgroup/memory/memory.usage_in_bytes': '0\n',
			},
			GIB,
			GIB,
		],
		[
			'the first kind without a limit',
			{
				'/proc/self/cgroup': '4:memory:/\n',
				'/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
				'/sys/fs/cgroup/memory/memory.usage_in_bytes': '100\n',
			},
			8 * GIB,
			6 * GIB,
		],
	])('with %s', (_, files, total, available) => {
		const system: Record<string, string> = {'/proc/meminfo': meminfo, ...files};
		expect(linuxMemory(path => system[path] ?? null)).toEqual({total, available});
	});
	test('nothing is made up for a system that does not report its memory this way', () => {
		expect(linuxMemory(() => null)).toBeNull();
		expect(linuxMemory(path => (path === '/proc/meminfo' ? 'MemTotal: 5 kB\n' : null))).toBeNull();
	});
	test('of this machine', () => {
		const {total, available} = readMemory();
		expect(total).toBeGreaterThan(0);
		expect(total).toBeLessThanOrEqual(os.totalmem());
		expect(available ?? 0).toBeLessThanOrEqual(total);
	});
});

describe('for how many servers it is enough', () => {
	const {pyodide, jupyter} = sessionCosts;
	const ready = {started: true, ran: false};
	const ran = {started: true, ran: true};
	const starting = {started: false, ran: false};

	test.each([
		['2 GB of which 1.2 are left', {total: 2 * GIB, available: 1200 * MIB}, pyodide, [], 4],
		['the same with one that is starting', {total: 2 * GIB, available: 1200 * MIB}, pyodide, [starting], 3],
		[
			'the same with one that has started: what it takes is gone from what is left',
			{total: 2 * GIB, available: 970 * MIB},
			pyodide,
			[ready],
			3,
		],
		[
			'a Jupyter Server that has run nothing, whose kernel is still to come',
			{total: 8 * GIB, available: 1232 * MIB},
			jupyter,
			[ready],
			2,
		],
		['one that has run', {total: 8 * GIB, available: 1232 * MIB}, jupyter, [ran], 3],
		['less than one', {total: GIB, available: 200 * MIB}, pyodide, [], 0],
		['a system that does not tell', {total: 4 * GIB, available: null}, pyodide, [ran, ran], 6],
	])('%s', (_, memory, cost, live, free) => {
		expect(memoryCapacity(memory, cost, live)).toEqual({
			free,
			whole: live.length + free,
			each: cost.start + cost.firstRun,
		});
	});
	test('property: never more than there is, and each server more takes its place', () => {
		const occupant = fc.constantFrom(ready, ran, starting);
		fc.assert(
			fc.property(
				fc.integer({min: 0, max: 64 * GIB}),
				fc.integer({min: 0, max: 64 * GIB}),
				fc.constantFrom(pyodide, jupyter),
				fc.array(occupant, {maxLength: 30}),
				(total, part, cost, live) => {
					const memory = {total, available: Math.min(total, part)};
					const {free, each} = memoryCapacity(memory, cost, live);
					expect(free).toBeGreaterThanOrEqual(0);
					expect(free * each).toBeLessThanOrEqual(memory.available);
					expect(memoryCapacity(memory, cost, [...live, starting]).free).toBe(Math.max(0, free - 1));
				},
			),
		);
	});
	test('property: shares are equal, at least one, and together no more than the whole unless there are more users than servers', () => {
		fc.assert(
			fc.property(fc.integer({min: 0, max: 500}), fc.integer({min: 1, max: 50}), (whole, users) => {
				const share = shareOf({free: 0, whole, each: 1}, users);
				expect(share).toBeGreaterThanOrEqual(1);
				if (whole >= users) expect(share * users).toBeLessThanOrEqual(whole);
			}),
		);
	});
});

describe('a further kernel of a server', () => {
	const each = 230 * MIB;
	const room = {free: 1, whole: 6, each};
	const alone = {server: 2, user: 2, users: 1, memory: 4 * GIB};
	test.each([
		['with memory of the server, the machine and the user', room, alone, null],
		['without a limit of the server', room, {...alone, server: 50, memory: 0}, null],
		[
			'without memory of the machine',
			{...room, free: 0},
			alone,
			'Not enough memory for another Python process: one needs about 230 MB.',
		],
		[
			'beyond the memory of the server',
			room,
			{...alone, memory: 500 * MIB},
			"The server's memory (500 MB) is enough for 2 Python processes of about 230 MB.",
		],
		[
			'of a server smaller than one process',
			room,
			{...alone, server: 1, memory: 100 * MIB},
			"The server's memory (100 MB) is enough for one Python process of about 230 MB.",
		],
		[
			"beyond the user's share, though others use less",
			room,
			{...alone, server: 1, users: 3},
			"Your share of this machine's memory is enough for 2 Python processes.",
		],
	])('%s', (_, capacity, processes, refusal) => {
		expect(kernelRefusal(capacity, processes)).toBe(refusal);
	});
});

const medium = async (local: LocalService, key?: string): Promise<Record<string, unknown>> => {
	const {body} = await local.call('GET', '/api/compute', undefined, key === undefined ? {} : {key});
	return (body['compute'] as Array<Record<string, unknown>>)[0] ?? {};
};
const messageOf = (body: Record<string, unknown>): string => (body['error'] as {message: string}).message;

test('as many servers as memory holds: the note counts how many more fit, and none is available when it is full', async () => {
	const engine = createTinyEngine();
	await using local = await localService({
		openEngine: async () => engine,
		memory: memoryFor(7, () => engine.sessions.size),
	});
	for (let live = 0; live < 7; live++) {
		expect(await medium(local)).toMatchObject({
			availability: [{available: true}],
			note: expect.stringContaining(`enough memory for ${7 - live} more server`),
		});
		expect((await local.call('POST', '/api/servers', {server_name: `s${live}`, ...settings})).status).toBe(
			202,
		);
		await local.until(`s${live}`, 'ready');
	}
	expect(await medium(local)).toMatchObject({
		availability: [{available: false}],
		note: 'Not enough memory for another server: one needs about 230 MB.',
	});
	const refused = await local.call('POST', '/api/servers', {server_name: 'more', ...settings});
	expect([refused.status, messageOf(refused.body)]).toEqual([
		409,
		expect.stringMatching(
			/^Not enough memory for another server: one needs about 230 MB\. Running: s0 .*Leave s0 unused/,
		),
	]);
	expect(await local.state('more')).toBeUndefined();
	const start = await local.call('POST', '/api/servers/welcome/start', settings);
	expect(start.status).toBe(409);
	// When a server ends, its memory is free at once.
	await local.call('POST', '/api/servers/s3/run-code', {code: 'die', kernel_name: 'python3'});
	await local.until('s3', 'offline');
	expect(await medium(local)).toMatchObject({availability: [{available: true}]});
	expect((await local.call('POST', '/api/servers/welcome/start', settings)).status).toBe(200);
});

test('each of several users has a share, so that one cannot take the memory of all', async () => {
	using temp = tempFolder();
	const keysFile = join(temp.path, 'keys.json');
	writeFileSync(
		keysFile,
		JSON.stringify({'ann@example.com': 'key-of-ann', 'bob@example.com': 'key-of-bob'}),
		{mode: 0o600},
	);
	const engine = createTinyEngine();
	await using local = await localService({
		keysFile,
		dataFolder: join(temp.path, 'data'),
		openEngine: async () => engine,
		memory: memoryFor(5, () => engine.sessions.size),
	});
	const create = (key: string, server_name: string) =>
		local.call('POST', '/api/servers', {server_name, ...settings}, {key});
	expect([(await create('key-of-ann', 'a')).status, (await create('key-of-ann', 'b')).status]).toEqual([
		202, 202,
	]);
	expect(await medium(local, 'key-of-ann')).toMatchObject({availability: [{available: false}]});
	expect(await medium(local, 'key-of-bob')).toMatchObject({
		availability: [{available: true}],
		note: expect.stringContaining('enough memory for 2 more servers'),
	});
	const third = await create('key-of-ann', 'c');
	expect([third.status, messageOf(third.body)]).toEqual([
		409,
		expect.stringMatching(
			/^You are running 2 servers, your share of this machine's memory \(5 servers for 2 users\)\. Running: a .*, b /,
		),
	]);
	expect([(await create('key-of-bob', 'a')).status, (await create('key-of-bob', 'b')).status]).toEqual([
		202, 202,
	]);
});

test('without memory for a single server the refusal names a remedy', async () => {
	await using local = await localService({memory: memoryFor(0)});
	const {status, body} = await local.call('POST', '/api/servers/welcome/start', settings);
	expect([status, messageOf(body)]).toEqual([
		409,
		'Not enough memory for another server: one needs about 230 MB. Close other programs on its machine, or give the service more memory, then start it again.',
	]);
});

test('more than four servers of the embedded engine are live at once on this machine', async () => {
	await using local = await readyService();
	for (const server_name of ['a', 'b', 'c', 'd', 'e'])
		expect((await local.call('POST', '/api/servers', {server_name, ...settings})).status).toBe(202);
	for (const name of ['a', 'b', 'c', 'd', 'e']) await local.until(name, 'ready');
});
