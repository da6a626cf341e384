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
import {isTitleRule} from '../support/title-rule.ts';
import {ask, openAssistant, openRepl, runCode, startWelcome, withEndlessAnswers} from './steps.ts';

/** Titles of the visible panes, the main one first. Names in the dock follow a digit. */
const panesOf = (terminal: Terminal): readonly string[] =>
	terminal.screen().match(/(?<!\d )(?:Files|REPL|Assistant)(?= ·)/g) ?? [];

const shows = async (terminal: Terminal, ...panes: readonly string[]): Promise<void> => {
	await terminal.untilTrue(`the panes ${panes.join(', ')}`, () => panesOf(terminal).join() === panes.join());
};

/**
 * Checks the rows of the frame: header, rule, body, notice and footer. None may be missing or
 * repeated.
 */
const expectWholeFrame = (terminal: Terminal, columns: number, rows: number): void => {
	expect(terminal.line(0)).toMatch(/^ (?:svc-tui  )?local \S .*welcome \S ready/);
	expect(isTitleRule(terminal.line(1), columns), terminal.line(1)).toBe(true);
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

/** Opens the files of `welcome` in a terminal of this size. */
const filesAt = async (columns: number, rows: number): ReturnType<typeof shared> => {
	const terminal = await shared();
	terminal.resize(columns, rows);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.untilTrue('the new size', () => isTitleRule(terminal.line(1), columns));
	await terminal.until('README.md');
	return terminal;
};

test.each([
	[80, 24, 1],
	[120, 40, 1],
	[140, 40, 2],
	[200, 50, 2],
	[250, 50, 3],
])('at %dx%d a key makes its pane the big one, and %d are seen', async (columns, rows, count) => {
	const terminal = await filesAt(columns, rows);
	for (const [name, tab] of [
		['Files', 'files'],
		['REPL', 'repl'],
		['Assistant', 'assistant'],
	] as const) {
		pressAction(terminal, 'anywhere', tab);
		await terminal.untilTrue(`${name} with ${count - 1} more`, () => {
			const panes = panesOf(terminal);
			return panes[0] === name && panes.length === count;
		});
		expectWholeFrame(terminal, columns, rows);
	}
});

test(
	'a companion is closed to its name and opened again from inside another pane',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 200, rows: 30});
		await startWelcome(terminal);
		pressAction(terminal, 'global', 'files');
		await shows(terminal, 'Files', 'Assistant');
		pressAction(terminal, 'anywhere', 'dockAssistant');
		await shows(terminal, 'Files', 'REPL');
		pressAction(terminal, 'anywhere', 'dockRepl');
		await shows(terminal, 'Files');
		expect(terminal.line(27)).toMatch(/^─ 5 REPL ── 6 Assistant ─+$/);
		pressAction(terminal, 'anywhere', 'dockRepl');
		await shows(terminal, 'Files', 'REPL');
		pressAction(terminal, 'anywhere', 'nextPane');
		await terminal.until('esc read the cells');
		// A chord pressed in a text field inserts no letter. When a pane closes, the focus returns
		// to another.
		await terminal.until(/>>>\s*$/m);
		pressAction(terminal, 'anywhere', 'dockRepl');
		await shows(terminal, 'Files');
		await terminal.until('⏎ open');
		pressAction(terminal, 'anywhere', 'dockFiles');
		await terminal.until('No file is open');
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
	await terminal.untilTrue('the new size', () => isTitleRule(terminal.line(1), 120));
	await shows(terminal, 'Files');
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
	await terminal.until(/goes on[^]*answering/);
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
	await terminal.untilTrue('the new size', () => isTitleRule(terminal.line(1), 104));
	await shows(terminal, 'Assistant');
	await terminal.until('answering');
	expectWholeFrame(terminal, 104, 33);
	pressAction(terminal, 'assistant', 'leave');
	await terminal.until('stopped; the part received is kept');
	expectWholeFrame(terminal, 104, 33);
	expect(terminal.line(30)).toMatch(/^─ 4 Files ── 5 REPL ─+$/);
});

/**
 * Rows of the file and the columns of dividers in them, while the assistant is open. The scroll
 * mark of a long file is drawn on its divider.
 */
const WITH_CHAT: readonly (readonly [number, number, number, readonly number[]])[] = [
	[80, 24, 12, []],
	[120, 40, 23, [20]],
	[140, 40, 36, [92]],
	[200, 50, 46, [24, 125]],
];

