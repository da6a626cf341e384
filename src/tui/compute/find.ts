// Finds compute options by GPU, host, country and price, for the palette.
import type {ComputeOption} from '../../contract/compute.ts';
import {filterCompute} from '../../query/filter.ts';
import {geoAreasOf, regionsWanted, regionTest} from '../../query/geo-areas.ts';
import {parseQuery} from '../../query/language.ts';
import {computeIdOf, gpuModel} from '../../query/option.ts';
import {mayBeAvailable} from '../../query/offers.ts';
import {searchKeysOf} from '../../query/search-keys.ts';
import {createEditor} from '../../text/editor/editor.ts';
import {knownNumber} from '../../text/known.ts';
import {perHour} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import type {Find, Hit} from '../core/feature.ts';
import {createServer} from '../core/ports.ts';
import type {State} from '../core/program.ts';
import {filterList} from '../core/store/lists.ts';
import {lastResult} from '../core/store/last-result.ts';
import {route} from '../core/store/route.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {catalogue} from './catalogue.ts';

const MOST = 50;

type Found = {readonly options: readonly ComputeOption[]; readonly regions: readonly string[]};

/**
 * Options that match a query, and the regions that it names: options available there come first,
 * then those available elsewhere, each group by price.
 */
const found = lastResult((items: readonly ComputeOption[], words: string): Found => {
	const parsed = parseQuery(words, items);
	if (!parsed.ok) return {options: [], regions: []};
	const regions = regionsWanted(parsed.filter);
	const tests = regions.map(regionTest);
	const rankOf = (option: ComputeOption): number => {
		if (!mayBeAvailable(option)) return 2;
		const isThere = [...searchKeysOf(option).open].some(region => tests.some(test => test(region)));
		return tests.length === 0 || isThere ? 0 : 1;
	};
	const priceOf = ({hourly_price}: ComputeOption): number => knownNumber(hourly_price) ?? Infinity;
	const options = filterCompute(items, parsed.filter)
		.map(option => ({option, rank: rankOf(option), price: priceOf(option)}))
		.toSorted((a, b) => a.rank - b.rank || a.price - b.price)
		.map(({option}) => option);
	return {options, regions};
});

/** A region where the option is available, if possible a region that the words name. */
const placeText = (option: ComputeOption, words: string): string => {
	const open = [...searchKeysOf(option).open];
	if (open.length === 0) return option.availability.length === 0 ? '' : `${glyph.no} none now`;
	const tests = words.split(/\s+/).map(regionTest);
	const region = open.find(each => tests.some(test => test(each))) ?? open[0] ?? '';
	const country = geoAreasOf(region)[0]?.title ?? '';
	return `${glyph.yes} ${label(region, 24)}${country === '' ? '' : ` ${country}`}`;
};

const gpuText = (option: ComputeOption): string => {
	const {num_gpus: count} = option;
	const model = label(gpuModel(option), 28);
	return count > 0 ? `${count}× ${model}` : model;
};

/** Shows the list of options with these words as its query. */
export const showOffers = (get: () => State, words: string): string | void => {
	route(get).go('compute');
	return filterList(get, 'compute', createEditor(words));
};

const hitOf = (get: () => State, option: ComputeOption, words: string, regions: readonly string[]): Hit => {
	const {readOnly} = get();
	return {
		name: gpuModel(option),
		choice: {
			id: `offer ${computeIdOf(option).id}`,
			text: `${gpuText(option)}  ${label(option.cloud_host, 16)}  ${perHour(option.hourly_price)}  ${placeText(option, words)}`,
			enterLabel: readOnly ? 'show' : 'rent',
			note: readOnly ? 'show' : 'rent',
			choose: () => (readOnly ? showOffers(get, words) : createServer(get, {option, regions})),
		},
	};
};

export const offerFind: Find = {
	order: 1,
	prefix: '$',
	name: 'options',
	screen: 'compute',
	section: () => 'Options',
	hits(get, words) {
		const items = get().compute.value?.items;
		if (items === undefined || words === '') return [];
		const {options: all, regions} = found(items, words);
		if (all.length === 0) return [];
		const hits = all.slice(0, MOST).map(option => hitOf(get, option, words, regions));
		const list: Hit = {
			name: '',
			choice: {
				id: 'offers',
				text: `all ${all.length} in Compute`,
				enterLabel: 'show',
				note: 'show',
				choose: () => showOffers(get, words),
			},
		};
		// Fourth hit, because the palette may have room for only four hits of a group.
		return [...hits.slice(0, 3), list, ...hits.slice(3)];
	},
	query: {text: words => `Options with ${label(words, 60)}`, run: showOffers},
	load(get) {
		if (get().compute.value === undefined && get().compute.status === 'idle')
			void catalogue(get).refreshCompute();
	},
};
