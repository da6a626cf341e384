// @module-tag long
// Widgets of Debian's ipywidgets (6.0) with a real kernel, and a figure as a page in a browser.
import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {openRepl, readCells, startWelcome} from './steps.ts';

const hasWidgets = (): boolean => {
	try {
		execFileSync('/usr/bin/python3', ['-c', 'import ipywidgets'], {stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
};
const missing = findJupyter(process.env) === null || !hasWidgets();
if (missing)
	console.warn(
		'\n*** SKIPPED: no real widgets: jupyter-server, ipykernel or ipywidgets is not installed (Debian: apt-get install python3-ipywidgets) ***\n',
	);

const ROW = `import ipywidgets as w
bar = w.IntProgress(max=4, description="Epoch")
name = w.Label("of four")
row = w.HBox([bar, name])
display(row)`;
const FIGURE = `display({"application/vnd.plotly.v1+json": {"data": [{"type": "bar", "x": ["a", "b"], "y": [1, 2]}], "layout": {"title": "Sales"}}}, raw=True)`;

test.skipIf(missing)('a bar moves in its cell, and the figure of a cell opens as a page', async () => {
	await using home = await newHome();
	const page = join(home.folder, 'page.html');
	const browser = join(home.folder, 'browser');
	writeFileSync(browser, `#!/bin/sh\ncp "\${1#file://}" ${page}.part && mv ${page}.part ${page}\n`);
	chmodSync(browser, 0o755);
	await using terminal = await openProgram({
		home,
		columns: 90,
		rows: 40,
		env: {SVC_ENGINE: 'jupyter', BROWSER: browser},
	});
	await startWelcome(terminal);
	await openRepl(terminal);
	await terminal.until(/REPL · welcome · Python · live/);
	const send = (code: string): void => {
		terminal.paste(code);
		pressAction(terminal, 'repl', 'run');
	};
	send(ROW);
	await terminal.until(/^ +Epoch: \| {30}\| of four$/m);
	send('bar.value = 2; name.value = "of 4"');
	await terminal.until(/^ +Epoch: \|█{15} {15}\| of 4$/m);
	await terminal.until('[2]');
	// The row itself leaves its cell.
	send('row.close()');
	await terminal.gone('Epoch:');

	const {stdout} = await runCommand(['run', 'welcome', '-'], {home, input: `${ROW}\nbar.value = 4`});
	expect(stdout).toContain(`Epoch: |${'█'.repeat(30)}| of four\n`);

	send(FIGURE);
	await terminal.until('A Plotly figure “Sales” with 1 trace (bar)');
	await readCells(terminal);
	pressAction(terminal, 'cells', 'place');
	await terminal.until('Sales opened in your browser');
	await waitFor(() => expect(existsSync(page)).toBe(true));
	expect(readFileSync(page, 'utf8')).toContain('<td>b</td><td>2</td>');
});
