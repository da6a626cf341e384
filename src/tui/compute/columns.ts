import type {ComputeOption} from '../../contract/compute.ts';
import {regionCount} from '../../query/search-keys.ts';
import {gpuModel, parseGigabytes, roundedPerGpu} from '../../query/option.ts';
import {type ComputeSortKey, type Direction} from '../../query/sort.ts';
import {chosenOf, COLUMNS, type ChosenColumns} from '../../settings/columns.ts';
import type {ComputeRow} from './rows.ts';
import {priceText} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import type {Column} from '../core/components/table.ts';
import {lastResult} from '../core/store/last-result.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {knownText, numberText, UNKNOWN} from '../../text/known.ts';

const size = (text: string): string =>
	parseGigabytes(text) === null ? label(knownText(text), 12) : text.slice(0, -1);
const ofGpu = (option: ComputeOption, text: string): string =>
	option.num_gpus === 0 ? glyph.none : size(text);

type Chosen = ChosenColumns['compute'];
type Cell = Omit<Column<ComputeOption>, 'head'> & {readonly head: string; readonly key: ComputeSortKey};

const cellsWithin = (within: ReadonlySet<string>): readonly Cell[] => [
	{key: 'gpu', head: 'GPU', value: row => label(gpuModel(row), 40), max: 28},
	{
		key: 'n',
		head: 'N',
		value: row => (row.num_gpus === 0 ? glyph.none : numberText(row.num_gpus)),
		right: true,
	},
	{key: 'vram', head: 'VRAM G', value: row => ofGpu(row, row.vram_per_gpu), right: true},
	{key: 'total', head: 'TOTAL G', value: row => ofGpu(row, row.total_vram), right: true, drop: 2},
	{key: 'cpu', head: 'CPU', value: row => numberText(row.cpus), right: true, drop: 4},
	{key: 'mem', head: 'MEM G', value: row => size(row.memory), right: true, drop: 3},
	{key: 'price', head: 'PRICE /H', value: row => priceText(row.hourly_price), right: true, max: 14},
	{
		key: 'per-gpu',
		head: 'PER GPU /H',
		value: row => roundedPerGpu(row) ?? (row.num_gpus === 0 ? glyph.none : UNKNOWN),
		right: true,
		drop: 1,
		max: 14,
	},
	{
		key: 'regions',
		head: 'REGIONS',
		right: true,
		max: 9,
		value(row) {
			const {open, offered} = regionCount(row, within);
			return offered === 0 ? UNKNOWN : `${open}/${offered}`;
		},
		style: (row, cell) => paint(regionCount(row, within).open > 0 ? 'good' : 'dim', cell),
	},
	{key: 'host', head: 'HOST', value: row => label(knownText(row.cloud_host), 24), least: 14, isMinor: true},
];

const CELLS = cellsWithin(new Set());

/**
 * Each title leaves room for the sort mark, so that columns stay in place when the order changes.
 */
const headOf = ({head, right}: Pick<Cell, 'head' | 'right'>, mark: string): string =>
	right ? mark + head : head + mark;

/** Columns of the table. REGIONS counts the regions in `within`, or all regions if it is empty. */
export const computeColumns = lastResult(
	(within: ReadonlySet<string>, chosen: Chosen = null): readonly Column<ComputeRow>[] =>
		chosenOf<ComputeSortKey, Cell>(cellsWithin(within), chosen).map(({key: _, value, style, ...cell}) => ({
			...cell,
			head: headOf(cell, ' '),
			value: row => (row.kind === 'offer' ? value(row.option) : ''),
			...(style && {
				style: (row: ComputeRow, text: string) => (row.kind === 'offer' ? style(row.option, text) : text),
			}),
		})),
);

/** Column titles, one of them with the sort mark. */
export const computeHeads = (key: ComputeSortKey, direction: Direction, chosen: Chosen): readonly string[] =>
	chosenOf(CELLS, chosen).map(cell =>
		headOf(cell, cell.key === key ? glyph[direction === 'ascending' ? 'up' : 'down'] : ' '),
	);

/** Key of the shown column that is `by` columns further right, wrapping around. */
export const nextSortKey = (key: ComputeSortKey, by: number, chosen: Chosen): ComputeSortKey => {
	const keys = chosen ?? COLUMNS.compute;
	const at = keys.indexOf(key);
	return keys[at === -1 ? 0 : (at + by + keys.length) % keys.length] ?? key;
};
