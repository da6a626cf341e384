import type {ComputeOption} from '../../../contract/compute.ts';
import {factsOf} from '../../../query/facts.ts';
import {gpuModel, parseGigabytes, pricePerGpuHour} from '../../../query/option.ts';
import {COMPUTE_SORT_KEYS, type ComputeSortKey, type Direction} from '../../../query/sort.ts';
import type {ComputeRow} from '../../../store/compute-list.ts';
import {priceText} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import type {Column} from '../../components/table.ts';
import {glyph} from '../../theme/glyphs.ts';
import {paint} from '../../theme/theme.ts';

/** Regions in which it can be had, and in which it is offered, each counted once. */
export const regionCounts = (option: ComputeOption): {readonly open: number; readonly all: number} =>
	({open: factsOf(option).open.size, all: new Set(option.availability.map(each => each.region)).size});

const size = (text: string): string => (parseGigabytes(text) === null ? label(text, 12) : text.slice(0, -1));
const ofGpu = (option: ComputeOption, text: string): string => (option.num_gpus === 0 ? glyph.none : size(text));

type Cell = Omit<Column<ComputeOption>, 'head'> & {readonly head: string; readonly key: ComputeSortKey};

const CELLS: readonly Cell[] = [
	{key: 'gpu', head: 'GPU', value: row => label(gpuModel(row), 40), max: 28},
	{key: 'n', head: 'N', value: row => (row.num_gpus === 0 ? glyph.none : String(row.num_gpus)), right: true},
	{key: 'vram', head: 'VRAM G', value: row => ofGpu(row, row.vram_per_gpu), right: true},
	{key: 'total', head: 'TOTAL G', value: row => ofGpu(row, row.total_vram), right: true, drop: 2},
	{key: 'cpu', head: 'CPU', value: row => String(row.cpus), right: true, drop: 4},
	{key: 'mem', head: 'MEM G', value: row => size(row.memory), right: true, drop: 3},
	{key: 'price', head: 'PRICE /H', value: row => priceText(row.hourly_price), right: true, max: 14},
	{key: 'per-gpu', head: 'PER GPU /H', value: row => pricePerGpuHour(row)?.toFixed(2) ?? glyph.none, right: true, drop: 1, max: 14},
	{
		key: 'regions', head: 'REGIONS', right: true, max: 9,
		value(row) {
			const {open, all} = regionCounts(row);
			return `${open}/${all}`;
		},
		style: (row, cell) => paint(factsOf(row).open.size > 0 ? 'good' : 'dim', cell),
	},
	{key: 'host', head: 'HOST', value: row => label(row.cloud_host, 24), max: 16},
];

const made = new Map<string, readonly Column<ComputeRow>[]>();

/** The columns with the mark of the order in a head. The same objects for the same order, so that widths are measured once. */
export const computeColumns = (key: ComputeSortKey, direction: Direction): readonly Column<ComputeRow>[] => {
	const known = made.get(`${key} ${direction}`) ?? CELLS.map(({key: own, head, value, style, ...rest}): Column<ComputeRow> => {
		// The place of the mark is kept in every head: nothing moves when the order changes.
		const mark = own === key ? glyph[direction === 'ascending' ? 'rising' : 'falling'] : ' ';
		return {
			...rest,
			head: rest.right ? mark + head : head + mark,
			value: row => (row.kind === 'offer' ? value(row.option) : ''),
			...(style && {style: (row: ComputeRow, cell: string) => (row.kind === 'offer' ? style(row.option, cell) : cell)}),
		};
	});
	made.set(`${key} ${direction}`, known);
	return known;
};

/** The key of the column so many places on, round the end. */
export const nextSortKey = (key: ComputeSortKey, by: number): ComputeSortKey =>
	COMPUTE_SORT_KEYS[(COMPUTE_SORT_KEYS.indexOf(key) + by + COMPUTE_SORT_KEYS.length) % COMPUTE_SORT_KEYS.length] ?? key;
