import fc from 'fast-check';
import type {ComputeOption} from '../../src/contract/compute.ts';
import {NO_FILTER, type ComputeFilter} from '../../src/query/filter.ts';
import {gpuModel} from '../../src/query/option.ts';
import {codePoint} from './code-points.ts';

/** Any filter, with names of all characters and numbers of all sizes. */
export const anyFilter: fc.Arbitrary<ComputeFilter> = fc.record(
	{
		regions: fc.uniqueArray(fc.string({unit: codePoint}), {maxLength: 4}),
		gpu: fc.string({unit: codePoint}),
		minGpus: fc.nat(),
		minVram: fc.double({min: 0, noNaN: true, noDefaultInfinity: true}).map(Math.abs),
		maxPrice: fc.record({
			amount: fc.double({min: 0, noNaN: true, noDefaultInfinity: true}).map(Math.abs),
			inclusive: fc.boolean(),
		}),
		host: fc.string({unit: codePoint}),
		available: fc.boolean(),
		cpuOnly: fc.boolean(),
		words: fc.array(
			fc.oneof(
				fc.string({unit: codePoint, minLength: 1}),
				fc.constantFrom('avail', 'CPU', 'gpu:', 'n>=2', '"', 'a"b', '\\', 'price'),
			),
			{maxLength: 3},
		),
	},
	{requiredKeys: ['regions', 'available', 'cpuOnly', 'words']},
);

/** Filters that mostly match some options, because their values come from the catalogue. */
export const filterFor = (catalogue: readonly ComputeOption[]): fc.Arbitrary<ComputeFilter> => {
	const from = <Value>(values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...new Set(values));
	const cased = (values: readonly string[]) =>
		fc.tuple(from(values), fc.boolean()).map(([value, lower]) => (lower ? value.toLowerCase() : value));
	const sometimes = <Part>(part: fc.Arbitrary<Part>): fc.Arbitrary<Part | undefined> =>
		fc.oneof({weight: 3, arbitrary: fc.constant(undefined)}, {weight: 1, arbitrary: part});
	return fc
		.record({
			regions: sometimes(
				fc.uniqueArray(from(catalogue.flatMap(({availability}) => availability.map(({region}) => region))), {
					minLength: 1,
					maxLength: 5,
				}),
			),
			gpu: sometimes(cased(catalogue.map(gpuModel))),
			minGpus: sometimes(fc.integer({min: 0, max: 9})),
			minVram: sometimes(from([0, 8, 16, 24, 40, 48, 80, 81])),
			maxPrice: sometimes(
				fc.record({amount: from(catalogue.map(option => option.hourly_price)), inclusive: fc.boolean()}),
			),
			host: sometimes(cased(catalogue.map(option => option.cloud_host))),
			available: fc.boolean(),
			cpuOnly: sometimes(fc.boolean()),
			words: sometimes(
				fc.array(fc.constantFrom('a100', 'A100', 'h', 'x8', 'aws', '80', 'west coast'), {
					minLength: 1,
					maxLength: 2,
				}),
			),
		})
		.map(parts => ({
			...NO_FILTER,
			...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
		}));
};
