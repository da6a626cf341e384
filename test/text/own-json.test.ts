import fc from 'fast-check';
import {expect, test} from 'vitest';
import {jsonProblem, layJson} from '../../src/text/columns/json-fold.ts';
import {readNotebook} from '../../src/text/notebook/notebook.ts';
import {pythonJsonIn} from '../../src/text/python-json.ts';
import {jsonLinesTable} from '../../src/text/table/table.ts';

const laid = (text: string, most = 50): readonly string[] => {
	const lines: string[] = [];
	const problem = layJson(text, most, ({depth, key, text: value}) =>
		lines.push(`${'  '.repeat(depth)}${key === null ? '' : `${key}: `}${value}`),
	);
	return problem === null ? lines : [problem];
};

test('a JSON file is formatted in its own tokens: long numbers, 1.0, keys in order and duplicated, escapes', () => {
	const text = String.raw`{"id": 804184974949614240, "f": 1.0, "dup": 1, "dup": 2, "10": 1e5, "2": -0, "é\u00e9\/": "\ud83d\u00e9\n", "n": [9223372036854775807, [], {}]}`;
	expect(laid(text)).toEqual([
		'{',
		'  "id": 804184974949614240,',
		'  "f": 1.0,',
		'  "dup": 1,',
		'  "dup": 2,',
		'  "10": 1e5,',
		'  "2": -0,',
		String.raw`  "é\u00e9\/": "\ud83d\u00e9\n",`,
		'  "n": [',
		'    9223372036854775807,',
		'    [],',
		'    {}',
		'  ]',
		'}',
	]);
	expect(laid(text, 1).slice(-2)).toEqual(['  "n": [ 3 items ]', '}']);
	expect(laid('{"a":1,"a":[1]}', 0)).toEqual(['{ 2 fields }']);
});

test('any value is formatted as JSON.stringify indents it', () => {
	fc.assert(
		fc.property(fc.jsonValue({maxDepth: 4}), fc.integer({min: 0, max: 3}), (value, indent) => {
			const text = JSON.stringify(value, null, indent);
			expect(laid(text).join('\n')).toBe(JSON.stringify(value, null, 2));
			expect(jsonProblem(text)).toBeNull();
		}),
	);
});

test('comments, a last comma and the values that only Python writes are shown', () => {
	expect(laid('// top\n{\n"a": NaN, // why\n/* two\nlines */ "b": [-Infinity, Infinity,],\n}\n')).toEqual([
		'// top',
		'{',
		'  "a": NaN,',
		'  // why',
		'  /* two',
		'  lines */',
		'  "b": [',
		'    -Infinity,',
		'    Infinity,',
		'  ],',
		'}',
	]);
});

test.each([
	['{"a": 1,\n"b": nan}', 'nan in line 2'],
	['{"a": 1\n"b": 2}', '"b": 2} in line 2'],
	['[1, 2', 'it ends in line 1, before its last bracket'],
	['{"a": undefined}', 'undefined in line 1'],
	['[01]', '01 in line 1'],
	["{'a': 1}", "'a' in line 1"],
	['1 2', '2 in line 1'],
	['["a\nb"]', '"a in line 1'],
	['', 'it is empty'],
	[' \n', 'it is empty'],
	['{"a": [1,\n2,\n],}', 'a comma before ] in line 3'],
	['{"a": [],}', 'a comma before } in line 1'],
	['{"a": 1 // why\n}', '// in line 1'],
])('the error in a broken JSON file is named, with its line: %j', (text, problem) => {
	expect(jsonProblem(text)).toBe(problem);
});

test('NaN and infinities are read where Python reads them, and not within strings', () => {
	expect(pythonJsonIn('{"a":NaN,"b":[Infinity,-Infinity],"c":"NaN \\" Infinity"}')).toEqual({
		a: null,
		b: [Infinity, -Infinity],
		c: 'NaN " Infinity',
	});
	expect(pythonJsonIn('{"a":NaNs}')).toBeUndefined();
});

test.each([
	['letters', 'a'.repeat(50_000)],
	['escapes', '\\u00e9\\"'.repeat(20_000)],
	['a backslash at its end', `${'\\"a'.repeat(20_000)}\\`],
])('a file that breaks off within a long string of %s is reported at once', (_, text) => {
	expect(jsonProblem(`{"a": NaN, "b": "${text}`)).toMatch(/ in line 1$/);
	expect(pythonJsonIn(`{"a": NaN, "b": "${text}`)).toBeUndefined();
});

test('JSON lines have columns in their original form, NaN and infinities too', () => {
	const table = jsonLinesTable(
		[
			'{"loss": 0.5, "10": 1, "2": 1.0}',
			'{"loss": NaN, "in": {"b": 1.0, "a": [9007199254740993]}}',
			'{"loss": -Infinity, "s": "a\\u00e9"}',
			'{"loss": nan}',
		].join('\n'),
	);
	table.advance(Infinity);
	expect(table.names).toEqual(['loss', '10', '2', 'in', 's', 'value']);
	expect([0, 1, 2, 3].map(at => table.row(at))).toEqual([
		['0.5', '1', '1.0', '', '', ''],
		['NaN', '', '', '{"b": 1.0, "a": [9007199254740993]}', '', ''],
		['-Infinity', '', '', '', 'aé', ''],
		['', '', '', '', '', '{"loss": nan}'],
	]);
	expect(table.cell(1, 0)).toBe('NaN');
});

test('a notebook with NaN in it is read, and an invalid one names value and line', () => {
	const cell = (value: string): string =>
		`{"cell_type":"code","source":["1"],"metadata":{"x":${value}},"outputs":[],"execution_count":null}`;
	const text = (value: string): string => `{"cells":[\n${cell(value)}],"metadata":{},"nbformat":4}`;
	const found = readNotebook(text('NaN'));
	expect(typeof found === 'string' ? found : found.cells[0]?.source).toBe('1');
	expect(readNotebook(text('nan'))).toBe('it is not valid JSON: nan in line 2');
});
