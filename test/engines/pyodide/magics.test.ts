// @module-tag long
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {errorName, openPython, printed, traceback, value, type Python} from './python.ts';

let python: Python;
beforeAll(async () => {
	python = await openPython();
});
afterAll(() => python[Symbol.asyncDispose]());

test('name? and name?? show the documentation and the source of a name', async () => {
	await python.run('def area(width, height=2):\n    "Of a rectangle."\n    return width * height');
	expect(printed(await python.run('area?'))).toMatch(
		/^Signature: area\(width, height=2\)[^]*Of a rectangle\./,
	);
	expect(printed(await python.run('?len'))).toContain('Return the number of items');
	expect(printed(await python.run('area??'))).toContain('    return width * height');
	expect(printed(await python.run('nowhere?'))).toBe('Object `nowhere` not found.\n');
});

test('%time, %timeit, %run and %who do as in IPython', async () => {
	const timed = await python.run('%time 6 * 7');
	expect([printed(timed), value(timed)]).toEqual([
		expect.stringMatching(/^CPU times: .+\nWall time: .+\n$/),
		'42',
	]);
	expect(printed(await python.run('%%timeit -n 3 -r 2\nx = 1\nx + 1'))).toMatch(
		/^\S+ \S+ ± \S+ \S+ per loop \(mean ± std\. dev\. of 2 runs, 3 loops each\)\n$/,
	);
	await writeFile(join(python.root, 'program.py'), 'import sys\nfound = sys.argv[1:]\nprint(__name__)');
	expect(printed(await python.run('%run program.py "a b"\nfound'))).toBe('__main__\n');
	expect(value(await python.run('found'))).toBe("['a b']");
	expect(printed(await python.run('%who'))).toMatch(/\bfound\b/);
	expect(printed(await python.run('%whos'))).toMatch(/^found +list +\['a b'\]$/m);
});

test('unsupported magics name an alternative, and invalid Python keeps its own error', async () => {
	expect(traceback(await python.run('!ls'))).toContain('os.listdir() for !ls');
	expect(traceback(await python.run('%cd data'))).toContain('os.chdir');
	expect(traceback(await python.run('%nothing'))).toContain(
		'Available: %run, %time, %timeit, %who, %whos, %pip, %matplotlib',
	);
	expect(errorName(await python.run('%pip install numpy'))).toBe('InstallError');
	expect(traceback(await python.run('%pip freeze'))).toContain('Write %pip install NAME');
	expect(await python.run('%matplotlib inline')).toEqual([]);
	for (const [code, instead] of [
		['files = !ls', 'os.listdir() for !ls'],
		['%env', 'os.environ["NAME"]'],
		['%matplotlib widget', 'write %matplotlib inline'],
		['%load_ext autoreload', 'no extensions of IPython'],
		[
			'%%bash\nls -l | wc',
			'There is no %%bash in the embedded engine. The embedded engine cannot start programs',
		],
		['%%writefile a.py\nx = "1', 'open("name", "w").write('],
	] as const)
		expect(traceback(await python.run(code))).toContain(instead);
	expect(traceback(await python.run('x = = 5 % 2'))).toContain('x = = 5 % 2');
	expect(value(await python.run('"""\n%who\nx?\n"""'))).toBe("'\\n%who\\nx?\\n'");
});
