import fc from 'fast-check';
import {expect, test} from 'vitest';
import {wideTextLines} from '../../../src/tui/core/components/wide-text.ts';
import {cellWidth} from '../../../src/text/width/width.ts';

const plain = (row: string): string => row.replaceAll(/\u001B\[[\d;]*m/g, '');
const word = fc.stringMatching(/^[a-z0-9.-]{1,8}$/);

/** A data frame as printed: the index at the left, then right-aligned columns. */
const printed = (table: readonly (readonly string[])[]): string => {
	const widths = (table[0] ?? []).map((_, column) =>
		Math.max(...table.map(row => (row[column] ?? '').length)),
	);
	return table
		.map(row =>
			row
				.map((each, column) =>
					column === 0 ? each.padEnd(widths[0] ?? 0) : each.padStart(2 + (widths[column] ?? 0)),
				)
				.join(''),
		)
		.join('\n');
};

test('every cell of a text in columns can be shown below its header and beside its index, and no row is too wide', () => {
	const tables = fc
		.tuple(fc.integer({min: 3, max: 12}), fc.integer({min: 1, max: 5}))
		.chain(([columns, rows]) =>
			fc.array(fc.array(word, {minLength: columns, maxLength: columns}), {
				minLength: rows + 1,
				maxLength: rows + 1,
			}),
		);
	fc.assert(
		fc.property(tables, fc.integer({min: 24, max: 60}), (table, width) => {
			const columns = table[0]?.length ?? 0;
			const own = printed(table);
			if (own.split('\n').every(line => line.trimEnd().length <= width)) {
				expect(wideTextLines(own, width)).toBeNull();
				return;
			}
			const seen = new Set<number>();
			for (let left = 0; left < columns; left++) {
				const laid = wideTextLines(own, width, left)?.map(plain) ?? [];
				expect(Math.max(...laid.map(cellWidth))).toBeLessThanOrEqual(width);
				const [head = '', rule = '', ...rows] = laid;
				const before = Number(/« (\d+)/.exec(rule)?.[1] ?? 0);
				const after = Number(/(\d+)(?: more columns?)? »/.exec(rule)?.[1] ?? 0);
				const shown = [0, ...Array.from({length: columns - 1 - before - after}, (_, at) => 1 + before + at)];
				for (const column of shown) seen.add(column);
				for (const [at, line] of [head, ...rows].entries())
					expect(line.trim().split(/ +/)).toEqual(shown.map(column => table[at]?.[column]));
			}
			expect(seen.size).toBe(columns);
		}),
	);
});
