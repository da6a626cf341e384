import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {makeSnapshot} from '../../../src/engines/pyodide/snapshot.ts';
import {errorName, openPython, printed, traceback, value} from './python.ts';

/** Ids of the processes that name a folder among their arguments. */
const processesNaming = async (folder: string): Promise<readonly string[]> => {
	const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name) && name !== String(process.pid));
	const commands = await Promise.all(ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
	return ids.filter((_, index) => commands[index]?.includes(folder));
};

test.each([
	['os._exit', 'import os; os._exit(3)', 'exit code 3'],
	['a crash of the interpreter', 'import ctypes; ctypes.string_at(0xFFFFFFF0, 64)', 'memory access out of bounds'],
])('after %s the cell says that the kernel died, and the next one runs', async (_, code, reason) => {
	await using python = await openPython();
	await python.run("lost = 1\nopen('kept.txt', 'w').close()");
	const died = await python.session.run(`print('last words')\n${code}`, {kernel: 'python3'});
	expect(died.execution_count).toBe(2);
	expect(printed(died.outputs)).toMatch(/^last words\n/);
	expect(errorName(died.outputs)).toBe('KernelDied');
	expect(traceback(died.outputs)).toBe(`KernelDied: The Python kernel died (${reason}) and was started again: its names are lost, files are kept.`);
	const next = await python.session.run("import os; 'lost' in globals(), os.listdir()", {kernel: 'python3'});
	expect([next.execution_count, value(next.outputs)]).toEqual([1, "(False, ['kept.txt'])"]);
});

test('a kernel that died between two cells says so in the second', async () => {
	await using python = await openPython();
	const before = await processesNaming(python.root);
	await python.run('import asyncio, os\nasync def leave():\n    await asyncio.sleep(0.05)\n    os._exit(4)\ntask = asyncio.create_task(leave())');
	await vi.waitFor(async () => expect([[], before]).not.toContainEqual(await processesNaming(python.root)), {timeout: 10_000});
	const outputs = await python.run('1 + 1');
	expect(printed(outputs, 'stderr')).toBe('The Python kernel died (exit code 4) and was started again: its names are lost, files are kept.\n');
	expect(value(outputs)).toBe('2');
});

test('a session whose folder is gone ends with a sentence', async () => {
	await using python = await openPython();
	await rm(python.root, {recursive: true});
	expect(errorName(await python.run('import os; os._exit(1)'))).toBe('KernelDied');
	expect(await python.session.ended).toBe('Python cannot be started any more (the folder of the server is gone).');
	expect(errorName(await python.run('1'))).toBe('KernelDied');
});

test('closing a session ends its process and the cell that runs', async () => {
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
	const parent = spawn(process.execPath, [fileURLToPath(new URL('busy-process.ts', import.meta.url)), root], {stdio: ['ignore', 'pipe', 'inherit']});
	await once(createInterface({input: parent.stdout}), 'line');
	parent.kill('SIGKILL');
	await once(parent, 'exit');
	await vi.waitFor(async () => expect(await processesNaming(root)).toEqual([]), {timeout: 3000, interval: 20});
});

test('Python starts from a fresh snapshot, and without one that is damaged', async () => {
	await using first = await openPython();
	const snapshot = join(first.root, 'python.snapshot');
	await makeSnapshot(snapshot);
	expect(await readdir(first.root)).toEqual(['python.snapshot']);
	await using second = await openPython({snapshot});
	expect(value(await second.run('40 + 2'))).toBe('42');
	await writeFile(snapshot, (await readFile(snapshot)).subarray(0, 1_000_000));
	await using third = await openPython({snapshot});
	expect(value(await third.run('40 + 3'))).toBe('43');
});
