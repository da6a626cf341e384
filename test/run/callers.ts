// The callers that run code. The test controls the link and the service of each.
import type {Command} from 'commander';
import {createClient} from '../../src/api/client.ts';
import type {Client, Live, LiveCell, LiveOutcome, InputRequest} from '../../src/api/client-types.ts';
import type {Failure, Reply} from '../../src/api/failure.ts';
import type {CommandError} from '../../src/cli/command-error.ts';
import type {Context, Sink} from '../../src/cli/context.ts';
import {createNotebookRuns} from '../../src/cli/mcp/notebook-runs.ts';
import {RUN_TOOLS} from '../../src/cli/mcp/run-tools.ts';
import type {Call} from '../../src/cli/mcp/tool.ts';
import {runNotebook} from '../../src/cli/run/notebook.ts';
import {runCode} from '../../src/cli/run/run.ts';
import type {CellOutput, ExecutedCell} from '../../src/contract/cells.ts';
import type {OutputSink} from '../../src/kernel/output-buffer.ts';
import {LOCAL_PROFILE} from '../../src/settings/profile.ts';
import {createEditor} from '../../src/text/editor/editor.ts';
import {createStore} from '../../src/tui/create-store.ts';
import type {Store} from '../../src/tui/core/program.ts';
import {keyOf, textFile} from '../../src/tui/files/content.ts';
import type {OpenNotebook} from '../../src/tui/notebook/open-notebook.ts';
import {EMPTY_REPL} from '../../src/tui/repl/transcript.ts';
import {type Cell} from '../../src/tui/cells/cell.ts';
import {createStepExecutor} from '../../src/work/step-executor.ts';
import {ready, server} from '../support/factories.ts';
import {textOf} from '../support/open-notebook.ts';
import {plainCell, unaskedFiles, unaskedKernels} from '../support/unasked-link.ts';
import {replSession} from '../../src/tui/repl/session.ts';
import {fileViewer} from '../../src/tui/files/viewer/open-file.ts';
import {notebookOpening} from '../../src/tui/notebook/open.ts';
import {notebookList} from '../../src/tui/notebook/notebooks.ts';

/** A cell that was sent over the link. */
export type Sent = {
	readonly code: string;
	print(text: string): void;
	raise(ename: string): void;
	ask(question: InputRequest): void;
	end(end: LiveOutcome): void;
	/** Outcome of each request for input. `may not`: the caller cannot ask a user. */
	readonly answered: readonly string[];
	readonly interrupts: number;
};

const failureOf = (kind: Failure['kind'], message: string): Failure => ({
	kind,
	method: 'POST',
	path: '/api/servers/s/run-code',
	message,
});
export const CUT = failureOf('connection-lost', 'The connection broke.');

const executed = (source: string, outputs: readonly CellOutput[]): ExecutedCell => ({
	cell_type: 'code',
	execution_count: 1,
	metadata: {},
	source,
	outputs: [...outputs],
});

/** Waits until all pending work has advanced. */
export const turns = async (): Promise<void> => {
	for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
};

/**
 * `hasLink`: the server's address responds as Jupyter. `hasKernel`: the link has the kernel.
 * `holds`: the service responds only when the test allows it.
 */
export type WorldOptions = {
	readonly hasLink?: boolean;
	readonly hasKernel?: boolean;
	readonly isLocal?: boolean;
	readonly service?: 'answers' | 'fails' | 'holds';
};

