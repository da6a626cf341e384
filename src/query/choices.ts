import type {ComputeOption} from '../contract/compute.ts';
import {searchKeysOf} from './search-keys.ts';
import {filterCompute, NO_FILTER, withoutFacet, type ComputeFilter, type Facet} from './filter.ts';
import {geoAreasWith, regionSet, type GeoArea} from './geo-areas.ts';
import {caseVariants, gpuModelsOf, hostsOf, regionsOf} from './values.ts';
import {knownNumber} from '../text/known.ts';
import {moneyText, roundedPrice} from '../text/money.ts';

/** Facets of the filter whose values are chosen from a list. */
export type ListedFacet = Extract<Facet, 'gpu' | 'minGpus' | 'minVram' | 'maxPrice' | 'regions' | 'host'>;

/** A value that a facet can have. */
export type Choice = {
	/** Text from the service. Not yet escaped for the terminal. */
	readonly name: string;
	/** Number of options that match with this value and the rest of the filter. */
	readonly count: number;
	readonly chosen: boolean;
	/** True if another value differs only in letter case. */
	readonly isCaseVariant: boolean;
	/** Filter after choosing the value, or after removing it if it is chosen. */
	readonly toggled: ComputeFilter;
};

const PRICES = [
	0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10, 15, 20, 30, 50, 75, 100, 200, 500, 1000,
];

const ascending = (values: Iterable<number>): readonly number[] =>
	[...new Set(values)].filter(value => value > 0).sort((a, b) => a - b);

/** Choice for a facet with a single value. Choosing it again removes it. */
const choice = (
	filter: ComputeFilter,
	facet: Facet,
	name: string,
	count: number | undefined,
	chosen: boolean,
	value: Partial<ComputeFilter>,
): Choice => ({
	name,
	count: count ?? 0,
	chosen,
	isCaseVariant: false,
	toggled: {...withoutFacet(filter, facet), ...(!chosen && value)},
});

/** Marks names that differ only in letter case, which are easily confused. */
const withCaseVariants = (choices: readonly Choice[]): readonly Choice[] => {
	const variants = caseVariants(choices.map(({name}) => name));
	return choices.map(each => ({...each, isCaseVariant: variants.has(each.name)}));
};

const named = (
	filter: ComputeFilter,
	facet: 'gpu' | 'host',
	names: readonly string[],
	counts: ReadonlyMap<string, number>,
): readonly Choice[] =>
	withCaseVariants(
		names.map(name => {
			const chosen = filter[facet]?.toLowerCase() === name.toLowerCase();
			return choice(filter, facet, name, counts.get(name), chosen, {[facet]: name});
		}),
	);

const atLeast = (
	filter: ComputeFilter,
	facet: 'minGpus' | 'minVram',
	steps: readonly number[],
	values: readonly number[],
	unit: string,
): readonly Choice[] =>
	steps.map(step => {
		const count = values.filter(value => value >= step).length;
		return choice(filter, facet, `${step}${unit} or more`, count, filter[facet] === step, {[facet]: step});
	});

/** All values of the catalogue for a facet, each with the number of options it matches. */
export const choicesOf = (
	options: readonly ComputeOption[],
	filter: ComputeFilter,
	facet: ListedFacet,
): readonly Choice[] => {
	const rest = filterCompute(
		options,
		withoutFacet(facet === 'gpu' ? withoutFacet(filter, 'cpuOnly') : filter, facet),
	);
	switch (facet) {
		case 'regions': {
			const counts = new Map(
				regionsOf(rest).map(each => [each.region, filter.available ? each.available : each.options]),
			);
			return withCaseVariants(
				regionsOf(options).map(({region: name}) => {
					const others = filter.regions.filter(each => each !== name);
					const chosen = filter.regions.includes(name);
					const {toggled, ...one} = choice(filter, facet, name, counts.get(name), chosen, {});
					return {...one, toggled: {...toggled, regions: chosen ? others : [...others, name]}};
				}),
			);
		}
		case 'gpu': {
			const count = rest.filter(option => option.num_gpus === 0).length;
			const toggled = {...withoutFacet(filter, 'gpu'), cpuOnly: !filter.cpuOnly};
			const none = {name: 'no GPU (CPU only)', count, chosen: filter.cpuOnly, isCaseVariant: false, toggled};
			const models = named(
				{...filter, cpuOnly: false},
				'gpu',
				gpuModelsOf(options).map(({model}) => model),
				new Map(gpuModelsOf(rest).map(({model, options: count}) => [model, count])),
			);
			return [none, ...models];
		}
		case 'host':
			return named(
				filter,
				'host',
				hostsOf(options).map(({host}) => host),
				new Map(hostsOf(rest).map(({host, options: count}) => [host, count])),
			);
		case 'minGpus':
			return atLeast(
				filter,
				facet,
				ascending(options.map(option => option.num_gpus).filter(count => !Number.isNaN(count))),
				rest.map(option => option.num_gpus),
				'',
			);
		case 'minVram':
			return atLeast(
				filter,
				facet,
				ascending(options.map(option => searchKeysOf(option).vram ?? 0)),
				rest.map(option => searchKeysOf(option).vram ?? -1),
				' G',
			);
		case 'maxPrice': {
			const known = options.map(option => knownNumber(option.hourly_price) ?? 0);
			const dearest = known.reduce((most, price) => Math.max(most, price), 0);
			const steps = PRICES.filter((_, index) => (PRICES[index - 1] ?? 0) < dearest);
			return steps.map(amount => {
				const chosen = filter.maxPrice?.amount === amount && filter.maxPrice.inclusive;
				const count = rest.filter(option => option.hourly_price <= amount).length;
				const value = {maxPrice: {amount, inclusive: true}};
				return choice(filter, facet, `up to ${moneyText(roundedPrice(amount))}/h`, count, chosen, value);
			});
		}
	}
};

/** Choice of all regions in a country or continent. */
export type AreaChoice = Choice & {readonly place: GeoArea; readonly regions: number};

/** Countries and continents of the catalogue's regions, as region choices. */
export const areaChoicesOf = (
	options: readonly ComputeOption[],
	filter: ComputeFilter,
): readonly AreaChoice[] => {
	const offered = regionSet(options);
	return geoAreasWith(offered)
		.filter(({place}) => !offered.has(place.name))
		.map(({place, regions}) => {
			const {name} = place;
			const chosen = filter.regions.includes(name);
			const others = filter.regions.filter(each => each !== name);
			const count = filterCompute(options, {...filter, regions: [name]}).length;
			const toggled = {...filter, regions: chosen ? others : [...others, name]};
			return {name, count, chosen, isCaseVariant: false, toggled, place, regions};
		});
};

/**
 * Filter without any value of a facet. For the GPU facet, this also removes the choice "no GPU".
 */
export const withNone = (filter: ComputeFilter, facet: ListedFacet): ComputeFilter => {
	const without = withoutFacet(filter, facet);
	return facet === 'gpu' ? {...without, cpuOnly: NO_FILTER.cpuOnly} : without;
};
