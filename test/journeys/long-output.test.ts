import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

test('of a hundred thousand lines the last one is on screen, the first one a key away, and the way back too', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 40});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'for i in range(100000): print(i)');
	// A loop written on one line is a block: an empty line runs it.
	await terminal.until(/\.\.\. *\n/);
	pressAction(terminal, 'repl', 'run');
	const end = await terminal.until(/^ 99999$/m, 30_000);
	expect(end).toMatch(/^ 99998\n 99999$/m);
	pressAction(terminal, 'repl', 'leave');
	pressAction(terminal, 'cells', 'first');
	const top = await terminal.until(/In \[1]/);
	expect(top).toMatch(/\n 0\n 1\n 2\n 3\n/);
	expect(top).toMatch(/more lines/);
	pressAction(terminal, 'cells', 'last');
	await terminal.until(/^ 99999$/m);
	pressAction(terminal, 'cells', 'edit');
	runCode(terminal, 'i');
	await terminal.until(/Out\[2] +99999/);
});
