// Parameters according to papermill's documentation, compared with Python's `int()`, `float()` and
// `repr()`.
import {spawnSync} from 'node:child_process';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readNotebook, type Notebook} from '../../src/text/notebook/notebook.ts';
import {unknownParameters} from '../../src/cli/run/notebook-parameters.ts';
import {parameterNames, stringText, valueText, withParameters} from '../../src/text/notebook/parameters.ts';
import {notebookText} from '../../src/text/notebook/serialize.ts';
import {notebookFaults} from '../support/notebook-schema.ts';
import {codePoint} from '../support/code-points.ts';

test.each([
	['bar', '"bar"'],
	['hello world', '"hello world"'],
	['{"foo": "bar"}', String.raw`"{\"foo\": \"bar\"}"`],
	['😍', String.raw`"\U0001f60d"`],
	['é\n\\"', String.raw`"\xe9\n\\\""`],
	['', '""'],
	['True', 'True'],
	['False', 'False'],
	['None', 'None'],
	['true', '"true"'],
	['null', '"null"'],
	['12345', '12345'],
	['-54321', '-54321'],
	['+007', '7'],
	['1_000', '1000'],
	['123456789012345678901234567890', '123456789012345678901234567890'],
	['0.6', '0.6'],
	['1.2345', '1.2345'],
	['-5432.1', '-5432.1'],
	['1e-3', '0.001'],
	['1E5', '100000.0'],
	['1e16', '1e+16'],
	['0.00001', '1e-05'],
	['.5', '0.5'],
	['5.', '5.0'],
	['-0.0', '-0.0'],
	['1.5.0', '"1.5.0"'],
	['0x10', '"0x10"'],
	['nan', "float('nan')"],
	['inf', "float('inf')"],
	['-Infinity', "float('-inf')"],
	['1e999', "float('inf')"],
	['2019-01-01', '"2019-01-01"'],
])('-p x=%s is written as %s', (typed, python) => {
	expect(valueText(typed)).toBe(python);
});

test('a raw parameter stays a string', () => {
	expect([stringText('1.0'), stringText('True')]).toEqual(['"1.0"', '"True"']);
});

test('Python reads each back as papermill would have taken it', {tags: 'long'}, () => {
	const numbers = fc
		.tuple(fc.constantFrom('', '-', '+'), fc.double({noNaN: true}), fc.constantFrom('', '0', '_1'))
		.map(([sign, value, end]) => `${sign}${Math.abs(value)}${end}`);
	const typed = [
		...fc.sample(numbers, {numRuns: 300, seed: 4}),
		...fc.sample(fc.string({unit: codePoint}), {numRuns: 200, seed: 4}),
	].filter(text => text.isWellFormed());
	const pairs = typed.map(text => [text, valueText(text), stringText(text)]);
	const told = spawnSync(
		'python3',
		[
			'-c',
			`import json, sys
def resolve(v):
    if v in ('True', 'False', 'None'): return eval(v)
    for kind in (int, float):
        try: return kind(v)
        except ValueError: pass
    return v
for typed, value, raw in json.load(sys.stdin):
    wanted = resolve(typed)
    got = eval(value)
    # Digits of other scripts are numbers to Python only.
    if typed.isascii() and (repr(got) != repr(wanted) or eval(raw) != typed): print(repr(typed), value, raw)
    if isinstance(wanted, (int, float)) and typed.isascii() and repr(wanted) not in (value, "nan", "inf", "-inf"): print("repr", repr(typed), value)
print("compared")`,
		],
		{input: JSON.stringify(pairs), encoding: 'utf8'},
	);
	expect(told.stderr).toBe('');
	expect(told.stdout).toBe('compared\n');
});

type Given = readonly (readonly [id: string, ...tags: string[]])[];
const notebookOf = (cells: Given, minor = 5): {readonly text: string; readonly notebook: Notebook} => {
	const text = JSON.stringify(
		{
			cells: cells.map(([id, ...tags]) => ({
				cell_type: 'code',
				execution_count: null,
				...(minor >= 5 && {id}),
				metadata: tags.length === 0 ? {} : {tags},
				outputs: [],
				source: [id],
			})),
			metadata: {},
			nbformat: 4,
			nbformat_minor: minor,
		},
		null,
		1,
	);
	const notebook = readNotebook(text);
	if (typeof notebook === 'string') throw new Error(notebook);
	return {text, notebook};
};
const INJECTED = '# Parameters\nalpha = 0.6\nl1_ratio = 0.1\n';
const GIVEN = new Map([
	['alpha', '0.6'],
	['l1_ratio', '0.1'],
]);

