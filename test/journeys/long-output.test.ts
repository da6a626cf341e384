// @module-tag long
// @module-tag plain
import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openRepl, readCells, runCode, startWelcome} from './steps.ts';

test('a hundred thousand lines show the first and the last, unfold with a key, and can be searched', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 40});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'for i in range(100000): print(i)');
	// A loop on one line starts a block, which an empty line runs.
	await terminal.until(/\.\.\. *\n/);
	pressAction(terminal, 'repl', 'run');
	// The middle is folded: the first and the last lines are visible at once.
	const end = await terminal.until(/^ +99999$/m);
	expect(end).toMatch(/\n +0\n +1\n +2\n/);
	expect(end).toMatch(/99,970 more lines folded/);
	expect(end).toMatch(/^ +99998\n +99999$/m);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'fold');
	const top = await terminal.until(/↓ \d+ more lines/);
	expect(top).toMatch(/\[1][^]*\n▌ +0\n▌ +1\n▌ +2\n▌ +3\n/);
	pressAction(terminal, 'cells', 'last');
	await terminal.until(/^▌ +99999$/m);
	pressAction(terminal, 'cells', 'first');
	await terminal.until(/^▌ +17$/m);
	pressAction(terminal, 'cells', 'find');
	await terminal.until('leave the search');
	terminal.type('77123');
	await terminal.until('/ 77123');
	pressAction(terminal, 'cellFind', 'accept');
	await terminal.until(/^▌ +77122\n▌ +77123\n▌ +77124$/m);
	terminal.press('/');
	await terminal.until('leave the search');
	pressAction(terminal, 'cellFind', 'killToStart');
	terminal.type('no such words');
	pressAction(terminal, 'cellFind', 'accept');
	await terminal.until('"no such words" is in none of the cells');
	pressAction(terminal, 'cells', 'edit');
	await terminal.until('esc read the cells');
	runCode(terminal, 'i');
	await terminal.until(/\[2\] [^]*→ +99999/);
});
