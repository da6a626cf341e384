import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import market from '../../src/service/catalogue/offers.json' with {type: 'json'};
import type {ComputeOption} from '../../src/contract/compute.ts';
import {compareBytes} from '../../src/query/bytes.ts';
import {
	FACETS,
	NO_FILTER,
	filterCompute,
	isActive,
	filterWithGains,
	withoutFacet,
	type ComputeFilter,
} from '../../src/query/filter.ts';
import {regionTest} from '../../src/query/geo-areas.ts';
import {GROUPINGS, groupCompute} from '../../src/query/group.ts';
import {gpuModelsOf, regionsOf} from '../../src/query/values.ts';
import {computeIdOf, gpuModel, parseGigabytes, pricePerGpuHour} from '../../src/query/option.ts';
import {ownHostsFirst} from '../../src/query/own-hosts.ts';
import {COMPUTE_SORT_KEYS, sortCompute} from '../../src/query/sort.ts';
import {filterFor} from '../support/filters.ts';
import {testCases} from '../support/test-cases.ts';

const option = (changes: Partial<ComputeOption>): ComputeOption => ({
	name: 'A100 80G (2x)',
	cloud_host: 'runpod',
	cpus: 16,
	memory: '120G',
	num_gpus: 2,
	vram_per_gpu: '80G',
	total_vram: '160G',
	hourly_price: 3,
	availability: [],
	...changes,
});

const catalogue: readonly ComputeOption[] = market.compute;

describe('an option of the catalogue', () => {
	test.each([
		['A100 80G (8x)', 'A100 80G'],
		['T4 (1x)', 'T4'],
		['Medium CPU', 'Medium CPU'],
		['X (rev 2) (4x)', 'X (rev 2)'],
		['(odd)', '(odd)'],
	])('%s is of the model %s', (name, model) => {
		expect(gpuModel({name})).toBe(model);
	});

	test.each([
		['80G', 80],
		['1152G', 1152],
		['0.5G', 0.5],
		['0G', 0],
		['80', null],
		['80 GB', null],
		['', null],
		['-1G', null],
		['1e3G', null],
	])('the size %j is %j gigabytes', (size, gigabytes) => {
		expect(parseGigabytes(size)).toBe(gigabytes);
	});

	test('costs its price divided by its GPUs, and nothing per GPU without one', () => {
		expect(pricePerGpuHour(option({hourly_price: 3, num_gpus: 2}))).toBe(1.5);
		expect(pricePerGpuHour(option({num_gpus: 0}))).toBeNull();
	});

	test.each([
		[{name: 'Medium CPU', cloud_host: 'svc', num_gpus: 0}, 'svc-medium'],
		[{name: 'XL CPU', cloud_host: 'svc', num_gpus: 0}, 'svc-xl'],
		[{name: 'T4 (1x)', cloud_host: 'svc', num_gpus: 1}, 'svc-t4'],
		[{name: 'CPU', cloud_host: 'svc', num_gpus: 0}, 'svc-cpu'],
		[{name: 'A100 80G (2x)', cloud_host: 'runpod', num_gpus: 2}, 'runpod-A100_80Gx2'],
		[{name: 'T4 (1x)', cloud_host: 'svc', compute_id: null}, 'svc-t4'],
	])('without an id %j is guessed to be %s', (changes, id) => {
		expect(computeIdOf(option(changes))).toEqual({id, guessed: true});
	});

	test('with an id has that id', () => {
		expect(computeIdOf(option({compute_id: 'runpod-A100_sxm4_80Gx2'}))).toEqual({
			id: 'runpod-A100_sxm4_80Gx2',
			guessed: false,
		});
	});
});

