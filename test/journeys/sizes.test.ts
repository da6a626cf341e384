// @module-tag long
// @module-tag plain
import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {cellWidth} from '../../src/text/width/width.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {share} from '../support/share.ts';
import type {Terminal} from '../support/terminal.ts';
import {ask, openAssistant, openRepl, runCode, startWelcome, withEndlessAnswers} from './steps.ts';

/** Titles of the visible panes, left to right. */
const panesOf = (terminal: Terminal): readonly string[] =>
	terminal.line(2).match(/Files(?= ·)|REPL(?= ·)|Assistant(?= ·)/g) ?? [];

const shows = async (terminal: Terminal, ...panes: readonly string[]): Promise<void> => {
	await terminal.untilTrue(`the panes ${panes.join(', ')}`, () => panesOf(terminal).join() === panes.join());
};

/**
 * Checks the lines of the frame: header, rule, body, notice line, footer, none of them missing or
 * repeated.
 */
const expectWholeFrame = (terminal: Terminal, columns: number, rows: number): void => {
	expect(terminal.line(0)).toMatch(/^ (?:svc-tui  )?local \S .*welcome \S ready/);
	expect(terminal.line(1)).toBe('─'.repeat(columns));
	expect(terminal.line(rows - 1)).toMatch(/ esc \S.*$/);
	expect(
		terminal
			.screen()
			.split('\n')
			.filter(line => /^ (?:svc-tui  )?local \S /.test(line)),
	).toHaveLength(1);
};

const shared = share(async stack => {
	const home = stack.use(await newHome());
	const terminal = stack.use(await openProgram({home}));
	await startWelcome(terminal);
	return terminal;
});

/** Program on the files of `welcome`, in a terminal of this size. */
const filesAt = async (columns: number, rows: number): ReturnType<typeof shared> => {
	const terminal = await shared();
	terminal.resize(columns, rows);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.untilTrue('the new size', () => terminal.line(1) === '─'.repeat(columns));
	await terminal.until('README.md');
	return terminal;
};

test.each([
	[80, 24, ['Files'], ['REPL'], ['Assistant']],
	[100, 30, ['Files', 'Assistant'], ['REPL', 'Assistant'], ['REPL', 'Assistant']],
	[140, 40, ['Files', 'Assistant'], ['REPL', 'Assistant'], ['REPL', 'Assistant']],
	[200, 50, ['Files', 'REPL', 'Assistant'], ['Files', 'REPL', 'Assistant'], ['Files', 'REPL', 'Assistant']],
])(
	'at %dx%d the screen has the specified number of panes',
	async (columns, rows, onFiles, onRepl, onAssistant) => {
		const terminal = await filesAt(columns, rows);
		await shows(terminal, ...onFiles);
		expectWholeFrame(terminal, columns, rows);
		pressAction(terminal, 'anywhere', 'repl');
		await shows(terminal, ...onRepl);
		expectWholeFrame(terminal, columns, rows);
		pressAction(terminal, 'anywhere', 'assistant');
		await shows(terminal, ...onAssistant);
		expectWholeFrame(terminal, columns, rows);
	},
);

test(
	'a pane is hidden and shown again from inside another, where there is room for several',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 200, rows: 30});
		await startWelcome(terminal);
		pressAction(terminal, 'global', 'files');
		await shows(terminal, 'Files', 'REPL', 'Assistant');
		pressAction(terminal, 'anywhere', 'dockAssistant');
		await shows(terminal, 'Files', 'REPL');
		pressAction(terminal, 'anywhere', 'dockRepl');
		await shows(terminal, 'Files');
		pressAction(terminal, 'anywhere', 'dockRepl');
		await shows(terminal, 'Files', 'REPL');
		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until('esc read the cells');
		pressAction(terminal, 'anywhere', 'dockFiles');
		await shows(terminal, 'REPL');
		// A chord typed in a text field inserts no letter.
		await terminal.until(/>>>\s*$/m);
		pressAction(terminal, 'anywhere', 'dockFiles');
		pressAction(terminal, 'anywhere', 'dockAssistant');
		await shows(terminal, 'Files', 'REPL', 'Assistant');
		// The focused pane cannot be hidden, and says why.
		pressAction(terminal, 'anywhere', 'dockRepl');
		await terminal.until('The REPL has focus');
	},
);

test('Tab goes through the panes on screen and back', async () => {
	const terminal = await filesAt(200, 30);
	pressAction(terminal, 'anywhere', 'nextPane');
	await terminal.until('esc read the cells');
	pressAction(terminal, 'anywhere', 'nextPane');
	await terminal.until('esc read the answers');
	pressAction(terminal, 'anywhere', 'nextPane');
	await terminal.until('⏎ open');
	pressAction(terminal, 'anywhere', 'previousPane');
	await terminal.until('esc read the answers');
});