export const createWorld = ({
	hasLink = true,
	hasKernel = true,
	isLocal = false,
	service = 'answers',
}: WorldOptions = {}) => {
	const sent: Sent[] = [];
	/** Route that each piece of code took, in order. */
	const ways: string[] = [];
	let lists = 0;
	const run: Live['run'] = async (code, _session, onChange, _record, how) => {
		if (!hasKernel) return null;
		ways.push('link');
		const outputs: CellOutput[] = [];
		const {promise, resolve} = Promise.withResolvers<LiveOutcome>();
		const taker: OutputSink | undefined = how?.taker;
		let question: InputRequest | null = null;
		const answered: string[] = [];
		const cell = {
			code,
			answered,
			interrupts: 0,
			print(text: string) {
				outputs.push({output_type: 'stream', name: 'stdout', text});
				taker?.addText('stdout', text);
				onChange();
			},
			raise(ename: string) {
				const output = {output_type: 'error', ename, evalue: '', traceback: []};
				outputs.push(output);
				taker?.add(output);
				onChange();
			},
			ask(asked: InputRequest) {
				if (how?.answers === false) return void answered.push('may not');
				question = asked;
				onChange();
			},
			end: resolve,
		};
		sent.push(cell);
		const live: LiveCell = {
			...plainCell,
			ended: promise,
			now: () => executed(code, outputs),
			interrupt: () => void cell.interrupts++,
			asks: () => question,
			answer(text) {
				question = null;
				answered.push(text);
			},
		};
		return live;
	};
	const live = {run, kernels: unaskedKernels, files: unaskedFiles, close() {}} as unknown as Live;
	const overService: Client['runCode'] = async (_server, {code}, options) => {
		ways.push('service');
		const cancelled = {ok: false, failure: failureOf('cancelled', 'Cancelled.')} as const;
		const {signal} = options ?? {};
		if (signal?.aborted) return cancelled;
		if (service === 'fails') return {ok: false, failure: failureOf('server', 'It failed.')};
		if (service === 'answers')
			return {
				ok: true,
				value: executed(code, [{output_type: 'stream', name: 'stdout', text: 'from the service\n'}]),
			};
		return new Promise<Reply<ExecutedCell>>(resolve =>
			signal?.addEventListener('abort', () => resolve(cancelled)),
		);
	};
	const file = (path: string) => textFile(path, textOf('a', 'b'));
	const client: Client = {
		...createClient({baseUrl: 'http://127.0.0.1:9', apiKey: 'key'}),
		async servers() {
			lists++;
			const items = [server({name: 's'})];
			return {ok: true, value: {items, unreadable: 0, raw: items}};
		},
		live: async () => (hasLink ? {live} : {says: 'its address does not respond'}),
		runCode: overService,
		getFile: async (_, path) => ({ok: true, value: file(path)}),
		getTaggedFile: async (_, path) => ({ok: true, value: {entry: file(path), tag: null}}),
	};
	return {sent, ways, client, live: hasLink ? live : null, isLocal, lists: () => lists};
};
export type World = ReturnType<typeof createWorld>;

export type End = 'done' | 'raised' | 'kernel died' | 'interrupted' | 'gave up' | 'failed';

/** Code that a caller has started. */
export type Driven = {
	/** Stops the code in the way that a user of this caller would. */
	stop(): void;
	/** Types a line if the code waits for input. */
	answer(text: string): void;
	/**
	 * The outcome; null while the code runs. `stopped`: the caller does not report whether the code
	 * has ended.
	 */
	end(): End | 'stopped' | null;
	/** Text that the caller has shown, printed or returned. */
	shown(): string;
	/**
	 * True if the caller considers its list of servers outdated. Always false for a caller without
	 * a list.
	 */
	doubts(): boolean;
};

const streamsOf = (cell: ExecutedCell | null | undefined): string =>
	(cell?.outputs ?? []).map(({text}) => (typeof text === 'string' ? text : '')).join('');

const storeIn = ({client, isLocal}: World): Store => {
	const store = createStore({
		client: async () => client,
		facts: {...LOCAL_PROFILE, isLocal},
		now: Date.now,
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		edit: async () => Promise.reject(new Error('no editor')),
		open: async () => false,
	});
	store.setState({servers: ready([server({name: 's'})]), current: 's', screen: 'repl'});
	return store;
};

/** The outcome that the screen shows. */
const endShown = ({state, result}: Pick<Cell, 'state' | 'result'>): End | null => {
	const error = result?.outputs.find(output => output.output_type === 'error');
	switch (state) {
		case 'done':
			return error === undefined ? 'done' : error['ename'] === 'KernelDied' ? 'kernel died' : 'raised';
		case 'gave-up':
			return 'gave up';
		case 'failed':
		case 'interrupted':
			return state;
		default:
			return null;
	}
};

const repl = async (world: World): Promise<Driven> => {
	const store = storeIn(world);
	const {getState: get} = store;
	replSession(get).runCell('s', 'a');
	await turns();
	const cell = (): Cell => (get().repls.get('s') ?? EMPTY_REPL).cells[0]!;
	return {
		// The first Esc stops waiting, the second one stops the code.
		stop() {
			replSession(get).stopCell('s');
			replSession(get).stopCell('s');
		},
		answer(text) {
			const asks = get().repls.get('s')?.asks;
			if (!asks) return;
			replSession(get).changeRepl('s', {asks: {...asks, field: createEditor(text)}});
			replSession(get).answerCell('s');
		},
		end: () => endShown(cell()),
		shown: () => streamsOf(cell().result),
		doubts: () => world.lists() > 0,
	};
};

