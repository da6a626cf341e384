import type {ComputeOption} from '../contract/compute.ts';
import {computeIdOf, gpuModel, parseGigabytes} from './option.ts';

/** Values that filters and sorts need often, computed once per option. */
export type SearchKeys = {
	readonly model: string;
	/** `model` and host in lower case. */
	readonly modelKey: string;
	readonly hostKey: string;
	/** Gigabytes per GPU. Null if unreadable. */
	readonly vram: number | null;
	/** Regions in which the option is available now. */
	readonly open: ReadonlySet<string>;
	/** Number of distinct regions, available or not. */
	readonly offered: number;
	/** Text that is searched for words, as it is and in lower case. */
	readonly text: string;
	readonly lowerText: string;
};

const known = new WeakMap<ComputeOption, SearchKeys>();

const regionsOf = ({availability}: ComputeOption): Pick<SearchKeys, 'open' | 'offered'> => {
	const open = new Set<string>();
	const all = new Set<string>();
	for (const {region, available} of availability) {
		all.add(region);
		if (available) open.add(region);
	}
	return {open, offered: all.size};
};

export const searchKeysOf = (option: ComputeOption): SearchKeys => {
	const found = known.get(option);
	if (found) return found;
	const model = gpuModel(option);
	const text = `${option.name}\n${computeIdOf(option).id}\n${option.cloud_host}`;
	const facts: SearchKeys = {
		model,
		modelKey: model.toLowerCase(),
		hostKey: option.cloud_host.toLowerCase(),
		vram: parseGigabytes(option.vram_per_gpu),
		...regionsOf(option),
		text,
		lowerText: text.toLowerCase(),
	};
	known.set(option, facts);
	return facts;
};

/**
 * Number of regions of an option, and of those in which it is available now. `within`: regions that
 * count, empty for all.
 */
export const regionCount = (
	option: ComputeOption,
	within: ReadonlySet<string>,
): {readonly open: number; readonly offered: number} => {
	const {open, offered} = searchKeysOf(option);
	if (within.size === 0) return {open: open.size, offered};
	const all = new Set(option.availability.map(({region}) => region).filter(region => within.has(region)));
	return {open: [...all].filter(region => open.has(region)).length, offered: all.size};
};

const lists = new WeakMap<readonly ComputeOption[], readonly SearchKeys[]>();

/** Keys of a list, by position. Cached, since lists are filtered often. */
export const searchKeysOfAll = (options: readonly ComputeOption[]): readonly SearchKeys[] => {
	const found = lists.get(options) ?? options.map(searchKeysOf);
	lists.set(options, found);
	return found;
};
