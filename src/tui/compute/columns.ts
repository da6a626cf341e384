import type {ComputeOption} from '../../contract/compute.ts';
import {countryOf} from '../../query/geo-areas.ts';
import {regionCount, searchKeysOf} from '../../query/search-keys.ts';
import {gpuModel, parseGigabytes, roundedPerGpu} from '../../query/option.ts';
import {type ComputeSortKey, type Direction} from '../../query/sort.ts';
import {chosenOf, type ChosenColumns} from '../../settings/columns.ts';
import type {ComputeRow} from './rows.ts';
import {priceText, rateHead} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import type {Column} from '../core/components/table.ts';
import {lastResult} from '../core/store/last-result.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {knownText, numberText, UNKNOWN} from '../../text/known.ts';

/** Size in gigabytes without its unit; any other size as it is. */
export const gigabytes = (text: string): string =>
	parseGigabytes(text) === null ? label(knownText(text), 12) : text.slice(0, -1);
const ofGpu = (option: ComputeOption, text: () => string): string =>
	option.num_gpus === 0 ? glyph.none : text();

type Chosen = ChosenColumns['compute'];
type Cell = Omit<Column<ComputeOption>, 'head'> & {readonly head: string; readonly key: ComputeSortKey};

/** Columns shown until the user chooses others, in order. */
const DEFAULT: readonly ComputeSortKey[] = ['gpu', 'vram', 'cpu', 'mem', 'price', 'regions', 'host'];

/** Up to `all` countries are listed. Of more countries, `some` are listed, followed by `+N`. */
const COUNTRIES = {all: 3, some: 2} as const;

/**
 * True if the option is available in a region of `within`. If `within` is empty, every region
 * counts, and an option that reports no regions counts as available.
 */
export const isUp = (option: ComputeOption, within: ReadonlySet<string>): boolean => {
	const {open, offered} = regionCount(option, within);
	return open > 0 || (offered === 0 && within.size === 0);
};

/** Codes of the countries in which the option is available. Those with most regions come first. */
const upIn = (option: ComputeOption, within: ReadonlySet<string>): string => {
	const {open, offered} = regionCount(option, within);
	if (open === 0) return offered === 0 && within.size === 0 ? UNKNOWN : 'none now';
	const counts = new Map<string, number>();
	for (const region of searchKeysOf(option).open) {
		if (within.size > 0 && !within.has(region)) continue;
		const place = countryOf(region)?.code ?? region;
		counts.set(place, (counts.get(place) ?? 0) + 1);
	}
	const names = [...counts]
		.sort(([, one], [, other]) => other - one)
		.map(([name]) => label(name, 14) || '""');
	const more = names.length > COUNTRIES.all ? names.length - COUNTRIES.some : 0;
	return more === 0 ? names.join(' ') : [...names.slice(0, COUNTRIES.some), `+${more}`].join(' ');
};

const cellsWithin = (within: ReadonlySet<string>): readonly Cell[] => [
	{key: 'gpu', head: 'GPU', value: row => label(gpuModel(row), 40), max: 32, least: 10},
	{key: 'n', head: 'N', value: row => ofGpu(row, () => numberText(row.num_gpus)), right: true, drop: 2},
	{
		key: 'vram',
		head: 'VRAM',
		value: row => ofGpu(row, () => `${numberText(row.num_gpus)}×${gigabytes(row.vram_per_gpu)}`),
		right: true,
	},
	{
		key: 'total',
		head: 'Total',
		value: row => ofGpu(row, () => gigabytes(row.total_vram)),
		right: true,
		drop: 1,
	},
	{key: 'cpu', head: 'CPU', value: row => numberText(row.cpus), right: true, drop: 6},
	{key: 'mem', head: 'Mem', value: row => gigabytes(row.memory), right: true, drop: 5},
	{key: 'price', head: rateHead('Price'), value: row => priceText(row.hourly_price), right: true, max: 14},
	{
		key: 'per-gpu',
		head: 'Per GPU',
		value: row => roundedPerGpu(row) ?? (row.num_gpus === 0 ? glyph.none : UNKNOWN),
		right: true,
		drop: 3,
		max: 14,
	},
	{key: 'regions', head: 'Up in', value: row => upIn(row, within), max: 16, least: 8},
	{key: 'host', head: 'Host', value: row => label(knownText(row.cloud_host), 24), least: 8, drop: 4},
];

/** Column with the number of regions. It is right of the regions column and has no title. */
const countCell = (within: ReadonlySet<string>): Omit<Column<ComputeOption>, 'head'> => ({
	value(row) {
		const {open, offered} = regionCount(row, within);
		return offered === 0 ? '' : `${open}/${offered}`;
	},
	style: (_, cell) => paint('dim', cell),
	right: true,
});

const shownCells = (within: ReadonlySet<string>, chosen: Chosen): readonly Cell[] =>
	chosenOf<ComputeSortKey, Cell>(cellsWithin(within), chosen ?? DEFAULT);

/**
 * Column title with the sort mark. A blank replaces a missing mark, so that columns do not move.
 */
const headOf = ({head, right}: Pick<Cell, 'head' | 'right'>, mark = ''): string =>
	right ? (mark || ' ') + head : mark + head + (mark === '' ? ' ' : '');

/** Columns of the table. Regions are those in `within`, or all if `within` is empty. */
export const computeColumns = lastResult(
	(within: ReadonlySet<string>, chosen: Chosen = null): readonly Column<ComputeRow>[] =>
		shownCells(within, chosen)
			.flatMap(({key, head, right, ...cell}) => [
				{...cell, ...(right && {right}), head: headOf({head, ...(right && {right})})},
				...(key === 'regions' ? [{...countCell(within), head: ''}] : []),
			])
			.map(({value, style, ...cell}) => ({
				...cell,
				value: (row: ComputeRow) => (row.kind === 'offer' ? value(row.option) : ''),
				...(style && {
					style: (row: ComputeRow, text: string) => (row.kind === 'offer' ? style(row.option, text) : text),
				}),
			})),
);

const NONE: ReadonlySet<string> = new Set();

/** Column titles, one of them with the sort mark. */
export const computeHeads = (
	key: ComputeSortKey,
	direction: Direction,
	chosen: Chosen,
): readonly string[] => {
	const mark = glyph[direction === 'ascending' ? 'up' : 'down'];
	return shownCells(NONE, chosen).flatMap(cell => [
		headOf(cell, cell.key === key ? mark : ''),
		...(cell.key === 'regions' ? [''] : []),
	]);
};

/** Key of the shown column that is `by` columns further right, wrapping around. */
export const nextSortKey = (key: ComputeSortKey, by: number, chosen: Chosen): ComputeSortKey => {
	const keys = chosen ?? DEFAULT;
	const at = keys.indexOf(key);
	return keys[at === -1 ? 0 : (at + by + keys.length) % keys.length] ?? key;
};
