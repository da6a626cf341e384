import {readColumn} from '../../src/text/table/read-column.ts';
import {tableOfBytes} from '../../src/text/table/text-format.ts';
import {expect, test} from 'vitest';
import {filterRows, sortRows, type Work} from '../../src/text/table/arrange.ts';
import {columnStats, type ColumnStats} from '../../src/text/table/column-stats.ts';
import {columnFormatOf} from '../../src/text/table/column-format.ts';
import {csvTable, jsonLinesTable, type Table} from '../../src/text/table/table.ts';

const finished = <T>(work: Work<T>): T => {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
	}
};
const whole = (table: Table): Table => {
	while (!table.complete) table.advance(Infinity);
	return table;
};
/** A table whose second column has these values. */
const tableOf = (values: readonly string[], separator = ';'): Table =>
	whole(csvTable(`n${separator}x\n${values.map(text => `r${separator}"${text}"\n`).join('')}`, separator));
const sorted = (table: Table, column = 1): readonly string[] =>
	[...finished(sortRows(table, null, {column, direction: 'up'}))].map(at => table.cell(at, column));
const factsOf = (table: Table, column = 1): ColumnStats => finished(columnStats(table, null, column));

test.each<[what: string, values: readonly string[], separator: string, sum: number]>([
	['decimal points beside semicolons', ['0.1', '9.4', '10.5', '13'], ';', 33],
	['decimal commas beside semicolons', ['0,1', '9,4', '10,5', '13'], ';', 33],
	['a point between thousands', ['12', '1.500', '2.000,5'], ';', 3512.5],
	['a comma between thousands', ['7', '12', '2,320', '9,123,913'], ',', 9_126_252],
	['a comma between thousands beside semicolons', ['0.5', '1,234'], ';', 1234.5],
	['a point that is no thousand mark, since another value says so', ['0.076', '1', '1.001'], ';', 2.077],
	['points with three decimals beside commas', ['1.234', '5.678'], ',', 6.912],
	['points with three decimals beside tabs', ['1.234', '5.678'], '\t', 6.912],
	['dollars', ['$-3.00', '$0.31', '$82.10', '$1,200.00'], ',', 1279.41],
	['several kinds of money', ['€9.00', '€10.50', '£100', '$1,200.00'], ',', 1319.5],
	['euros behind the amount', ['9,00 €', '10,50 €', '1.200,00 €'], ';', 1219.5],
	['codes of money', ['USD 5', '6 USD', "CHF 1'200.50"], ',', 1211.5],
	['per cent', ['-5%', '32%', '81.1%', '100 %'], ',', 208.1],
	['parentheses and a real minus', ['−3', '(1.50)', '2', '1 234'], ',', 1231.5],
	['parentheses around money', ['($1.50)', '$(1.00)', '-$0.50', '$2'], ',', -1],
	['narrow, thin and hard spaces', ['1\u00A0000', '2\u202F000,5', '3\u2009000'], ';', 6000.5],
	['a minus behind', ['2,00-', '1,00', '3.000,00'], ';', 2999],
	['letters for thousands', ['200', '10K', '9M', '1.5G'], ',', 1_509_010_200],
	['letters for thousands in lower case', ['200', '10k', '9m', '1.5b'], ',', 1_509_010_200],
	['sizes of files', ['512B', '10K', '9M', '1G'], ',', 1_009_010_512],
	['bytes', ['900 B', '1 KiB', '1.5 MB'], ',', 1_501_924],
	['money in millions', ['$900K', '$1.5M'], ',', 2_400_000],
	['a dash for no decimals', ['Fr. 9.-', 'Fr. 10.50', "Fr. 1'000.–"], ',', 1019.5],
	['a dash behind a comma', ['-2,- €', '5,-- €', '6,50 €', '1.000,– €'], ';', 1009.5],
	['money in millions, billions and plain', ['$800', '$5m', '$3B', '$2T'], ',', 2_003_005_000_800],
	['money in millions and plain', ['$800', '$5m'], ',', 5_000_800],
	['a unit', ['0.5 kg', '1 kg', '2.312 kg', '10 kg'], ',', 13.812],
	['a unit with prefixes', ['5 mg', '2 g', '1 kg'], ',', 1002.005],
	['times', ['900 µs', '20 ms', '1.5 s'], ',', 1.5209],
	['degrees', ['-4°C', '3 °C', '12°C'], ',', 11],
	['prices per hour', ['$0.50/h', '$2.49 /h', '$10/h'], ',', 12.99],
	['lakhs', ['500', '1,00,000', '12,00,000'], ',', 1_300_500],
])('numbers are sorted and counted as numbers: %s', (_, values, separator, sum) => {
	const table = tableOf([values.at(-1) ?? '', ...values.slice(0, -1)], separator);
	expect(sorted(table)).toEqual(values);
	const {kind, mean, min, max} = factsOf(table);
	expect([kind, min, max]).toEqual(['numbers', values[0], values.at(-1)]);
	expect(mean).toBeCloseTo(sum / values.length, 6);
	expect(columnFormatOf(table, 1).isNumber).toBe(true);
});

