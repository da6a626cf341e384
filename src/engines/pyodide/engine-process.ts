import {fork, type ChildProcess} from 'node:child_process';
import type {Writable} from 'node:stream';
import {ENTRY, PROGRAM_FOLDERS} from './installation.ts';
import {ANSWER_FD, INTERRUPT_FD, type Answer, type EngineConfig, type Request} from './protocol.ts';

// A cold start takes two seconds on an idle machine.
const START_LIMIT_MS = 60_000;
const DIAGNOSIS_LENGTH = 2000;
const NEWLINE = 10;

type Outcome = Extract<Answer, {type: 'done' | 'answer'}>;

/** One running interpreter. */
export type EngineProcess = {
	/** @throws {Error} with the reason, when the process ends before it answers. */
	request(request: Request): Promise<Outcome>;
	interrupt(id: number): void;
	/** Resolves with the reason when the process has ended. */
	readonly exited: Promise<string>;
	kill(): Promise<void>;
};

/** Calls back with each line; the lines are JSON, whose strings may hold other line ends (U+2028), so that `readline` would cut them. */
const splitLines = (onLine: (line: string) => void): ((chunk: Buffer) => void) => {
	let rest: Buffer[] = [];
	return chunk => {
		let start = 0;
		for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
			const piece = chunk.subarray(start, end);
			onLine(rest.length === 0 ? piece.toString() : Buffer.concat([...rest, piece]).toString());
			rest = [];
			start = end + 1;
		}
		if (start < chunk.length) rest.push(chunk.subarray(start));
	};
};

const spawn = (config: EngineConfig, {signal, zone}: StartOptions): ChildProcess => {
	const readable = [...PROGRAM_FOLDERS, ...(config.snapshot === null ? [] : [config.snapshot]), ...(config.root === null ? [] : [config.root])];
	return fork(ENTRY, [JSON.stringify(config)], {
		execArgv: [
			'--disable-warning=SecurityWarning',
			'--permission',
			'--allow-worker',
			...readable.map(path => `--allow-fs-read=${path}`),
			...(config.root === null ? [] : [`--allow-fs-write=${config.root}`]),
		],
		// Nothing of our environment reaches the code, the API key least of all. The machine's own time zone the child finds by itself:
		// to ask Intl for it here would cost the service 7 MB.
		env: zone === undefined ? {} : {TZ: zone},
		stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
		// A process group of its own: Ctrl-C and Ctrl-Z of the terminal are not for it.
		detached: true,
		signal,
		killSignal: 'SIGKILL',
	});
};

export type StartOptions = {
	/** Ends the process, also while it starts. */
	readonly signal: AbortSignal;
	/** Called with what the code prints and shows. */
	readonly onAnswer?: (answer: Answer) => void;
	/** Time zone, as in `TZ`, where it is not the machine's own. */
	readonly zone?: string | undefined;
};

/** Starts an interpreter; resolves when it can run code. @throws {Error} with the reason. */
export const startEngineProcess = async (config: EngineConfig, options: StartOptions): Promise<EngineProcess> => {
	const {onAnswer} = options;
	const child = spawn(config, options);
	const waiting = new Map<number, {resolve: (outcome: Outcome) => void; reject: (error: Error) => void}>();
	const ready = Promise.withResolvers<undefined>();
	const exited = Promise.withResolvers<string>();
	let reason: string | null = null;
	let diagnosis = '';

	const receive = (answer: Answer): void => {
		if (answer.type === 'ready') ready.resolve(undefined);
		else if (answer.type === 'died') reason = answer.reason;
		else if (answer.type === 'done' || answer.type === 'answer') {
			waiting.get(answer.id)?.resolve(answer);
			waiting.delete(answer.id);
		} else onAnswer?.(answer);
	};
	const end = (status: string): void => {
		const sentence = reason ?? status;
		ready.reject(new Error(diagnosis === '' ? sentence : `${sentence}: ${diagnosis.trim()}`));
		for (const {reject} of waiting.values()) reject(new Error(sentence));
		waiting.clear();
		exited.resolve(sentence);
	};
	const onLine = (line: string): void => {
		try {
			receive(JSON.parse(line) as Answer);
		} catch {
			// Code that left Python could write here; nothing it says can be trusted any more.
			reason ??= 'it sent what is no answer';
			child.kill('SIGKILL');
		}
	};
	child.stdio[ANSWER_FD]?.on('data', splitLines(onLine)).on('error', () => undefined);
	child.stdio[INTERRUPT_FD]?.on('error', () => undefined);
	child.stderr?.on('data', (chunk: Buffer) => {
		diagnosis = (diagnosis + chunk.toString()).slice(-DIAGNOSIS_LENGTH);
	});
	child.on('error', error => {
		reason ??= error.message;
		if (child.pid === undefined) end('');
	});
	// 'close' comes after the last answer has been read, 'exit' may come before.
	child.on('close', (code, signalName) => end(signalName === null ? `exit code ${code}` : `signal ${signalName}`));

	const limit = setTimeout(() => {
		reason ??= `it did not start within ${START_LIMIT_MS / 1000} seconds`;
		child.kill('SIGKILL');
	}, START_LIMIT_MS);
	try {
		await ready.promise;
	} finally {
		clearTimeout(limit);
	}
	return {
		request: request =>
			new Promise((resolve, reject) => {
				waiting.set(request.id, {resolve, reject});
				child.send(request, error => {
					// The end of the process says more than a broken channel.
					if (error !== null) void exited.promise.then(sentence => reject(new Error(sentence)));
				});
			}),
		interrupt(id) {
			const bytes = Buffer.alloc(4);
			bytes.writeInt32LE(id);
			(child.stdio[INTERRUPT_FD] as Writable | null)?.write(bytes);
		},
		exited: exited.promise,
		async kill() {
			child.kill('SIGKILL');
			await exited.promise;
		},
	};
};
