// Python code of a cell that draws a chart with matplotlib.
import {columnFormatOf} from '../table/column-format.ts';
import {readColumn} from '../table/read-column.ts';
import type {Table} from '../table/table.ts';
import {CHART_BINS, type Chart} from './chart.ts';

/**
 * Python expressions for the values of the two axes. `setup`: code lines that must come before
 * them.
 */
export type ChartSource = {
	readonly setup: readonly string[];
	readonly upward: string;
	/** Null for the row number. */
	readonly across: string | null;
};

export type ChartNames = {readonly upward: string; readonly across: string};

/** Text as a Python string literal. Python understands all escapes of JSON. */
const literal = (text: string): string => JSON.stringify(text);

/** Python code of the chart. `note`: text of the comment on its first line. */
export const chartCode = (
	kind: Chart['chart'],
	{setup, upward, across}: ChartSource,
	names: ChartNames,
	note: string | null,
): string => {
	const isSorted = kind === 'line' && across !== null;
	const imports = [
		...(kind === 'bars' ? ['from collections import Counter', ''] : []),
		'import matplotlib.pyplot as plt',
		...(isSorted ? ['import numpy'] : []),
	];
	const draw = {
		histogram: [`plt.hist(${upward}, bins=${CHART_BINS})`],
		bars: [
			`names, counts = zip(*Counter(map(str, ${upward})).most_common(20))`,
			'plt.barh(names[::-1], counts[::-1])',
		],
		line:
			across === null
				? [`y = ${upward}`, 'plt.plot(range(1, len(y) + 1), y)']
				: [
						`x, y = numpy.asarray(${across}), numpy.asarray(${upward})`,
						'order = numpy.argsort(x, kind="stable")',
						'plt.plot(x[order], y[order])',
					],
		scatter:
			across === null
				? [`y = ${upward}`, 'plt.scatter(range(1, len(y) + 1), y, s=4)']
				: [`plt.scatter(${across}, ${upward}, s=4)`],
	}[kind];
	const labels =
		kind === 'histogram' || kind === 'bars'
			? [`plt.xlabel(${literal(kind === 'bars' ? 'rows' : names.upward)})`]
			: [`plt.xlabel(${literal(names.across)})`, `plt.ylabel(${literal(names.upward)})`];
	return [
		...(note === null ? [] : [`# ${note}`]),
		...imports,
		...setup.filter(each => each.startsWith('import ')),
		'',
		...setup.filter(each => !each.startsWith('import ')),
		...draw,
		...labels,
		'plt.show()',
		'',
	].join('\n');
};

/** Number of rows inspected to decide how Python parses the numbers of a column. */
const LOOKED_AT = 200;

/**
 * Python expression for a column of the data frame `data`. `why`: why Python cannot read the
 * column.
 */
const columnCode = (table: Table, column: number, isDates: boolean): string | {readonly why: string} => {
	const name = table.names[column] ?? '';
	const isOnly = name !== '' && table.names.indexOf(name) === table.names.lastIndexOf(name);
	const plain = isOnly ? `data[${literal(name)}]` : `data.iloc[:, ${column}]`;
	if (isDates) {
		// The chart has already parsed the column, so the reader returns the cached result at once.
		const read = readColumn(table, column).next();
		const isDayFirst =
			read.done === true && read.value.reading.kind === 'dates' && read.value.reading.order === 'day first';
		return `pandas.to_datetime(${plain}${isDayFirst ? ', dayfirst=True' : ''})`;
	}
	const {reading, isNumber} = columnFormatOf(table, column);
	if (!isNumber || reading.kind !== 'numbers') return plain;
	const {factors, decimal} = reading;
	const texts = Array.from({length: Math.min(LOOKED_AT, table.firstRows ?? table.count)}, (_, at) =>
		table.cell(at, column),
	);
	const isDecorated = reading.currencies.length > 0 || reading.unit !== '' || (factors?.size ?? 0) > 0;
	const marks = decimal === ',' ? /[.'’\s]\d{3}/ : /[,'’\s]\d{3}/;
	if (!isDecorated && decimal === '.' && !texts.some(text => marks.test(text))) return plain;
	const isOneUnit = [...(factors?.values() ?? [])].every(factor => factor === 1);
	if (!isOneUnit || texts.some(text => text.includes('(')))
		return {why: 'Python has no short way to read the amounts of this column'};
	const digits = `${plain}.astype(str).str.replace(r"[^0-9${decimal}eE+-]", "", regex=True)`;
	return `pandas.to_numeric(${digits}${decimal === ',' ? '.str.replace(",", ".")' : ''}, errors="coerce")`;
};

/** Python source for the columns of a file. A string result is the reason why there is none. */
export const fileSource = (
	table: Table,
	chart: Chart,
	{column, against}: {readonly column: number; readonly against: number | null},
): ChartSource | string => {
	if (table.python === undefined) return 'The rows come from an output, so no Python code can read them';
	const isDates = (axis: 'x' | 'y'): boolean => {
		const found = axis === 'x' ? 'x' in chart && chart.x : 'y' in chart && chart.y;
		return found !== false && found?.isDates === true;
	};
	const isSingle = chart.chart === 'histogram' || chart.chart === 'bars';
	const upward = columnCode(table, column, isDates(isSingle ? 'x' : 'y'));
	const across = isSingle || against === null ? null : columnCode(table, against, isDates('x'));
	if (typeof upward !== 'string') return upward.why;
	if (across !== null && typeof across !== 'string') return across.why;
	return {
		setup: ['import pandas', ...table.python(), ''],
		upward: isSingle ? `${upward}.dropna()` : upward,
		across,
	};
};
