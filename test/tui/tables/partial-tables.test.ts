import {expect, test} from 'vitest';
import '../../../src/tui/feature-list.ts';
import {createEditor} from '../../../src/text/editor/editor.ts';
import {filterRows, sortRows, type Work} from '../../../src/text/table/arrange.ts';
import {columnStats} from '../../../src/text/table/column-stats.ts';
import {sizeIn} from '../../../src/text/table/html-table.ts';
import {columnFormatOf} from '../../../src/text/table/column-format.ts';
import type {Table} from '../../../src/text/table/table.ts';
import {tableIn} from '../../../src/tui/cells/cell-table.ts';
import type {TableView} from '../../../src/tui/tables/tables.ts';
import {tableLines} from '../../../src/tui/tables/table-lines.ts';

const finished = <T>(work: Work<T>): T => {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
	}
};

/** A data frame of 20,640 rows and 30 columns as pandas prints it. */
const FRAME = `<div><table border="1" class="dataframe"><thead><tr style="text-align: right;"><th></th><th>MedInc</th><th>...</th><th>AveRooms</th></tr></thead><tbody>
${[0, 1, '...', 20638, 20639]
	.map((row, at) =>
		row === '...'
			? '<tr><th>...</th><td>...</td><td>...</td><td>...</td></tr>'
			: `<tr><th>${row}</th><td>${8 - at}.5</td><td>...</td><td>${at}</td></tr>`,
	)
	.join('\n')}
</tbody></table><p>20640 rows × 30 columns</p></div>`;

const tableOf = (html: string): Table => {
	const found = tableIn([{output_type: 'execute_result', data: {'text/html': html}}]);
	if (typeof found === 'string') throw new Error(found);
	return found;
};
const titleOf = (table: Table, changes: Partial<TableView> = {}): string => {
	const view: TableView = {
		name: 'Out[1]',
		table,
		known: table.count,
		row: table.count - 1,
		column: table.index,
		left: 0,
		hidden: new Set(),
		sort: null,
		filter: createEditor(),
		rows: null,
		work: null,
		facts: null,
		...changes,
	};
	return (tableLines(view, 90, 12).lines[0] ?? '').replaceAll(/\u001B\[[\d;]*m/g, '').trimEnd();
};

test('a frame that printed some of its rows shows the total, and the row of dots is not a row', () => {
	expect(titleOf(tableOf(FRAME))).toMatch(/^─ Out\[1] {2}4 of 20,640 rows · 2 of 30 columns ─+ 4\/4 ─$/);
});

test('placeholders of omitted rows and columns are neither sorted, found nor counted', () => {
	const table = tableOf(FRAME);
	const sorted = finished(sortRows(table, null, {column: 1, direction: 'up'}));
	expect([...sorted].map(at => table.cell(at, 0))).toEqual(['20639', '20638', '1', '0']);
	expect([...finished(filterRows(table, '.'))].map(at => table.cell(at, 0))).toEqual([
		'0',
		'1',
		'20638',
		'20639',
	]);
	expect(finished(columnStats(table, null, 1))).toMatchObject({
		kind: 'numbers',
		count: 4,
		missing: 0,
		min: '4.5',
		max: '8.5',
	});
	expect(columnFormatOf(table, 1).isNumber).toBe(true);
	expect([1, 2, 3].map(column => table.isGapColumn?.(column))).toEqual([false, true, false]);
	expect(titleOf(table, {rows: sorted, row: 0})).toMatch(/ 1\/4 ─$/);
});

test('a frame that printed all of its rows is not partial, and dots in some cells are values', () => {
	const table = tableOf(
		'<table><thead><tr><th></th><th>a</th><th>...</th></tr></thead><tbody><tr><th>0</th><td>...</td><td>1</td></tr></tbody></table><p>1 rows × 2 columns</p>',
	);
	expect([table.whole, table.isGap?.(0), table.isGapColumn?.(2)]).toEqual([null, false, false]);
	expect(titleOf(table)).toMatch(/^─ Out\[1] {2}3 columns ─+ 1\/1 ─$/);
});

test('Polars, R, frames without a size and Spark are recognised too', () => {
	const polars = tableOf(
		'<div><small>shape: (1_000, 2)</small><table><thead><tr><th>a</th><th>b</th></tr><tr><td>i64</td><td>str</td></tr></thead><tbody><tr><td>1</td><td>x</td></tr><tr><td>&hellip;</td><td>&hellip;</td></tr><tr><td>2</td><td>y</td></tr></tbody></table></div>',
	);
	expect(titleOf(polars)).toMatch(/2 of 1,000 rows · 2 columns ─+ 2\/2 ─$/);
	const r = tableOf(
		'<table><caption>A data.frame: 1234 × 2</caption><thead><tr><th></th><th>mpg</th><th>cyl</th></tr><tr><th></th><th>&lt;dbl&gt;</th><th>&lt;int&gt;</th></tr></thead><tbody><tr><th>one</th><td>1</td><td>2</td></tr><tr><th>⋮</th><td>⋮</td><td>⋮</td></tr><tr><th>two</th><td>3</td><td>4</td></tr></tbody></table>',
	);
	expect(titleOf(r)).toMatch(/2 of 1,234 rows · 2 columns ─+ 2\/2 ─$/);
	const unsized = tableOf(
		'<table><tr><th>a</th></tr><tr><td>1</td></tr><tr><td>...</td></tr><tr><td>2</td></tr></table>',
	);
	expect(titleOf(unsized)).toMatch(/2 rows of more · 1 column ─+ 2\/2 ─$/);
	expect(sizeIn('only showing top 20 rows')).toEqual({rows: null, columns: null});
	expect(sizeIn('5 rows are good')).toBeNull();
});
