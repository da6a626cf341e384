import type {ComputeOption} from '../contract/compute.ts';
import {searchKeysOfAll, type SearchKeys} from './search-keys.ts';
import {regionTest, regionsMatching} from './geo-areas.ts';

/** Filter of the catalogue, as set on screen, typed as a query, or given by command options. */
export type ComputeFilter = {
	/**
	 * Names of regions, patterns or areas (see `regionsMatching`). An option must match one of
	 * them. Empty: all regions.
	 */
	readonly regions: readonly string[];
	/** Complete GPU model, ignoring case: `A100` does not match `A100 80G`. */
	readonly gpu?: string;
	readonly minGpus?: number;
	/** Minimum gigabytes per GPU. An option with an unreadable size does not match. */
	readonly minVram?: number;
	/** Maximum price per hour. `inclusive`: false if the price must be below it. */
	readonly maxPrice?: {readonly amount: number; readonly inclusive: boolean};
	/** Complete host name, ignoring case. */
	readonly host?: string;
	/**
	 * True to match only options available now: in one of `regions`, or in any region if that is
	 * empty.
	 */
	readonly available: boolean;
	readonly cpuOnly: boolean;
	/**
	 * Words of which each must occur in name, id or host, or start a word of a region, country or
	 * continent. Case matters in words with capitals. No word is empty.
	 */
	readonly words: readonly string[];
};

export const NO_FILTER: ComputeFilter = {regions: [], available: false, cpuOnly: false, words: []};

/** Facets that the user can remove one by one, in display order. */
export const FACETS = [
	'gpu',
	'minGpus',
	'minVram',
	'maxPrice',
	'regions',
	'host',
	'available',
	'cpuOnly',
	'words',
] as const satisfies readonly (keyof ComputeFilter)[];
export type Facet = (typeof FACETS)[number];

export const isActive = (filter: ComputeFilter, facet: Facet): boolean => {
	const value = filter[facet];
	return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
};

export const isFiltered = (filter: ComputeFilter): boolean => FACETS.some(facet => isActive(filter, facet));

export const withoutFacet = (filter: ComputeFilter, facet: Facet): ComputeFilter => {
	const {[facet]: _, ...rest} = filter;
	return {...NO_FILTER, ...rest};
};

/** `passes`: null if the option's value is unknown. */
type Condition = {
	readonly facet: Facet;
	readonly passes: (option: ComputeOption, facts: SearchKeys) => boolean | null;
};

/** Conditions except regions and availability, which depend on each other. */
const conditionsOf = ({
	gpu,
	minGpus,
	minVram,
	maxPrice,
	host,
	cpuOnly,
	words,
}: ComputeFilter): Condition[] => {
	const conditions: Condition[] = [];
	const add = (facet: Facet, passes: Condition['passes']): void => void conditions.push({facet, passes});
	const model = gpu?.toLowerCase();
	const hostKey = host?.toLowerCase();
	if (model !== undefined) add('gpu', (_, facts) => facts.modelKey === model);
	const gpus = (option: ComputeOption, test: (count: number) => boolean): boolean | null =>
		Number.isNaN(option.num_gpus) ? null : test(option.num_gpus);
	if (minGpus !== undefined) add('minGpus', option => gpus(option, count => count >= minGpus));
	if (minVram !== undefined)
		add('minVram', (option, {vram}) =>
			option.num_gpus === 0 ? minVram <= 0 : vram === null ? null : vram >= minVram,
		);
	if (maxPrice)
		add('maxPrice', ({hourly_price: price}) =>
			Number.isNaN(price) ? null : maxPrice.inclusive ? price <= maxPrice.amount : price < maxPrice.amount,
		);
	if (hostKey !== undefined)
		add('host', (_, facts) => facts.hostKey === hostKey || (facts.hostKey === '' ? null : false));
	if (cpuOnly) add('cpuOnly', option => gpus(option, count => count === 0));
	const tests = words.map(word => {
		const isLower = word === word.toLowerCase();
		const isIn = regionTest(word);
		return ({availability}: ComputeOption, {lowerText, text}: SearchKeys): boolean =>
			(isLower ? lowerText : text).includes(word) || availability.some(({region}) => isIn(region));
	});
	if (tests.length > 0) add('words', (option, facts) => tests.every(test => test(option, facts)));
	return conditions;
};

const isAnyOf = (chosen: ReadonlySet<string>, open: ReadonlySet<string>): boolean => {
	for (const region of open) if (chosen.has(region)) return true;
	return false;
};

/**
 * Options that match, in order. `without`: number of further options that would match without each
 * active facet.
 */
export type FilterResult<Option> = {
	readonly rows: readonly Option[];
	readonly without: Readonly<Partial<Record<Facet, number>>>;
	/** Number of options that might match but are left out, since their value is unknown. */
	readonly unknown: Readonly<Partial<Record<Facet, number>>>;
};

export const filterWithGains = <Option extends ComputeOption>(
	options: readonly Option[],
	filter: ComputeFilter,
): FilterResult<Option> => {
	const {regions, available} = filter;
	const chosen = regionsMatching(options, regions);
	const conditions = conditionsOf(filter);
	const rows: Option[] = [];
	const without: Partial<Record<Facet, number>> = Object.fromEntries(
		FACETS.filter(facet => isActive(filter, facet)).map(facet => [facet, 0]),
	);
	const gains = (facet: Facet): void => {
		without[facet] = (without[facet] ?? 0) + 1;
	};
	const unknown: Partial<Record<Facet, number>> = {};
	const all = searchKeysOfAll(options);
	for (const [at, option] of options.entries()) {
		const facts = all[at];
		if (facts === undefined) continue;
		let failed: Facet | undefined;
		let failures = 0;
		let isDefinite = false;
		let unclear: Facet[] | undefined;
		for (const {facet, passes} of conditions) {
			const isMatch = passes(option, facts);
			if (isMatch === true) continue;
			if (isMatch === null) (unclear ??= []).push(facet);
			else isDefinite = true;
			failed = facet;
			if (++failures > 1 && isDefinite) break;
		}
		if (failures > 1 && isDefinite) continue;
		const isOffered = chosen.size === 0 || option.availability.some(({region}) => chosen.has(region));
		const isOpen = !available || (chosen.size === 0 ? facts.open.size > 0 : isAnyOf(chosen, facts.open));
		const isSilent = option.availability.length === 0 && (available || chosen.size > 0);
		if (isSilent) {
			if (available) (unclear ??= []).push('available');
			if (chosen.size > 0) (unclear ??= []).push('regions');
		}
		if (!isDefinite && unclear !== undefined && (isSilent || (isOffered && isOpen)))
			for (const facet of unclear) unknown[facet] = (unknown[facet] ?? 0) + 1;
		if (failures > 1) continue;
		if (failed !== undefined) {
			if (isOffered && isOpen) gains(failed);
		} else if (isOffered && isOpen) {
			rows.push(option);
		} else {
			if (isOffered) gains('available');
			if (chosen.size > 0 && (!available || facts.open.size > 0)) gains('regions');
		}
	}
	return {rows, without, unknown};
};

export const filterCompute = <Option extends ComputeOption>(
	options: readonly Option[],
	filter: ComputeFilter,
): readonly Option[] => filterWithGains(options, filter).rows;
