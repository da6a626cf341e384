// @module-tag long
import {randomUUID} from 'node:crypto';
import {access} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {errorName, openPython, printed, sharePython, traceback, value, type Python} from './python.ts';
import {waitFor} from '../../support/wait-for.ts';

const shared = sharePython();

/** Runs the code, and interrupts it when its first line has created a file. */
const interrupted = async (
	python: Python,
	code: string | ((begun: string) => string),
): ReturnType<Python['run']> => {
	// Each run uses a new name, because Python's file system still lists a file that another
	// program has removed.
	const name = randomUUID();
	const controller = new AbortController();
	const begun = `open('${name}', 'w').close()`;
	const running = python.run(typeof code === 'string' ? `${begun}\n${code}` : code(begun), controller.signal);
	await waitFor(() => access(join(python.root, name)));
	controller.abort();
	return running;
};

test.each([
	['a busy loop', 'while True: pass'],
	['a sleep', 'import time\ntime.sleep(30)'],
	['an await', 'import asyncio\nawait asyncio.sleep(30)'],
	['an awaited busy loop', 'async def busy():\n    while True: pass\nawait busy()'],
	['asyncio.run', 'import asyncio\nasyncio.run(asyncio.sleep(30))'],
	[
		'a busy loop in asyncio.run',
		'import asyncio\nasync def busy():\n    while True: pass\nasyncio.run(busy())',
	],
	[
		'a busy task beside an await',
		'import asyncio\nasync def busy():\n    while True: pass\ntask = asyncio.create_task(busy())\nawait asyncio.sleep(30)',
	],
	['endless printing', 'while True: print("x" * 100)'],
])('%s ends with KeyboardInterrupt, and the names are still there', async (_, code) => {
	const python = await shared();
	const {execution_count: before} = await python.session.run(`kept = ${JSON.stringify(code)}`, {
		kernel: 'python3',
	});
	const outputs = await interrupted(python, code);
	expect(errorName(outputs)).toBe('KeyboardInterrupt');
	expect(traceback(outputs)).toMatch(/^KeyboardInterrupt$/m);
	expect(printed(outputs, 'stderr')).toBe('');
	const {execution_count, outputs: next} = await python.session.run('len(kept)', {kernel: 'python3'});
	expect([execution_count, value(next)]).toEqual([before! + 2, String(code.length)]);
});

test('code cleans up after an interrupt', {tags: 'short'}, async () => {
	await using python = await openPython();
	const outputs = await interrupted(python, 'try:\n    while True: pass\nfinally:\n    print("cleaned")');
	expect(printed(outputs)).toBe('cleaned\n');
	expect(traceback(outputs)).toMatch(
		/^Traceback .*\n  File "<cell 1>", line 3, in <module>\n[^]*\nKeyboardInterrupt$/,
	);
});

test(
	'an interrupt in the moment of the start, and one before it, are not lost',
	{tags: 'short'},
	async () => {
		const python = await shared();
		const controller = new AbortController();
		const running = python.run('while True: pass', controller.signal);
		controller.abort();
		expect(errorName(await running)).toBe('KeyboardInterrupt');
		expect(errorName(await python.run('while True: pass', AbortSignal.abort()))).toBe('KeyboardInterrupt');
		expect(value(await python.run('1 + 1'))).toBe('2');
	},
);

test('no interrupt of a busy loop is lost among many', async () => {
	const python = await shared();
	for (let round = 0; round < 60; round++) {
		const controller = new AbortController();
		const running = python.run('while True: pass', controller.signal);
		// Python checks for signals thousands of times a second. The interrupts are spread over
		// different moments between two checks.
		setImmediate(() => controller.abort());
		expect([round, errorName(await running)]).toEqual([round, 'KeyboardInterrupt']);
	}
});

test.each([
	['asyncio.run', 'import asyncio\nwhile True: asyncio.run(asyncio.sleep(0))'],
	[
		'an await whose errors are caught',
		'import asyncio\nwhile True:\n    try: await asyncio.sleep(0)\n    except Exception: pass',
	],
	[
		'tasks',
		'import asyncio\nasync def short(): await asyncio.sleep(0)\nwhile True: await asyncio.gather(short(), short())',
	],
])(
	'no interrupt of a loop around %s is lost, turned into another error or reported on stderr',
	async (_, code) => {
		const python = await shared();
		for (let round = 0; round < 60; round++) {
			// Python is mostly waiting in Pyodide's event loop, so the interrupts are spread over
			// different moments of the loop.
			const outputs = await interrupted(python, code);
			expect([round, errorName(outputs), printed(outputs, 'stderr')]).toEqual([
				round,
				'KeyboardInterrupt',
				'',
			]);
		}
	},
);

test('an interrupt that Python drops, as in __del__, comes once more', async () => {
	await using python = await openPython();
	const outputs = await interrupted(
		python,
		'class Slow:\n    def __del__(self):\n        while True: pass\nSlow()\nwhile True: pass',
	);
	expect([errorName(outputs), printed(outputs, 'stderr')]).toEqual(['KeyboardInterrupt', '']);
	expect(value(await python.run('1 + 1'))).toBe('2');
});

test('an interrupt leaves the tasks of earlier cells alone', async () => {
	await using python = await openPython();
	await python.run('import asyncio\nearlier = asyncio.create_task(asyncio.sleep(3600))');
	await interrupted(python, 'await asyncio.sleep(30)');
	expect(value(await python.run('earlier.done()'))).toBe('False');
});

test('code that ignores the interrupt is ended after five seconds, with a message', async () => {
	await using python = await openPython();
	await python.run('lost = 1');
	const outputs = await interrupted(
		python,
		// The code must already be inside its `try` block: an earlier interrupt would end it.
		begun =>
			`import time\nprint("kept")\nwhile True:\n    try:\n        ${begun}\n        time.sleep(1)\n    except BaseException: pass`,
	);
	expect(printed(outputs)).toBe('kept\n');
	expect(errorName(outputs)).toBe('KernelRestarted');
	expect(traceback(outputs)).toContain('variables are lost, files are kept');
	expect(errorName(await python.run('lost'))).toBe('NameError');
});
