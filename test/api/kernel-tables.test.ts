// @module-tag long
// Tables made from objects of pandas and numpy by the helper code that runs in the kernel.
import {describe, expect, test} from 'vitest';
import type {DataReply, DataRequest, OpenedTable} from '../../src/api/kernel-data/kernel-data.ts';
import {hasPandas, startPython} from '../support/python-objects.ts';

type Python = ReturnType<typeof startPython>;

const opened = async (python: Python, name: string, count = 5): Promise<OpenedTable> => {
	const reply = await python.request({op: 'open', target: {name}, count});
	if (reply.kind !== 'table') throw new Error(JSON.stringify(reply));
	return reply;
};
const sorted = async (
	python: Python,
	view: number,
	column: number,
	isDown = false,
	words = '',
): Promise<{readonly count: number; readonly rows: readonly (readonly string[])[]}> => {
	const request = {op: 'arrange', view, sort: {column, isDown}, words, work: 1} as const;
	let reply: DataReply;
	do reply = await python.request(request);
	while (reply.kind === 'working');
	if (reply.kind !== 'arranged') throw new Error(JSON.stringify(reply));
	const page = await python.request({op: 'page', view, order: reply.order, from: 0, count: 5});
	if (page.kind !== 'page') throw new Error(JSON.stringify(page));
	return {count: reply.count, rows: page.rows};
};
const chart = async (
	python: Python,
	view: number,
	how: Pick<Extract<DataRequest, {op: 'chart'}>, 'chart' | 'column' | 'against'>,
): Promise<Extract<DataReply, {kind: 'chart'}>> => {
	const reply = await python.request({op: 'chart', view, order: null, ...how});
	if (reply.kind !== 'chart') throw new Error(JSON.stringify(reply));
	return reply;
};

const FRAMES = `
import numpy, pandas
levels = pandas.MultiIndex.from_product([["eu", "us"], [1, 2, 3]], names=["region", "n"])
deep = pandas.DataFrame({("price", "mean"): [1.5, None, 3, 4, 5, 6], ("price", "max"): range(6)}, index=levels)
twice = pandas.DataFrame([[3, "x", 1], [1, "y", 2], [2, None, 3]], columns=["a", "b", "a"])
kinds = pandas.DataFrame({
    "category": pandas.Categorical(["low", "high", "low", None], categories=["low", "mid", "high"], ordered=True),
    "zone": pandas.to_datetime(["2026-03-29 01:30", "2026-03-29 03:30", None, "2026-10-25 02:30+00:00"], utc=True).tz_convert("Europe/Berlin"),
    "whole": pandas.array([3, None, 1, 2], dtype="Int64"),
    "object": [{"a": 1}, [1, 2], None, "text"],
    "float": [1.0, float("nan"), float("inf"), -0.5],
    "flag": pandas.array([True, None, False, True], dtype="boolean"),
    "span": pandas.to_timedelta(["1d", None, "2h", "3s"]),
})
`;

