import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {openTerminal, type Terminal} from '../support/terminal.ts';
import type {Measurement} from './measurement.ts';
import {cpuTime, peakMemory} from './process-costs.ts';

const FRAGMENTS = 10_000;
const TIMES = 10;
const SIZE = {columns: 200, rows: 50};
const WITHIN_MS = 60_000;

type Told = {
	readonly word: string;
	readonly count: number;
	/** Time in ms since the epoch. */
	readonly at: number;
};

const startAnswering = async (count: number) => {
	const child = spawn(
		process.execPath,
		[fileURLToPath(new URL('./answer-process.ts', import.meta.url)), String(count)],
		{stdio: ['ignore', 'pipe', 'inherit']},
	);
	const listeners = new Set<(told: Told) => void>();
	const url = await new Promise<string>(resolve => {
		createInterface({input: child.stdout}).on('line', line => {
			const [word = '', number, at] = line.split(' ');
			if (word === 'port') resolve(`http://127.0.0.1:${number}`);
			for (const listener of listeners) listener({word, count: Number(number), at: Number(at)});
		});
	});
	return {
		url,
		onTold(listener: (told: Told) => void) {
			listeners.add(listener);
		},
		async [Symbol.asyncDispose]() {
			const exit = once(child, 'exit');
			child.kill();
			await exit;
		},
	};
};

type Streamed = {
	/** Processor time from the question until the end of the answer is on screen, in ms. */
	readonly cpu: number;
	/** Processor time for each thousand fragments, in ms. */
	readonly perThousand: readonly number[];
	readonly peak: number;
	/** Time from sending a fragment until it was written to the terminal, in ms. */
	readonly delays: readonly number[];
};

const measure = async (
	terminal: Terminal,
	service: Awaited<ReturnType<typeof startAnswering>>,
	begin: () => void,
	end: RegExp,
	count: number,
): Promise<Streamed> => {
	const samples: Promise<number>[] = [];
	const sent = new Map<number, number>();
	const shown = new Map<number, number>();
	service.onTold(({word, count: number, at}) => {
		if (word === 'mark') sent.set(number, at);
		if (word === 'sent') samples.push(cpuTime(terminal.pid));
	});
	let tail = '';
	terminal.onOutput((chunk, at) => {
		for (const [, number] of (tail + chunk).matchAll(/mark(\d+)x/g))
			if (!shown.has(Number(number))) shown.set(Number(number), performance.timeOrigin + at);
		tail = chunk.slice(-16);
	});
	const before = await cpuTime(terminal.pid);
	begin();
	await terminal.until(end, WITHIN_MS + 3 * count);
	const cpu = (await cpuTime(terminal.pid)) - before;
	const used = await Promise.all(samples);
	const delays = [...sent].flatMap(([number, at]) => {
		const seen = shown.get(number);
		return seen === undefined ? [] : [seen - at];
	});
	if (delays.length < 0.9 * sent.size)
		throw new Error(`only ${delays.length} of ${sent.size} markers came on screen`);
	return {
		cpu,
		perThousand: used.slice(1).map((each, index) => each - (used[index] ?? 0)),
		peak: await peakMemory(terminal.pid),
		delays,
	};
};

const inProgram = async (home: Home, count: number): Promise<Streamed> => {
	await using service = await startAnswering(count);
	await using terminal = await openProgram({
		home,
		...SIZE,
		args: ['--base-url', service.url],
		env: {SVC_API_KEY: 'key-of-the-bench'},
	});
	await terminal.until(/bench.*ready/);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('file-20.py');
	// Opens the REPL and closes it again, so that only the files and the assistant are visible.
	pressAction(terminal, 'anywhere', 'repl');
	await terminal.until('>>>');
	pressAction(terminal, 'anywhere', 'dockRepl');
	pressAction(terminal, 'anywhere', 'assistant');
	await terminal.until('^J new line');
	terminal.type('Explain it');
	await terminal.until('› Explain it');
	return await measure(
		terminal,
		service,
		() => pressAction(terminal, 'assistant', 'send'),
		/10 in · 10 out/,
		count,
	);
};

const inPlainInk = async (home: Home): Promise<Streamed> => {
	await using service = await startAnswering(FRAGMENTS);
	const program = fileURLToPath(new URL('./plain-ink-process.ts', import.meta.url));
	await using terminal = await openTerminal({
		command: [process.execPath, program, `${service.url}/api/assistant/bench/model_2`],
		env: {...home.env, NODE_ENV: 'production'},
		cwd: home.folder,
		...SIZE,
	});
	return await measure(terminal, service, () => {}, /the answer is whole/, FRAGMENTS);
};

/**
 * Streams an answer of 10,000 fragments, one each millisecond, to the assistant beside the files.
 * Then an answer ten times as long.
 */
export const answer = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	const plain = await inPlainInk(home);
	const one = await inProgram(home, FRAGMENTS);
	const many = await inProgram(home, FRAGMENTS * TIMES);
	const reference = {what: 'the whole message in one Text of Ink', values: [plain.cpu]};
	const first = {what: 'its first thousand', values: one.perThousand.slice(0, 1)};
	return [
		{
			id: 'P4',
			what: `CPU of an answer of ${FRAGMENTS} fragments in ${FRAGMENTS} ms`,
			unit: 'ms',
			values: [one.cpu],
			reference,
			budget: {figure: 'ratio', atMost: 0.2},
		},
		{
			id: 'P4',
			what: 'CPU of its last thousand fragments',
			unit: 'ms',
			values: one.perThousand.slice(-1),
			reference: first,
			budget: {figure: 'ratio', atMost: 1.2},
		},
		{id: 'P4', what: 'CPU of a thousand fragments', unit: 'ms', values: one.perThousand},
		{
			id: 'P4',
			what: 'peak memory of the screens',
			unit: 'MB',
			values: [one.peak],
			budget: {figure: 'median', atMost: 150},
		},
		{
			id: 'P4',
			what: 'a fragment on screen',
			unit: 'ms',
			values: one.delays,
			budget: {figure: 'p95', atMost: 50},
		},
		{
			id: 'P12',
			what: `CPU of an answer of ${FRAGMENTS * TIMES} fragments`,
			unit: 'ms',
			values: [many.cpu],
			reference: {what: `${TIMES} of ${FRAGMENTS}`, values: [one.cpu * TIMES]},
			budget: {figure: 'ratio', atMost: 1},
		},
		{
			id: 'P12',
			what: 'a fragment of it on screen',
			unit: 'ms',
			values: many.delays,
			reference: {what: `one of ${FRAGMENTS}`, values: one.delays},
			budget: {figure: 'ratio', atMost: 1.3},
		},
		{
			id: 'P12',
			what: 'CPU of its last ten thousand fragments',
			unit: 'ms',
			values: many.perThousand.slice(-10),
			reference: {what: 'its first ten thousand', values: many.perThousand.slice(0, 10)},
			budget: {figure: 'ratio', atMost: 1.3},
		},
		{id: 'P12', what: 'peak memory with it', unit: 'MB', values: [many.peak]},
	];
};
