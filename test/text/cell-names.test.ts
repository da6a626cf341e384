import {expect, test} from 'vitest';
import {cellNames, neededCells} from '../../src/text/python/cell-names.ts';
import {HOSTILE_TEXTS} from './hostile-text.ts';

const names = (source: string): Readonly<Record<string, string>> => {
	const {uses, binds, changes} = cellNames(source);
	return {uses: [...uses].join(' '), binds: [...binds].join(' '), changes: [...changes].join(' ')};
};

test.each([
	['x = a + b.c', {uses: 'a b', binds: 'x', changes: ''}],
	['x = -1', {uses: '', binds: 'x', changes: ''}],
	["x = 'a b'", {uses: '', binds: 'x', changes: ''}],
	['x = y = z', {uses: 'z', binds: 'x y', changes: ''}],
	['a, (b, *c) = d', {uses: 'd', binds: 'a b c', changes: ''}],
	['(a, b) = 1, 2', {uses: '', binds: 'a b', changes: ''}],
	['n: int = m', {uses: 'int m', binds: 'n', changes: ''}],
	['n = n + 1', {uses: 'n', binds: 'n', changes: ''}],
	['n = 1\nprint(n)', {uses: 'print', binds: 'n', changes: ''}],
	['n += k', {uses: 'n k', binds: '', changes: 'n'}],
	['df["b"] = df.a * k', {uses: 'df k', binds: '', changes: 'df'}],
	['df.index = rows', {uses: 'df rows', binds: '', changes: 'df'}],
	['df.dropna(inplace=True)', {uses: 'df', binds: '', changes: 'df'}],
	['f(x, key=y) == z', {uses: 'f x y z', binds: '', changes: ''}],
	['import a.b, c as d', {uses: '', binds: 'a d', changes: ''}],
	['from a import (b as c,\n  e)', {uses: '', binds: 'c e', changes: ''}],
	['for i, row in rows: print(i)', {uses: 'rows print', binds: 'i row', changes: ''}],
	['with open(p) as f:\n    text = f.read()', {uses: 'open p', binds: 'f text', changes: ''}],
	['if (m := g(s)): m.x', {uses: 'g s', binds: 'm', changes: ''}],
	[
		'def load(path, *rest, sep=SEP):\n    rows = read(path, sep)\n    return rows, rest',
		{uses: 'SEP read', binds: 'load', changes: ''},
	],
	[
		'class A(Base):\n    size = N\n    def f(self): return self.size',
		{uses: 'Base N', binds: 'A', changes: ''},
	],
	['@cache\nasync def f(): await g()', {uses: 'cache g', binds: 'f', changes: ''}],
	['print(f"{a} and {b.c:>{w}}")', {uses: 'print a w', binds: '', changes: ''}],
	['print(f"{a} {b.c}")', {uses: 'print a b', binds: '', changes: ''}],
	['a = 1; b = a; print(c)', {uses: 'print c', binds: 'a b', changes: ''}],
	['%time model = fit(x)', {uses: 'fit x', binds: 'model', changes: ''}],
	['%matplotlib inline\n!pip install x\ny = z', {uses: 'z', binds: 'y', changes: ''}],
	['%%bash\necho $x', {uses: '', binds: '', changes: ''}],
	['%%time\ny = z', {uses: 'z', binds: 'y', changes: ''}],
])('names of %j', (source, found) => expect(names(source)).toEqual(found));

test('a cell depends on the cells that bound or changed what it uses, and on those that these use', () => {
	expect(
		neededCells([
			'import pandas as pd\nimport json',
			'unrelated = 1',
			'path = "a.csv"',
			'df = pd.DataFrame({"old": [1]})',
			'df = pd.read_csv(path)',
			'def best(frame):\n    return frame["b"].max()',
			'df["c"] = 1',
			'other = df.copy()',
			'print(best(df))',
		]),
	).toEqual([
		{index: 0, names: ['pd']},
		{index: 2, names: ['path']},
		{index: 4, names: ['df']},
		{index: 5, names: ['best']},
		{index: 6, names: ['df']},
	]);
	expect(neededCells(['x = 1', 'print(2)'])).toEqual([]);
	expect(neededCells([])).toEqual([]);
});

test.each(HOSTILE_TEXTS)('$name is read without an error', ({text}) => {
	expect(() => cellNames(text)).not.toThrow();
});
