import {mkdtemp, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {errorName, openPython, printed, traceback, value, type Python} from './python.ts';

/** Runs JavaScript the way code leaves Python: through the constructor of a function. */
const escape = (python: Python, javascript: string): ReturnType<Python['run']> =>
	python.run(`from pyodide.ffi import to_js\nto_js([1]).constructor.constructor(${JSON.stringify(`return ${javascript}`)})()`);

test('Python sees no file of the machine outside its folder', async () => {
	await using python = await openPython();
	expect(errorName(await python.run("open('/etc/passwd')"))).toBe('FileNotFoundError');
	expect(errorName(await python.run("import os; os.listdir('../../work')"))).toBe('FileNotFoundError');
	expect(errorName(await python.run("import pyodide_js; pyodide_js.mountNodeFS('/host', '/')"))).toBe('JsException');
});

test('links do not lead out of the folder', async () => {
	await using python = await openPython();
	const outside = await mkdtemp(join(tmpdir(), 'svc-tui-outside-'));
	await using cleaner = new AsyncDisposableStack();
	cleaner.defer(() => rm(outside, {recursive: true}));
	await writeFile(join(outside, 'secret.txt'), 'secret');
	await symlink(outside, join(python.root, 'link'));
	expect(errorName(await python.run("open('link/secret.txt').read()"))).toBe('FileNotFoundError');
	expect(errorName(await python.run("import os; os.symlink('/etc', 'mine')"))).toBe('PermissionError');
	expect(value(await python.run('os.listdir()'))).toBe("['link']");
});

test('code that leaves Python is refused files, programs, threads and the environment', async () => {
	await using python = await openPython();
	const code = (javascript: string): string => `(() => { try { return String(${javascript}) } catch (error) { return error.code } })()`;
	for (const javascript of [
		"process.getBuiltinModule('fs').readFileSync('/etc/passwd')",
		"process.getBuiltinModule('fs').writeFileSync('/tmp/svc-tui-escaped', '')",
		"process.getBuiltinModule('child_process').execSync('id')",
		"new (process.getBuiltinModule('worker_threads').Worker)('1', {eval: true, execArgv: []})",
	]) expect([javascript, value(await escape(python, code(javascript)))]).toEqual([javascript, "'ERR_ACCESS_DENIED'"]);
	expect(value(await escape(python, "Object.keys(process.env).filter(name => name !== 'TZ').join()"))).toBe("''");
});

test('os.system runs nothing and says so', async () => {
	await using python = await openPython();
	const outputs = await python.run("import os; os.system('echo > out.txt'), os.listdir()");
	expect(value(outputs)).toBe('(32256, [])');
	expect(printed(outputs, 'stderr')).toContain('there is no shell here');
	const below = await python.run("import ctypes; ctypes.CDLL(None).system(b'echo > out.txt'), os.listdir()");
	expect(value(below)).toBe('(32256, [])');
});

test('a traceback names no path of this machine', async () => {
	await using python = await openPython();
	const outputs = await escape(python, "process.getBuiltinModule('fs').readFileSync('/etc/passwd')");
	expect(errorName(outputs)).toBe('JsException');
	expect(traceback(outputs)).not.toMatch(/file:|node:|\.asm\./);
});
