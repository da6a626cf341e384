import fc from 'fast-check';
import {expect, test} from 'vitest';
import {filesNamedIn, referencesIn} from '../../src/text/references.ts';
import {codePoint} from '../support/code-points.ts';

test('a traceback names its places, the one where it happened first', () => {
	const traceback =
		'Traceback (most recent call last):\n  File "<exec>", line 1, in <module>\n  File "/home/u/src/train.py", line 40, in main\n    load(path)\n  File "src/load.py", line 12, in load\nValueError: x';
	expect(referencesIn(traceback)).toEqual([
		{path: 'src/load.py', line: 12},
		{path: '/home/u/src/train.py', line: 40},
	]);
});

test.each([
	['see src/a.py:12.', [{path: 'src/a.py', line: 12}]],
	['src/a.py:12:5: error', [{path: 'src/a.py', line: 12}]],
	['in `data/prices.csv#L10-L20`', [{path: 'data/prices.csv', line: 10}]],
	['./a.py:1 and a.py:1', [{path: 'a.py', line: 1}]],
	['at 12:30, http://host:8080/x, 1.5:2 and v1.2:3', []],
	['nothing here', []],
])('%s', (text, references) => {
	expect(referencesIn(text)).toEqual(references);
});

test('any text, however long, is looked through at once', () => {
	fc.assert(
		fc.property(fc.string({unit: codePoint, maxLength: 300}), text =>
			referencesIn(text.repeat(20)).every(({line}) => Number.isInteger(line)),
		),
	);
	expect(referencesIn(`${'a/'.repeat(100_000)}`)).toEqual([]);
	expect(referencesIn(`${'a.'.repeat(100_000)}`)).toEqual([]);
	expect(referencesIn('File "'.repeat(30_000))).toEqual([]);
	expect(referencesIn('@a+'.repeat(60_000))).toEqual([]);
});

test('an answer names files with a line, as code or as a link, in its order; names of Python are none', () => {
	const answer =
		'See `src/a.py` and src/a.py:12, then [the data](./data/prices.csv) or [here](src/b.py#L3-L9). `json.loads` and `df.r` are no files, `README.md` and `Makefile` are told apart; `src/a.py` again, `http://x.y/z.py` not.';
	expect(filesNamedIn(answer)).toEqual([
		{path: 'src/a.py', line: null},
		{path: 'src/a.py', line: 12},
		{path: 'data/prices.csv', line: null},
		{path: 'src/b.py', line: 3},
		{path: 'README.md', line: null},
	]);
});

test('any answer, however long, is looked through at once', () => {
	for (const text of ['`a/'.repeat(60_000), '](a/'.repeat(50_000), '`a.'.repeat(60_000)])
		expect(filesNamedIn(text)).toEqual([]);
	fc.assert(
		fc.property(fc.string({unit: codePoint, maxLength: 300}), text =>
			filesNamedIn(text.repeat(20)).every(({path}) => path !== ''),
		),
	);
});
