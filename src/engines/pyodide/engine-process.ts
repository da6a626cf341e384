import {spawn as spawnProcess, type ChildProcess} from 'node:child_process';
import type {Writable} from 'node:stream';
import {parseExact} from '../../text/exact-json.ts';
import {createGcTrigger} from '../../machine/gc.ts';
import {lowerPriorityOf} from '../../machine/lower-priority.ts';
import {ENTRY, PROGRAM_FOLDERS} from './installation.ts';
import {splitLines} from './lines.ts';
import {
	OUTPUT_FD,
	MESSAGE_LIMIT,
	INPUT_FD,
	INTERRUPT_FD,
	REQUEST_FD,
	type EngineMessage,
	type EngineConfig,
	type Request,
} from './protocol.ts';

// A cold start takes two seconds on an idle machine, and longer on a busy one.
const START_LIMIT_MS = 60_000;
const DIAGNOSIS_LENGTH = 2000;

type Outcome = Extract<EngineMessage, {type: 'done' | 'answer'}>;

export type EngineProcess = {
	/** Version of Python. */
	readonly python: string;
	readonly pid: number | undefined;
	/** @throws {Error} with the reason if the process ends first. */
	request(request: Request): Promise<Outcome>;
	interrupt(id: number): void;
	/** Sends the user's input for the input request with this number. */
	input(number: number, text: string): void;
	/** Resolves with the reason when the process has ended. */
	readonly exited: Promise<string>;
	kill(): Promise<void>;
};

/**
 * Restricts the process from its start. Disallowing code generation from strings prevents code that
 * escapes from Python from running JavaScript of its own.
 * Stack sizes: Python limits its own stack depth, but deep recursion (`json.dumps` of 100,000
 * nested lists) exceeded V8's default of 1 MB first, which crashes the interpreter. Stack memory is
 * reserved, not used. Python runs on stacks that V8 creates. `--stack-size` also limits the
 * process's main stack, which may be smaller.
 */
export const SANDBOX_FLAGS = [
	'--disable-sigusr1',
	'--disallow-code-generation-from-strings',
	'--no-experimental-sqlite',
	'--no-addons',
	'--no-experimental-websocket',
	'--stack-size=262144',
	'--wasm-stack-switching-stack-size=262144',
] as const;

/**
 * Number of WebAssembly bytes that a function executes before V8 optimises it: three times V8's
 * default. With the default, a third of the CPU time of a start was spent on optimising functions
 * that only the start uses. Long computations do not get slower.
 */
const TIERING_BUDGET = '--wasm-tiering-budget=40000000';

const spawn = (config: EngineConfig, {signal, zone}: StartOptions): ChildProcess => {
	const readable = [
		...PROGRAM_FOLDERS,
		...(config.snapshot === null ? [] : [config.snapshot]),
		...(config.root === null ? [] : [config.root]),
		...(config.packages ? [config.packages.folder, config.packages.lock] : []),
	];
	const flags = [
		...SANDBOX_FLAGS,
		TIERING_BUDGET,
		'--disable-warning=SecurityWarning',
		'--permission',
		'--allow-worker',
		...readable.map(path => `--allow-fs-read=${path}`),
		...(config.root === null ? [] : [`--allow-fs-write=${config.root}`]),
	];
	return spawnProcess(process.execPath, [...flags, ENTRY, JSON.stringify(config)], {
		// Passes no environment variables, because one may contain the API key. Without `zone`, the
		// child determines the time zone itself, because Intl would take 7 MB in this process.
		env: zone === undefined ? {} : {TZ: zone},
		stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
		// A separate process group does not receive the terminal's Ctrl-C and Ctrl-Z.
		detached: true,
		signal,
		killSignal: 'SIGKILL',
	});
};

export type StartOptions = {
	/** Aborting kills the process, even while it is starting. */
	readonly signal: AbortSignal;
	/** Called with outputs and input requests. */
	readonly onMessage?: (answer: EngineMessage) => void;
	/**
	 * Time zone in the form of `TZ`. If undefined, the process determines the machine's time zone
	 * itself.
	 */
	readonly zone?: string | undefined;
	/** True if other users share the machine. The process then runs with a lower priority. */
	readonly isShared?: boolean | undefined;
};

