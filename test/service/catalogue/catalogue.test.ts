import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {computeStrict, type ComputeOption} from '../../../src/contract/compute.ts';
import {environment} from '../../../src/contract/environments.ts';
import {loadCatalogue} from '../../../src/service/catalogue/catalogue.ts';
import {ServeError} from '../../../src/service/serve-error.ts';
import {parseGpus} from '../../../src/engines/gpus.ts';
import {cpusWithin, detectMachine, type Machine} from '../../../src/service/catalogue/machine.ts';
import {ownOptions} from '../../../src/service/catalogue/own-options.ts';
import {localService, settings} from '../../support/local-service.ts';

const available = (option: {availability: readonly {available: boolean}[]}) =>
	option.availability.some(region => region.available);

test('on the embedded engine only Medium is available: one CPU and the 4 GiB that WebAssembly gives', async () => {
	const {compute, find} = await loadCatalogue({engine: 'pyodide'});
	const own = compute.filter(option => option.cloud_host === 'svc');
	expect(
		own.map(option => [
			option.name,
			available(option),
			option.hourly_price,
			option.availability.map(region => region.region),
		]),
	).toEqual([
		['Medium CPU', true, 0, ['default']],
		['Large CPU', false, 0, ['default']],
		['XL CPU', false, 0, ['default']],
		['T4 (1x)', false, 0, ['default']],
	]);
	const {memory} = await detectMachine({gpus: false});
	expect(own[0]).toMatchObject({
		cpus: 1,
		memory: `${Math.min(4, memory)}G`,
		num_gpus: 0,
		vram_per_gpu: '0G',
		total_vram: '0G',
	});
	for (const option of own.slice(1)) expect(option['note']).toContain('Jupyter engine');
	expect(own.every(option => !('compute_id' in option))).toBe(true);
	expect(['svc-medium', 'svc-large', 'svc-xl', 'svc-t4'].map(id => find(id)?.name)).toEqual(
		own.map(option => option.name),
	);
});

test('the offers are the published snapshot, none can be rented, and each option says so', async () => {
	const {compute, find} = await loadCatalogue({engine: 'pyodide'});
	const market = compute.filter(option => option.cloud_host !== 'svc');
	expect(market).toHaveLength(293);
	expect(new Set(market.map(option => option.cloud_host)).size).toBe(15);
	expect(market.some(available)).toBe(false);
	expect(market.every(option => String(option['note']).includes('cannot be rented'))).toBe(true);
	expect(find('datacrunch-A100_sxm4_80Gx1')).toMatchObject({
		name: 'A100 80G (1x)',
		hourly_price: 2.03,
		availability: [{region: 'FIN-01', available: false}],
	});
	// Two regions whose names differ only in case remain two.
	expect(
		market.some(
			option =>
				new Set(option.availability.map(({region}) => region.toLowerCase())).size <
				option.availability.length,
		),
	).toBe(true);
});

test('an id is known byte for byte only', async () => {
	const {find} = await loadCatalogue({engine: 'pyodide'});
	for (const id of ['SVC-medium', 'svc-medium ', 'Medium CPU', '', '__proto__', 'datacrunch-a100_sxm4_80gx1'])
		expect(find(id)).toBeUndefined();
});

test('every option and environment has the form of the API', async () => {
	for (const engine of ['pyodide', 'jupyter', 'jupyterhub'] as const) {
		const {compute, environments} = await loadCatalogue({engine});
		for (const option of compute) {
			expect(computeStrict.parse(option)).toEqual(option);
			for (const size of [option.memory, option.vram_per_gpu, option.total_vram])
				expect(size).toMatch(/^\d+(\.\d+)?G$/);
		}
		expect(environments).toHaveLength(9);
		expect(environments[0]).toMatchObject({environment_id: 'ai'});
		for (const item of environments) expect(environment.parse(item)).toEqual(item);
		expect(new Set(environments.map(item => item.environment_id)).size).toBe(9);
	}
});

test("each environment lists the engine's real packages", async () => {
	for (const {description} of (await loadCatalogue({engine: 'pyodide'})).environments)
		expect(description).toContain('standard library only');
	for (const {description} of (await loadCatalogue({engine: 'jupyter'})).environments)
		expect(description).not.toContain('standard library only');
});

