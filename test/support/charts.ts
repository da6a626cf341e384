import {chartCode, fileSource} from '../../src/text/chart/chart-code.ts';
import type {Chart, ChartColumns} from '../../src/text/chart/chart.ts';
import {tableChart} from '../../src/text/chart/table-chart.ts';
import type {Table} from '../../src/text/table/table.ts';
import {tableOfBytes} from '../../src/text/table/text-format.ts';
import type {Work} from '../../src/text/table/work.ts';

const finished = <T>(work: Work<T>): T => {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
	}
};
/** Table of the text of a CSV file `a.csv`. */
export const tableOf = (text: string): Table => {
	const found = tableOfBytes('a.csv', Buffer.from(text));
	if (found === null) throw new Error('no table');
	found.advance(Infinity);
	return found;
};
export const chartOf = (
	table: Table,
	kind: ChartColumns['kind'],
	column: number,
	against: number | null = null,
): Chart | string => finished(tableChart(table, null, {kind, column, against}));
/** Python of a chart, or the reason why there is none. */
export const codeOf = (
	table: Table,
	kind: ChartColumns['kind'],
	column: number,
	against: number | null = null,
): string => {
	const found = chartOf(table, kind, column, against);
	if (typeof found === 'string') return found;
	const source = fileSource(table, found, {column, against});
	if (typeof source === 'string') return source;
	const names = {
		upward: table.names[column] ?? '',
		across: against === null ? 'row' : (table.names[against] ?? ''),
	};
	return chartCode(found.chart, source, names, null);
};