test.each<[what: string, values: readonly string[], separator: string, why: RegExp | null]>([
	['a point before three digits', ['1.234', '15.678', '12'], ';', /^1\.234 may be thousands or decimals$/],
	['a comma before three digits', ['1,234', '15,678'], ';', /^1,234 may be thousands or decimals$/],
	['the same with money', ['€ 1.234', '€ 15.678'], ';', /^€ 1\.234 may be/],
	['two decimal marks', ['1.5', '2,5'], ';', /^1\.5 and 2,5 mark decimals differently$/],
	['units of other things', ['2 kg', '3 lb'], ',', /^kg and lb are mixed$/],
	['bytes or billions', ['512B', '10K'], ',', /^B and K are mixed$/],
	['dates', ['2026-01-01', '2026-12-31'], ',', null],
	['addresses', ['192.168.100.200', '10.0.0.1'], ',', null],
	['other codes', ['ABC 12', 'ABC 5'], ',', null],
	['titles', ['12 Monkeys', 'Alien', 'Brazil'], ',', null],
	['hexadecimal', ['3f2a9c', '00aa11', '9b'], ',', null],
])('a doubtful number stays text, with the reason: %s', (_, values, separator, why) => {
	const {kind, reading, mean} = factsOf(tableOf(values, separator));
	expect([kind, mean]).toEqual(['text', null]);
	const said = reading.kind === 'text' ? reading.why : undefined;
	if (why === null) expect(said).toBeNull();
	else expect(said).toMatch(why);
	expect(sorted(tableOf(values, separator))).toEqual(values.toSorted());
});

test('each column of a file has its own decimal mark', () => {
	const table = whole(csvTable('a;b;c\n0.5;0,5;1.234\n10.25;10,25;2.345\n'));
	expect([0, 1, 2].map(column => factsOf(table, column).mean)).toEqual([5.375, 5.375, null]);
});

test('the number format of a column depends on all of its rows, not on the visible ones', () => {
	const table = tableOf(['1.234', '0.5', '5.678']);
	const rows = Uint32Array.from([2, 0]);
	expect([...finished(sortRows(table, rows, {column: 1, direction: 'up'}))]).toEqual([0, 2]);
	expect(finished(columnStats(table, rows, 1)).mean).toBeCloseTo(3.456);
});

test('one value with another decimal mark among many leaves the others numbers', () => {
	const table = tableOf([...Array.from({length: 20}, (_, at) => `${20 - at}.5`), '3,5']);
	expect(sorted(table).slice(0, 2)).toEqual(['1.5', '2.5']);
	expect(sorted(table).at(-1)).toBe('3,5');
});

test('a number is found however its digits are grouped, and only in a column of numbers', () => {
	const found = (table: Table, words: string): readonly string[] =>
		[...finished(filterRows(table, words))].map(at => table.cell(at, 1));
	const money = tableOf(['$1,200.00', '$12.00', '$-3.00', '1 200 EUR', '(1.50)', '−3']);
	expect(found(money, '1200')).toEqual(['$1,200.00', '1 200 EUR']);
	expect(found(money, '-3')).toEqual(['$-3.00', '−3']);
	expect(found(money, '-1.5')).toEqual(['(1.50)']);
	expect(found(tableOf(['1.200,50', '0,5']), '1200.5')).toEqual(['1.200,50']);
	expect(found(tableOf(['chapter 1 200', 'part 7']), '1200')).toEqual([]);
});

test('numbers that are equal as floats are distinguished with money and groups too', () => {
	const values = ['$9,007,199,254,740,991', '$9,007,199,254,740,992', '$9,007,199,254,740,993'];
	expect(sorted(tableOf(values.toReversed(), ','))).toEqual(values);
	const text = '{"a":"1.200,50 €"}\n{"a":"999,00 €"}\n';
	expect(sorted(whole(jsonLinesTable(text)), 0)).toEqual(['999,00 €', '1.200,50 €']);
});

test('a chosen decimal mark decides for every column, also for ambiguous numbers', () => {
	const text = 'a;b\n1.234;1,5\n2.345;2,5\n';
	const numbers = (decimal?: '.' | ','): readonly (readonly number[])[] => {
		const table = tableOfBytes('a.csv', Buffer.from(text), {
			encoding: null,
			separator: null,
			...(decimal && {decimal}),
		});
		if (table === null) throw new Error('no table');
		table.advance(Infinity);
		return [0, 1].map(column => {
			const work = readColumn(table, column);
			let step = work.next();
			while (step.done !== true) step = work.next();
			return [...step.value.numbers];
		});
	};
	expect(numbers()).toEqual([
		[NaN, NaN],
		[1.5, 2.5],
	]);
	expect(numbers(',')[0]).toEqual([1234, 2345]);
	expect(numbers('.')).toEqual([
		[1.234, 2.345],
		[NaN, NaN],
	]);
});