test('a small terminal shows the required size, and growing restores the screen', async () => {
	const terminal = await filesAt(120, 40);
	terminal.resize(59, 20);
	await terminal.untilTrue(
		'the one line',
		() => terminal.screen().trim() === 'svc-tui needs 60x15, this is 59x20',
	);
	terminal.resize(80, 14);
	await terminal.untilTrue(
		'the one line',
		() => terminal.screen().trim() === 'svc-tui needs 60x15, this is 80x14',
	);
	terminal.resize(60, 15);
	await terminal.until('README.md');
	expectWholeFrame(terminal, 60, 15);
	terminal.resize(120, 40);
	await shows(terminal, 'Files', 'Assistant');
	await terminal.until('README.md');
	expectWholeFrame(terminal, 120, 40);
});

test('twenty sudden sizes while an answer streams end in a correct frame', async () => {
	await using home = await newHome();
	await using _ = await withEndlessAnswers(home);
	await using terminal = await openProgram({home, columns: 120, rows: 40});
	await startWelcome(terminal);
	await openAssistant(terminal);
	ask(terminal, 'what is str?');
	await terminal.until(/▌ [^]*answering/);
	// A fixed seed gives the same sizes in every run.
	let seed = 20_240_417;
	const random = (below: number): number => {
		seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
		return Math.floor((seed / 2 ** 31) * below);
	};
	for (let count = 0; count < 20; count++) {
		const {frames} = terminal.events;
		terminal.resize(30 + random(190), 8 + random(60));
		await terminal.untilTrue('a frame', () => terminal.events.frames > frames);
	}
	terminal.resize(104, 33);
	await shows(terminal, 'Files', 'Assistant');
	await terminal.until('answering');
	expectWholeFrame(terminal, 104, 33);
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until('stopped; the part received is kept');
	expectWholeFrame(terminal, 104, 33);
	const divider = Array.from({length: 29}, (_, row) => terminal.line(row + 2).charAt(52));
	expect(new Set(divider)).toEqual(new Set(['│']));
});

/**
 * Size of the terminal, its panes with their first column and width, and the columns of the
 * dividers once a file is open.
 */
const DOCKED: readonly (readonly [
	number,
	number,
	readonly (readonly [string, number, number])[],
	readonly number[],
])[] = [
	[
		100,
		30,
		[
			['Files', 0, 50],
			['Assistant', 51, 49],
		],
		[50],
	],
	[
		140,
		40,
		[
			['Files', 0, 92],
			['Assistant', 93, 47],
		],
		[92],
	],
	[
		200,
		50,
		[
			['Files', 0, 40],
			['REPL', 41, 79],
			['Assistant', 121, 79],
		],
		[92, 146],
	],
];

/** Each pane begins at its column, and every row has a divider before it. */
const expectPanes = (
	terminal: Terminal,
	rows: number,
	panes: readonly (readonly [string, number, number])[],
	columns: number,
): void => {
	for (const [index, [name, x, width]] of panes.entries()) {
		expect({name, title: terminal.line(2).slice(x, x + name.length + 1)}).toEqual({name, title: ` ${name}`});
		const next = panes[index + 1];
		if (!next) {
			expect({name, end: x + width}).toEqual({name, end: columns});
			continue;
		}
		const at = x + width;
		expect(next[1]).toBe(at + 1);
		expect({
			at,
			divider: new Set(Array.from({length: rows - 4}, (_, row) => terminal.line(row + 2).charAt(at))),
		}).toEqual({at, divider: new Set(['│'])});
	}
};

const HINTS: Readonly<Record<string, RegExp>> = {
	Files: /⏎ open .*Tab next pane/,
	REPL: /Tab next pane.*esc read the cells/,
	Assistant: /Tab next pane.*esc read the answers/,
};

