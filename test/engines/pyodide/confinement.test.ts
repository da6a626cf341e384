import {execFile} from 'node:child_process';
import {mkdtemp, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {SANDBOX_FLAGS} from '../../../src/engines/pyodide/engine-process.ts';
import {errorName, openPython, printed, traceback, value} from './python.ts';

test('Python sees no file of the machine outside its folder', {tags: 'long'}, async () => {
	await using python = await openPython();
	expect(errorName(await python.run("open('/etc/passwd')"))).toBe('FileNotFoundError');
	expect(errorName(await python.run("import os; os.listdir('../../work')"))).toBe('FileNotFoundError');
	expect(errorName(await python.run("import pyodide_js; pyodide_js.mountNodeFS('/host', '/')"))).toBe(
		'JsException',
	);
});

test('links do not lead out of the folder', {tags: 'long'}, async () => {
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

test('Python cannot write JavaScript, by any of the ways that lead out of it', async () => {
	await using python = await openPython();
	const ways = [
		["from pyodide.code import run_js; run_js('1')", 'ImportError'],
		['import js; js.process', 'AttributeError'],
		['import js; js.eval', 'AttributeError'],
		['import js; js.fetch', 'AttributeError'],
		["to_js([1]).constructor.constructor('return 1')()", 'JsException'],
		["pyodide_js.runPython.constructor('return 1')()", 'JsException'],
		["type(pyodide_js).__name__, pyodide_js.runPythonAsync.constructor('return 1')()", 'JsException'],
		["pyodide_js._module.ccall.constructor('return 1')()", 'JsException'],
		["await pyodide_js._api.loadBinaryFile('http://127.0.0.1:9/')", 'JsException'],
		["import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')", 'URLError'],
		["import subprocess; subprocess.run(['id'])", 'OSError'],
		['import os; os.fork()', 'OSError'],
		['import os; os.kill(1, 10)', 'PermissionError'],
		["open('/proc/self/environ')", 'FileNotFoundError'],
		[
			"pyodide_js.FS.mount(pyodide_js.FS.filesystems.NODEFS, to_js({'root': '/'}, dict_converter=dict), '/mnt')",
			'SystemError',
		],
		["import ctypes; ctypes.CDLL('/etc/passwd')", 'OSError'],
		["import ctypes; ctypes.CDLL(None).emscripten_run_script(b'1')", 'KernelDied'],
	] as const;
	const results: unknown[] = [];
	for (const [way] of ways)
		results.push([
			way,
			errorName(await python.run(`import pyodide_js\nfrom pyodide.ffi import to_js\n${way}`)),
		]);
	expect(results).toEqual(ways);
});

/** Attempts to leave the sandbox that need JavaScript, because Python cannot express them. */
const WAYS_OUT = [
	"process.getBuiltinModule('node:sqlite')",
	"require('node:sqlite')",
	"import('node:sqlite')",
	"import('node:v8')",
	"import('node:net')",
	"import('node:http')",
	"import('node:dgram')",
	"import('node:dns')",
	"import('node:inspector')",
	"import('node:vm')",
	"import('node:worker_threads')",
	"import('node:module')",
	"import('node:os')",
	"import('node:wasi')",
	"import('node:fs')",
	"import('data:text/javascript,1')",
	"import('./engine.js')",
	"process.mainModule.require('fs')",
	"globalThis.module.constructor._load('fs')",
	"process.binding('fs')",
	"process._linkedBinding('fs')",
	"process.dlopen({exports: {}}, '/x.node')",
	"process.execve('/bin/true')",
	'process.reallyExit(0)',
	'process.kill(process.ppid, 0)',
	'process._kill(1, 0)',
	'process._debugProcess(1)',
	'process._debugEnd(1)',
	'process.setuid(0)',
	'process.setgid(0)',
	'process.setgroups([])',
	"process.chdir('/')",
	'process.umask(0)',
	'process.report.writeReport()',
	'process.report.getReport()',
	"process.loadEnvFile('/x')",
	"process.permission.has('fs.read')",
	"process.send('x')",
	'process.disconnect()',
	'process.channel.fd',
	'process._getActiveHandles()[0].fd',
	'process.stdin.fd',
	'process.stderr.constructor.name',
	'process.openStdin()',
	'process.setUncaughtExceptionCaptureCallback(() => 1)',
	"process.constructor.constructor('return process')().kill(1, 0)",
	'process.env.PATH.length',
	'process.argv[1].length',
	'process.execPath.length',
	'process.cwd()',
	"process.emit('x').length.x.y",
	"process.on('worker', () => 1).kill(1, 0)",
	"fetch('http://127.0.0.1:9')",
	"new WebSocket('ws://127.0.0.1:9')",
	"new EventSource('http://127.0.0.1:9')",
	"new BroadcastChannel('x').name",
	"new Worker('1')",
	'new XMLHttpRequest()',
	'navigator.userAgent',
	'console._stderr.fd',
	'console._stdout.fd',
	"console.constructor('return process')().kill(1, 0)",
	"new SharedWorker('1')",
	'localStorage.x.y',
	'global.process.kill(1, 0)',
	'module.exports',
	'__filename',
] as const;

test('JavaScript finds no module, signal, environment, network or channel in any way', async () => {
	const entry = fileURLToPath(new URL('./locked-process.ts', import.meta.url));
	const folders = [dirname(entry), fileURLToPath(new URL('../../../src/engines', import.meta.url))];
	const flags = [
		...SANDBOX_FLAGS.filter(flag => flag !== '--disallow-code-generation-from-strings'),
		'--permission',
		'--allow-worker',
		...folders.map(folder => `--allow-fs-read=${folder}`),
	];
	const {stdout} = await promisify(execFile)(process.execPath, [...flags, entry, JSON.stringify(WAYS_OUT)], {
		env: {SECRET: 'sesame'},
	});
	const results = JSON.parse(stdout) as readonly string[];
	expect(results).toHaveLength(WAYS_OUT.length);
	expect(WAYS_OUT.filter((_, index) => !results[index]?.startsWith('closed: '))).toEqual([]);
	expect(stdout).not.toContain('sesame');
});

test('the argument list and the environment of the process hold no key', async () => {
	await using python = await openPython();
	expect(value(await python.run('import os, sys; sorted(os.environ), sys.argv'))).toBe(
		"(['HOME', 'LANG', 'LOGNAME', 'MPLBACKEND', 'PWD', 'PYTHONHASHSEED', 'USER'], [''])",
	);
});

test('os.system runs nothing and reports that', {tags: 'long'}, async () => {
	await using python = await openPython();
	const outputs = await python.run("import os; os.system('echo > out.txt'), os.listdir()");
	expect(value(outputs)).toBe('(32256, [])');
	expect(printed(outputs, 'stderr')).toContain('there is no shell here');
	const below = await python.run("import ctypes; ctypes.CDLL(None).system(b'echo > out.txt'), os.listdir()");
	expect(value(below)).toBe('(32256, [])');
});

test('a traceback names no path of this machine', {tags: 'long'}, async () => {
	await using python = await openPython();
	const outputs = await python.run("import pyodide_js; pyodide_js.FS.readFile('/nowhere')");
	expect(errorName(outputs)).toBe('JsException');
	expect(traceback(outputs)).not.toMatch(/file:|node:|\.asm\./);
});
