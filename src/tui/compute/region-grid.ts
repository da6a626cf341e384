import type {ComputeOption} from '../../contract/compute.ts';
import {compareBytes} from '../../query/bytes.ts';
import {countryOf} from '../../query/geo-areas.ts';
import {searchKeysOf} from '../../query/search-keys.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut, fit} from '../../text/width/width.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';

export type RegionState = 'available' | 'not' | 'not offered';

export const regionState = (option: ComputeOption, region: string): RegionState => {
	if (searchKeysOf(option).open.has(region)) return 'available';
	return option.availability.some(each => each.region === region) ? 'not' : 'not offered';
};

export const REGION_WORDS: Readonly<Record<RegionState, string>> = {
	available: 'available',
	not: 'sold out',
	'not offered': 'not offered',
};

export const regionMark = (state: RegionState): string =>
	({
		available: paint('good', glyph.yes),
		not: paint('dim', glyph.no),
		'not offered': paint('dim', glyph.none),
	})[state];

/** Suffix of a region that differs from another only in letter case. */
export const CASE_MATTERS = ' · case-sensitive';

export const regionName = (region: string, variants: ReadonlySet<string>): string =>
	`${label(region, 24) || '""'}${variants.has(region) ? CASE_MATTERS : ''}`;

/** Cells of a country's code with the gaps around it. */
const CODE = 4;

/**
 * Regions of an option by country, as many side by side as fit: first where it is available, then
 * those sold out, then `others` in which it is not offered.
 */
export const regionGrid = (
	option: ComputeOption,
	others: readonly string[],
	variants: ReadonlySet<string>,
	width: number,
	height: number,
): readonly string[] => {
	const all = [...new Set([...option.availability.map(each => each.region), ...others])].map(region => ({
		region,
		state: regionState(option, region),
		code: countryOf(region)?.code ?? '',
	}));
	const counts = new Map<string, number>();
	for (const {state, code} of all) counts.set(state + code, (counts.get(state + code) ?? 0) + 1);
	// Names that differ only in case are adjacent, in byte order: `Any` before `any`.
	const groups = Map.groupBy(
		all.toSorted(
			(a, b) =>
				compareBytes(a.region.toLowerCase(), b.region.toLowerCase()) || compareBytes(a.region, b.region),
		),
		({state, code}) => state + code,
	);
	const order: Readonly<Record<RegionState, number>> = {available: 0, not: 1, 'not offered': 2};
	const sorted = [...groups.values()].toSorted(([a], [b]) =>
		a === undefined || b === undefined
			? 0
			: order[a.state] - order[b.state] ||
				Number(a.code === '') - Number(b.code === '') ||
				(counts.get(b.state + b.code) ?? 0) - (counts.get(a.state + a.code) ?? 0) ||
				compareBytes(a.code, b.code),
	);
	const cellOf = ({region, state}: (typeof all)[number]): string =>
		`${regionName(region, variants)}${state === 'not offered' ? ` · ${REGION_WORDS[state]}` : ''}`;
	const widest = Math.max(0, ...all.map(each => cellWidth(cellOf(each)))) + 2;
	const hasCodes = all.some(({code}) => code !== '');
	const first = 2 + (hasCodes ? CODE : 0) + widest;
	const count = Math.max(1, 1 + Math.floor((width + 2 - first) / (widest + 2)));
	const rows = sorted.flatMap(group =>
		Array.from({length: Math.ceil(group.length / count)}, (_, row) =>
			group
				.slice(row * count, (row + 1) * count)
				.map((each, at) => {
					const code = at > 0 || !hasCodes ? '' : fit(row === 0 ? each.code : '', CODE);
					const name = cellOf(each);
					const text = each.state === 'available' ? code + name : paint('dim', code + name);
					return `${regionMark(each.state)} ${at === count - 1 ? text : fit(text, cellWidth(code) + widest)}`;
				})
				.join('')
				.trimEnd(),
		),
	);
	if (rows.length <= height || height < 1)
		return rows.slice(0, Math.max(0, height)).map(row => cut(row, width));
	return [
		...rows.slice(0, height - 1).map(row => cut(row, width)),
		paint('dim', `${rows.length - height + 1} more rows; enlarge the terminal`),
	];
};
