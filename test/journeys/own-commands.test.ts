// @module-tag long
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {startWelcome} from './steps.ts';

const GPU = '\u0007';

test("a command of the user's own runs on the server, from its key and from the palette; a taken key is reported", async () => {
	await using home = await newHome();
	const folder = join(home.folder, '.config/svc-tui');
	mkdirSync(folder, {recursive: true});
	writeFileSync(
		join(folder, 'settings.json'),
		'{"commands": {\n"count": {"run": "x = globals().get(\'x\', 40) + 1; print(\'count\', x)", "key": "ctrl+g"},\n"bad": {"run": "print(\'never\' * 2)", "key": "ctrl+p"}\n}}',
	);
	await using terminal = await openProgram({home, columns: 160});
	await terminal.until(/settings\.json:3: commands\.bad: "ctrl\+p" is also the key of anywhere\.palette/);
	terminal.type(GPU);
	await terminal.until('welcome is not ready, so count was not run');
	await startWelcome(terminal);
	terminal.type(GPU);
	await terminal.until(/count 41(?!\d)/);
	// A command's key works at the prompt too, and text typed there is not lost.
	terminal.type('half a li');
	terminal.type(GPU);
	await terminal.until(/count 42(?!\d)/);
	await terminal.until(/>>> half a li/);
	pressAction(terminal, 'anywhere', 'palette');
	await terminal.until('Find anything');
	terminal.type('bad: ');
	await terminal.until(/bad: print\(/);
	terminal.type('\r');
	await terminal.until(/nevernever/);
});
