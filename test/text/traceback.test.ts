// Tracebacks that were recorded from ipykernel 6.17 with IPython 8.5 and pandas 1.5, from IPython
// 8.12, and from the embedded engine with Python 3.14.
import {expect, test} from 'vitest';
import {libraryOf, framesIn, tracebackParts, type Frame} from '../../src/text/python/traceback.ts';
import {foldedFramesText, foldTraceback, shortTraceback} from '../../src/text/python/traceback-fold.ts';
import {withoutColours} from '../../src/text/width/width.ts';
import {HOSTILE_TEXTS} from './hostile-text.ts';
import RECORDED from './recorded-tracebacks.json' with {type: 'json'};

const of = (name: keyof typeof RECORDED): string => RECORDED[name];
const placeOf = ({path, cell, line}: Frame): string => `${path ?? `cell ${cell}`}:${line}`;
const own = (text: string): readonly string[] =>
	framesIn(text)
		.filter(({library}) => library === null)
		.map(frame => `${placeOf(frame)} ${frame.code}`);
/** The folded text without colours. Folded frames appear as one line in brackets. */
const folded = (text: string): string =>
	(foldTraceback(text) ?? [])
		.flatMap(piece =>
			piece.kind === 'lines'
				? piece.lines
				: [`${piece.margin}[${foldedFramesText(piece)}]`, ...(piece.hasBlankBelow ? [''] : [])],
		)
		.map(line => withoutColours(line).trimEnd())
		.join('\n');

test.each(Object.entries(RECORDED))('no line is lost or moved: %s', (_, text) => {
	expect(
		tracebackParts(text)
			.flatMap(({lines}) => lines)
			.join('\n'),
	).toBe(text);
});

test('frames of packages are one row between the frames of cells and files', () => {
	expect(folded(of('ipykernel: pandas between two frames of a file'))).toBe(
		`${'-'.repeat(75)}
KeyError                                  Traceback (most recent call last)
[5 frames in pandas]

KeyError: 'b'

The above exception was the direct cause of the following exception:

KeyError                                  Traceback (most recent call last)
Cell In [4], line 1
----> 1 load(df, "b")

File /home/ada/project/lib/loader.py:4, in load(frame, column)
      2 def pick(row):
      3     return row[column]
----> 4 return frame.apply(pick, axis=1)

[4 frames in pandas]

File /home/ada/project/lib/loader.py:3, in load.<locals>.pick(row)
      2 def pick(row):
----> 3     return row[column]

[3 frames in pandas]

KeyError: 'b'`,
	);
	expect(folded(of('embedded: an exception group with tracebacks'))).toContain(`
    |     import json; json.loads("")
    |                  ~~~~~~~~~~^^^^
    |   [3 frames in json]
    | json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
`);
	expect(folded(of('embedded: the standard library'))).toBe(`Traceback (most recent call last):
  File "<cell 12>", line 2, in <module>
    json.loads("")
    ~~~~~~~~~~^^^^
  [3 frames in json]
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)`);
	expect(folded(of('ipykernel: a syntax error of a file'))).toMatch(
		/^Traceback .*\n\n {2}\[1 frame in IPython\]\n\n {2}Cell In \[13\], line 1\n {4}import lib\.syntax\n/,
	);
});

test.each([
	[
		'ipykernel: pandas below a function of a cell',
		['cell 2:2 return df["b"].max()', 'cell 3:1 print(best(df))'],
	],
	[
		'ipykernel: pandas between two frames of a file',
		[
			'/home/ada/project/lib/loader.py:3 return row[column]',
			'/home/ada/project/lib/loader.py:4 return frame.apply(pick, axis=1)',
			'cell 4:1 load(df, "b")',
		],
	],
	[
		'ipykernel: three errors, each the cause of the next',
		[
			'cell 5:4 raise ValueError("no column") from error',
			'cell 2:2 return df["b"].max()',
			'cell 5:2 best(df)',
		],
	],
	['ipykernel: an error while another is handled', ['cell 6:4 {}["x"]', 'cell 6:2 1/0']],
	['ipykernel: a syntax error of the cell', ['cell 7:1 x = (1,']],
	[
		'ipykernel: a syntax error of a file',
		['/home/ada/project/lib/syntax.py:1 def go(:', 'cell 13:1 import lib.syntax'],
	],
	[
		'ipykernel: an exception group',
		['cell 8:1 raise ExceptionGroup("two", [ValueError("a"), KeyError("b")])'],
	],
	['ipykernel: a recursion', ['cell 9:1 def rec(n): return rec(n-1)', 'cell 9:2 rec(3)']],
	['ipykernel: code of exec()', ['cell 10:1 exec("1/0")']],
	[
		'ipykernel: a script by %run',
		['/home/ada/project/lib/broken.py:2 return 1/0', '/home/ada/project/lib/broken.py:3 go()'],
	],
	['IPython 8.12: the standard library', ['cell 6:2 json.loads("")']],
	['embedded: a function of another cell', ['cell 2:2 return d["b"]', 'cell 3:1 best({})']],
	[
		'embedded: a module of the server',
		[
			'/home/user/lib/loader.py:3 return row[column]',
			'/home/user/lib/loader.py:4 return list(map(pick, rows))',
			'cell 4:2 load([{}], "b")',
		],
	],
	['embedded: a syntax error of the cell', ['cell 7:1 x = (1,']],
	['embedded: a syntax error of a file', ['/home/user/lib/syntax.py:1 def go(:', 'cell 13:1 import syntax']],
	[
		'embedded: an exception group with tracebacks',
		[
			'cell 9:9 import json; json.loads("")',
			'cell 9:2 raise ValueError("a")',
			'cell 9:5 fail()',
			'cell 9:12 raise ExceptionGroup("two", found)',
		],
	],
] as const)('own frames, the innermost first: %s', (name, frames) => expect(own(of(name))).toEqual(frames));

