// @module-tag long
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readdir, readFile, rm, stat, truncate, writeFile} from 'node:fs/promises';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {OUTPUT_FD, REQUEST_FD} from '../../../src/engines/pyodide/protocol.ts';
import {makeSnapshot} from '../../../src/engines/pyodide/snapshot.ts';
import {errorName, openPython, printed, traceback, value} from './python.ts';
import {tempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';

/** Ids of the processes whose arguments contain the folder. */
const processesNaming = async (folder: string): Promise<readonly string[]> => {
	const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name) && name !== String(process.pid));
	const commands = await Promise.all(ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
	return ids.filter((_, index) => commands[index]?.includes(folder));
};

test.each([
	['os._exit', 'import os; os._exit(3)', 'exit code 3'],
	[
		'a crash of the interpreter',
		'import ctypes; ctypes.string_at(0xFFFFFFF0, 64)',
		'memory access out of bounds',
	],
])('after %s the cell reports that the kernel died, and the next one runs', async (_, code, reason) => {
	await using python = await openPython();
	await python.run("lost = 1\nopen('kept.txt', 'w').close()");
	const died = await python.session.run(`print('last words')\n${code}`, {kernel: 'python3'});
	expect(died.execution_count).toBe(2);
	expect(printed(died.outputs)).toMatch(/^last words\n/);
	expect(errorName(died.outputs)).toBe('KernelDied');
	expect(traceback(died.outputs)).toBe(
		`KernelDied: The Python kernel died (${reason}) and was restarted: variables are lost, files are kept.`,
	);
	const next = await python.session.run("import os; 'lost' in globals(), os.listdir()", {kernel: 'python3'});
	expect([next.execution_count, value(next.outputs)]).toEqual([1, "(False, ['kept.txt'])"]);
});

test('a kernel that died between two cells is reported in the second', async () => {
	await using python = await openPython();
	const before = await processesNaming(python.root);
	await python.run(
		'import asyncio, os\nasync def leave():\n    await asyncio.sleep(0.05)\n    os._exit(4)\ntask = asyncio.create_task(leave())',
	);
	await waitFor(async () => expect([[], before]).not.toContainEqual(await processesNaming(python.root)));
	const outputs = await python.run('1 + 1');
	expect(printed(outputs, 'stderr')).toBe(
		'The Python kernel died (exit code 4) and was restarted: variables are lost, files are kept.\n',
	);
	expect(value(outputs)).toBe('2');
});

test('a session whose folder is gone ends with a message', async () => {
	await using python = await openPython();
	await rm(python.root, {recursive: true});
	expect(errorName(await python.run('import os; os._exit(1)'))).toBe('KernelDied');
	expect(await python.session.ended).toBe(
		'Python can no longer be started (the folder of the server is gone).',
	);
	expect(errorName(await python.run('1'))).toBe('KernelDied');
});

test('closing a session ends its process and the cell that runs', {tags: 'short'}, async () => {
	await using python = await openPython();
	const running = python.run('while True: pass');
	await python.session.close();
	expect(errorName(await running)).toBe('KernelClosed');
	expect(await processesNaming(python.root)).toEqual([]);
	await expect(python.run('1')).rejects.toThrow('This session is closed.');
});

test('nothing runs on when the service is killed in the middle of endless code', async () => {
	await using python = await openPython();
	const root = join(python.root, 'of-the-parent');
	await mkdir(root);
	const parent = spawn(
		process.execPath,
		[fileURLToPath(new URL('./busy-process.ts', import.meta.url)), root],
		{stdio: ['ignore', 'pipe', 'inherit']},
	);
	await once(createInterface({input: parent.stdout}), 'line');
	parent.kill('SIGKILL');
	await once(parent, 'exit');
	await waitFor(async () => expect(await processesNaming(root)).toEqual([]), {interval: 20});
});

test('Python starts from a fresh snapshot, and without one that is damaged', async () => {
	using temp = tempFolder();
	const snapshot = join(temp.path, 'python.snapshot');
	await makeSnapshot(snapshot);
	expect(await readdir(temp.path)).toEqual(['python.snapshot']);
	await using first = await openPython({snapshot});
	expect(value(await first.run('40 + 2'))).toBe('42');
	await truncate(snapshot, 1_000_000);
	await using second = await openPython({snapshot});
	expect(value(await second.run('40 + 3'))).toBe('43');
});

