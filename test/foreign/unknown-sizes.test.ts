import {afterAll, beforeAll, expect, test} from 'vitest';
import {computeOption} from '../../src/contract/compute.ts';
import {NO_FILTER, filterWithGains, type ComputeFilter} from '../../src/query/filter.ts';
import {mayBeAvailable} from '../../src/query/offers.ts';
import {sortCompute} from '../../src/query/sort.ts';
import {computeColumns} from '../../src/tui/compute/columns.ts';
import {detailBeside} from '../../src/tui/compute/detail.ts';
import {chipLine, noMatchHint} from '../../src/tui/compute/filters.ts';
import {choiceLines} from '../../src/tui/servers/create/choice-lines.ts';
import {startHostileService, success, type HostileService} from '../faults/hostile-service.ts';
import {runHere} from './run-in-process.ts';

const plain = (text: string): string => text.replaceAll(/\u001B\[[\d;]*m/g, '');
const sent = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
	name,
	cloud_host: 'cloud',
	compute_id: `cloud-${name.replaceAll(' ', '_')}`,
	cpus: 8,
	memory: '64G',
	num_gpus: 1,
	vram_per_gpu: '80G',
	total_vram: '80G',
	hourly_price: 2,
	availability: [{available: true, region: 'eu'}],
	...more,
});
const missing = undefined;
/** Sizes that do not describe a machine. */
const SIZES = ['0G', '0', 0, '0 GB', '0.0G', '-1G', '', null, missing];
const CPUS = [0, '0', -4, null, missing, 'many', [8]];

const known = sent('H100');
const unknown = sent('B200', {cpus: 0, memory: '0G', vram_per_gpu: '0G', total_vram: '0G'});
const priceless = sent('A100', {hourly_price: null});
const silent = sent('L40', {availability: []});
const countless = sent('T4', {num_gpus: 'some'});
const cpuOnly = sent('Medium', {num_gpus: 0, vram_per_gpu: '0G', total_vram: '0G'});
const ALL = [unknown, known, priceless, silent, countless, cpuOnly];
const OPTIONS = ALL.map(item => computeOption.parse(item));
const [OPTION] = OPTIONS;

let service: HostileService;
beforeAll(async () => {
	service = await startHostileService({compute: () => success({compute: ALL})});
});
afterAll(async () => service[Symbol.asyncDispose]());
const run = async (...args: readonly string[]) =>
	runHere(args, {baseUrl: service.baseUrl, apiKey: service.env['SVC_API_KEY'] ?? ''});

test('a GPU without memory, and a machine without CPUs or memory, are of unknown size, however that is sent', () => {
	for (const size of SIZES) {
		const {
			memory,
			vram_per_gpu: each,
			total_vram: total,
		} = computeOption.parse(sent('H100', {memory: size, vram_per_gpu: size, total_vram: size}));
		expect({memory, each, total}, String(size)).toEqual({memory: '', each: '', total: ''});
	}
	for (const cpus of CPUS) expect(computeOption.parse(sent('H100', {cpus})).cpus, String(cpus)).toBeNaN();
	for (const size of ['80G', '0.5G', '1e0', 'much', '640 GB'])
		expect(computeOption.parse(sent('H100', {vram_per_gpu: size})).vram_per_gpu).toBe(size);
	expect(computeOption.parse(cpuOnly)).toMatchObject({vram_per_gpu: '0G', num_gpus: 0, cpus: 8});
	expect(computeOption.parse(sent('free', {hourly_price: 0})).hourly_price).toBe(0);
});

