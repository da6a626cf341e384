import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {ask, openAssistant, startWelcome} from './steps.ts';

/** Titles of the panes on screen, left to right. */
const panesOf = (terminal: Terminal): readonly string[] => terminal.line(2).match(/Files(?= ·)|REPL(?= ·)|Assistant(?= ·)/g) ?? [];

const shows = async (terminal: Terminal, ...panes: readonly string[]): Promise<void> => {
	await terminal.untilTrue(`the panes ${panes.join(', ')}`, () => panesOf(terminal).join() === panes.join());
};

/** The frame holds its lines: header, rule, body, notice line, footer, none of them pushed off or repeated. */
const expectWholeFrame = (terminal: Terminal, columns: number, rows: number): void => {
	expect(terminal.line(0)).toMatch(/^ (?:svc-tui  )?local \S .*welcome \S ready/);
	expect(terminal.line(1)).toBe('─'.repeat(columns));
	expect(terminal.line(rows - 1)).toMatch(/ esc \S.*$/);
	expect(terminal.screen().split('\n').filter(line => /^ (?:svc-tui  )?local \S /.test(line))).toHaveLength(1);
};

test.each([
	[80, 24, ['Files'], ['REPL'], ['Assistant']],
	[100, 30, ['Files', 'Assistant'], ['REPL', 'Assistant'], ['REPL', 'Assistant']],
	[140, 40, ['Files', 'REPL', 'Assistant'], ['Files', 'REPL', 'Assistant'], ['Files', 'REPL', 'Assistant']],
	[200, 50, ['Files', 'REPL', 'Assistant'], ['Files', 'REPL', 'Assistant'], ['Files', 'REPL', 'Assistant']],
])('at %dx%d as many panes stand side by side as the product says', async (columns, rows, onFiles, onRepl, onAssistant) => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns, rows});
	await startWelcome(terminal);
	pressAction(terminal, 'global', 'files');
	await shows(terminal, ...onFiles);
	await terminal.until('README.md');
	expectWholeFrame(terminal, columns, rows);
	pressAction(terminal, 'anywhere', 'repl');
	await shows(terminal, ...onRepl);
	expectWholeFrame(terminal, columns, rows);
	pressAction(terminal, 'anywhere', 'assistant');
	await shows(terminal, ...onAssistant);
	expectWholeFrame(terminal, columns, rows);
});

test('a pane is hidden and shown again from inside another, where there is room for several', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 140, rows: 30});
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
	await terminal.until('⏎ run');
	pressAction(terminal, 'anywhere', 'dockFiles');
	await shows(terminal, 'REPL');
	// A chord typed in a text field leaves no letter in it.
	expect(terminal.screen()).toMatch(/>>>\s*$/m);
	pressAction(terminal, 'anywhere', 'dockFiles');
	pressAction(terminal, 'anywhere', 'dockAssistant');
	await shows(terminal, 'Files', 'REPL', 'Assistant');
	// The pane with the keys cannot be hidden, and says why.
	pressAction(terminal, 'anywhere', 'dockRepl');
	await terminal.until('The REPL has the keys');
});

test('Tab goes through the panes on screen and back', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 140, rows: 30});
	await startWelcome(terminal);
	pressAction(terminal, 'global', 'files');
	await terminal.until('README.md');
	pressAction(terminal, 'anywhere', 'nextPane');
	await terminal.until('⏎ run');
	pressAction(terminal, 'anywhere', 'nextPane');
	await terminal.until('⏎ send');
	pressAction(terminal, 'anywhere', 'nextPane');
	await terminal.until('⏎ open');
	pressAction(terminal, 'anywhere', 'previousPane');
	await terminal.until('⏎ send');
});

test('too small a terminal says how large it must be, and growing brings everything back', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 40});
	await startWelcome(terminal);
	pressAction(terminal, 'global', 'files');
	await terminal.until('README.md');
	terminal.resize(59, 20);
	await terminal.untilTrue('the one line', () => terminal.screen().trim() === 'svc-tui needs 60x15, this is 59x20');
	terminal.resize(80, 14);
	await terminal.untilTrue('the one line', () => terminal.screen().trim() === 'svc-tui needs 60x15, this is 80x14');
	terminal.resize(60, 15);
	await terminal.until('README.md');
	expectWholeFrame(terminal, 60, 15);
	terminal.resize(120, 40);
	await shows(terminal, 'Files', 'Assistant');
	await terminal.until('README.md');
	expectWholeFrame(terminal, 120, 40);
});

test('twenty sudden sizes while an answer streams end in a right frame', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 40});
	await startWelcome(terminal);
	await openAssistant(terminal);
	ask(terminal, 'what is str?');
	await terminal.until(/▌ [^]*answering/);
	// A fixed seed: the same sizes in every run.
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
