// Rows of the comparison of compute options: one column per option, its regions below the facts.
import type {ComputeOption} from '../../../contract/compute.ts';
import {compareBytes} from '../../../query/bytes.ts';
import {countryOf} from '../../../query/geo-areas.ts';
import {gpuModel, parseGigabytes, pricePerGpuHour, roundedPerGpu} from '../../../query/option.ts';
import {searchKeysOf} from '../../../query/search-keys.ts';
import {knownNumber, numberText, UNKNOWN} from '../../../text/known.ts';
import {dayAmount, priceText, rateHead} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {gigabytes} from '../columns.ts';
import {regionMark, regionName, regionState} from '../region-grid.ts';
import {paint} from '../../core/theme/theme.ts';

/** Row with its name and a cell per option. `best`: indices of the cells with the best value. */
export type ComparedRow = {
	readonly name: string;
	readonly cells: readonly string[];
	readonly best?: ReadonlySet<number>;
};

type Fact = {
	readonly name: string;
	readonly text: (option: ComputeOption) => string;
	/** Best value of the row, which is highlighted: the lowest or the highest. */
	readonly best?: 'least' | 'most';
	readonly value?: (option: ComputeOption) => number | null;
};

const gpuText = (option: ComputeOption): string =>
	option.num_gpus === 0 ? glyph.none : `${numberText(option.num_gpus)}× ${label(gpuModel(option), 40)}`;

const vramText = (option: ComputeOption): string =>
	option.num_gpus === 0
		? glyph.none
		: `${option.num_gpus === 1 ? '' : `${numberText(option.num_gpus)}×`}${gigabytes(option.vram_per_gpu)}`;

const regionsText = (option: ComputeOption): string => {
	const {open, offered} = searchKeysOf(option);
	return offered === 0 ? UNKNOWN : `${open.size} of ${offered}`;
};

const price = (option: ComputeOption): number | null => knownNumber(option.hourly_price);

const factsOf = (options: readonly ComputeOption[]): readonly Fact[] => {
	const differs = (text: (option: ComputeOption) => string): boolean => new Set(options.map(text)).size > 1;
	return [
		...(differs(gpuText) ? [{name: 'GPU', text: gpuText}] : []),
		{name: rateHead('Price'), text: option => priceText(option.hourly_price), best: 'least', value: price},
		{
			name: rateHead('Price', 'day'),
			text: option => dayAmount(option.hourly_price),
			best: 'least',
			value: price,
		},
		...(options.every(({num_gpus: count}) => count <= 1)
			? []
			: [
					{
						name: `${rateHead('Price')} per GPU`,
						text: (option: ComputeOption) =>
							roundedPerGpu(option) ?? (option.num_gpus === 0 ? glyph.none : UNKNOWN),
						best: 'least' as const,
						value: pricePerGpuHour,
					},
				]),
		{name: 'VRAM GB', text: vramText, best: 'most', value: ({total_vram: size}) => parseGigabytes(size)},
		{name: 'CPU', text: ({cpus}) => numberText(cpus), best: 'most', value: ({cpus}) => knownNumber(cpus)},
		{
			name: 'Memory GB',
			text: ({memory}) => gigabytes(memory),
			best: 'most',
			value: ({memory}) => parseGigabytes(memory),
		},
		{name: 'Regions up', text: regionsText, best: 'most', value: option => searchKeysOf(option).open.size},
	];
};

/** Indices of the columns with the best value; empty if all known values are equal. */
const bestIn = ({best, value}: Fact, options: readonly ComputeOption[]): ReadonlySet<number> => {
	const values = options.map(option => value?.(option) ?? null);
	const known = values.filter(each => each !== null);
	if (best === undefined || known.length < 2 || known.every(each => each === known[0])) return new Set();
	const top = best === 'least' ? Math.min(...known) : Math.max(...known);
	return new Set(values.flatMap((each, column) => (each === top ? [column] : [])));
};

const byName = (one: string, other: string): number =>
	compareBytes(one.toLowerCase(), other.toLowerCase()) || compareBytes(one, other);

/** Country of the region, or the region itself if its country is unknown. */
const placeOf = (region: string): string => countryOf(region)?.title ?? region;

/** Row per country. A cell names the option's only available region there, or counts several. */
const countryRows = (options: readonly ComputeOption[]): readonly ComparedRow[] => {
	const open = options.map(option => [...searchKeysOf(option).open].sort(byName));
	const regions = open.flat();
	const countOf = (place: string): number => regions.filter(region => placeOf(region) === place).length;
	const places = [...new Set(regions.map(placeOf))].sort(
		(one, other) => countOf(other) - countOf(one) || byName(one, other),
	);
	if (places.length === 0) return [{name: '  none now', cells: options.map(() => paint('dim', glyph.none))}];
	return places.map(place => ({
		name: `  ${label(place, 24) || '""'}`,
		cells: open.map(each => {
			const here = each.filter(region => placeOf(region) === place);
			const [region = ''] = here;
			if (here.length === 0) return paint('dim', glyph.none);
			const what = here.length > 1 ? String(here.length) : region === place ? '' : label(region, 24);
			return `${paint('good', glyph.yes)}${what === '' ? '' : ` ${what}`}`;
		}),
	}));
};

/** Rows of all regions of these options, sorted by country. */
const regionRows = (
	options: readonly ComputeOption[],
	variants: ReadonlySet<string>,
): readonly ComparedRow[] =>
	[...new Set(options.flatMap(option => option.availability.map(({region}) => region)))]
		.sort((one, other) => byName(placeOf(one), placeOf(other)) || byName(one, other))
		.map(region => ({
			name: `  ${regionName(region, variants)}`,
			cells: options.map(option => regionMark(regionState(option, region))),
		}));

/** Rows of facts, a blank row, and rows of countries or of all regions. */
export const comparedRows = (
	options: readonly ComputeOption[],
	variants: ReadonlySet<string>,
	isEveryRegion: boolean,
): readonly ComparedRow[] => [
	...factsOf(options).map(fact => ({
		name: fact.name,
		cells: options.map(option => fact.text(option)),
		best: bestIn(fact, options),
	})),
	{name: '', cells: []},
	{name: isEveryRegion ? 'Regions' : 'Up in', cells: []},
	...(isEveryRegion ? regionRows(options, variants) : countryRows(options)),
];
