// @module-tag long
// Files that programs outside the kernel write. The tree and the open file are updated over the
// server's own API, without a key press and without moving the position.
import {appendFileSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {startWelcome} from './steps.ts';

const SIZE = {columns: 80, rows: 30};
const lines = (from: number, to: number): string =>
	Array.from({length: to - from}, (_, at) => `step ${from + at} of the log\n`).join('');

const open = async (home: Home, engine: string): Promise<{terminal: Terminal; folder: string}> => {
	const terminal = await openProgram({home, ...SIZE, env: {SVC_ENGINE: engine}});
	await startWelcome(terminal);
	const folder = serverFolder(serviceFolder(home));
	mkdirSync(join(folder, 'deep'));
	writeFileSync(join(folder, 'deep/aside.txt'), 'x');
	writeFileSync(join(folder, 'a.log'), lines(0, 100));
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until(/a\.log[^]*esc servers/);
	return {terminal, folder};
};
const openLog = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'tree', 'path');
	await terminal.until('Go to a path');
	terminal.type('a.log');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/ 1 +step 0 of the log/);
};

describe.each(['pyodide', 'jupyter'])('on %s', engine => {
	const missing = engine === 'jupyter' && findJupyter(process.env) === null;
	if (missing) console.warn('\n*** SKIPPED: no files are followed: jupyter-server is not installed ***\n');

	test.skipIf(missing)('a log grows under the eye at its end, and elsewhere the place stays', async () => {
		await using home = await newHome();
		const {terminal, folder} = await open(home, engine);
		await using _ = terminal;
		await openLog(terminal);
		for (let page = 0; page < 8; page++) pressAction(terminal, 'viewer', 'pageDown');
		await terminal.until(/100 +step 99 of the log/);
		appendFileSync(join(folder, 'a.log'), lines(100, 140));
		await terminal.until(/140 +step 139 of the log/);
		appendFileSync(join(folder, 'a.log'), lines(140, 150));
		await terminal.until(/150 +step 149 of the log/);

		pressAction(terminal, 'viewer', 'first');
		for (let step = 0; step < 3; step++) pressAction(terminal, 'viewer', 'down');
		await terminal.until(/a\.log ─+ 4\/15[01]/);
		appendFileSync(join(folder, 'a.log'), lines(150, 200));
		expect(await terminal.until(/a\.log ─+ 4\/20[01]/)).toMatch(/^ +4 +step 3 of the log/m);
	});

	test.skipIf(missing)(
		'created and deleted files are in the tree, whose cursor stays on its file',
		async () => {
			await using home = await newHome();
			const {terminal, folder} = await open(home, engine);
			await using _ = terminal;
			pressAction(terminal, 'tree', 'down');
			await terminal.until(/▸ ▹ deep/);
			pressAction(terminal, 'tree', 'open');
			await terminal.until(/▸ ▿ deep[^]*aside\.txt/);
			pressAction(terminal, 'tree', 'down');
			await terminal.until(/▸ +aside\.txt/);
			writeFileSync(join(folder, 'deep/a-new.txt'), 'new');
			writeFileSync(join(folder, 'b.txt'), 'new');
			await terminal.until(/ a-new\.txt[^\n]*\n▸[^\n]*aside\.txt/);
			await terminal.until(/^ +b\.txt/m);
			rmSync(join(folder, 'b.txt'));
			await terminal.gone(/^ +b\.txt/m);
			expect(terminal.screen()).toMatch(/▸[^\n]*aside\.txt/);
			rmSync(join(folder, 'deep/aside.txt'));
			await terminal.gone(/aside\.txt/);
			// The file was the last one in its folder, so the cursor moves to the row below.
			expect(terminal.screen()).toMatch(/ a-new\.txt[^\n]*\n▸/);
		},
	);

	test.skipIf(missing)('lines that are being marked stay as they are until they are let go', async () => {
		await using home = await newHome();
		const {terminal, folder} = await open(home, engine);
		await using _ = terminal;
		// The tree is beside the file.
		terminal.resize(120, SIZE.rows);
		await openLog(terminal);
		pressAction(terminal, 'viewer', 'mark');
		await terminal.until('clear the marks');
		writeFileSync(join(folder, 'a.log'), 'another text\n');
		writeFileSync(join(folder, 'zz.txt'), 'seen');
		// The poll that has found this file has not reloaded the other one.
		await terminal.until('zz.txt');
		expect(terminal.screen()).toMatch(/ 1 +step 0 of the log/);
		pressAction(terminal, 'marks', 'leave');
		await terminal.until(/ 1 +another text/);
	});
});