test('with Jupyter the own options are a quarter, half and all of the machine, and its GPUs can be asked for', () => {
	const machine: Machine = {
		cpus: 16,
		memory: 63,
		gpus: [
			{model: 'T4', count: 1, vram: 15},
			{model: 'A100-SXM4-80GB', count: 2, vram: 80},
		],
	};
	const offers = ownOptions('jupyter', machine);
	expect(
		offers.map(({id, option}) => [
			id,
			option.cpus,
			option.memory,
			option.num_gpus,
			option.total_vram,
			available(option),
		]),
	).toEqual([
		['svc-medium', 4, '15G', 0, '0G', true],
		['svc-large', 8, '31G', 0, '0G', true],
		['svc-xl', 16, '63G', 0, '0G', true],
		['svc-t4', 16, '63G', 1, '15G', true],
		['local-A100-SXM4-80GBx2', 16, '63G', 2, '160G', true],
	]);
	expect(offers.at(-1)?.option).toMatchObject({
		name: 'A100-SXM4-80GB (2x)',
		cloud_host: 'local',
		compute_id: 'local-A100-SXM4-80GBx2',
	});
	const without = ownOptions('jupyter', {cpus: 1, memory: 1, gpus: []});
	expect(without.map(({option}) => [option.cpus, option.memory, available(option)])).toEqual([
		[1, '1G', true],
		[1, '1G', true],
		[1, '1G', true],
		[1, '1G', false],
	]);
});

test('GPUs are counted by model, and lines that name none are skipped', () => {
	const uuid = 'GPU-1b2c3d4e-0000-0000-0000-000000000000';
	expect(
		parseGpus(
			`0, Tesla T4, 15360, ${uuid}\n1, NVIDIA H200, 143771, ${uuid}\n2, NVIDIA H200, 143771, ${uuid}\n3, NVIDIA GB10, [N/A], ${uuid}\n`,
		),
	).toEqual([
		{model: 'T4', count: 1, vram: 15},
		{model: 'H200', count: 2, vram: 140},
		{model: 'GB10', count: 1, vram: null},
	]);
	expect(parseGpus('No devices were found\n')).toEqual([]);
	expect(parseGpus('')).toEqual([]);
});

test("a container's CPU quota counts, never below one CPU and never above what there is", () => {
	expect([
		cpusWithin(8, '200000 100000\n'),
		cpusWithin(8, '150000 100000'),
		cpusWithin(8, '10000 100000'),
		cpusWithin(2, '800000 100000'),
	]).toEqual([2, 2, 1, 2]);
	expect([cpusWithin(8, 'max 100000\n'), cpusWithin(8, null), cpusWithin(8, '')]).toEqual([8, 8, 8]);
});

test('this machine has at least one CPU and 1 GiB', async () => {
	const machine = await detectMachine({gpus: true});
	expect(machine.cpus).toBeGreaterThanOrEqual(1);
	expect(machine.memory).toBeGreaterThanOrEqual(1);
});

const ownFile = async (content: string): Promise<AsyncDisposable & {readonly file: string}> => {
	const folder = await mkdtemp(join(tmpdir(), 'svc-tui-catalogue-'));
	const file = join(folder, 'mine.json');
	await writeFile(file, content);
	return {file, [Symbol.asyncDispose]: () => rm(folder, {recursive: true})};
};

const option = {
	name: 'H100 (1x)',
	cloud_host: 'lab',
	compute_id: 'lab-H100x1',
	cpus: 8,
	memory: '64G',
	num_gpus: 1,
	vram_per_gpu: '80G',
	total_vram: '80G',
	hourly_price: 1.5,
	availability: [{available: true, region: 'cellar'}],
	rack: 7,
};

test.each([
	['an array', JSON.stringify([option])],
	['an object', JSON.stringify({compute: [option], status: 'success'})],
])(
	"an operator's own catalogue, written as %s, replaces the offers as it was written",
	async (_, content) => {
		await using own = await ownFile(content);
		const {compute, find} = await loadCatalogue({engine: 'pyodide', file: own.file});
		expect(compute).toHaveLength(5);
		expect(compute.at(-1)).toEqual(option);
		expect(find('lab-H100x1')).toEqual(option);
		expect(find('svc-medium')).toBeDefined();
	},
);

test.each([
	['is no JSON', '{"compute": [', /is not JSON/],
	[
		'holds something else',
		'{"offers": []}',
		/it has "offers", but it must be an array of compute options, or an object with the array "compute" and optionally the array "environments"/,
	],
	[
		'has a word misspelt',
		JSON.stringify({compute: [option], enviroments: []}),
		/it has "enviroments", but .*"compute" and optionally the array "environments"/,
	],
	[
		'has environments that are none',
		JSON.stringify({compute: [option], environments: [{name: 'AI'}]}),
		/environments\[0\]\.environment_id/,
	],
	[
		'has options for a hub that are none',
		JSON.stringify({compute: [{...option, user_options: 'small'}]}),
		/compute\[0\]\.user_options/,
	],
	[
		'has options with wrong or missing fields',
		JSON.stringify([
			option,
			{...option, compute_id: 'b', cpus: 'many'},
			{...option, compute_id: 'c', availability: [{region: 1}]},
			{},
		]),
		/compute\[1\]\.cpus: .*; compute\[2\]\.availability\[0\]\.available: .*; compute\[2\]\.availability\[0\]\.region: [^;]*; and \d+ more\.$/,
	],
	[
		'has an option without an id',
		JSON.stringify([{...option, compute_id: undefined}]),
		/compute\[0\]\.compute_id/,
	],
	[
		'names an option twice',
		JSON.stringify([option, option]),
		/compute\[1\]\.compute_id: "lab-H100x1" is already taken/,
	],
	[
		'takes an id of the service',
		JSON.stringify([{...option, compute_id: 'svc-xl'}]),
		/"svc-xl" is already taken/,
	],
])('a catalogue that %s is refused with its file name and what to mend', async (_, content, message) => {
	await using own = await ownFile(content);
	const error = await loadCatalogue({engine: 'pyodide', file: own.file}).then(
		() => null,
		(reason: unknown) => reason,
	);
	expect(error).toBeInstanceOf(ServeError);
	expect((error as Error).message).toContain(own.file);
	expect((error as Error).message).toMatch(message);
});

