// @module-tag long
// Renames, creates folders and deletes in the tree, through the API of a server's own address, on
// each engine that has one.
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {startHostileService} from '../faults/hostile-service.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {openPricesFile, startWelcome} from './steps.ts';

const SIZE = {columns: 120, rows: 34};
const open = async (home: Home, engine: string): Promise<{terminal: Terminal; folder: string}> => {
	const terminal = await openProgram({home, ...SIZE, env: {SVC_ENGINE: engine}});
	await startWelcome(terminal);
	return {terminal, folder: serverFolder(serviceFolder(home))};
};
const retype = (terminal: Terminal, text: string): void => {
	pressAction(terminal, 'chooser', 'killToStart');
	terminal.type(text);
	pressAction(terminal, 'chooser', 'accept');
};

describe.each(['pyodide', 'jupyter'])('on %s', engine => {
	const missing = engine === 'jupyter' && findJupyter(process.env) === null;
	if (missing) console.warn('\n*** SKIPPED: no files are renamed: jupyter-server is not installed ***\n');

	test.skipIf(missing)('a file and its folder get other names, and the open file goes along', async () => {
		await using home = await newHome();
		const {terminal, folder} = await open(home, engine);
		await using _ = terminal;
		await openPricesFile(terminal);
		pressAction(terminal, 'viewer', 'last');
		await terminal.until(/32 +report\(load\(\)\)/);
		pressAction(terminal, 'viewer', 'tree');
		await terminal.until('⏎ open');

		pressAction(terminal, 'tree', 'move');
		await terminal.until(/Rename or move prices\.py[^]*› src\/prices\.py/);
		retype(terminal, 'README.md');
		await terminal.until(/with that name already exists/);
		expect(terminal.screen()).toMatch(/Rename or move prices\.py[^]*› README\.md/);
		retype(terminal, '../out.py');
		await terminal.until(/cannot be used/);
		retype(terminal, 'data/');
		await terminal.until(/data\/prices\.py ─/);
		await terminal.until(/▿ data[^]*▸  +prices\.py/);
		await terminal.until(/32 +report\(load\(\)\)/);
		expect(existsSync(join(folder, 'src/prices.py'))).toBe(false);

		pressAction(terminal, 'tree', 'fold');
		await terminal.until(/▸ ▿ data/);
		pressAction(terminal, 'tree', 'move');
		await terminal.until(/Rename or move data/);
		retype(terminal, 'data/below');
		await terminal.until('A folder cannot be put into itself');
		retype(terminal, 'numbers');
		await terminal.until(/▸ ▿ numbers[^]*numbers\/prices\.py ─/);
		await terminal.until(/32 +report\(load\(\)\)/);
		expect(readFileSync(join(folder, 'numbers/prices.py'), 'utf8')).toContain('report(load())');
	});

	test.skipIf(missing)(
		'a folder is created and deleted, after the number of its entries was shown',
		async () => {
			await using home = await newHome();
			const {terminal, folder} = await open(home, engine);
			await using _ = terminal;
			mkdirSync(join(folder, 'full'));
			for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, 'full', name), name);
			pressAction(terminal, 'anywhere', 'files');
			await terminal.until(/▹ full/);
			pressAction(terminal, 'tree', 'makeFolder');
			await terminal.until(/New folder/);
			retype(terminal, 'full');
			await terminal.until('"full" already exists');
			retype(terminal, 'made/deep');
			await terminal.until(/▿ made[^\n]*\n▸  +▹ deep/);
			expect(existsSync(join(folder, 'made/deep'))).toBe(true);

			pressAction(terminal, 'tree', 'remove');
			await terminal.until(/Delete this folder\?[^]*made\/deep[^]*It is empty\.[^]*This cannot be undone/);
			pressAction(terminal, 'confirm', 'no');
			await terminal.gone('Delete this folder?');
			expect(existsSync(join(folder, 'made/deep'))).toBe(true);
			pressAction(terminal, 'tree', 'remove');
			await terminal.until('It is empty.');
			pressAction(terminal, 'confirm', 'yes');
			await terminal.until('made/deep is deleted');
			expect(existsSync(join(folder, 'made/deep'))).toBe(false);

			pressAction(terminal, 'tree', 'first');
			await terminal.until(/^▸ ▹ data/m);
			pressAction(terminal, 'tree', 'down');
			await terminal.until(/^▸ ▹ full/m);
			pressAction(terminal, 'tree', 'remove');
			await terminal.until(/Delete this folder\?[^]*It holds 3 entries/);
			pressAction(terminal, 'confirm', 'yes');
			await terminal.until('full is deleted');
			await terminal.gone(/▹ full/);
			expect(existsSync(join(folder, 'full'))).toBe(false);
		},
	);
});

test(
	'on a service without such an address the keys name the missing interface',
	{tags: 'short'},
	async () => {
		await using service = await startHostileService();
		await using home = await newHome();
		await using terminal = await openProgram({home, ...SIZE, env: service.env});
		await terminal.until(/calm +. ready/);
		pressAction(terminal, 'servers', 'open');
		await terminal.until(/^▸ +plain\.txt/m);
		for (const [action, words] of [
			['move', 'No rename on calm: '],
			['remove', 'No delete on calm: '],
			['makeFolder', 'No empty folders on calm: '],
		] as const) {
			pressAction(terminal, 'tree', action);
			await terminal.until(words);
		}
		expect(service.strays).toEqual([]);
	},
);
