import {expect, test} from 'vitest';
import type {Chart} from '../../src/text/chart/chart.ts';
import {drawChart} from '../../src/text/chart/draw-chart.ts';
import {ticksOf} from '../../src/text/chart/ticks.ts';
import {chartOf, codeOf, tableOf} from '../support/charts.ts';

const drawn = (chart: Chart | string, width = 40, height = 8, isAscii = false): string =>
	typeof chart === 'string'
		? chart
		: drawChart(chart, {width, height, paint: (_, text) => text, blocks: 'quadrants', isAscii})
				.map(line => line.trimEnd())
				.join('\n');

const PRICES = tableOf('day,price,region\n2026-01-01,"$1,000.00",eu\n2026-01-02,,us\n2026-01-03,$3000,eu\n');

test('a histogram counts numbers with units, and leaves out missing ones', () => {
	const found = chartOf(PRICES, 'histogram', 1);
	expect(found).toMatchObject({chart: 'histogram', x: {min: 1000, max: 3000, isDates: false}, missing: 1});
	expect(drawn(found, 50, 6)).toBe(
		[
			'1 │ █                                            █',
			'  │ █                                            █',
			'  │ █                                            █',
			'0 │ █                                            █',
			'  └───────────────────────────────────────────────',
			'    1,000                2,000               3,000',
		].join('\n'),
	);
});

test('a column of text is drawn by its most frequent values, and along no axis', () => {
	expect(drawn(chartOf(PRICES, 'histogram', 2), 20)).toBe('eu ███████████████ 2\nus ████████ 1');
	expect(drawn(chartOf(PRICES, 'histogram', 2), 20, 8, true)).toBe('eu ############### 2\nus ######## 1');
	expect(chartOf(PRICES, 'line', 2)).toBe('Only numbers and dates can be drawn, and region has other values');
	expect(chartOf(PRICES, 'scatter', 1, 2)).toBe(
		'Only numbers and dates can be drawn, and region has other values',
	);
});

test('a line follows the x axis, whatever the order of the rows, and its steepest values stay', () => {
	const table = tableOf(`x,y\n${[3, 1, 2, 5, 4].map(x => `${x},${x === 4 ? 900 : x}`).join('\n')}`);
	const found = chartOf(table, 'line', 1, 0);
	expect(found).toMatchObject({count: 5, x: {min: 1, max: 5}, y: {min: 1, max: 900}});
	const text = drawn(found, 30, 8);
	expect(text).toMatch(/^ *│ +[▀-▟]+\n/u);
	const rows = Array.from({length: 100_000}, (_, at) => (at === 77_777 ? 1e6 : at % 10)).join('\n');
	const long = chartOf(tableOf(`y\n${rows}`), 'line', 0);
	if (typeof long === 'string' || long.chart !== 'line') throw new Error('no line');
	expect(long.buckets.length).toBeLessThanOrEqual(400);
	expect(Math.max(...long.buckets.map(([, , , high]) => high))).toBe(1e6);
});

test('dates are an axis, and a scatter shows each point once', () => {
	const found = chartOf(PRICES, 'scatter', 1, 0);
	expect(found).toMatchObject({x: {isDates: true}, dots: [0, 199 * 400 + 399], count: 2, missing: 1});
	expect(drawn(found, 60, 6)).toMatch(/2026-01-01 +2026-01-0[23]/);
});

test('columns without values, of one value and of infinite ones are drawn without harm', () => {
	const table = tableOf('none,one,infinite\n,5,inf\n,5,-inf\n,5,1\n');
	for (const kind of ['histogram', 'line', 'scatter'] as const)
		for (const column of [0, 1, 2])
			for (const size of [1, 3, 10, 200]) {
				const lines = drawn(chartOf(table, kind, column), size, size).split('\n');
				expect(lines.every(line => !/NaN|Infinity|undefined/.test(line))).toBe(true);
			}
});

test('the labels of an axis are round', () => {
	const texts = (min: number, max: number, isDates = false): readonly string[] =>
		ticksOf({min, max, isDates}, 4).map(({text}) => text);
	expect(texts(0, 1)).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']);
	expect(texts(-3, 1234)).toEqual(['0', '200', '400', '600', '800', '1,000', '1,200']);
	expect(texts(Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 9), true)).toEqual([
		'2024-01-02',
		'2024-01-04',
		'2024-01-06',
		'2024-01-08',
	]);
});

test('the Python of a chart reads the file as the table does', () => {
	expect(codeOf(PRICES, 'line', 1, 0)).toBe(`import matplotlib.pyplot as plt
import numpy
import pandas

data = pandas.read_csv("a.csv")

x, y = numpy.asarray(pandas.to_datetime(data["day"])), numpy.asarray(pandas.to_numeric(data["price"].astype(str).str.replace(r"[^0-9.eE+-]", "", regex=True), errors="coerce"))
order = numpy.argsort(x, kind="stable")
plt.plot(x[order], y[order])
plt.xlabel("day")
plt.ylabel("price")
plt.show()
`);
	expect(codeOf(tableOf('a;a\n1,5;2\n2,5;3\n'), 'histogram', 0)).toContain('sep=";"');
	expect(codeOf(tableOf('size\n4K\n2M\n'), 'histogram', 0)).toMatch(/no short way/);
});