test.each([
	[
		'the page of commands',
		async () => readFile(new URL('../../../src/docs/commands.md', import.meta.url), 'utf8'),
	],
	[
		'serve --help',
		async () =>
			execFileSync(
				process.execPath,
				[fileURLToPath(new URL('../../../src/app/boot.ts', import.meta.url)), 'serve', '--help'],
				{encoding: 'utf8'},
			),
	],
] as const)("%s mentions --catalogue and not --leased, which is the program's own", async (_, text) => {
	expect(await text()).toContain('--catalogue');
	expect(await text()).not.toContain('--leased');
});

test('the catalogue of the page on hubs is taken on every engine, and a server runs by it', async () => {
	const page = await readFile(new URL('../../../src/docs/hub.md', import.meta.url), 'utf8');
	const [, json = ''] = /--catalogue FILE[^]*?```json\n([^]*?)```/.exec(page) ?? [];
	await using own = await ownFile(json);
	for (const engine of ['pyodide', 'jupyter', 'jupyterhub'] as const) {
		const {compute, environments, userOptions, find} = await loadCatalogue({engine, file: own.file});
		expect(environments).toEqual([{environment_id: 'ai', name: 'AI', description: 'Our image for AI.'}]);
		expect(find('hub-T4x1')).toMatchObject({name: 'T4 (1x)', hourly_price: 0.5});
		expect(userOptions('hub-T4x1', 'ai')).toEqual({image: 'ai', profile: 'gpu'});
		expect(JSON.stringify(compute)).not.toContain('user_options');
	}
	await using local = await localService({catalogueFile: own.file});
	const created = await local.call('POST', '/api/servers', {
		...settings,
		server_name: 'small',
		server_request: 'hub-small',
	});
	expect([created.status, created.body['hourly_rate']]).toEqual([202, 0.05]);
	await local.until('small', 'ready');
	expect((await local.call('POST', '/api/servers/welcome/start', settings)).status).toBe(200);
});

test("if an operator's environments lack the usual one, the first server gets an existing one", async () => {
	await using own = await ownFile(
		JSON.stringify({
			compute: [option],
			environments: [{environment_id: 'ours', name: 'Ours', description: ''}],
		}),
	);
	await using local = await localService({catalogueFile: own.file});
	const {body} = await local.call('GET', '/api/servers');
	expect(body['servers']).toMatchObject([{name: 'welcome', environment: 'ours'}]);
});

test('a catalogue that does not exist is named', async () => {
	await expect(loadCatalogue({engine: 'pyodide', file: '/nowhere/mine.json'})).rejects.toThrow(
		/\/nowhere\/mine\.json cannot be used: it cannot be read \(ENOENT\)/,
	);
});

test("each offer of the snapshot has a unique id of the API's form, and a GPU has memory", async () => {
	const text = await readFile(new URL('../../../src/service/catalogue/offers.json', import.meta.url), 'utf8');
	const {compute} = JSON.parse(text) as {compute: readonly ComputeOption[]};
	for (const {cloud_host: host, compute_id: id, num_gpus: count, vram_per_gpu: each, total_vram} of compute) {
		expect(id).toMatch(new RegExp(`^${host}-[A-Za-z0-9][\\w.-]*x${count}$`));
		if (count > 0) expect([each, total_vram], id ?? '').not.toContain('0G');
	}
	expect(new Set(compute.map(option => option.compute_id)).size).toBe(compute.length);
});

test('the snapshot that ships holds no option of the service itself', async () => {
	const text = await readFile(new URL('../../../src/service/catalogue/offers.json', import.meta.url), 'utf8');
	const {compute} = JSON.parse(text) as {compute: readonly {cloud_host: string; compute_id: string}[]};
	expect(
		compute.filter(({cloud_host, compute_id}) => cloud_host === 'svc' || compute_id.startsWith('svc-')),
	).toEqual([]);
});