/** Starts a Python interpreter. Resolves once it can run code. @throws {Error} with the reason. */
export const startEngineProcess = async (
	config: EngineConfig,
	options: StartOptions,
): Promise<EngineProcess> => {
	const {onMessage} = options;
	const child = spawn(config, options);
	if (options.isShared === true) lowerPriorityOf(child.pid);
	// The cast is needed because Node's type has only five descriptors. The same applies to
	// `inputs`.
	const requests = (child.stdio as readonly unknown[])[REQUEST_FD] as Writable;
	const waiting = new Map<number, {resolve: (outcome: Outcome) => void; reject: (error: Error) => void}>();
	const ready = Promise.withResolvers<string>();
	const exited = Promise.withResolvers<string>();
	let reason: string | null = null;
	let diagnosis = '';

	const receive = (answer: EngineMessage): void => {
		if (answer.type === 'ready') ready.resolve(answer.python);
		else if (answer.type === 'died') reason = answer.reason;
		else if (answer.type === 'done' || answer.type === 'answer') {
			waiting.get(answer.id)?.resolve(answer);
			waiting.delete(answer.id);
		} else onMessage?.(answer);
	};
	const end = (status: string): void => {
		const sentence = reason ?? status;
		ready.reject(new Error(diagnosis === '' ? sentence : `${sentence}: ${diagnosis.trim()}`));
		for (const {reject} of waiting.values()) reject(new Error(sentence));
		waiting.clear();
		exited.resolve(sentence);
	};
	/** Kills a process that sends invalid messages, since its code may have escaped from Python. */
	const distrust = (sentence: string): void => {
		reason ??= sentence;
		child.kill('SIGKILL');
	};
	const onLine = (line: string): void => {
		try {
			receive(parseExact(line) as EngineMessage);
		} catch {
			distrust('it sent an invalid message');
		}
	};
	const readAnswers = splitLines({
		onLine,
		limit: MESSAGE_LIMIT,
		onTooLong: () => distrust(`it sent a message of more than ${MESSAGE_LIMIT >> 20} MiB`),
	});
	const clear = createGcTrigger();
	child.stdio[OUTPUT_FD]?.on('data', (chunk: Buffer) => {
		clear(chunk.length);
		readAnswers(chunk);
	}).on('error', () => undefined);
	// The process is useless without either channel, so it is killed. If it has already ended, its
	// end is reported with the reason.
	for (const stream of [child.stdio[OUTPUT_FD], requests]) stream?.on('close', () => child.kill('SIGKILL'));
	requests.on('error', () => undefined);
	const inputs = (child.stdio as readonly unknown[])[INPUT_FD] as Writable;
	for (const stream of [child.stdio[INTERRUPT_FD], inputs]) stream?.on('error', () => undefined);
	child.stderr?.on('data', (chunk: Buffer) => {
		diagnosis = (diagnosis + chunk.toString()).slice(-DIAGNOSIS_LENGTH);
	});
	child.on('error', error => {
		reason ??= error.message;
		if (child.pid === undefined) end('');
	});
	// Node emits 'close' after the last message, but 'exit' possibly before it.
	child.on('close', (code, signalName) =>
		end(signalName === null ? `exit code ${code}` : `signal ${signalName}`),
	);

	const limit = setTimeout(() => {
		reason ??= `it did not start within ${START_LIMIT_MS / 1000} seconds`;
		child.kill('SIGKILL');
	}, START_LIMIT_MS);
	let python: string;
	try {
		python = await ready.promise;
	} finally {
		clearTimeout(limit);
	}
	return {
		python,
		pid: child.pid,
		request: request =>
			new Promise((resolve, reject) => {
				waiting.set(request.id, {resolve, reject});
				requests.write(`${JSON.stringify(request)}\n`, error => {
					// Waits for the end of the process, which gives a better reason than the broken
					// channel.
					if (error) void exited.promise.then(sentence => reject(new Error(sentence)));
				});
			}),
		interrupt(id) {
			const bytes = Buffer.alloc(4);
			bytes.writeInt32LE(id);
			(child.stdio[INTERRUPT_FD] as Writable | null)?.write(bytes);
		},
		input: (number, text) => void inputs.write(`${JSON.stringify({number, text})}\n`),
		exited: exited.promise,
		async kill() {
			child.kill('SIGKILL');
			await exited.promise;
		},
	};
};
