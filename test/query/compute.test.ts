import {describe, expect, test} from 'vitest';
import market from '../../src/service/catalogue/market.json' with {type: 'json'};
import type {ComputeOption} from '../../src/contract/compute.ts';
import {NO_FILTER, compareBytes, filterCompute, gpuModelsOf, regionsOf} from '../../src/query/filter.ts';
import {computeIdOf, gpuModel, parseGigabytes, pricePerGpuHour} from '../../src/query/option.ts';
import {COMPUTE_SORT_KEYS, compareCompute} from '../../src/query/sort.ts';

const option = (changes: Partial<ComputeOption>): ComputeOption => ({
	name: 'A100 80G (2x)', cloud_host: 'runpod', cpus: 16, memory: '120G', num_gpus: 2, vram_per_gpu: '80G', total_vram: '160G', hourly_price: 3, availability: [], ...changes,
});

const catalogue: readonly ComputeOption[] = market.compute;

describe('an option of the catalogue', () => {
	test.each([
		['A100 80G (8x)', 'A100 80G'], ['T4 (1x)', 'T4'], ['Medium CPU', 'Medium CPU'], ['X (rev 2) (4x)', 'X (rev 2)'], ['(odd)', '(odd)'],
	])('%s is of the model %s', (name, model) => {
		expect(gpuModel({name})).toBe(model);
	});

	test.each([['80G', 80], ['1152G', 1152], ['0.5G', 0.5], ['0G', 0], ['80', null], ['80 GB', null], ['', null], ['-1G', null], ['1e3G', null]])('the size %j is %j gigabytes', (size, gigabytes) => {
		expect(parseGigabytes(size)).toBe(gigabytes);
	});

	test('costs its price divided by its GPUs, and nothing per GPU without one', () => {
		expect(pricePerGpuHour(option({hourly_price: 3, num_gpus: 2}))).toBe(1.5);
		expect(pricePerGpuHour(option({num_gpus: 0}))).toBeNull();
	});

	test.each([
		[{name: 'Medium CPU', cloud_host: 'svc', num_gpus: 0}, 'svc-medium'], [{name: 'XL CPU', cloud_host: 'svc', num_gpus: 0}, 'svc-xl'], [{name: 'T4 (1x)', cloud_host: 'svc', num_gpus: 1}, 'svc-t4'],
		[{name: 'CPU', cloud_host: 'svc', num_gpus: 0}, 'svc-cpu'], [{name: 'A100 80G (2x)', cloud_host: 'runpod', num_gpus: 2}, 'runpod-A100_80Gx2'], [{name: 'T4 (1x)', cloud_host: 'svc', compute_id: null}, 'svc-t4'],
	])('without an id %j is guessed to be %s', (changes, id) => {
		expect(computeIdOf(option(changes))).toEqual({id, guessed: true});
	});

	test('with an id has that id', () => {
		expect(computeIdOf(option({compute_id: 'runpod-A100_sxm4_80Gx2'}))).toEqual({id: 'runpod-A100_sxm4_80Gx2', guessed: false});
	});
});

describe('the catalogue, filtered', () => {
	const here = option({name: 'H100 (1x)', availability: [{region: 'fra', available: false}, {region: 'FRA', available: true}]});
	const there = option({name: 'H100 80G (1x)', availability: [{region: 'fra', available: true}]});
	const nowhere = option({name: 'h100 (1x)', availability: []});
	const all = [here, there, nowhere];

	test('is whole without a filter', () => {
		expect(filterCompute(all, NO_FILTER)).toEqual(all);
	});

	test('takes regions byte for byte, and several as a union', () => {
		const both = filterCompute(all, {regions: ['FRA', 'fra'], available: false});
		expect(both).toEqual([here, there]);
		expect(filterCompute(all, {regions: ['FRA'], available: false})).toEqual([here]);
		expect(filterCompute(all, {regions: ['Fra'], available: false})).toEqual([]);
	});

	test('takes a GPU model whole and in any case', () => {
		expect(filterCompute(all, {regions: [], gpu: 'h100', available: false})).toEqual([here, nowhere]);
		expect(filterCompute(all, {regions: [], gpu: 'H100 80g', available: false})).toEqual([there]);
		expect(filterCompute(all, {regions: [], gpu: 'H10', available: false})).toEqual([]);
	});

	test('takes available as available in a chosen region', () => {
		expect(filterCompute(all, {regions: ['fra'], available: true})).toEqual([there]);
		expect(filterCompute(all, {regions: [], available: true})).toEqual([here, there]);
	});
});

