// @module-tag long
// The session of the REPL becomes a new notebook on the server, and a cell is added to the open
// notebook.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {hasNbformat, nbformatSays} from '../support/nbformat.ts';
import {notebookFaults} from '../support/notebook-schema.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openRepl, order, readCells, runCode, startWelcome} from './steps.ts';

const hasJupyter = findJupyter(process.env) !== null;
if (!hasJupyter)
	console.warn('\n*** SKIPPED: no notebooks of a session on Jupyter: jupyter-server is not installed ***\n');

const work = async (engine: string): Promise<void> => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 40, env: {SVC_ENGINE: engine}});
	const stored = (): string => readFileSync(join(serverFolder(serviceFolder(home)), 'made.ipynb'), 'utf8');
	await startWelcome(terminal);
	await openRepl(terminal);
	pressAction(terminal, 'anywhere', 'zoom');
	await terminal.gone('── 6 Assistant');
	runCode(terminal, 'print("fir" + "st")');
	await terminal.until(/^ +first$/m);
	runCode(terminal, '40 + 2');
	await terminal.until(/ 42$/m);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'toNotebook');
	await terminal.until('No notebook is open on welcome: :notebook creates one');

	await order(terminal, 'notebook made');
	await terminal.until(/made\.ipynb ─+ saved · python3 · cell 1 of 2/);
	await terminal.until(/^.? +first$/m);
	const before = stored();
	const {cells} = JSON.parse(before) as {readonly cells: readonly unknown[]};
	expect(cells).toMatchObject([
		{source: ['print("first")'.replace('first', 'fir" + "st')], outputs: [{text: ['first\n']}]},
		{source: ['40 + 2'], outputs: [{data: {'text/plain': ['42']}}]},
	]);
	expect(notebookFaults(JSON.parse(before))).toEqual([]);

	// The name exists now, and the existing file is not changed.
	await order(terminal, 'notebook made.ipynb');
	await terminal.until(/made\.ipynb is on welcome already and was not overwritten/);

	pressAction(terminal, 'anywhere', 'repl');
	await terminal.until('type code');
	pressAction(terminal, 'cells', 'edit');
	runCode(terminal, '"la" + "ter"');
	await terminal.until(/'later'$/m);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'toNotebook');
	await terminal.until('Added as cell 2/3 of made.ipynb, not saved yet');
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until(/made\.ipynb ─+ not saved · python3 · cell 2 of 3/);
	pressAction(terminal, 'notebook', 'undo');
	await terminal.until(/made\.ipynb ─+ saved · python3 · cell 1 of 2/);
	expect(stored()).toBe(before);

	pressAction(terminal, 'anywhere', 'repl');
	await terminal.until('type code');
	pressAction(terminal, 'cells', 'toNotebook');
	await terminal.until('Added as cell 2/3 of made.ipynb, not saved yet');
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until(/made\.ipynb ─+ not saved · python3 · cell 2 of 3[^]*'later'/);
	expect(stored()).toBe(before);
	pressAction(terminal, 'notebook', 'save');
	await terminal.until(/made\.ipynb is saved/);
	const after = stored();
	expect(JSON.parse(after)).toMatchObject({
		cells: [
			{},
			{
				source: ['"la" + "ter"'],
				outputs: [{data: {'text/plain': ["'later'"]}, output_type: 'execute_result'}],
			},
			{},
		],
	});
	// The file is unchanged before and after the new cell.
	const at = before.indexOf('\n  {\n   "cell_type": "code"', before.indexOf('"cell_type"') + 20);
	expect(after.startsWith(before.slice(0, at))).toBe(true);
	expect(after.endsWith(before.slice(at))).toBe(true);
	expect(notebookFaults(JSON.parse(after))).toEqual([]);
	if (hasNbformat) expect(nbformatSays([before, after])).toBe('valid');
};

test(
	'the session is a notebook on the server that opens at once, and a cell is put into it',
	{tags: 'short'},
	async () => work('embedded'),
);

test.skipIf(!hasJupyter)('on Jupyter the session is a notebook too', async () => work('jupyter'));

test('before any cell has run the new notebook is empty, and can be edited', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 40});
	await startWelcome(terminal);
	await order(terminal, 'notebook new.ipynb');
	await terminal.until('This notebook has no cells');
	pressAction(terminal, 'global', 'zoom');
	await terminal.gone('── 6 Assistant');
	pressAction(terminal, 'notebook', 'addBelow');
	await terminal.until(/cell 1 of 1[^]*esc done/);
	terminal.type('6 * 7');
	await terminal.until(/\[ \] +6 \* 7/);
	pressAction(terminal, 'notebookEdit', 'run');
	await terminal.until(/ 42$/m);
	pressAction(terminal, 'notebook', 'save');
	await terminal.until(/new\.ipynb is saved/);
	const text = readFileSync(join(serverFolder(serviceFolder(home)), 'new.ipynb'), 'utf8');
	expect(notebookFaults(JSON.parse(text))).toEqual([]);
	expect(text).toMatch(/"source": \[\n +"6 \* 7"\n/);
});
