import {join} from 'node:path';
import {openServiceStorage} from '../../src/storage/service-storage.ts';
import {openConversations, type SavedTurn} from '../../src/storage/conversations.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {startBenchService, type BenchService} from './bench-service.ts';
import {keyToFrame} from './key-to-frame.ts';
import type {Measurement} from './measurement.ts';

const KEYS = 60;
/** Keys that are not measured, because a program draws its first keys more slowly. */
const WARM_UP = 20;
const WITHIN_MS = 120_000;
/** A typical cell: some lines of code, some of output. */
const CELL = 'rows = [(i, i * i) for i in range(5)]; print(*rows, sep="\\n"); sum(b for a, b in rows)';
const ANSWER = `A list can be filtered while it is read, so that **no line** is parsed twice:

\`\`\`python
import json

with open('rows.jsonl') as lines:
    rows = [json.loads(line) for line in lines if line.strip()]
\`\`\`

| way | lines per second |
|---|---|
| \`json.loads\` per line | 400,000 |
| the whole file | 600,000 |

- Blank lines are skipped.
- A line that is no JSON raises \`JSONDecodeError\`, which names the column.
`;

type Keys = {readonly typing: readonly number[]; readonly scrolling: readonly number[]};
type Named = readonly [size: number, keys: Keys];

/** Types letters and deletes them, then moves the cursor up and down. */
const measure = async (
	terminal: Terminal,
	scope: 'cells' | 'turns',
	{leave, edit, scrolls}: {readonly leave: () => void; readonly edit: () => void; readonly scrolls: boolean},
): Promise<Keys> => {
	const typing: number[] = [];
	const scrolling: number[] = [];
	for (let key = -WARM_UP; key < KEYS; key++) {
		const ms = await keyToFrame(terminal, () => terminal.type(key % 2 === 0 ? 'x' : '\u007F'));
		if (key >= 0) typing.push(ms);
	}
	if (scrolls) {
		leave();
		await terminal.until(/⏎ (?:type code|ask)/);
		for (let key = -WARM_UP; key < KEYS; key++) {
			const ms = await keyToFrame(terminal, () =>
				pressAction(terminal, scope, (key + WARM_UP) % 4 < 2 ? 'up' : 'down'),
			);
			if (key >= 0) scrolling.push(ms);
		}
		edit();
	}
	return {typing, scrolling};
};

const against = (
	what: string,
	sizes: readonly Named[],
	small: readonly number[],
	of: (keys: Keys) => readonly number[],
	name: string,
): readonly Measurement[] =>
	sizes.map(([size, keys], index) => ({
		id: index === sizes.length - 1 ? 'P6' : 'P12',
		what: `${what}, ${size.toLocaleString('en')}`,
		unit: 'ms' as const,
		values: of(keys),
		reference: {what: name, values: small},
		budget: {figure: 'ratio' as const, atMost: 1.3},
	}));

const openPane = async (home: Home, service: BenchService, pane: 'repl' | 'chat'): Promise<Terminal> =>
	openProgram({
		home,
		args: ['--base-url', service.url, '--api-key-file', service.keyFile, 'open', 'bench', pane],
	});

const ofCells = async (home: Home, service: BenchService): Promise<readonly Measurement[]> => {
	await using terminal = await openPane(home, service, 'repl');
	await terminal.until('>>>');
	const keys = {
		leave: () => pressAction(terminal, 'repl', 'leave'),
		edit: () => pressAction(terminal, 'cells', 'edit'),
	};
	const empty = await measure(terminal, 'cells', {...keys, scrolls: false});
	let cells = 0;
	/** Submits cells to the server until the transcript has `wanted` cells. */
	const fillTo = async (wanted: number): Promise<void> => {
		while (cells < wanted) {
			if (cells < 20) {
				terminal.type(CELL);
				pressAction(terminal, 'repl', 'run');
				cells++;
				await terminal.untilTrue(
					'its result',
					() => new RegExp(`\\[${cells}\\] [^]*→ `).test(terminal.screen()),
					WITHIN_MS,
				);
				continue;
			}
			pressAction(terminal, 'repl', 'leave');
			await terminal.until('⏎ type code');
			pressAction(terminal, 'cells', 'allAbove');
			cells += cells - 1;
			await terminal.untilTrue(
				'the last result',
				() => new RegExp(`\\[${cells}\\] [^]*→ `).test(terminal.screen()),
				WITHIN_MS,
			);
			pressAction(terminal, 'cells', 'edit');
			await terminal.until('esc read the cells');
		}
	};
	const sizes: Named[] = [];
	for (const size of [20, 200, 2000]) {
		await fillTo(size);
		sizes.push([cells, await measure(terminal, 'cells', {...keys, scrolls: true})]);
	}
	const few = sizes[0]?.[1].scrolling ?? [];
	return [
		...against('key to frame typing below cells', sizes, empty.typing, ({typing}) => typing, 'below none'),
		...against(
			'key to frame scrolling cells',
			sizes.slice(1),
			few,
			({scrolling}) => scrolling,
			'few of them',
		),
	];
};

const ofTurns = async (service: BenchService): Promise<readonly Measurement[]> => {
	const sizes: Named[] = [];
	let empty: readonly number[] = [];
	for (const size of [0, 5, 50, 500]) {
		// Each run has its own home, because the program would restore the previous run's
		// conversation.
		await using home = await newHome();
		const turns = Array.from({length: size}, (_, index): SavedTurn => ({
			question: `Question ${index}: how is a file of JSON lines read?`,
			carried: [],
			model: 'model_2',
			answer: ANSWER,
			reasoning: '',
			state: 'done',
			problem: null,
			finishReason: 'stop',
			leftOut: '',
			usage: {promptTokens: 100, completionTokens: 60},
			askedAt: Date.now(),
			firstTextAt: Date.now(),
			replaced: false,
			runs: [],
		}));
		if (size > 0)
			openConversations(
				openServiceStorage(join(home.env['XDG_STATE_HOME'] ?? '', 'svc-tui'), service.url),
			).write({id: `bench-${size}`, server: 'bench', model: 'model_2', turns});
		await using terminal = await openPane(home, service, 'chat');
		await terminal.until('^J new line');
		if (size > 0) await terminal.until(`Question ${size - 1}:`);
		const keys = await measure(terminal, 'turns', {
			leave: () => pressAction(terminal, 'assistant', 'leave'),
			edit: () => pressAction(terminal, 'turns', 'edit'),
			scrolls: size > 0,
		});
		if (size === 0) empty = keys.typing;
		else sizes.push([size, keys]);
	}
	const few = sizes[0]?.[1].scrolling ?? [];
	return [
		...against('key to frame typing below turns', sizes, empty, ({typing}) => typing, 'below none'),
		...against(
			'key to frame scrolling turns',
			sizes.slice(1),
			few,
			({scrolling}) => scrolling,
			'few of them',
		),
	];
};

/**
 * Keys in a transcript of 2,000 cells and in a conversation of 500 turns, and how their time grows.
 */
export const transcript = async (): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	await using service = await startBenchService(home);
	await service.createReady('bench');
	return [...(await ofCells(home, service)), ...(await ofTurns(service))];
};