test('a region with unknown availability does not count as sold out', async () => {
	for (const available of [null, missing, '', 'maybe', {}, []]) {
		const option = computeOption.parse(sent('H100', {availability: [{available, region: 'eu'}]}));
		expect(option.availability, String(available)).toEqual([]);
		expect(mayBeAvailable(option)).toBe(true);
	}
	const told: readonly (readonly [unknown, boolean])[] = [
		...[true, 'true', 'True', 'yes', 1, '1', 8].map(value => [value, true] as const),
		...[false, 'false', 'no', 0, '0'].map(value => [value, false] as const),
	];
	for (const [available, isThere] of told)
		expect(
			computeOption.parse(sent('H100', {availability: [{available, region: 'eu'}]})).availability,
			String(available),
		).toEqual([{available: isThere, region: 'eu'}]);
});

test('unknown sizes are ? in the columns, the details and the form of a new server', () => {
	const row = {kind: 'offer' as const, id: 'a', offer: 'a', option: OPTION!};
	expect(computeColumns(new Set()).map(({value}) => value(row))).toEqual([
		'B200',
		'1×?',
		'?',
		'?',
		'2.00',
		'eu',
		'1/1',
		'cloud',
	]);
	const detail = detailBeside(
		{option: OPTION!, alike: [OPTION!], regions: [], variants: new Set<string>(), change: undefined},
		80,
		20,
	);
	expect(detail.map(plain).join('\n')).toMatch(/GPU +1 × B200 \?[^]*CPU +\?[^]*Memory +\?/);
	const choice = {id: 'cloud-B200', offer: OPTION!, environment: undefined, from: 'catalogue' as const};
	expect(plain(choiceLines([choice as never], 0, true, 100, 5)[1] ?? '')).toMatch(
		/B200 +1 +\? +\? +\? +2\.00/,
	);
});

test('unknown values come last, in either sort order', () => {
	for (const key of ['vram', 'total', 'cpu', 'mem'] as const)
		for (const direction of ['ascending', 'descending'] as const)
			expect(sortCompute(OPTIONS, key, direction).at(-1)?.name, `${key} ${direction}`).toBe('B200');
	for (const direction of ['ascending', 'descending'] as const)
		expect(sortCompute(OPTIONS, 'price', direction).at(-1)?.name).toBe('A100');
});

const FILTERS: readonly (readonly [
	options: readonly string[],
	filter: Partial<ComputeFilter>,
	what: string,
])[] = [
	[['--min-vram', '40'], {minVram: 40}, 'the size of the GPU memory'],
	[['--max-price', '5'], {maxPrice: {amount: 5, inclusive: true}}, 'the price'],
	[['--min-gpus', '1'], {minGpus: 1}, 'the number of GPUs'],
	[['--cpu-only'], {cpuOnly: true}, 'the number of GPUs'],
	[['--available'], {available: true}, 'the availability'],
	[['--region', 'eu'], {regions: ['eu']}, 'the region'],
];

test.each(FILTERS)(
	'%s counts the options hidden because of unknown values',
	async (options, changes, what) => {
		const filter = {...NO_FILTER, ...changes};
		const narrowed = filterWithGains(OPTIONS, filter);
		expect(Object.values(narrowed.unknown)).toEqual([1]);
		expect(plain(chipLine(filter, narrowed, [], 200))).toMatch(/ −\d, 1 unknown/);
		for (const json of [[], ['--json']]) {
			const {stderr, code} = await run('compute', ...options, ...json);
			expect(stderr).toContain(`One option was left out because ${what} is unknown.`);
			expect(code).toBe(0);
		}
	},
);

test('a filter without matches counts the options that might match if their values were known', () => {
	const filter = {...NO_FILTER, minVram: 100};
	expect(noMatchHint(filter, filterWithGains([OPTION!], filter))).toBe(
		'1 without VRAM ≥ 100 G (unknown for 1).',
	);
});

test("compute shows ?, and --json prints the service's data unchanged", async () => {
	expect((await run('compute')).stdout).toMatch(/cloud-B200 +B200 +1 +\? +\? +\? +\? +2\.00/);
	expect(JSON.parse((await run('compute', '--json')).stdout)).toEqual(ALL);
	expect(JSON.parse((await run('compute', '--gpu', 'B200', '--json')).stdout)).toEqual([unknown]);
});