test('without a snapshot of the program, the first start creates one and later ones use it', async () => {
	using temp = tempFolder();
	const snapshotFolder = join(temp.path, 'cache');
	const options = {snapshot: join(temp.path, 'none'), snapshotFolder};
	await mkdir(snapshotFolder);
	await writeFile(join(snapshotFolder, 'python-0.1.0.snapshot'), 'of an older version');
	await using first = await openPython(options);
	expect(value(await first.run('40 + 2'))).toBe('42');
	const [name = '', ...others] = await readdir(snapshotFolder);
	expect([name.replace(/\d+(\.\d+)*/, 'VERSION'), others]).toEqual(['python-VERSION.snapshot', []]);
	const kept = join(snapshotFolder, name);
	const {mtimeMs, size} = await stat(kept);
	await using second = await openPython(options);
	expect(value(await second.run('40 + 3'))).toBe('43');
	expect((await stat(kept)).mtimeMs).toBe(mtimeMs);
	// A damaged snapshot is removed, and the next process creates a new one.
	await truncate(kept, size / 2);
	await using third = await openPython(options);
	expect(value(await third.run('40 + 4'))).toBe('44');
	expect(await readdir(snapshotFolder)).toEqual([]);
});

test('if no snapshot can be stored, Python starts without, and its code is interrupted', async () => {
	await using python = await openPython({snapshot: '/proc/none', snapshotFolder: '/proc/self'});
	expect(value(await python.run('before = 40\nbefore + 2'))).toBe('42');
	const stop = new AbortController();
	const running = python.session.run("open('begun', 'w').close()\nwhile True: pass", {
		kernel: 'python3',
		signal: stop.signal,
	});
	await waitFor(async () => expect(await readdir(python.root)).toContain('begun'));
	stop.abort();
	expect(errorName((await running).outputs)).toBe('KeyboardInterrupt');
	expect(value(await python.run('before'))).toBe('40');
});

/**
 * Code that opens a file in the server's folder and makes it refer to a file descriptor of the
 * process.
 */
const descriptor = (fd: number): string =>
	`import pyodide_js\nstream = pyodide_js.FS.open('/home/user/file', 'w')\nstream.nfd = ${fd}\n`;

test.each([
	[OUTPUT_FD, 'answers'],
	[REQUEST_FD, 'requests'],
])('code that closes descriptor %i, the channel of %s, ends its kernel, and the next cell runs', async fd => {
	await using python = await openPython();
	const outputs = [
		...(await python.run(`${descriptor(fd)}pyodide_js.FS.close(stream)`)),
		...(await python.run('1')),
		...(await python.run('2')),
	];
	expect(
		outputs.some(({ename, text}) => ename === 'KernelDied' || String(text).includes('kernel died')),
	).toBe(true);
	expect(value(await python.run('6 * 7'))).toBe('42');
});

test('an answer without an end is given up at 64 MiB, and the next cell runs', async () => {
	await using python = await openPython();
	const outputs = await python.run(`${descriptor(OUTPUT_FD)}from pyodide.ffi import to_js
data = to_js(b'x' * (1 << 20))
while True:
    stream.position = None  # no offset: it is a pipe
    try:
        pyodide_js._module.FS.write(stream, data, 0, 1 << 16)
    except Exception:
        pass  # the pipe is full`);
	expect(traceback(outputs)).toContain('it sent a message of more than 64 MiB');
	expect(value(await python.run('6 * 7'))).toBe('42');
});

test('an output that is too large is reported, and costs no kernel', async () => {
	await using python = await openPython();
	const outputs = await python.run(
		"class Large:\n    def _repr_mimebundle_(self, include, exclude): return {'text/plain': 'x'}, {'note': 'n' * (61 << 20)}\nkept = 1\nLarge()",
	);
	expect(printed(outputs, 'stderr')).toBe('… output of 61 MiB dropped: the limit is 60 MiB …\n');
	expect(value(await python.run('kept'))).toBe('1');
});
