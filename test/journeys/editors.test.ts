import {test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openRepl, startWelcome} from './steps.ts';

test(
	'Tab leaves neither the REPL nor the assistant while there is text before the cursor',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 120, rows: 40});
		await startWelcome(terminal);
		await openRepl(terminal);
		terminal.type('rows[0].');
		await terminal.until('Tab complete');
		pressAction(terminal, 'repl', 'complete');
		await terminal.until('Nothing to complete here');
		terminal.type('append');
		await terminal.until('>>> rows[0].append');
		pressAction(terminal, 'repl', 'killToStart');
		await terminal.until('Tab next pane');
		pressAction(terminal, 'repl', 'complete');
		await terminal.until(/REPL · welcome[^]*Files · welcome[^]*⏎ open/);
		pressAction(terminal, 'anywhere', 'nextPane');
		await terminal.until('esc read the answers');
		terminal.type('what');
		pressAction(terminal, 'assistant', 'complete');
		await terminal.until('There is nothing to complete');
		terminal.type(' is json');
		await terminal.until('› what is json');
	},
);

test('a command with a free argument shows its description while that is typed, not a missing match', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Command');
	terminal.type('compute a100');
	await terminal.until(/compute a100 +Show the compute catalogue/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('Price /h');
	await terminal.until('a100');
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Command');
	terminal.type('nonsense x');
	await terminal.until('No such command');
});
