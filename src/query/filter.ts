import type {ComputeOption} from '../contract/compute.ts';
import {gpuModel} from './option.ts';

/** What a user asks of the catalogue. */
export type ComputeFilter = {
	/** Region ids, compared byte for byte: an option in any of them matches. Empty: every region. */
	readonly regions: readonly string[];
	/** A whole GPU model, ignoring case: `A100` is not `A100 80G`. */
	readonly gpu?: string;
	/** Only what is available now, in one of `regions` (in any region when none is named). */
	readonly available: boolean;
};

export const NO_FILTER: ComputeFilter = {regions: [], available: false};

type Offer = ComputeOption['availability'][number];

/** The options that match, in their order. */
export const filterCompute = <Option extends ComputeOption>(options: readonly Option[], {regions, gpu, available}: ComputeFilter): Option[] => {
	const chosen = new Set(regions);
	const model = gpu?.toLowerCase();
	const isOffered = (offer: Offer): boolean => (chosen.size === 0 || chosen.has(offer.region)) && (offer.available || !available);
	const isAnywhere = chosen.size === 0 && !available;
	return options.filter(option =>
		(model === undefined || gpuModel(option).toLowerCase() === model) && (isAnywhere || option.availability.some(isOffered)));
};

/** Byte order of UTF-8, which is code point order: JavaScript's own `<` puts characters beyond U+FFFF before some others. */
export const compareBytes = (a: string, b: string): number => {
	let at = 0;
	while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
	if (at === a.length || at === b.length) return a.length - b.length;
	// The halves of such a character are moved behind every other unit.
	const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);
	return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
};

const byName = <Value>(counts: ReadonlyMap<string, Value>): [string, Value][] => [...counts].sort(([a], [b]) => compareBytes(a, b));

/** `options`: how many are offered in the region; `available`: how many of them can be had now. */
export type RegionCount = {readonly region: string; readonly options: number; readonly available: number};

/** Every region of the catalogue once, in byte order. Two that differ only in letter case are two regions. */
export const regionsOf = (options: readonly ComputeOption[]): RegionCount[] => {
	const counts = new Map<string, {options: number; available: number}>();
	for (const option of options) {
		const here = new Map<string, boolean>();
		// A region that an option names twice is still one offer.
		for (const {region, available} of option.availability) here.set(region, available || (here.get(region) ?? false));
		for (const [region, available] of here) {
			const count = counts.get(region) ?? {options: 0, available: 0};
			counts.set(region, {options: count.options + 1, available: count.available + (available ? 1 : 0)});
		}
	}

	return byName(counts).map(([region, count]) => ({region, ...count}));
};

export type GpuModelCount = {readonly model: string; readonly options: number};

/** Every GPU model of the catalogue once, in byte order; options without a GPU have none. */
export const gpuModelsOf = (options: readonly ComputeOption[]): GpuModelCount[] => {
	const counts = new Map<string, number>();
	for (const option of options) if (option.num_gpus > 0) counts.set(gpuModel(option), (counts.get(gpuModel(option)) ?? 0) + 1);
	return byName(counts).map(([model, count]) => ({model, options: count}));
};
