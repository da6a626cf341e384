import type {ComputeOption} from '../../contract/compute.ts';
import {compareBytes} from '../../query/bytes.ts';
import {searchKeysOf} from '../../query/search-keys.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, fit} from '../../text/width/width.ts';
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

/** Name of a region, with a mark if letter case matters. A legend explains the mark. */
const markedName = (region: string, variants: ReadonlySet<string>): string =>
	`${label(region, 24) || '""'}${variants.has(region) ? ` ${glyph.caseVariant}` : ''}`;

/** Regions of an option in columns: first where it is available, then its host's other regions. */
export const regionGrid = (
	option: ComputeOption,
	others: readonly string[],
	variants: ReadonlySet<string>,
	width: number,
	height: number,
): readonly string[] => {
	const order: Readonly<Record<RegionState, number>> = {available: 0, not: 1, 'not offered': 2};
	const all = [...new Set([...option.availability.map(each => each.region), ...others])].map(region => ({
		region,
		state: regionState(option, region),
	}));
	// Names that differ only in case are adjacent, in byte order: `Any` before `any`.
	all.sort(
		(a, b) =>
			order[a.state] - order[b.state] ||
			compareBytes(a.region.toLowerCase(), b.region.toLowerCase()) ||
			compareBytes(a.region, b.region),
	);
	const cells = all.map(({region, state}) => {
		const name = markedName(region, variants);
		return {
			text: `${regionMark(state)} ${state === 'available' ? name : paint('dim', name)}`,
			cells: cellWidth(name) + 2,
		};
	});
	const column = Math.min(width, Math.max(8, ...cells.map(each => each.cells)) + 2);
	const count = Math.max(1, Math.floor(width / column));
	const rows = Math.ceil(cells.length / count);
	const lines = Array.from({length: Math.min(rows, height)}, (_, row) =>
		Array.from({length: count}, (__, at) => fit(cells[row + at * rows]?.text ?? '', column))
			.join('')
			.trimEnd(),
	);
	if (rows <= height || height === 0) return lines;
	const hidden = cells.length - (height - 1) * count;
	// Filled row by row, so that the regions without room are those at the end of the list.
	const shown = Array.from({length: height - 1}, (_, row) =>
		Array.from({length: count}, (__, at) => fit(cells[row * count + at]?.text ?? '', column))
			.join('')
			.trimEnd(),
	);
	return [...shown, paint('dim', `${hidden} more; enlarge the terminal to see them`)];
};