test.each(WITH_CHAT)(
	'at %dx%d a file stays in view beside a long answer, each in its own cells',
	async (columns, rows, height, dividers) => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns, rows});
		await startWelcome(terminal);
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until('README.md');
		terminal.press('down', 'down', 'enter');
		await terminal.until('rendered');
		const code = (): string => terminal.line(5).replace('┃', ' ').trimEnd();
		const before = code();
		expect(before).toMatch(/\w/);
		pressAction(terminal, 'anywhere', 'nextPane');
		await terminal.until('esc read the cells');
		pressAction(terminal, 'anywhere', 'nextPane');
		await terminal.until('esc read the answers');
		// Moving the focus does not wrap lines differently.
		expect(code()).toBe(before);
		const long = '広い😀 '.repeat(40);
		ask(terminal, `what is str? ${long}`);
		await terminal.until(' in · ');
		expect(terminal.cursor().row).toBe(rows - 4);
		pressAction(terminal, 'assistant', 'leave');
		await terminal.until('⏎ ask');
		pressAction(terminal, 'global', 'back');
		await terminal.until('esc tree');
		expect(terminal.screen()).toContain(' in · ');
		expectWholeFrame(terminal, columns, rows);
		for (const row of Array.from({length: height}, (_, index) => index + 2)) {
			// Cells of wide characters count twice.
			const cells = [...new Intl.Segmenter().segment(terminal.line(row))].flatMap(({segment}) =>
				Array.from({length: cellWidth(segment)}, (_, cell) => (cell === 0 ? segment : '')),
			);
			expect({row, dividers: dividers.map(at => cells[at])}).toEqual({
				row,
				dividers: dividers.map(() => expect.stringMatching(/^[│├┃]$/)),
			});
			expect(cells.length).toBeLessThanOrEqual(columns);
		}
	},
);

test('at 80x24 the file has 18 rows, and its tree covers the left edge only while it has the keys', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 80, rows: 24});
	await startWelcome(terminal);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('README.md');
	terminal.press('down', 'enter');
	await terminal.until('prices.py');
	terminal.press('down', 'enter');
	const showsFile = async (): Promise<void> => {
		await terminal.untilTrue('the file', () => terminal.line(1).startsWith('─ src/prices.py ─'));
	};
	await showsFile();
	await terminal.untilTrue('18 rows of the file', () => /^ +18 /.test(terminal.line(19)));
	expect(terminal.line(21)).toMatch(/^─ 5 REPL ── 6 Assistant · ask about \S+ ─+$/);
	// The tree appears at the left edge, and disappears when a file is opened.
	pressAction(terminal, 'viewer', 'left');
	await terminal.untilTrue('the tree', () => /^─ Files · welcome ─*┬/.test(terminal.line(1)));
	pressAction(terminal, 'tree', 'open');
	await showsFile();
	pressAction(terminal, 'anywhere', 'dockFiles');
	await terminal.untilTrue('the tree', () => /^─ Files · welcome ─*┬/.test(terminal.line(1)));
	pressAction(terminal, 'anywhere', 'dockFiles');
	await showsFile();
});

test('beside a file the tree is hidden by a key, and stays hidden at other widths', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 30});
	await startWelcome(terminal);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('README.md');
	terminal.press('down', 'down', 'enter');
	await terminal.until('rendered');
	expect(terminal.line(1).charAt(20)).toBe('┬');
	pressAction(terminal, 'anywhere', 'dockFiles');
	await terminal.untilTrue('no tree', () => terminal.line(1).startsWith('─ README.md'));
	terminal.resize(200, 30);
	await terminal.untilTrue('the new size', () => isTitleRule(terminal.line(1), 200));
	expect(terminal.line(1)).toMatch(/^─ README\.md/);
	pressAction(terminal, 'anywhere', 'dockFiles');
	await terminal.untilTrue('the tree', () => terminal.line(1).charAt(24) === '┬');
});

test('a tab shows what runs in its hidden pane, its unseen result, and nothing once it was seen', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 30});
	await startWelcome(terminal);
	await openRepl(terminal);
	const badge = (tab: string): string => new RegExp(`${tab} (.)`).exec(`${terminal.line(0)}  `)?.[1] ?? '';
	const tells = async (tab: string, mark: string): Promise<void> => {
		await terminal.untilTrue(`${mark} beside ${tab}`, () => badge(tab) === mark);
	};
	// The cell waits for a file that does not exist yet.
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
	await terminal.until(' in · ');
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

test('a pane that is alone says so, and a chord names what it hides or shows', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 200, rows: 30});
	await startWelcome(terminal);
	pressAction(terminal, 'global', 'files');
	await shows(terminal, 'Files', 'Assistant');
	terminal.press('ctrl+x');
	await terminal.until(/ f +files [^]* r +REPL [^]* c +hide chat [^]*esc cancel/);
	terminal.press('escape');
	await terminal.gone('esc cancel');
	expect(terminal.screen()).not.toContain('does nothing');
	pressAction(terminal, 'global', 'zoom');
	await terminal.until(/^ +zoomed · \^X z shows the others *$/m);
	await shows(terminal, 'Files');
	pressAction(terminal, 'anywhere', 'zoom');
	await shows(terminal, 'Files', 'Assistant');
	await terminal.gone('zoomed');
});
