import {isCharged} from '../../text/charged.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {chosenOf, type ChosenColumns, type COLUMNS} from '../../settings/columns.ts';
import {offerOf} from '../../query/offers.ts';
import {timeLeft} from '../../query/limit-texts.ts';
import {hardwareText} from '../../query/option.ts';
import {elapsedText, uptimeText} from '../../text/clock.ts';
import {isUp, meaningOf} from '../../text/server-states.ts';
import {knownText, numberText, UNKNOWN} from '../../text/known.ts';
import {estimateText, priceText, rateHead} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import type {State} from '../core/program.ts';
import type {Column} from '../core/components/table.ts';
import type {Sort} from '../core/store/lists.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import type {CostEstimate} from './costs/rentals.ts';
import {statePlain, stateRole} from './state.ts';

type ServerColumn = (typeof COLUMNS.servers)[number];

/** Columns that are shown unless the user has chosen others. */
export const USUAL_COLUMNS: readonly ServerColumn[] = [
	'name',
	'state',
	'compute',
	'environment',
	'rate',
	'estimate',
];
/** Cells between two columns. */
export const GAP = 2;

/** Mark in place of a rate or estimate: for none if the server is offline, else for unknown. */
const noMoney = ({status}: ServerItem): string => (isCharged(status) === false ? glyph.none : UNKNOWN);

const estimateCell = (row: ServerItem, {estimate, atLeast}: CostEstimate): string =>
	estimate === undefined ? noMoney(row) : estimateText(estimate, atLeast);

/** Time until a job ends. Other limits have no countdown: use of the server may postpone them. */
const leftText = (row: ServerItem, now: number): string | null =>
	row['stop_cause'] === 'time-limit' && isUp(row.status) ? timeLeft(row, now) : null;

type Known = Pick<State, 'compute' | 'rentals' | 'awaited'>;

const MINUTE = 60_000;

/** Time since a server became ready, or since its start was requested; null if unknown. */
export const upTime = (
	{rentals, awaited}: Pick<Known, 'rentals' | 'awaited'>,
	{name, status}: Pick<ServerItem, 'name' | 'status'>,
	now: number,
): {readonly ms: number; readonly atLeast: boolean} | null => {
	const wait = awaited.get(name);
	if (meaningOf(status) === 'coming')
		return wait === undefined ? null : {ms: now - wait.since, atLeast: false};
	const rental = rentals.get(name);
	if (!isUp(status) || rental === undefined) return null;
	const ms = now - rental.since;
	return rental.ranBefore && ms < MINUTE ? null : {ms, atLeast: rental.ranBefore};
};

/** State with its duration or its reason: `● ready  2h 13m`, `✗ error: quota exceeded`. */
const stateCell = (row: ServerItem, known: Known | undefined, now: number): string => {
	const state = statePlain(row.status);
	const reason = row['status_reason'];
	if (row.status === 'error' && typeof reason === 'string' && reason !== '')
		return `${state}: ${label(reason, 80)}`;
	const left = leftText(row, now);
	if (left !== null) return `${state}  ${left}`;
	const time = known === undefined ? null : upTime(known, row, now);
	if (time === null) return state;
	const text = isUp(row.status) ? uptimeText(time.ms) : elapsedText(time.ms);
	return `${state}  ${time.atLeast ? glyph.atLeast : ''}${text}`;
};

/** Hardware in words, or the id of an option that the catalogue does not have. */
export const computeCell = (request: string, compute: Known['compute'] | undefined): string => {
	const offer = offerOf(request, compute?.value?.items);
	return label(offer === undefined ? knownText(request) : hardwareText(offer));
};

const unsortedColumns = (
	spendOf: (server: ServerItem) => CostEstimate,
	now: number,
	known: Known | undefined,
): readonly (Column<ServerItem> & {readonly key: ServerColumn})[] => [
	{key: 'name', head: 'Name', value: row => label(row.name), max: 32, least: 16},
	{
		key: 'state',
		head: 'State',
		value: row => stateCell(row, known, now),
		style: (row, cell) => {
			const role = stateRole(row.status);
			return role === null ? cell : paint(role, cell);
		},
		max: 22,
		isWhole: true,
	},
	{
		key: 'compute',
		head: 'Compute',
		value: row => computeCell(row.server_request, known?.compute),
		max: 24,
		least: 8,
	},
	{
		key: 'environment',
		head: 'Environment',
		value: row => label(knownText(row.environment)),
		max: 20,
		least: 20,
		drop: 2,
	},
	{
		key: 'rate',
		head: rateHead(),
		right: true,
		value(row) {
			const {rate} = spendOf(row);
			return rate === undefined ? noMoney(row) : priceText(rate);
		},
	},
	{key: 'estimate', head: 'Today', value: row => estimateCell(row, spendOf(row)), right: true, drop: 3},
	{key: 'port', head: 'Port', value: row => numberText(row.port), right: true, drop: 1},
];

/** Header of a column, with an arrow if the list is sorted by it. */
const sortedHead = (head: string, key: string, sort: Sort | null): string =>
	sort?.key === key ? `${sort.direction === 'ascending' ? glyph.up : glyph.down}${head}` : head;

/**
 * Columns of the list. The title of the sorted column has an arrow. `now`: see {@link timeLeft}.
 * Without `known`, states have no duration, and hardware is shown as its id.
 */
export const serverColumns = (
	spendOf: (server: ServerItem) => CostEstimate,
	sort: Sort | null,
	chosen: ChosenColumns['servers'] = null,
	now = 0,
	known?: Known,
): readonly Column<ServerItem>[] =>
	chosenOf(unsortedColumns(spendOf, now, known), chosen ?? USUAL_COLUMNS).map(column => ({
		...column,
		head: sortedHead(column.head, column.key, sort),
	}));

/** Least screen widths in cells: for details beside the list, and for two wider forms of them. */
const BESIDE = 100;
const MEDIUM = 140;
const WIDE = 170;
/** Width of the list on a wide screen; the details get the rest. */
const WIDE_LIST = 109;
/** Cells of the divider and the blank after it. */
export const DIVIDER = 2;

/** Width of the details beside the list; 0 on a narrow screen. */
export const serverDetailWidth = (width: number): number =>
	width < BESIDE ? 0 : width < MEDIUM ? 39 : width < WIDE ? 45 : width - WIDE_LIST - DIVIDER;
