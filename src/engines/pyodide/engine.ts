// Entry of the engine process and of its helper thread. May import only files of this folder and
// Pyodide's, since the process may read no others.
import {readFileSync} from 'node:fs';
import {isMainThread, workerData} from 'node:worker_threads';
import type {PyodideAPI} from 'pyodide';
import type {PyCallable, PyProxy} from 'pyodide/ffi';
import {Socket} from 'node:net';
import {sendMessage, sendOutput, flushLate, flushStreams, print, streamSink} from './engine-output.ts';
import {confine, endProcess, lockDown} from './sandbox.ts';
import {openInput} from './input.ts';
import {startInterrupts, watchParent} from './interrupts.ts';
import {splitLines} from './lines.ts';
import {disableNodeCache} from './fresh-nodes.ts';
import {guardProject} from './guard-project.ts';
import {REQUEST_FD, type EngineConfig, type EnginePackages, type Request} from './protocol.ts';

/** Mount point of the server's folder. */
const HOME = '/home/user';

const REASON_LENGTH = 2000;

const die = (error: unknown): never => {
	flushStreams();
	const {status, message} = error as {status?: unknown; message?: unknown};
	sendMessage({
		type: 'died',
		reason:
			typeof status === 'number'
				? `exit code ${status}`
				: String(message ?? error)
						.trim()
						.slice(0, REASON_LENGTH),
	});
	return endProcess();
};

/** Removes what only the start needed (`lockDown`), then accepts requests. */
const acceptRequests = (onRequest: (request: Request) => void): void => {
	const socket = new Socket({fd: REQUEST_FD});
	lockDown();
	socket.on(
		'data',
		splitLines({
			onLine: line => onRequest(JSON.parse(line) as Request),
			limit: Infinity,
			onTooLong: () => undefined,
		}),
	);
	socket.on('error', () => undefined);
};

const startPython = async (
	snapshot: string | null,
	packages: EnginePackages | null = null,
): Promise<PyodideAPI> => {
	const {loadPyodide} = await import('pyodide');
	const py = await loadPyodide({
		stdin: () => null,
		jsglobals: Object.create(null) as object,
		env: {PYTHONHASHSEED: '0'},
		...(snapshot === null ? {} : {_loadSnapshot: readFileSync(snapshot)}),
		// Makes Pyodide search for packages in this folder only, never on the network.
		...(packages === null ? {} : {lockFileURL: packages.lock, packageBaseUrl: packages.folder}),
	});
	// Called if the interpreter cannot continue, because of `os._exit` or a trap in WebAssembly
	// code.
	(py as unknown as {_api: {on_fatal: (error: unknown) => void}})._api.on_fatal = die;
	return py;
};

/** Installs packages into Python's in-memory file system. @throws {Error} with the reasons. */
const installPackages = async (py: PyodideAPI, names: readonly string[]): Promise<void> => {
	const errors: string[] = [];
	await py.loadPackage([...names], {
		messageCallback: () => undefined,
		errorCallback: message => void errors.push(message),
	});
	if (errors.length > 0) throw new Error(errors.join(' '));
};

// The engine's modules are separate from the user's `__main__`. Tracebacks hide frames of `<engine
// …>`.
const LOADER = `
import sys, types
def load(name, source, host):
    module = types.ModuleType(f'engine_{name}')
    module.host = host
    sys.modules[module.__name__] = module
    exec(compile(source, f'<engine {name}>', 'exec'), module.__dict__)
    return module
load
`;

const versionOf = (py: PyodideAPI): string =>
	String(py.runPython('import sys; sys.version.split()[0]', {globals: py.toPy({}) as PyProxy}));

const sourceOf = (name: string): string => readFileSync(new URL(`./${name}.py`, import.meta.url), 'utf8');

const createLoader = (py: PyodideAPI, host: object): ((name: string) => PyProxy) => {
	const loadModule = py.runPython(LOADER, {globals: py.toPy({}) as PyProxy}) as (
		name: string,
		source: string,
		host: object,
	) => PyProxy;
	return name => loadModule(name, sourceOf(name), host);
};

/** @returns the version of Python, like `runCells`. */
const serveLookups = (py: PyodideAPI): string => {
	const ask = createLoader(py, {})('lookup')['ask'] as PyCallable;
	// Called with `callPromising`, because deep recursion raises a Python error only on the stack
	// that it creates.
	const reply = async (request: Request & {type: 'ask'}): Promise<void> =>
		sendMessage({
			type: 'answer',
			id: request.id,
			json: String(await ask.callPromising(request.question, request.argument)),
		});
	acceptRequests(request => {
		if (request.type === 'ask') reply(request).catch(die);
	});
	return versionOf(py);
};