test.each(DOCKED)(
	'at %dx%d every pane holds its columns, full and empty, Tab goes from left to right, and the cursor with it',
	async (columns, rows, panes, withFile) => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns, rows});
		await startWelcome(terminal);
		await openAssistant(terminal);
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until(HINTS['Files'] ?? '');
		expectPanes(terminal, rows, panes, columns);
		for (const [name, x, width] of [...panes.slice(1), ...panes.slice(0, 1)]) {
			pressAction(terminal, 'anywhere', 'nextPane');
			await terminal.until(HINTS[name] ?? '');
			expectPanes(terminal, rows, panes, columns);
			if (name === 'Files') continue;
			await terminal.untilTrue(
				`the cursor within ${name}`,
				() =>
					terminal.cursor().column >= x &&
					terminal.cursor().column < x + width &&
					terminal.cursor().row === rows - 3,
			);
		}
		for (const [name] of panes.slice(1).toReversed()) {
			pressAction(terminal, 'anywhere', 'previousPane');
			await terminal.until(HINTS[name] ?? '');
		}
		// Long lines, wide characters and a formatted file: none extends into the neighbouring
		// pane.
		pressAction(terminal, 'anywhere', 'assistant');
		await terminal.until(HINTS['Assistant'] ?? '');
		ask(terminal, `what is str? ${'広い😀 '.repeat(40)}`);
		await terminal.until('tokens in');
		if (panes.length === 3) {
			pressAction(terminal, 'anywhere', 'repl');
			await terminal.until(HINTS['REPL'] ?? '');
			runCode(terminal, 'print("広い" * 100); print("x" * 200)');
			await terminal.until(/In \[1\]/);
		}
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until(HINTS['Files'] ?? '');
		terminal.press('down', 'down', 'enter');
		await terminal.until('rendered');
		for (const row of Array.from({length: rows - 4}, (_, index) => index + 2)) {
			// Cells of wide characters count twice.
			const cells = [...new Intl.Segmenter().segment(terminal.line(row))].flatMap(({segment}) =>
				Array.from({length: cellWidth(segment)}, (_, cell) => (cell === 0 ? segment : '')),
			);
			expect({row, dividers: withFile.map(at => cells[at])}).toEqual({
				row,
				dividers: withFile.map(() => '│'),
			});
			expect(cells.length).toBeLessThanOrEqual(columns);
		}
		expectWholeFrame(terminal, columns, rows);
	},
);

test('a tab shows what runs in its hidden pane, its unseen result, and nothing once it was seen', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 30});
	await startWelcome(terminal);
	await openRepl(terminal);
	const badge = (tab: string): string => new RegExp(`${tab} (.)`).exec(`${terminal.line(0)}  `)?.[1] ?? '';
	const tells = async (tab: string, mark: string): Promise<void> => {
		await terminal.untilTrue(`${mark} beside ${tab}`, () => badge(tab) === mark);
	};
	// A missing file holds the cell until it is created.
	const go = join(serverFolder(serviceFolder(home)), 'go');
	runCode(terminal, `import os, time; exec("while not os.path.exists('go'): time.sleep(0.01)")`);
	await tells('5 REPL', '◌');
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until('i details');
	expect(badge('5 REPL')).toBe('◌');
	await writeFile(go, '');
	await tells('5 REPL', '✓');
	pressAction(terminal, 'anywhere', 'repl');
	await terminal.until('esc read the cells');
	await tells('5 REPL', ' ');
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until('i details');
	expect(badge('5 REPL')).toBe(' ');

	await openAssistant(terminal);
	ask(terminal, 'what is str?');
	await tells('6 Assistant', '◌');
	pressAction(terminal, 'anywhere', 'compute');
	await terminal.until(/ Compute \d/);
	expect(['◌', '✓']).toContain(badge('6 Assistant'));
	await tells('6 Assistant', '✓');
	await openAssistant(terminal);
	await terminal.until('tokens in');
	await tells('6 Assistant', ' ');

	await openRepl(terminal);
	runCode(terminal, 'import os, time; exec("while os.path.exists(\'go\'): time.sleep(0.01)"); 1/0');
	await tells('5 REPL', '◌');
	pressAction(terminal, 'anywhere', 'environments');
	await terminal.until(/Environments \d/);
	await rm(go);
	await tells('5 REPL', '✗');
	pressAction(terminal, 'anywhere', 'repl');
	await terminal.until('ZeroDivisionError');
	await tells('5 REPL', ' ');
});

test('a lone pane shows that others would fit beside it, and a chord names the panes it hides', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 200, rows: 30});
	await startWelcome(terminal);
	pressAction(terminal, 'global', 'files');
	await shows(terminal, 'Files', 'REPL', 'Assistant');
	terminal.press('ctrl+x');
	await terminal.until(/c hide assistant {3}r hide REPL {3}f dock files .*esc cancel/);
	terminal.press('escape');
	await terminal.until(HINTS['Files'] ?? '');
	expect(terminal.screen()).not.toContain('does nothing');
	pressAction(terminal, 'anywhere', 'dockRepl');
	await shows(terminal, 'Files', 'Assistant');
	terminal.press('ctrl+x');
	await terminal.until(/c hide assistant {3}r dock REPL/);
	terminal.press('escape');
	await terminal.gone('esc cancel');
	pressAction(terminal, 'global', 'zoom');
	await terminal.until(/─ zoomed · \^X z shows the others ──$/m);
	await shows(terminal, 'Files');
	pressAction(terminal, 'anywhere', 'zoom');
	await shows(terminal, 'Files', 'Assistant');
	await terminal.gone('zoomed');
});
