import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {errorName, openPython, printed, sharePython, traceback, value} from './python.ts';

const shared = sharePython();

test('names live from cell to cell and the cells are counted', async () => {
	await using python = await openPython();
	const first = await python.session.run('x = 20', {kernel: 'python3'});
	const second = await python.session.run('x + 1', {kernel: 'python3'});
	expect(first).toEqual({execution_count: 1, outputs: []});
	expect(second).toEqual({
		execution_count: 2,
		outputs: [{output_type: 'execute_result', execution_count: 2, data: {'text/plain': '21'}, metadata: {}}],
	});
	expect(value(await python.run('_ + 1'))).toBe('22');
});

test('printed text keeps its order, adjacent text of a stream being one output', async () => {
	const python = await shared();
	const outputs = await python.run(
		'import sys\nprint("a")\nprint("b é\\u2028")\nprint("c", file=sys.stderr)\nprint("d")\n5',
	);
	expect(outputs.slice(0, 3)).toEqual([
		{output_type: 'stream', name: 'stdout', text: 'a\nb é\u2028\n'},
		{output_type: 'stream', name: 'stderr', text: 'c\n'},
		{output_type: 'stream', name: 'stdout', text: 'd\n'},
	]);
	expect(value(outputs)).toBe('5');
});

test('a semicolon hides the value of the last line', {tags: 'long'}, async () => {
	const python = await shared();
	expect(await python.run('1;')).toEqual([]);
	expect(await python.run('(1\n) ; # quiet')).toEqual([]);
	expect(value(await python.run('"é"; "a;b" # loud;'))).toBe("'a;b'");
});

test('a traceback begins at the line of the cell and shows its source', async () => {
	await using python = await openPython();
	await python.run('def half(n):\n    return n / 0');
	const outputs = await python.run('half(3)');
	expect(outputs).toMatchObject([
		{output_type: 'error', ename: 'ZeroDivisionError', evalue: 'division by zero'},
	]);
	expect(traceback(outputs)).toBe(
		[
			'Traceback (most recent call last):',
			'  File "<cell 2>", line 1, in <module>',
			'    half(3)',
			'    ~~~~^^^',
			'  File "<cell 1>", line 2, in half',
			'    return n / 0',
			'           ~~^~~',
			'ZeroDivisionError: division by zero',
		].join('\n'),
	);
});

test('a syntax error points at its place', async () => {
	const python = await shared();
	const {execution_count: count, outputs} = await python.session.run('def f(:\n    pass', {
		kernel: 'python3',
	});
	expect(errorName(outputs)).toBe('SyntaxError');
	expect(traceback(outputs)).toContain(`  File "<cell ${count}>", line 1\n    def f(:\n          ^`);
});

test('objects are shown in every form they offer', {tags: 'long'}, async () => {
	const python = await shared();
	const {execution_count: count, outputs} = await python.session.run(
		'class Rich:\n    def _repr_html_(self): return "<b>x</b>"\n    def _repr_png_(self): return b"\\x89PNG"\n    def __repr__(self): return "Rich()"\ndisplay(Rich())\nRich()',
		{kernel: 'python3'},
	);
	const data = {'text/plain': 'Rich()', 'text/html': '<b>x</b>', 'image/png': 'iVBORw=='};
	expect(outputs).toEqual([
		{output_type: 'display_data', data, metadata: {}},
		{output_type: 'execute_result', execution_count: count, data, metadata: {}},
	]);
});

test('code awaits at the top level and with asyncio.run', async () => {
	const python = await shared();
	expect(value(await python.run('import asyncio\nawait asyncio.sleep(0.01, 7)'))).toBe('7');
	expect(value(await python.run('asyncio.run(asyncio.sleep(0.01, 8))'))).toBe('8');
});

test(
	'output of a left-over task appears with its own cell, if it was quick, or with the next',
	{tags: 'long'},
	async () => {
		await using python = await openPython();
		const first = await python.run(
			'import asyncio\nasync def later():\n    await asyncio.sleep(0)\n    print("later")\ntask = asyncio.create_task(later())',
		);
		const next = await python.run('await task');
		expect(printed([...first, ...next])).toBe('later\n');
	},
);

test('asking for input and leaving Python are errors that the session survives', async () => {
	const python = await shared();
	const asked = await python.run('input("name? ")');
	expect(errorName(asked)).toBe('StdinNotImplementedError');
	expect(traceback(asked)).toMatch(
		/StdinNotImplementedError: input\(\) needs input, which cannot be typed here\. .+\.$/,
	);
	expect(await python.run('import sys; sys.exit(2)')).toMatchObject([{ename: 'SystemExit', evalue: '2'}]);
	expect(value(await python.run('1 + 1'))).toBe('2');
});

test('a missing module is reported with the available ones', {tags: 'long'}, async () => {
	const python = await shared();
	const outputs = await python.run('import numpy');
	expect(errorName(outputs)).toBe('ModuleNotFoundError');
	expect(traceback(outputs)).toContain('The embedded engine has the standard library');
});

test('files pass between Python and the folder at once', {tags: 'long'}, async () => {
	await using python = await openPython();
	await writeFile(join(python.root, 'from-host.txt'), 'hé');
	expect(value(await python.run("open('from-host.txt').read()"))).toBe("'hé'");
	await python.run("with open('from-python.txt', 'w') as f: f.write('written')");
	expect(await readFile(join(python.root, 'from-python.txt'), 'utf8')).toBe('written');
	await python.run('import missing_so_far');
	await writeFile(join(python.root, 'missing_so_far.py'), 'answer = 42');
	expect(
		value(await python.run('import missing_so_far, os\nmissing_so_far.answer, os.listdir(".")')),
	).toMatch(/^\(42, \[(?!.*__pycache__)/);
});

test('two sessions draw different random numbers', {tags: 'long'}, async () => {
	await using one = await openPython();
	await using other = await openPython();
	const code = 'import random; random.random()';
	expect(value(await one.run(code))).not.toBe(value(await other.run(code)));
});

test(
	'another kernel than python3 is refused by name, and a second cell waits for the first',
	{tags: 'long'},
	async () => {
		await using python = await openPython();
		await expect(python.session.run('1', {kernel: 'julia'})).rejects.toThrow(
			'There is no kernel "julia" here. The embedded engine has one: python3.',
		);
		const running = python.run('import time; time.sleep(0.1); x = 1');
		expect(value(await python.run('x'))).toBe('1');
		expect(await running).toEqual([]);
	},
);
