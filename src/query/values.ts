import type {ComputeOption} from '../contract/compute.ts';
import {compareBytes} from './bytes.ts';
import {searchKeysOf} from './search-keys.ts';

const byName = <Value>(counts: ReadonlyMap<string, Value>): [string, Value][] =>
	[...counts].sort(([a], [b]) => compareBytes(a, b));

/** `options`: number offered in the region. `available`: number of them available now. */
export type RegionCount = {readonly region: string; readonly options: number; readonly available: number};

/** Every region of the options, in byte order. Letter case distinguishes regions. */
export const regionsOf = (options: readonly ComputeOption[]): RegionCount[] => {
	const counts = new Map<string, {options: number; available: number}>();
	for (const option of options) {
		const {open} = searchKeysOf(option);
		// A region that an option lists twice counts once.
		for (const region of new Set(option.availability.map(each => each.region))) {
			const count = counts.get(region) ?? {options: 0, available: 0};
			count.options++;
			if (open.has(region)) count.available++;
			counts.set(region, count);
		}
	}
	return byName(counts).map(([region, count]) => ({region, ...count}));
};

/** Names that differ from another one only in letter case. */
export const caseVariants = (names: Iterable<string>): ReadonlySet<string> => {
	const first = new Map<string, string>();
	const variants = new Set<string>();
	for (const name of names) {
		const other = first.get(name.toLowerCase());
		if (other === undefined) first.set(name.toLowerCase(), name);
		else if (other !== name) variants.add(other).add(name);
	}
	return variants;
};

const countOf = (names: Iterable<string>): [string, number][] => {
	const counts = new Map<string, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return byName(counts);
};

export type GpuModelCount = {readonly model: string; readonly options: number};

/** Every GPU model of the options, in byte order. Options without a GPU have none. */
export const gpuModelsOf = (options: readonly ComputeOption[]): GpuModelCount[] =>
	countOf(options.filter(option => option.num_gpus !== 0).map(option => searchKeysOf(option).model)).map(
		([model, count]) => ({model, options: count}),
	);

export type HostCount = {readonly host: string; readonly options: number};

export const hostsOf = (options: readonly ComputeOption[]): HostCount[] =>
	countOf(options.map(option => option.cloud_host)).map(([host, count]) => ({host, options: count}));
