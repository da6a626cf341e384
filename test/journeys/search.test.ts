import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openRepl, startWelcome} from './steps.ts';

test('text in files is found from any pane, grouped by file, and opens at its line', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 80, rows: 24});
	await startWelcome(terminal);
	const folder = serverFolder(serviceFolder(home));
	writeFileSync(join(folder, 'one.txt'), `first\nzebra \u001B[31m one\nlast\n${'\n'.repeat(60)}zebra two\n`);
	writeFileSync(join(folder, 'two.txt'), 'the zebra\n');
	writeFileSync(join(folder, '.gitignore'), 'ignored.txt\n');
	writeFileSync(join(folder, 'ignored.txt'), 'zebra\n');
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	terminal.press('space', '/');
	await terminal.until('Search the files of welcome');
	terminal.type('zebra');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/3 in 2 of \d+ files {3}\d/);
	const shown = terminal.screen();
	expect(shown).toMatch(
		/one\.txt +│.*\n.*2 {2}zebra .*one.*\n.*64 {2}zebra two.*\n.*two\.txt +│.*\n.* 1 {2}the zebra/,
	);
	expect(shown).toMatch(/1 {2}first .*\n.*2 {2}zebra .*\n.*3 {2}last/);
	expect(shown).not.toContain('ignored.txt');
	pressAction(terminal, 'chooser', 'down');
	await terminal.until(/63 .*\n.*64 {2}zebra two/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/▸64 +zebra two/);

	// The search is still open at the chosen line. It can be opened from a text field too.
	await openRepl(terminal);
	terminal.press('ctrl+x', '/');
	await terminal.until(/› zebra[^]*63 .*\n.*64 {2}zebra two/);
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('╭ Search ');
	await terminal.until('>>>');
});

test('Esc stops a search and returns', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 40});
	await startWelcome(terminal);
	const folder = serverFolder(serviceFolder(home));
	// A page ends after a second, so these lines need several pages.
	writeFileSync(join(folder, 'long.txt'), `${'x'.repeat(499)}\n`.repeat(30_000));
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	terminal.press('space', '/');
	await terminal.until('Search the files of welcome');
	terminal.type('x.*x.*y');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/0 in 0 of \d+ files, still searching/);
	terminal.press('esc');
	await terminal.gone('╭ Search ');
	terminal.press('space', '/');
	await terminal.until(/0 in 0 of \d+ files, stopped/);
});
