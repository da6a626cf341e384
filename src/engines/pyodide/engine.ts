// Entry of the engine process (and of its helper thread). Its folder and Pyodide's are all it may read, so it imports nothing from elsewhere.
import {readFileSync} from 'node:fs';
import {isMainThread, workerData} from 'node:worker_threads';
import type {PyodideAPI} from 'pyodide';
import type {PyCallable, PyDict} from 'pyodide/ffi';
import {answer, flushStreams, print, streamSink} from './answers.ts';
import {confine} from './confine.ts';
import {startInterrupts, watchParent} from './interrupts.ts';
import type {EngineConfig, Request} from './protocol.ts';

/** Where the server's folder is mounted. */
const HOME = '/home/user';

const REASON_LENGTH = 2000;

const die = (error: unknown): never => {
	flushStreams();
	const {status, message} = error as {status?: unknown; message?: unknown};
	answer({type: 'died', reason: typeof status === 'number' ? `exit code ${status}` : String(message ?? error).trim().slice(0, REASON_LENGTH)});
	process.kill(process.pid, 'SIGKILL');
	throw error;
};

const load = async (snapshot: string | null): Promise<PyodideAPI> => {
	const {loadPyodide} = await import('pyodide');
	const py = await loadPyodide({
		stdin: () => null,
		jsglobals: Object.create(null) as object,
		env: {PYTHONHASHSEED: '0'},
		...(snapshot === null ? {} : {_loadSnapshot: readFileSync(snapshot)}),
	});
	// The interpreter calls this when it cannot go on: os._exit, a trap in the machine code.
	(py as unknown as {_api: {on_fatal: (error: unknown) => void}})._api.on_fatal = die;
	return py;
};

/** Runs a Python file of ours in a namespace of its own, apart from the user's `__main__`. */
const loadScript = (py: PyodideAPI, name: string, host: object): PyDict => {
	const globals = py.toPy({__name__: name}) as PyDict;
	globals.set('host', host);
	py.runPython(readFileSync(new URL(`./${name}.py`, import.meta.url), 'utf8'), {globals, filename: `<${name}>`});
	return globals;
};

const lookUp = (py: PyodideAPI): void => {
	const ask = loadScript(py, 'lookup', {}).get('ask') as PyCallable;
	process.on('message', (request: Request) => {
		if (request.type === 'ask') answer({type: 'answer', id: request.id, json: String(ask(request.question, request.argument))});
	});
};

const runCells = async (config: EngineConfig & {root: string}): Promise<void> => {
	let cancelTasks: () => void = () => undefined;
	const interrupts = await startInterrupts(new URL(import.meta.url), () => cancelTasks());
	confine();
	const py = await load(config.snapshot);
	py.FS.mkdirTree(HOME);
	py.mountNodeFS(HOME, config.root);
	py.setInterruptBuffer(interrupts.buffer);
	py.setStdout(streamSink('stdout'));
	py.setStderr(streamSink('stderr'));
	const runner = loadScript(py, 'runner', {
		home: HOME,
		emit(json: string) {
			flushStreams();
			answer({type: 'output', json});
		},
		wait(milliseconds: number) {
			flushStreams();
			interrupts.wait(milliseconds);
		},
	});
	const run = runner.get('run') as PyCallable;
	cancelTasks = runner.get('cancel_tasks') as () => void;
	// Errors of tasks that nobody awaits end here; the interpreter is well.
	process.on('uncaughtException', error => print('stderr', `${error.message}\n`));
	process.on('unhandledRejection', error => print('stderr', `${String(error)}\n`));
	const runCell = async (id: number, code: string): Promise<void> => {
		interrupts.begin(id);
		try {
			// callPromising lets Python wait for the event loop in the middle of a call: asyncio.run, top-level await.
			await run.callPromising(code);
		} catch {
			// Only an interrupt before the user's code or after it comes here.
			answer({type: 'output', json: JSON.stringify({output_type: 'error', ename: 'KeyboardInterrupt', evalue: '', traceback: ['KeyboardInterrupt']})});
		}
		interrupts.end();
		flushStreams();
		answer({type: 'done', id, executionCount: Number(runner.get('execution_count'))});
	};
	process.on('message', (request: Request) => {
		if (request.type === 'run') void runCell(request.id, request.code);
	});
};

const start = async (): Promise<void> => {
	const config = JSON.parse(process.argv[2] ?? '{}') as EngineConfig;
	if (config.root === null) {
		await startInterrupts(new URL(import.meta.url), () => undefined);
		confine();
		lookUp(await load(config.snapshot));
	} else await runCells({...config, root: config.root});
	answer({type: 'ready'});
};

if (isMainThread) await start().catch(die);
else watchParent(workerData as SharedArrayBuffer);
