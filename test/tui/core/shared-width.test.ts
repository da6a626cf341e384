import {describe, expect, test} from 'vitest';
import {columnWidths, type Column} from '../../../src/tui/core/components/table.ts';
import {BETWEEN} from '../../../src/tui/core/components/list-view.tsx';
import {computeColumns} from '../../../src/tui/compute/columns.ts';
import {indexOf} from '../../../src/tui/compute/rows.ts';
import {roomBeside} from '../../../src/tui/compute/view.tsx';
import {environmentWidths} from '../../../src/tui/environments/view.tsx';
import {
	DIVIDER,
	GAP as SERVERS_GAP,
	serverColumns,
	serverDetailWidth,
} from '../../../src/tui/servers/columns.ts';
import {cellWidth} from '../../../src/text/width/width.ts';
import {compute, servers} from '../../frames/data.ts';
import {server} from '../../support/factories.ts';

const NARROWEST = 60;
const WIDEST = 220;
const widths = Array.from({length: WIDEST - NARROWEST + 1}, (_, index) => NARROWEST + index);
/** Widths of a screen of servers by the width of its details, which do not depend on the rows. */
const CLASSES = [
	...Map.groupBy(widths, each => [100, 140, 170].filter(from => each >= from).length).values(),
];
const short = [server(), server({name: 'b', status: 'offline', server_request: 'a-100'})];
const columns = serverColumns(() => ({rate: 12.1, estimate: 3.2, atLeast: true}), null);

type Shared = {readonly cells: readonly number[]; readonly table: number; readonly detail: number};

const ofServers =
	(items: typeof servers) =>
	(width: number): Shared => {
		const detail = serverDetailWidth(width);
		const table = detail > 0 ? width - detail - DIVIDER : width;
		return {detail, table, cells: columnWidths(columns, items, table, SERVERS_GAP)};
	};
const offers = indexOf(compute).all;
const OFFER_COLUMNS = computeColumns(new Set());
const ofCompute = (width: number): Shared => {
	const detail = roomBeside(width, offers);
	const table = detail > 0 ? width - detail - BETWEEN : width;
	return {detail, table, cells: columnWidths(OFFER_COLUMNS, offers, table, 2)};
};

/** Number of a value's letters that its column shows, up to the readable width of the column. */
const shown = <T>(column: Column<T>, row: T, cells: number): number =>
	Math.min(cellWidth(column.value(row)), cells, column.least ?? Infinity);

const expectAsMuch = <T>(
	all: readonly Column<T>[],
	rows: readonly T[],
	narrow: Shared,
	wide: Shared,
	width: number,
): void => {
	for (const [index, column] of all.entries())
		for (const row of rows)
			expect(shown(column, row, wide.cells[index] ?? 0), `${column.head} at ${width}`).toBeGreaterThanOrEqual(
				shown(column, row, narrow.cells[index] ?? 0),
			);
};

describe('a wider terminal shows what a narrower one does', () => {
	test.each([
		['long names', servers],
		['short names', short],
	])('servers of %s', (_, items) => {
		const at = ofServers(items);
		for (const kind of CLASSES.map(each => each.filter(width => width >= 80)))
			for (const width of kind) expectAsMuch(columns, items, at(kind[0] ?? 0), at(width), width);
	});

	// Details take the room of the table at 112 columns, and the rest from 170 on.
	const classes = [
		[80, 111],
		[112, 169],
		[170, WIDEST],
	] as const;
	test.each(classes)('the catalogue, from %i to %i columns', (first, last) => {
		for (const width of widths.filter(each => each >= first && each <= last))
			expectAsMuch(OFFER_COLUMNS, offers, ofCompute(first), ofCompute(width), width);
	});

	test('the catalogue always has GPU, price and places', () => {
		for (const width of widths)
			for (const [index, {head}] of OFFER_COLUMNS.entries())
				if (/GPU|VRAM|Price|Up in/.test(head))
					expect(ofCompute(width).cells[index], `${head} at ${width}`).toBeGreaterThanOrEqual(
						head.includes('Up in') ? 8 : 4,
					);
	});

	test.each([
		['servers of long names', ofServers(servers)],
		['servers of short names', ofServers(short)],
	] as const)('no column is left out where a narrower one has it: %s', (_, at) => {
		const columnsAt = (width: number): readonly number[] =>
			at(width).cells.flatMap((cells, index) => (cells > 0 ? [index] : []));
		for (const kind of CLASSES)
			for (const width of kind.slice(1))
				expect(columnsAt(width)).toEqual(expect.arrayContaining([...columnsAt(width - 1)]));
		expect(columnsAt(WIDEST).length).toBeGreaterThan(columnsAt(NARROWEST).length - 1);
	});

	test('environments, and their descriptions', () => {
		for (const width of widths.slice(1)) {
			const narrow = environmentWidths(width - 1);
			const wide = environmentWidths(width);
			expect(wide.list + wide.description + BETWEEN).toBe(width);
			expect(wide.list).toBeGreaterThanOrEqual(narrow.list);
			expect(wide.description, String(width)).toBeGreaterThanOrEqual(Math.min(narrow.description, 72));
		}
	});
});

test.each([
	[60, 9],
	[80, 5],
	[120, 3],
])('where a table of %i cells has no room for all, few values are cut and no number', (width, most) => {
	const cells = columnWidths(columns, servers, width, SERVERS_GAP);
	const isCut = (column: Column<(typeof servers)[number]>, index: number): number =>
		(cells[index] ?? 0) === 0
			? 0
			: servers.filter(row => cellWidth(column.value(row)) > (cells[index] ?? 0)).length;
	const cut = columns.map(isCut);
	expect(cut.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(most);
	expect(cut.filter((_, index) => columns[index]?.right)).toEqual([0, 0]);
});

describe('a detail is beside a table', () => {
	test.each([
		[99, 0, 99],
		[100, 39, 59],
		[120, 39, 79],
		[140, 45, 93],
		[170, 59, 109],
		[200, 89, 109],
	])('of servers, whatever their names, on a screen of %i cells', (width, detail, table) => {
		expect(ofServers(servers)(width)).toMatchObject({detail, table});
		expect(ofServers(short)(width)).toMatchObject({detail, table});
	});
});