// Tracebacks of IPython 7 and 8.0, taken from its documentation and issues.
test('frames of older IPythons are found, too', () => {
	expect(
		own(`KeyError                                  Traceback (most recent call last)
<ipython-input-3-0d8c8b5d1f0e> in <module>
      1 x = 1
----> 2 load("a")

~/project/load.py in load(name)
      8     rows = {}
----> 9     return rows[name]

KeyError: 'a'`),
	).toEqual(['~/project/load.py:9 return rows[name]', 'cell 3:2 load("a")']);
	expect(
		own(`Input In [4], in <cell line: 2>()
      1 x = 1
----> 2 load("a")

Input In [2], in load(name)
      1 def load(name):
----> 2     return {}[name]

KeyError: 'a'`),
	).toEqual(['cell 2:2 return {}[name]', 'cell 4:2 load("a")']);
	expect(
		own('/tmp/ipykernel_4711/3210.py in <module>\n----> 1 1/0\n\nZeroDivisionError: division by zero'),
	).toEqual(['cell null:1 1/0']);
});

test.each([
	['/usr/lib/python3/dist-packages/pandas/core/frame.py', 'pandas'],
	['/opt/conda/lib/python3.11/site-packages/torch/nn/modules/module.py', 'torch'],
	['/opt/conda/lib/python3.11/site-packages/six.py', 'six'],
	['C:\\Users\\ada\\env\\Lib\\site-packages\\numpy\\core\\numeric.py', 'numpy'],
	['C:\\Python311\\lib\\json\\decoder.py', 'json'],
	['/usr/lib/python3.11/threading.py', 'threading'],
	['/lib/python314.zip/json/decoder.py', 'json'],
	['<frozen importlib._bootstrap>', 'importlib'],
	['<__array_function__ internals>', 'numpy'],
	['pandas/_libs/hashtable_class_helper.pxi', 'pandas'],
	['/home/ada/project/train.py', null],
	['train.py', null],
	['<string>', null],
	['/home/ada/lib/loader.py', null],
	['/home/ada/python3.11/train.py', null],
])('%s is code of %s', (path, library) => expect(libraryOf(path)).toBe(library));

test('of a hundred own frames the first and the last are shown, with their number', () => {
	const frames = Array.from(
		{length: 100},
		(_, at) => `  File "a.py", line ${at}, in f${at}\n    f${at + 1}()`,
	);
	const text = folded(`Traceback (most recent call last):\n${frames.join('\n')}\nE: x`);
	expect(text).toContain('in f4\n    f5()\n  [85 more frames]\n  File "a.py", line 90, in f90\n');
	expect(text.split('\n')).toHaveLength(1 + 5 * 2 + 1 + 10 * 2 + 1);
});

test('output that cannot be unfolded has one line for each frame of a library', () => {
	const text = withoutColours(shortTraceback(of('ipykernel: pandas below a function of a cell')));
	expect(text).toMatch(
		/\n----> 2 {5}return df\["b"\]\.max\(\)\n\nFile .*frame\.py:3807, .*\nFile .*base\.py:3804, .*\n\nKeyError: 'b'$/,
	);
});

test('text without frames, as in other languages, is not folded', () => {
	expect(foldTraceback('Error in f(1): no such thing\nTraceback:\n1. f(1)')).toBeNull();
	expect(foldTraceback('')).toBeNull();
});

test.each(HOSTILE_TEXTS)('$name is kept as it is', ({text}) =>
	expect(
		tracebackParts(text)
			.flatMap(({lines}) => lines)
			.join('\n'),
	).toBe(text),
);