describe('the catalogue, filtered', () => {
	const here = option({
		name: 'H100 (1x)',
		availability: [
			{region: 'fra', available: false},
			{region: 'FRA', available: true},
		],
	});
	const there = option({name: 'H100 80G (1x)', availability: [{region: 'fra', available: true}]});
	const nowhere = option({name: 'h100 (1x)', availability: []});
	const all = [here, there, nowhere];

	test('is whole without a filter', () => {
		expect(filterCompute(all, NO_FILTER)).toEqual(all);
	});

	test('takes regions byte for byte, and several as a union', () => {
		const both = filterCompute(all, {...NO_FILTER, regions: ['FRA', 'fra']});
		expect(both).toEqual([here, there]);
		expect(filterCompute(all, {...NO_FILTER, regions: ['FRA']})).toEqual([here]);
		expect(filterCompute(all, {...NO_FILTER, regions: ['Fra']})).toEqual([]);
	});

	test('takes a GPU model whole and in any case', () => {
		expect(filterCompute(all, {...NO_FILTER, gpu: 'h100'})).toEqual([here, nowhere]);
		expect(filterCompute(all, {...NO_FILTER, gpu: 'H100 80g'})).toEqual([there]);
		expect(filterCompute(all, {...NO_FILTER, gpu: 'H10'})).toEqual([]);
	});

	test('takes available as available in a chosen region', () => {
		expect(filterCompute(all, {...NO_FILTER, regions: ['fra'], available: true})).toEqual([there]);
		expect(filterCompute(all, {...NO_FILTER, regions: [], available: true})).toEqual([here, there]);
	});
});

/** The filter in its simplest form, without optimisation, as the reference. */
const passes = (option: ComputeOption, filter: ComputeFilter): boolean => {
	const {regions, gpu, minGpus = 0, minVram, maxPrice, host, available, cpuOnly, words} = filter;
	const text = [option.name, computeIdOf(option).id, option.cloud_host].join('\n');
	return (
		((regions.length === 0 && !available) ||
			option.availability.some(
				each => (regions.length === 0 || regions.includes(each.region)) && (each.available || !available),
			)) &&
		(gpu === undefined || gpuModel(option).toLowerCase() === gpu.toLowerCase()) &&
		option.num_gpus >= minGpus &&
		(minVram === undefined || (parseGigabytes(option.vram_per_gpu) ?? -1) >= minVram) &&
		(maxPrice === undefined ||
			option.hourly_price < maxPrice.amount ||
			(maxPrice.inclusive && option.hourly_price === maxPrice.amount)) &&
		(host === undefined || option.cloud_host.toLowerCase() === host.toLowerCase()) &&
		(!cpuOnly || option.num_gpus === 0) &&
		words.every(
			word =>
				(/[A-Z]/.test(word) ? text : text.toLowerCase()).includes(word) ||
				option.availability.some(({region}) => regionTest(word)(region)),
		)
	);
};

testCases(
	'any filter over the real offers passes the matching ones, and counts how many more each part excludes',
	300,
	cases => {
		fc.assert(
			fc.property(filterFor(catalogue), filter => {
				const {rows, without} = filterWithGains(catalogue, filter);
				expect(rows).toEqual(catalogue.filter(option => passes(option, filter)));
				for (const facet of FACETS) {
					if (!isActive(filter, facet)) expect(without[facet]).toBeUndefined();
					else
						expect(without[facet]).toBe(
							filterCompute(catalogue, withoutFacet(filter, facet)).length - rows.length,
						);
				}
			}),
			{numRuns: cases},
		);
	},
);

test('groups hold every option once, by region once in each of its regions, with the lowest and the highest price', () => {
	for (const by of GROUPINGS) {
		const groups = groupCompute(catalogue, by);
		const nameOf = (option: ComputeOption): readonly string[] =>
			by === 'region'
				? option.availability.map(each => each.region)
				: by === 'host'
					? [option.cloud_host]
					: [gpuModel(option)];
		expect(new Set(groups.map(({name}) => name)).size).toBe(groups.length);
		for (const {name, options, low, high} of groups) {
			expect(options).toEqual(catalogue.filter(option => nameOf(option).includes(name)));
			expect([low, high]).toEqual([
				Math.min(...options.map(option => option.hourly_price)),
				Math.max(...options.map(option => option.hourly_price)),
			]);
		}
		expect(groups.flatMap(({options}) => options)).toHaveLength(catalogue.flatMap(nameOf).length);
	}
	expect(
		groupCompute(catalogue, 'region', new Set(['any', 'Any']))
			.map(({name}) => name)
			.sort(),
	).toEqual(['Any', 'any']);
});

