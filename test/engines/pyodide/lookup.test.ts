// @module-tag long
import {expect, test} from 'vitest';
import {createPyodideEngine} from '../../../src/engines/pyodide/pyodide-engine.ts';
import {errorName, openPython} from './python.ts';

const openLookup = () => {
	const engine = createPyodideEngine();
	return {lookup: engine.lookup, [Symbol.asyncDispose]: () => engine.close()};
};

test('documentation is found by name, and unknown names have none', {tags: 'short'}, async () => {
	await using python = openLookup();
	expect(await python.lookup.pydoc('json.loads')).toMatch(
		/^Python Library Documentation: function loads in json\n\n.*\bloads\(/,
	);
	expect(await python.lookup.pydoc('len')).toContain('Return the number of items in a container.');
	for (const name of ['no_such_module', 'json.no_such_name', '', 'os; 1', '../x', 'x'.repeat(500)])
		expect([name, await python.lookup.pydoc(name)]).toEqual([name, null]);
});

test('the version of Python and the installed packages are listed', async () => {
	await using python = openLookup();
	expect(await python.lookup.packages()).toEqual({
		python: expect.stringMatching(/^3\.14\.\d+$/),
		installed: [],
	});
});

test('a source is outlined without being run', async () => {
	await using python = openLookup();
	const source = [
		'import os.path, json as j',
		'from . import near',
		'from a.b import c',
		'',
		'raise SystemExit',
		'',
		'@decorator',
		'class Shape(Base, metaclass=M):',
		'    """A shape.',
		'    Flat.',
		'',
		'    More."""',
		'    async def area(self, unit: str = "m", *rest) -> float:',
		'        import late',
		'        def inner(): pass',
		'',
		'if True:',
		'    def helper(): "Helps."',
	].join('\n');
	expect(await python.lookup.outline(source)).toEqual({
		items: [
			{kind: 'class', name: 'Shape', signature: '(Base, metaclass=M)', line: 8, doc: 'A shape.\nFlat.'},
			{
				kind: 'function',
				name: 'Shape.area',
				signature: "(self, unit: str='m', *rest) -> float",
				line: 13,
				doc: '',
			},
			{kind: 'function', name: 'helper', signature: '()', line: 18, doc: 'Helps.'},
		],
		imports: ['os.path', 'json', '.near', 'a.b', 'late'],
		error: null,
	});
	expect(await python.lookup.outline('x = 1\ndef f(:')).toEqual({
		items: [],
		imports: [],
		error: 'invalid syntax, line 2',
	});
	expect((await python.lookup.outline('('.repeat(100_000))).error).not.toBeNull();
});

test('questions asked together are each answered, also while a cell runs, whose count they leave alone', async () => {
	await using python = await openPython();
	await using other = openLookup();
	const controller = new AbortController();
	const running = python.run('while True: pass', controller.signal);
	const [doc, packages, outline] = await Promise.all([
		other.lookup.pydoc('math.sqrt'),
		other.lookup.packages(),
		other.lookup.outline('def f(): pass'),
	]);
	expect([doc?.includes('sqrt'), packages.installed, outline.items.length]).toEqual([true, [], 1]);
	controller.abort();
	expect(errorName(await running)).toBe('KeyboardInterrupt');
	expect((await python.session.run('1', {kernel: 'python3'})).execution_count).toBe(2);
});

test('a look-up is answered again after its process was ended', async () => {
	await using python = openLookup();
	expect(await python.lookup.pydoc('len')).not.toBeNull();
	await python[Symbol.asyncDispose]();
	expect(await python.lookup.pydoc('abs')).toContain('absolute value');
});