const runCells = async (config: EngineConfig & {root: string}): Promise<string> => {
	let cancelTasks = (): boolean => false;
	const interrupts = await startInterrupts(new URL(import.meta.url), () => cancelTasks());
	const input = openInput();
	confine();
	const {packages = null} = config;
	const py = await startPython(config.snapshot, packages);
	if (packages !== null && packages.names.length > 0) await installPackages(py, packages.names);
	py.FS.mkdirTree(HOME);
	if (config.isProject === true) guardProject(config.root);
	py.mountNodeFS(HOME, config.root);
	disableNodeCache(py);
	const interruptBuffer = {
		get 0() {
			flushLate();
			return interrupts.buffer[0];
		},
		set 0(_zero) {},
	};
	py.setInterruptBuffer(interruptBuffer as unknown as Uint8Array);
	py.setStdout(streamSink('stdout'));
	py.setStderr(streamSink('stderr'));
	const load = createLoader(py, {
		source: sourceOf,
		home: HOME,
		emit: sendOutput,
		again: interrupts.again,
		wait(milliseconds: number) {
			flushStreams();
			interrupts.wait(milliseconds);
		},
		...input,
	});
	load('outputs');
	cancelTasks = load('tasks')['cancel_tasks'] as () => boolean;
	load('figures');
	load('surroundings');
	const python = versionOf(py);
	const runner = load('runner');
	const run = runner['run'] as PyCallable;
	const assist = runner['assist'] as PyCallable;
	// Errors of tasks that are never awaited arrive here. The interpreter can continue.
	process.on('uncaughtException', error => print('stderr', `${error.message}\n`));
	process.on('unhandledRejection', error => print('stderr', `${String(error)}\n`));
	/** Installs packages. Returns false after an error, which was then shown as output. */
	const install = async (wanted: readonly string[]): Promise<boolean> => {
		try {
			await installPackages(py, wanted);
			return true;
		} catch (error) {
			const evalue = error instanceof Error ? error.message : String(error);
			const traceback = [`InstallError: ${evalue}`];
			sendMessage({type: 'output', output: {output_type: 'error', ename: 'InstallError', evalue, traceback}});
			return false;
		}
	};
	const runCell = async ({
		id,
		code,
		stdin,
		uncounted,
		silent,
		packages: wanted,
	}: Request & {type: 'run'}): Promise<void> => {
		input.allow(stdin === true);
		interrupts.begin(id);
		try {
			// `callPromising` lets Python await the event loop: `asyncio.run`, top-level `await`.
			if (wanted === undefined || (await install(wanted)))
				await run.callPromising(code, uncounted !== true, silent === true);
		} catch {
			// Reached only by an interrupt just before or after the user's code.
			sendMessage({
				type: 'output',
				output: {
					output_type: 'error',
					ename: 'KeyboardInterrupt',
					evalue: '',
					traceback: ['KeyboardInterrupt'],
				},
			});
		}
		interrupts.end();
		flushStreams();
		sendMessage({type: 'done', id, executionCount: Number(runner['execution_count'])});
	};
	const assistCode = async ({id, question, argument}: Request & {type: 'assist'}): Promise<void> => {
		interrupts.begin(id);
		let json = 'null';
		try {
			json = String(await assist.callPromising(question, argument));
		} catch {
			// The parent interrupted the request because it took too long.
		}
		interrupts.end();
		flushStreams();
		sendMessage({type: 'answer', id, json});
	};
	acceptRequests(request => {
		if (request.type === 'run') void runCell(request);
		else if (request.type === 'assist') void assistCode(request);
	});
	return python;
};

const start = async (): Promise<void> => {
	const config = JSON.parse(process.argv[2] ?? '{}') as EngineConfig;
	let python: string;
	if (config.root === null) {
		await startInterrupts(new URL(import.meta.url), () => false);
		confine();
		python = serveLookups(await startPython(config.snapshot));
	} else python = await runCells({...config, root: config.root});
	sendMessage({type: 'ready', python});
};

if (isMainThread) await start().catch(die);
else watchParent(workerData as SharedArrayBuffer);