describe.skipIf(!hasPandas)('with pandas', () => {
	test('each level of an index is a column, and names of several levels are one text', async () => {
		await using python = startPython();
		await python.run(FRAMES);
		const {view, names, index, rows, columns, page} = await opened(python, 'deep');
		expect([names, index, rows, columns]).toEqual([
			['region', 'n', 'price mean', 'price max'].map((name, at) => names[at] ?? name),
			2,
			6,
			2,
		]);
		expect(names.slice(0, 2)).toEqual(['region', 'n']);
		expect(names[2]).toMatch(/price.*mean/);
		expect(page.rows[1]).toEqual(['eu', '2', 'NaN', '1']);
		expect((await sorted(python, view, 2, true)).rows.map(row => row[2])).toEqual([
			'6.0',
			'5.0',
			'4.0',
			'3.0',
			'1.5',
		]);
		expect((await chart(python, view, {chart: 'line', column: 2, against: 1})).code).toEqual([
			"deep[('price', 'mean')]",
			'deep.index.get_level_values(1)',
		]);
	});

	test('columns of one name are told apart by their place', async () => {
		await using python = startPython();
		await python.run(FRAMES);
		const {view, names} = await opened(python, 'twice');
		expect(names).toEqual(['', 'a', 'b', 'a']);
		expect((await sorted(python, view, 1)).rows.map(row => row[1])).toEqual(['1', '2', '3']);
		expect((await sorted(python, view, 3, true)).rows.map(row => row[3])).toEqual(['3', '2', '1']);
		expect((await sorted(python, view, 0, false, 'y')).count).toBe(1);
		const found = await chart(python, view, {chart: 'scatter', column: 3, against: 1});
		expect(found.code).toEqual(['twice.iloc[:, 2]', 'twice.iloc[:, 0]']);
	});

	test('categories, time zones, missing values, objects and spans are shown, sorted and summarised', async () => {
		await using python = startPython();
		await python.run(FRAMES);
		const {view, types, page} = await opened(python, 'kinds');
		expect(types.slice(1)).toEqual([
			'category',
			'datetime64[ns, Europe/Berlin]',
			'Int64',
			'object',
			'float64',
			'boolean',
			'timedelta64[ns]',
		]);
		expect(page.rows[0]?.slice(1)).toEqual([
			'low',
			'2026-03-29 03:30:00+02:00',
			'3',
			"{'a': 1}",
			'1.0',
			'True',
			'1 days 00:00:00',
		]);
		expect(page.rows[1]?.slice(1)).toEqual([
			'high',
			expect.any(String),
			'<NA>',
			'[1, 2]',
			'NaN',
			'<NA>',
			'NaT',
		]);
		// Categories are sorted in their own order, with missing values last.
		expect((await sorted(python, view, 1)).rows.map(row => row[1])).toEqual(['low', 'low', 'high', 'NaN']);
		expect((await sorted(python, view, 3)).rows.map(row => row[3])).toEqual(['1', '2', '3', '<NA>']);
		expect((await sorted(python, view, 4)).rows).toHaveLength(4);
		for (const column of [1, 2, 3, 4, 5, 6, 7]) {
			const reply = await python.request({op: 'facts', view, order: null, column});
			expect(reply).toMatchObject({kind: 'facts', count: column === 5 ? 3 : 3, missing: 1});
		}
		const zone = await chart(python, view, {chart: 'histogram', column: 2, against: null});
		expect(zone).toMatchObject({chart: 'histogram', x: {isDates: true}, missing: 1});
		expect(zone.code).toEqual(["kinds['zone'].dropna()"]);
		const whole = await chart(python, view, {chart: 'line', column: 3, against: 2});
		expect(whole).toMatchObject({chart: 'line', count: 2, missing: 2, x: {isDates: true}});
		expect(await chart(python, view, {chart: 'line', column: 4, against: null})).toMatchObject({
			chart: 'none',
		});
	});

	test('2,000 columns open in part of their rows, and a million rows are drawn from the kernel', async () => {
		await using python = startPython();
		await python.run(
			'import numpy, pandas\nwide = pandas.DataFrame(numpy.arange(60000).reshape(30, 2000))\nlong = pandas.DataFrame({"a": numpy.arange(1000000), "b": numpy.arange(1000000) % 1000 / 7})',
		);
		const wide = await opened(python, 'wide', 200);
		expect([wide.names.length, wide.rows, wide.page.rows.length]).toEqual([2001, 30, 19]);
		expect(
			await python.request({op: 'page', view: wide.view, order: null, from: 19, count: 200}),
		).toMatchObject({kind: 'page', from: 19});
		const long = await opened(python, 'long', 200);
		expect([long.rows, long.page.rows.length]).toEqual([1_000_000, 200]);
		const scatter = await chart(python, long.view, {chart: 'scatter', column: 2, against: 1});
		expect(scatter).toMatchObject({chart: 'scatter', count: 1_000_000, x: {min: 0, max: 999_999}});
		const line = await chart(python, long.view, {chart: 'line', column: 2, against: null});
		expect(line.chart === 'line' && line.buckets.length).toBe(400);
		const counts = await chart(python, long.view, {chart: 'histogram', column: 1, against: null});
		expect(counts.chart === 'histogram' && counts.counts.every(each => each === 25_000)).toBe(true);
	});

	test('a frame that was changed, replaced or deleted is no longer read, and a copy in its place is', async () => {
		await using python = startPython();
		await python.run(FRAMES);
		const ask = async (view: number): Promise<string> =>
			(await python.request({op: 'page', view, order: null, from: 0, count: 5})).kind;
		const first = await opened(python, 'twice');
		expect(await ask(first.view)).toBe('page');
		await python.run('twice.iloc[0, 0] = 77');
		expect(await ask(first.view)).toBe('changed');
		const second = await opened(python, 'twice');
		expect(second.page.rows[0]).toContain('77');
		await python.run('twice = twice.rename(columns={"b": "c"})');
		expect(await ask(second.view)).toBe('changed');
		const third = await opened(python, 'twice');
		await python.run('del twice');
		expect(await ask(third.view)).toBe('gone');
		expect(
			(
				await python.request({
					op: 'chart',
					view: third.view,
					order: null,
					chart: 'line',
					column: 1,
					against: null,
				})
			).kind,
		).toBe('gone');
	});

	test('an object whose own code raises, prints or never ends cannot stop the table', async () => {
		await using python = startPython();
		await python.run(`
import pandas
class Bad:
    def __init__(self, how): self.how = how
    def __repr__(self):
        if self.how == "raises": raise ValueError("no")
        if self.how == "escapes": return "\\x1b]0;title\\x07\\x1b[31m"
        while True: pass
    __str__ = __float__ = __lt__ = __eq__ = __hash__ = lambda self, *rest: self.__repr__()
objects = pandas.DataFrame({"bad": [Bad("raises"), Bad("escapes"), Bad("ends")], "n": [2, 1, 3]})
class Kind:
    @property
    def dtype(self): raise RuntimeError("no type")
    def to_list(self): return [1]
    def __len__(self): return 1
liar = Kind()
`);
		const {view, page} = await opened(python, 'objects');
		expect(page.rows.map(row => row[1])).toEqual([
			'<Bad: ValueError>',
			'\u001B]0;title\u0007\u001B[31m',
			'<Bad: its text takes too long>',
		]);
		expect((await sorted(python, view, 2)).rows.map(row => row[2])).toEqual(['1', '2', '3']);
		expect(await chart(python, view, {chart: 'scatter', column: 1, against: 2})).toMatchObject({
			chart: 'none',
		});
		expect((await python.request({op: 'open', target: {name: 'liar'}, count: 5})).kind).toBe('none');
	});

	test('arrays, lists and dicts are drawn with the Python that reads them', async () => {
		await using python = startPython();
		await python.run(`
import numpy, decimal, datetime
cube = numpy.arange(24.0).reshape(4, 3, 2)
records = [{"price": decimal.Decimal("1.5"), "day": datetime.date(2026, 1, 1 + n)} for n in range(5)] + [{}]
lists = {"a": [1, 2], "b": [3, 5]}
`);
		const cube = await opened(python, 'cube');
		expect(await chart(python, cube.view, {chart: 'line', column: 6, against: null})).toMatchObject({
			y: {min: 5, max: 23},
			code: ['cube.reshape(len(cube), -1)[:, 5]'],
		});
		const records = await opened(python, 'records');
		expect(await chart(python, records.view, {chart: 'scatter', column: 1, against: 2})).toMatchObject({
			x: {isDates: true},
			count: 5,
			missing: 1,
			code: ["[each.get('price') for each in records]", "[each.get('day') for each in records]"],
		});
		const lists = await opened(python, 'lists');
		expect((await chart(python, lists.view, {chart: 'histogram', column: 2, against: null})).code).toEqual([
			"lists['b']",
		]);
	});
});
