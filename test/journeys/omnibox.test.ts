import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {startMarketService} from '../support/market-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {startWelcome} from './steps.ts';

test('one field finds a file in an unopened folder, text in files and an action', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 40});
	await startWelcome(terminal);
	writeFileSync(join(serverFolder(serviceFolder(home)), 'animals.txt'), `${'\n'.repeat(29)}a zebra\n`);

	terminal.press('ctrl+p');
	await terminal.until('Find anything');
	terminal.type('pri');
	await terminal.until(/Files of welcome[^]*src\/prices\.py +open/);
	pressAction(terminal, 'chooser', 'killToStart');
	terminal.type('@src/pri');
	await terminal.until(/› @src\/pri[^]*src\/prices\.py +open/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/src\/prices\.py ─[^]*def load/);

	// A range marks lines. Esc first clears the marks, then leaves the file.
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('─ Command ');
	terminal.type('20,10');
	await terminal.until(/Mark lines 10 to 20 .*src\/prices\.py/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('esc clear the marks');
	terminal.press('esc');
	await terminal.gone('esc clear the marks');
	await terminal.until(/esc tree/);

	// A line number relative to the current line, and a question about a range.
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('─ Command ');
	terminal.type('+5');
	await terminal.until(/Go to line 15 .*src\/prices\.py/);
	pressAction(terminal, 'chooser', 'killToStart');
	terminal.type('10,20 @ why?');
	await terminal.until(/Ask about lines 10 to 20 .*src\/prices\.py/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/why\?/);
	await terminal.until(/with @src\/prices\.py#L10-20/);
	pressAction(terminal, 'anywhere', 'files');

	terminal.press('ctrl+p');
	await terminal.until('Find anything');
	terminal.type('#zeb');
	await terminal.until('Search for “zeb” in all files');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/animals\.txt +│\n.*30 {2}a zebra/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/▸30 +a zebra/);

	terminal.press('ctrl+p');
	await terminal.until('Find anything');
	terminal.type('messages');
	await terminal.until(/Actions[^]*Messages/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('╭ Messages ');
});

test('words find options to rent, from the field, the command line and another list', async () => {
	await using service = await startMarketService();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env, columns: 120, rows: 40});
	await terminal.until(/No servers yet/);
	terminal.press('ctrl+p');
	await terminal.until('Find anything');
	terminal.type('h100 finland');
	await terminal.until(/Options[^]*H100 .*✓ \S+ Finland +rent[^]*all \d+ in Compute/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.gone('Find anything');
	await terminal.until('y Rent at');
	expect(service.asked.filter(line => line.startsWith('POST'))).toEqual([]);
	terminal.press('esc');
	await terminal.gone('y Rent at');

	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('─ Command ');
	terminal.type('h100');
	await terminal.until('Options with h100');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/Compute \d+ of \d+/);

	// Esc clears the filter and stays on the screen. Up in the empty field restores the filter.
	terminal.press('esc');
	await terminal.until(/The filter is set aside/);
	await terminal.until(/Compute \d+ (?!of)/);
	pressAction(terminal, 'compute', 'filter');
	terminal.press('up');
	await terminal.until(/Compute \d+ of \d+/);
	pressAction(terminal, 'filter', 'leave');
	terminal.press('esc');
	await terminal.until(/Compute \d+ (?!of)/);
	terminal.press('esc');
	await terminal.until(/No servers yet/);

	// Eight keys rent an H100 in Europe: Ctrl-P, five characters, Enter, and y.
	terminal.press('ctrl+p');
	await terminal.until('Find anything');
	terminal.type('h1 eu');
	await terminal.until(/Options[^\n]*\n[^\n]*1× H100 +runpod +4\.73\/h +✓ EU-NL-1 Netherlands/);
	terminal.press('enter');
	await terminal.until(/You filtered Europe;[^]*y Rent at 4\.73\/h/);
	terminal.press('y');
	await expect.poll(() => service.asked).toContain('POST /api/servers');
});