describe('the real offers', () => {
	test('names every region once, in byte order, and keeps those apart that differ in letter case', () => {
		const regions = regionsOf(catalogue);
		const names = regions.map(({region}) => region);
		expect(names).toEqual(
			[...new Set(catalogue.flatMap(({availability}) => availability.map(({region}) => region)))].sort(
				(a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)),
			),
		);
		expect(names).toEqual(expect.arrayContaining(['FRA', 'fra', 'CANADA-1', 'canada-1', 'Default']));
		for (const {region, options, available} of regions) {
			expect(filterCompute(catalogue, {...NO_FILTER, regions: [region], available: false}).length).toBe(
				options,
			);
			expect(filterCompute(catalogue, {...NO_FILTER, regions: [region], available: true}).length).toBe(
				available,
			);
		}
	});

	test('names every GPU model once, with as many options as its filter finds', () => {
		const models = gpuModelsOf(catalogue);
		expect(models.map(({model}) => model)).toEqual(
			expect.arrayContaining(['A100', 'A100 80G', 'H100', 'V100 32G']),
		);
		expect(models.reduce((sum, {options}) => sum + options, 0)).toBe(
			catalogue.filter(({num_gpus: count}) => count > 0).length,
		);
		for (const {model, options} of models)
			expect(filterCompute(catalogue, {...NO_FILTER, gpu: model}).length).toBe(options);
	});

	test('prints the id of every option, so that none is guessed', () => {
		expect(catalogue.filter(entry => computeIdOf(entry).guessed)).toEqual([]);
	});

	test('has sizes that can all be read', () => {
		for (const {memory, vram_per_gpu: one, total_vram: total} of catalogue)
			expect([memory, one, total].map(parseGigabytes)).not.toContain(null);
	});
});

describe('sorted', () => {
	test('by price, cheapest or most expensive first', () => {
		const prices = (direction: 'ascending' | 'descending') =>
			sortCompute(catalogue, 'price', direction).map(({hourly_price: price}) => price);
		expect(prices('ascending')).toEqual(
			catalogue.map(({hourly_price: price}) => price).sort((a, b) => a - b),
		);
		expect(prices('descending')).toEqual(prices('ascending').toReversed());
	});

	test('sizes as numbers, with unreadable ones last in both directions', () => {
		const sizes = ['80G', 'lots', '9G', '160G'].map(memory => option({memory}));
		expect(sortCompute(sizes, 'mem').map(({memory}) => memory)).toEqual(['9G', '80G', '160G', 'lots']);
		expect(sortCompute(sizes, 'mem', 'descending').map(({memory}) => memory)).toEqual([
			'160G',
			'80G',
			'9G',
			'lots',
		]);
	});

	test("the user's own available hosts first, each part in its order", () => {
		const [cheap, lab, down, dear] = [
			option({name: 'cheap', hourly_price: 1}),
			option({name: 'lab', host: 'lab', availability: [{region: 'default', available: true}]}),
			option({name: 'down', host: 'down', availability: [{region: 'default', available: false}]}),
			option({name: 'dear', hourly_price: 9}),
		];
		expect(ownHostsFirst([cheap, dear, down, lab])).toEqual([lab, cheap, dear, down]);
	});

	test('options without a GPU last by price per GPU', () => {
		const options = [
			option({num_gpus: 0, hourly_price: 0.1}),
			option({num_gpus: 1, hourly_price: 2}),
			option({num_gpus: 4, hourly_price: 4}),
		];
		for (const direction of ['ascending', 'descending'] as const)
			expect(sortCompute(options, 'per-gpu', direction).at(-1)?.num_gpus).toBe(0);
		expect(sortCompute(options, 'per-gpu')[0]?.num_gpus).toBe(4);
	});

	test.each(COMPUTE_SORT_KEYS)('by %s, equal ones keep their order', key => {
		const twice = [...catalogue.slice(0, 20), ...catalogue.slice(0, 20).map(entry => ({...entry}))];
		const sorted = sortCompute(twice, key);
		expect(new Set(sorted)).toEqual(new Set(twice));
		for (const [index, next] of sorted.slice(1).entries()) {
			const previous = sorted[index];
			if (previous === undefined) continue;
			expect(sortCompute([previous, next], key)[0]).toBe(previous);
			const areEqual = sortCompute([next, previous], key)[0] === next;
			if (areEqual) expect(twice.indexOf(previous)).toBeLessThan(twice.indexOf(next));
		}
	});

	test('names in the order of their bytes, beyond the first plane too', () => {
		const names = ['b', 'a', 'A', 'é', '\uff5e', '😀', 'aa', ''];
		expect(names.toSorted(compareBytes)).toEqual(
			names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
		);
	});
});