const notebook = async (world: World): Promise<Driven> => {
	const store = storeIn(world);
	const {getState: get} = store;
	const file = {server: 's', path: 'n.ipynb'};
	store.setState({screen: 'files'});
	await fileViewer(get).openFile('s', file.path);
	await notebookOpening(get).workInNotebook('s');
	const open = (): OpenNotebook => get().notebooks.get(keyOf(file))!;
	const key = open().notebook.cells[0]!.key;
	notebookList(get).runNotebook(file, [key]);
	await turns();
	return {
		stop: () => void notebookList(get).stopNotebook(file),
		answer(text) {
			const {asks} = open();
			if (!asks) return;
			notebookList(get).changeNotebook(file, () => ({asks: {...asks, field: createEditor(text)}}));
			notebookList(get).answerNotebook(file);
		},
		end: () => endShown(open().runs.get(key)!),
		shown: () => streamsOf(open().notebook.cells[0] as unknown as ExecutedCell),
		doubts: () => world.lists() > 0,
	};
};

/** The dependencies that the program passes to a command, with records of their use. */
const commandIn = ({client, isLocal}: World, lines: readonly string[]) => {
	const controller = new AbortController();
	const printed = {stdout: '', stderr: ''};
	const sinkOf = (name: 'stdout' | 'stderr'): Sink => ({
		isTTY: false,
		columns: Infinity,
		async write(data) {
			printed[name] += String(data);
		},
	});
	const service = {client, isLocal, models: [], started: false, keeps: 0, hasEnded: () => false};
	const waiting = [...lines];
	const context: Context = {
		json: false,
		jsonl: false,
		colour: false,
		stdout: sinkOf('stdout'),
		stderr: sinkOf('stderr'),
		signal: controller.signal,
		options: {},
		env: {},
		ask: async () => waiting.shift() ?? Promise.reject(new Error('Nothing was typed.')),
		runShell: undefined,
		stdinIsTTY: false,
		readStdin: async () => Buffer.alloc(0),
		pipe() {
			throw new Error('Nothing speaks a protocol here.');
		},
		connect: async () => service,
		running: async () => null,
		open: async () => false,
		readPackaged: () => Promise.reject(new Error('no package here')),
		typed: (...words) => words.join(' '),
	};
	let end: End | null = null;
	return {
		context,
		service,
		async begin<T>(code: Promise<T>, endOf: (answer: T) => End): Promise<Driven> {
			void code.then(
				answer => (end = endOf(answer)),
				(error: CommandError) => {
					if (error.code !== 'cancelled') return (end = 'failed');
					end = error.message.includes('was interrupted') ? 'interrupted' : 'gave up';
				},
			);
			await turns();
			return {
				stop: () => controller.abort(),
				answer() {},
				end: () => end,
				shown: () => printed.stdout,
				doubts: () => false,
			};
		},
		endOfExit: (code: number): End =>
			code === 0 ? 'done' : printed.stderr.includes('KernelDied') ? 'kernel died' : 'raised',
	};
};

const script = async (world: World): Promise<Driven> => {
	const {context, begin, endOfExit} = commandIn(world, ['typed']);
	const command = {parent: {rawArgs: []}} as unknown as Command;
	return begin(runCode(context, 's', undefined, [], {code: 'a'}, command), endOfExit);
};

const notebookRun = async (world: World): Promise<Driven> => {
	const {context, begin, endOfExit} = commandIn(world, ['typed']);
	return begin(runNotebook(context, 's', textOf('a'), 'n.ipynb', {}), endOfExit);
};

/** The outcome that an agent receives. */
const endTold = (words: string): End =>
	words.includes('KernelDied') ? 'kernel died' : words.includes('raised') ? 'raised' : 'done';

const mcp = async (world: World): Promise<Driven> => {
	const {context, service, begin} = commandIn(world, []);
	let shown = '';
	const call: Call = {
		context: {...context, ask: undefined},
		service,
		allowed: new Set(['run']),
		maxPrice: undefined,
		runs: createNotebookRuns(context),
		printed: () => '',
		tell() {},
		confirm: async () => 'mute',
	};
	const driven = await begin(RUN_TOOLS[0]!.run(call, {server: 's', code: 'a'}), ({facts = '', text = ''}) => {
		shown = [text].flat().join('\n');
		return endTold(facts);
	});
	return {...driven, shown: () => shown};
};

const work = async ({client, live}: World): Promise<Driven> => {
	const controller = new AbortController();
	let shown = '';
	const hands = createStepExecutor(client, 's', live);
	const prepared = {change: null, tag: null, canUndo: true};
	let end: End | 'stopped' | null = null;
	void hands.perform({kind: 'run', code: 'a'}, prepared, controller.signal).then(({head, text, ok}) => {
		shown = text ?? '';
		if (head.startsWith('stopped')) end = 'stopped';
		else end = ok || head.startsWith('raised') ? endTold(head) : 'failed';
	});
	await turns();
	return {
		stop: () => controller.abort(),
		answer() {},
		end: () => end,
		shown: () => shown,
		doubts: () => false,
	};
};

/** All callers that run code, by name. */
export const CALLERS = {repl, notebook, script, 'notebook run': notebookRun, mcp, work};
export type Caller = keyof typeof CALLERS;
