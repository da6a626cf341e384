import fc from 'fast-check';
import {expect, test} from 'vitest';
import {tableText, type Column} from '../../src/cli/table.ts';
import {cellWidth} from '../../src/text/width/width.ts';

type Row = {readonly name: string; readonly compute: string; readonly rate: string; readonly port: string};
const COLUMNS: readonly Column<Row>[] = [
	{head: 'NAME', value: row => row.name},
	{head: 'COMPUTE', value: row => row.compute},
	{head: 'RATE /H', value: row => row.rate, right: true, drop: 2},
	{head: 'PORT', value: row => row.port, right: true, drop: 1},
];
const text = fc.string({unit: fc.constantFrom('a', 'b', '-', '表', 'é'), minLength: 1, maxLength: 120});
const rows = fc.array(
	fc.record({
		name: text,
		compute: text,
		rate: fc.constantFrom('2.49', '?'),
		port: fc.constantFrom('8888', '?'),
	}),
	{minLength: 1, maxLength: 6},
);

test('on a terminal no column is pushed out by a long value of another', () => {
	fc.assert(
		fc.property(rows, fc.integer({min: 40, max: 120}), (items, width) => {
			const lines = tableText(COLUMNS, items, width).split('\n').slice(0, -1);
			expect(lines).toHaveLength(items.length + 1);
			for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(width);
			expect(lines[0]).toMatch(/NAME +COMPUTE/);
		}),
	);
	expect(tableText(COLUMNS, [{name: 'n'.repeat(90), compute: 'c', rate: '2.49', port: '8888'}], 80)).toMatch(
		/^NAME +COMPUTE +RATE \/H +PORT\nn+… +c +2\.49 +8888\n$/,
	);
});

test('in a pipe every value is whole', () => {
	fc.assert(
		fc.property(rows, items => {
			const lines = tableText(COLUMNS, items, Infinity).split('\n');
			for (const [at, {name, compute}] of items.entries())
				expect(lines[at + 1]).toMatch(new RegExp(`^${name} +${compute} +`));
		}),
	);
});
