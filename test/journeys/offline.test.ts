// @module-tag long
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand} from '../support/program.ts';
import {ask, openAssistant, openRepl, readCells, runCode, startWelcome} from './steps.ts';

const SIZE = {columns: 100, rows: 30};

test('cells and conversation of a server that is offline are read, scrolled and written to files', async () => {
	await using home = await newHome();
	{
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		runCode(terminal, 'print(*(f"line {i}" for i in range(40)), sep="\\n")');
		await terminal.until('line 39');
		await readCells(terminal);
		await openAssistant(terminal);
		ask(terminal, 'What does json.loads do?');
		await terminal.until(/model_\d .* in · \d+ out/);
	}
	await runCommand(['local', 'stop'], {home});
	await using terminal = await openProgram({home, ...SIZE});
	await terminal.until(/welcome is offline[^]*saved here: 1 turn/);
	pressAction(terminal, 'offline', 'first');
	await terminal.until(/saved here: 1 turn[^]*What does json\.loads do\?/);
	pressAction(terminal, 'offline', 'save');
	const [written = ''] =
		/conversation-[\d-]+\.md/.exec(await terminal.until(/conversation-[\d-]+\.md/)) ?? [];
	expect(readFileSync(join(home.folder, written), 'utf8')).toContain('What does json.loads do?');
	pressAction(terminal, 'global', 'repl');
	await terminal.until(/saved here: 1 cell[^]*line 39/);
	expect(terminal.screen()).not.toContain('line 0\n');
	pressAction(terminal, 'offline', 'first');
	await terminal.until(/for i in range\(40\)/);
	pressAction(terminal, 'offline', 'save');
	const offered = await terminal.until(/Write the session[^]*On this machine/);
	expect(offered).not.toContain('On the server');
});