describe('the real market', () => {
	test('names every region once, in byte order, and keeps those apart that differ in letter case', () => {
		const regions = regionsOf(catalogue);
		const names = regions.map(({region}) => region);
		expect(names).toEqual([...new Set(catalogue.flatMap(({availability}) => availability.map(({region}) => region)))].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
		expect(names).toEqual(expect.arrayContaining(['FRA', 'fra', 'CANADA-1', 'canada-1', 'Default']));
		for (const {region, options, available} of regions) {
			expect(filterCompute(catalogue, {regions: [region], available: false}).length).toBe(options);
			expect(filterCompute(catalogue, {regions: [region], available: true}).length).toBe(available);
		}
	});

	test('names every GPU model once, with as many options as its filter finds', () => {
		const models = gpuModelsOf(catalogue);
		expect(models.map(({model}) => model)).toEqual(expect.arrayContaining(['A100', 'A100 80G', 'H100', 'V100 32G']));
		expect(models.reduce((sum, {options}) => sum + options, 0)).toBe(catalogue.filter(({num_gpus: count}) => count > 0).length);
		for (const {model, options} of models) expect(filterCompute(catalogue, {regions: [], gpu: model, available: false}).length).toBe(options);
	});

	test('says the id of every option itself, so that none is guessed', () => {
		expect(catalogue.filter(entry => computeIdOf(entry).guessed)).toEqual([]);
	});

	test('has sizes that can all be read', () => {
		for (const {memory, vram_per_gpu: one, total_vram: total} of catalogue) expect([memory, one, total].map(parseGigabytes)).not.toContain(null);
	});
});

describe('sorted', () => {
	test('by price, cheapest or dearest first', () => {
		const prices = (direction: 'ascending' | 'descending') => catalogue.toSorted(compareCompute('price', direction)).map(({hourly_price: price}) => price);
		expect(prices('ascending')).toEqual(catalogue.map(({hourly_price: price}) => price).sort((a, b) => a - b));
		expect(prices('descending')).toEqual(prices('ascending').toReversed());
	});

	test('sizes as numbers, with those that cannot be read last in both directions', () => {
		const sizes = ['80G', 'lots', '9G', '160G'].map(memory => option({memory}));
		expect(sizes.toSorted(compareCompute('memory')).map(({memory}) => memory)).toEqual(['9G', '80G', '160G', 'lots']);
		expect(sizes.toSorted(compareCompute('memory', 'descending')).map(({memory}) => memory)).toEqual(['160G', '80G', '9G', 'lots']);
	});

	test('options without a GPU last by price per GPU', () => {
		const options = [option({num_gpus: 0, hourly_price: 0.1}), option({num_gpus: 1, hourly_price: 2}), option({num_gpus: 4, hourly_price: 4})];
		for (const direction of ['ascending', 'descending'] as const) expect(options.toSorted(compareCompute('pricePerGpu', direction)).at(-1)?.num_gpus).toBe(0);
		expect(options.toSorted(compareCompute('pricePerGpu'))[0]?.num_gpus).toBe(4);
	});

	test.each(COMPUTE_SORT_KEYS)('by %s, equal ones keep their order', key => {
		const twice = [...catalogue.slice(0, 20), ...catalogue.slice(0, 20).map(entry => ({...entry}))];
		const sorted = twice.toSorted(compareCompute(key));
		const compare = compareCompute(key);
		for (const [index, next] of sorted.slice(1).entries()) {
			const previous = sorted[index];
			if (previous === undefined) continue;
			expect(compare(previous, next)).toBeLessThanOrEqual(0);
			if (compare(previous, next) === 0) expect(twice.indexOf(previous)).toBeLessThan(twice.indexOf(next));
		}
	});

	test('names in the order of their bytes, beyond the first plane too', () => {
		const names = ['b', 'a', 'A', 'é', '\uff5e', '😀', 'aa', ''];
		expect(names.toSorted(compareBytes)).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
	});
});
