import type {ComputeOption} from '../../../contract/compute.ts';
import {type ComputeFilter} from '../../../query/filter.ts';
import {gpuModel, pricePerGpuHour} from '../../../query/option.ts';
import type {Listing, Remote} from '../../../store/remote.ts';
import type {Connection} from '../../../store/session.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth} from '../../../text/width.ts';
import {failureLines, freshness, insteadOfRows} from '../../components/remote-line.ts';
import {Rows} from '../../components/rows.tsx';
import {windowAround} from '../../components/scroll.ts';
import {tableLines, type Column} from '../../components/table.ts';
import {glyph} from '../../theme/glyphs.ts';
import {paint} from '../../theme/theme.ts';

type Props = {
	readonly compute: Remote<Listing<ComputeOption>>;
	readonly connection: Connection;
	readonly rows: readonly ComputeOption[];
	readonly filter: ComputeFilter;
	readonly cursor: number;
	readonly focused: boolean;
	readonly now: number;
	readonly width: number;
	readonly height: number;
};

const money = (price: number | null): string => price?.toFixed(2) ?? glyph.none;
const regionsAvailable = ({availability}: ComputeOption): number => availability.filter(region => region.available).length;
const sizeOrNone = (option: ComputeOption, size: string): string => (option.num_gpus === 0 ? glyph.none : label(size, 12));

const COLUMNS: readonly Column<ComputeOption>[] = [
	{head: 'GPU', value: row => label(gpuModel(row), 40), max: 28},
	{head: 'N', value: row => (row.num_gpus === 0 ? glyph.none : String(row.num_gpus)), right: true},
	{head: 'VRAM', value: row => sizeOrNone(row, row.vram_per_gpu), right: true},
	{head: 'TOTAL', value: row => sizeOrNone(row, row.total_vram), right: true, drop: 2},
	{head: 'CPU', value: row => String(row.cpus), right: true, drop: 4},
	{head: 'MEM', value: row => label(row.memory, 12), right: true, drop: 3},
	{head: 'PRICE /H', value: row => money(row.hourly_price), right: true},
	{head: 'PER GPU /H', value: row => money(pricePerGpuHour(row)), right: true, drop: 1},
	{
		head: 'REGIONS', value: row => `${regionsAvailable(row)}/${row.availability.length}`, right: true,
		style: (row, cell) => (regionsAvailable(row) > 0 ? paint('good', cell) : paint('dim', cell)),
	},
	{head: 'HOST', value: row => label(row.cloud_host, 24), max: 16},
];

/** The filter in words, each part with the key that changes it. */
const chips = (filter: ComputeFilter): string => {
	const chip = (name: string, value: string | null): string => `${paint('dim', name)} ${value === null ? paint('dim', 'all') : paint('own', value)}`;
	const regions = filter.regions.length === 0 ? null : filter.regions.map(region => label(region, 24)).join(', ');
	return `   ${chip('region', regions)}   ${chip('GPU', filter.gpu === undefined ? null : label(filter.gpu, 30))}   ${chip('available', filter.available ? 'only' : null)}`;
};

const note = (option: ComputeOption | undefined): string => {
	if (option === undefined) return '';
	const id = label(option.compute_id ?? option.name, 48);
	const open = option.availability.filter(region => region.available).map(region => label(region.region, 24));
	const why = typeof option['note'] === 'string' ? `   ${label(option['note'], 160)}` : '';
	const where = open.length > 0 ? `${paint('good', 'available in')} ${open.join(', ')}` : paint('dim', 'not available in any region');
	return `   ${paint('own', id)}   ${where}${paint('dim', why)}`;
};

/** The compute catalogue: filter line, table, and what the row under the cursor is. */
export const ComputeView = ({compute, connection, rows, filter, cursor, focused, now, width, height}: Props) => {
	const all = compute.value?.items.length ?? 0;
	const count = rows.length === all ? String(all) : `${rows.length}/${all}`;
	const unreadable = compute.value?.unreadable ?? 0;
	const title = ` ${paint('heading', 'Compute')} ${compute.value ? count : ''}${unreadable > 0 ? `   ${paint('bad', `${unreadable} unreadable`)}` : ''}`;
	const age = `${freshness(compute, now)} `;
	const failed = all > 0 ? failureLines(compute, width) : [];
	const room = height - 6 - failed.length;
	const {head, lines} = tableLines({columns: COLUMNS, all: rows, from: windowAround(cursor, room, rows.length), height: room, cursor, focused, width});
	const list = rows.length > 0 ? lines : insteadOfRows(compute, connection, all > 0 ? 'Nothing passes this filter. U shows all again.' : 'The service offers no compute.', width);
	const padded = [...list, ...Array.from({length: Math.max(0, room - list.length)}, () => '')];
	const top = title + ' '.repeat(Math.max(1, width - cellWidth(title) - cellWidth(age))) + age;
	return <Rows height={height} lines={[top, chips(filter), head, ...padded, ...failed, '', note(rows[cursor])]}/>;
};
