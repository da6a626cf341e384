// Dates in the columns of a text. All values of a column together determine the order of day and
// month.
import {expect, test} from 'vitest';
import {sortRows} from '../../src/text/table/arrange.ts';
import {columnStats} from '../../src/text/table/column-stats.ts';
import {dateIn} from '../../src/text/table/dates.ts';
import {tableOfUtf8, formatWords} from '../../src/text/table/text-format.ts';
import type {Table} from '../../src/text/table/table.ts';
import {parseWhere, rowsWhere} from '../../src/text/table/where.ts';
import type {Work} from '../../src/text/table/work.ts';

const done = <T>(work: Work<T>): T => {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
	}
};
const tableOf = (...values: readonly string[]): Table => {
	const table = tableOfUtf8('a.csv', `n,day\n${values.map((value, at) => `${at},"${value}"\n`).join('')}`);
	if (!table) throw new Error('no table');
	table.advance(Infinity);
	return table;
};
const sorted = (table: Table, direction: 'up' | 'down' = 'up'): readonly string[] =>
	[...done(sortRows(table, null, {column: 1, direction}))].map(row => table.cell(row, 1));
const read = (table: Table) => done(columnStats(table, null, 1));

test.each([
	['day first', ['31.12.2025', '1.2.2026', '02.01.2026']],
	['day first', ['05/11/2025', '31/01/2026', '01/02/2026']],
	['month first', ['12/31/2025', '01/30/2026', '02/01/2026']],
	['month first', ['1/2/2026 9:05 AM', '1/2/2026 1:05 PM', '1/13/2026 12:00 AM']],
	['year first', ['2026-1-9', '2026-1-10', '2026-11-2']],
] as const)('%s: %s', (order, days) => {
	const inOrder = order === 'day first' && days[0].includes('.') ? [days[0], days[2], days[1]] : days;
	const table = tableOf(...days.toReversed(), '', days[0]);
	expect(sorted(table)).toEqual([inOrder[0], inOrder[0], inOrder[1], inOrder[2], '']);
	expect(sorted(table, 'down')).toEqual([inOrder[2], inOrder[1], inOrder[0], inOrder[0], '']);
	expect(read(table)).toMatchObject({
		reading: {kind: 'dates', order},
		kind: 'text',
		...{count: 4, missing: 1, min: inOrder[0], max: inOrder[2]},
	});
	expect(formatWords(table)).toEqual(['UTF-8', 'comma', `dates ${order}`]);
});

test('dates that leave both orders open stay text, and the reason is given', () => {
	const table = tableOf('01/02/2026', '12/11/2025', '03/04/2026');
	expect(read(table).reading).toEqual({
		kind: 'text',
		why: '01/02/2026 may have the day or the month first, and no other date decides',
	});
	expect(sorted(table)).toEqual(['01/02/2026', '03/04/2026', '12/11/2025']);
	expect(formatWords(table)).toEqual(['UTF-8', 'comma']);
	// Countries that separate with points write the day first.
	expect(read(tableOf('01.02.2026', '03.04.2026')).reading).toEqual({kind: 'dates', order: 'day first'});
});

test('columns with other values, impossible days and contradicting orders stay text', () => {
	for (const values of [
		['31.12.2026', 'soon'],
		['31/12/2026', '12/31/2026'],
		['31.02.2026', '01.03.2026'],
		['31.12.2026', '5'],
		['1.2.3.4', '10.12.2026'],
		['2026-01-02', '2026-03-04'],
	])
		expect(read(tableOf(...values)).reading.kind, values.join(' ')).not.toBe('dates');
	expect(dateIn('29.2.2024 23:59:59.5', 'day first')).toBe(Date.UTC(2024, 1, 29, 23, 59, 59, 500));
	expect(dateIn('29.2.2023', 'day first')).toBeNaN();
	expect(dateIn('2026-02-28 10:00+02:00', 'year first')).toBe(Date.UTC(2026, 1, 28, 10));
});

test('a condition compares dates in the order of the column', () => {
	const table = tableOf('31.12.2025', '1.2.2026', '02.01.2026');
	const rows = (condition: string): readonly number[] => {
		const where = parseWhere(condition, table.names);
		if ('unknown' in where) throw new Error(where.unknown);
		return [...done(rowsWhere(table, [where]))];
	};
	expect(rows('day>=2.1.2026')).toEqual([1, 2]);
	expect(rows('day<2026-01-15')).toEqual([0, 2]);
	expect(rows('day=01.02.2026')).toEqual([1]);
});