test.each<[string, Given, readonly string[]]>([
	['below the cell tagged parameters', [['a'], ['b', 'x', 'parameters'], ['c']], ['a', 'b', INJECTED, 'c']],
	['below the last cell', [['a', 'parameters']], ['a', INJECTED]],
	[
		'below the first of two',
		[
			['a', 'parameters'],
			['b', 'parameters'],
		],
		['a', INJECTED, 'b'],
	],
	['at the top where none is tagged', [['a'], ['b', 'parameter']], [INJECTED, 'a', 'b']],
	['into an empty notebook', [], [INJECTED]],
	[
		'in place of what was injected',
		[['a', 'parameters'], ['b'], ['c', 'injected-parameters'], ['d']],
		['a', 'b', INJECTED, 'd'],
	],
	['in place of it at the top', [['a', 'injected-parameters'], ['b']], [INJECTED, 'b']],
])('parameters go %s', (_, cells, sources) => {
	for (const minor of [4, 5]) {
		const {text, notebook} = notebookOf(cells, minor);
		const written = notebookText(withParameters(notebook, GIVEN));
		const json = JSON.parse(written) as {
			readonly cells: readonly {
				readonly source: readonly string[];
				readonly metadata: object;
				readonly id?: string;
			}[];
		};
		expect(json.cells.map(({source}) => source.join(''))).toEqual(sources);
		const made = json.cells.find(({source}) => source.join('') === INJECTED);
		expect(made).toMatchObject({cell_type: 'code', metadata: {tags: ['injected-parameters']}, outputs: []});
		expect(made?.id === undefined).toBe(minor < 5);
		if (minor === 5) expect(notebookFaults(json)).toEqual([]);
		// Setting the same parameters again replaces the cell with an equal one, and changes
		// nothing else.
		const again = readNotebook(written);
		if (typeof again === 'string') throw new Error(again);
		const anonymous = (one: string): string => one.replaceAll(/"id": "[a-z0-9]{8}"/g, '"id": ""');
		expect(anonymous(notebookText(withParameters(again, GIVEN)))).toBe(anonymous(written));
		for (const [id] of cells)
			if (sources.includes(id))
				expect(text).toContain(written.slice(written.indexOf(`"${id}"`), written.indexOf(`"${id}"`) + 3));
	}
});

const notebookWith = (
	...cells: readonly (readonly [source: string, ...tags: readonly string[]])[]
): Notebook => {
	const made = readNotebook(
		JSON.stringify({
			cells: cells.map(([source, ...tags]) => ({
				cell_type: 'code',
				execution_count: null,
				metadata: {tags},
				outputs: [],
				source,
			})),
			metadata: {},
			nbformat: 4,
			nbformat_minor: 4,
		}),
	);
	if (typeof made === 'string') throw new Error(made);
	return made;
};

test('the parameters of a notebook are the names that its tagged cell assigns', () => {
	const source =
		'epochs: int = 1  # how many\nlr = rate = 1e-3\na, b = 1, 2; größe = 3\nif x == 4:\n    inner = 5\nopts = dict(\n    c=1,\n)\nd["k"] = 1\ne += 1';
	expect(parameterNames(notebookWith([source, 'parameters'], ['other = 1']))).toEqual({
		isDeclared: true,
		names: ['epochs', 'lr', 'rate', 'a', 'b', 'größe', 'inner', 'opts'],
	});
});

test.each([
	['epoch', 'The notebook has no parameter epoch; did you mean epochs?'],
	['EPOCHS', 'The notebook has no parameter EPOCHS; did you mean epochs?'],
	['zzz', 'The notebook has no parameter zzz: its parameters are epochs, lr.'],
	['epochs', undefined],
])('-p %s', (name, said) => {
	const notebook = notebookWith(['epochs = 1\nlr = 2', 'parameters'], ['print(epochs, zzz)']);
	expect(unknownParameters(notebook, {parameter: [`${name}=3`]})[0]).toBe(said);
	expect(unknownParameters(notebook, {rawParameter: [`${name}=a=b`]})[0]).toBe(said);
});

test('without a tagged cell, a parameter is unknown if no cell uses its name', () => {
	const notebook = notebookWith(['print(epochs)']);
	expect(unknownParameters(notebook, {parameter: ['epochs=3', 'epoch=1', 'x_y=1']})).toEqual([
		'No cell of the notebook uses epoch; did you mean epochs?',
		'No cell of the notebook uses x_y: the value is set, but may have no effect.',
	]);
	expect(unknownParameters(notebookWith(['', 'parameters']), {parameter: ['a=1']})).toEqual([
		'The notebook has no parameter a: the value is set, but may have no effect.',
	]);
	expect(unknownParameters(notebook, {})).toEqual([]);
});
