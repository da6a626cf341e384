import {isCharged} from '../../text/charged.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {chosenOf, type ChosenColumns, type COLUMNS} from '../../settings/columns.ts';
import {timeLeft} from '../../query/limit-texts.ts';
import {isUp} from '../../text/server-states.ts';
import {knownText, numberText, UNKNOWN} from '../../text/known.ts';
import {estimateText, priceText} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {detailWidth} from '../core/components/list-view.tsx';
import {wantedWidth, type Column} from '../core/components/table.ts';
import type {Sort} from '../core/store/lists.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import type {CostEstimate} from './costs/rentals.ts';
import {statePlain, stateRole} from './state.ts';

/** Placeholder for a rate or estimate: the mark for none if offline, else the mark for unknown. */
const noMoney = ({status}: ServerItem): string => (isCharged(status) === false ? glyph.none : UNKNOWN);

/**
 * An estimate, with a sign if it omits unknown costs. A space instead of the sign aligns values.
 */
const estimateCell = (row: ServerItem, {estimate, atLeast}: CostEstimate): string =>
	estimate === undefined ? `${noMoney(row)} ` : `${estimateText(estimate, atLeast)}${atLeast ? '' : ' '}`;

/** Time until a job ends. Other limits have no countdown: use of the server may postpone them. */
const leftText = (row: ServerItem, now: number): string =>
	row['stop_cause'] === 'time-limit' && isUp(row.status) ? ` ${timeLeft(row, now) ?? ''}` : '';

type ServerColumn = (typeof COLUMNS.servers)[number];

const unsortedColumns = (
	spendOf: (server: ServerItem) => CostEstimate,
	now: number,
): readonly (Column<ServerItem> & {readonly key: ServerColumn})[] => [
	{key: 'name', head: 'NAME', value: row => label(row.name), max: 48, least: 20},
	{
		key: 'state',
		head: 'STATE',
		value: row => `${statePlain(row.status)}${leftText(row, now)}`,
		style: (row, cell) => {
			const role = stateRole(row.status);
			return role === null ? cell : paint(role, cell);
		},
	},
	{
		key: 'environment',
		head: 'ENVIRONMENT',
		value: row => label(knownText(row.environment)),
		max: 24,
		least: 16,
		drop: 2,
	},
	{key: 'compute', head: 'COMPUTE', value: row => label(knownText(row.server_request)), max: 36, least: 20},
	{
		key: 'rate',
		head: 'RATE /H',
		right: true,
		value(row) {
			const {rate} = spendOf(row);
			return rate === undefined ? noMoney(row) : priceText(rate);
		},
	},
	{key: 'estimate', head: 'TODAY', value: row => estimateCell(row, spendOf(row)), right: true, drop: 3},
	{key: 'port', head: 'PORT', value: row => numberText(row.port), right: true, drop: 1},
];

/** Header of a column, with an arrow if the list is sorted by it. */
const sortedHead = (head: string, key: string, sort: Sort | null): string =>
	sort?.key === key ? `${head} ${sort.direction === 'ascending' ? glyph.up : glyph.down}` : head;

/** The columns of the list. `now`: see {@link timeLeft}. The sorted column has an arrow. */
export const serverColumns = (
	spendOf: (server: ServerItem) => CostEstimate,
	sort: Sort | null,
	chosen: ChosenColumns['servers'] = null,
	now = 0,
): readonly Column<ServerItem>[] =>
	chosenOf(unsortedColumns(spendOf, now), chosen).map(column => ({
		...column,
		head: sortedHead(column.head, column.key, sort),
	}));

/** Narrowest readable details, in cells. */
const LEAST_DETAIL = 40;

/**
 * Width of the details beside the table, which first gets what its values need; 0 if too little is
 * left.
 */
export const serverDetailWidth = (
	width: number,
	columns: readonly Column<ServerItem>[],
	items: readonly ServerItem[],
): number => detailWidth(width, wantedWidth(columns, items), LEAST_DETAIL);
