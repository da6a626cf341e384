// @module-tag long
// Completion and documentation in a cell of a notebook, from the notebook's own kernel.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {newNotebook} from '../../src/text/notebook/new-notebook.ts';
import {notebookText} from '../../src/text/notebook/serialize.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;
if (missing)
	console.warn('\n*** SKIPPED: no completion in notebooks on Jupyter: jupyter-server is not installed ***\n');

const NAMES = `import json
class Kennel:
    def bark_once(self): "One bark."
    def bark_twice(self): pass
kennel = Kennel()`;
const TEXT = notebookText(
	newNotebook('python3', [
		{kind: 'code', source: NAMES},
		{kind: 'code', source: ''},
		{kind: 'markdown', source: 'kennel'},
	]),
);

describe.each(['embedded', 'jupyter'])('on the engine %s', engine => {
	test.skipIf(engine === 'jupyter' && missing)(
		'Tab opens the menu below the line, and Shift-Tab and ? show the documentation',
		{tags: engine === 'embedded' ? 'short' : 'long'},
		async () => {
			await using home = await newHome();
			await using terminal = await openProgram({home, columns: 100, rows: 40, env: {SVC_ENGINE: engine}});
			await startWelcome(terminal);
			writeFileSync(join(serverFolder(serviceFolder(home)), 'names.ipynb'), TEXT);
			pressAction(terminal, 'anywhere', 'files');
			await terminal.until('prices.ipynb');
			pressAction(terminal, 'global', 'zoom');
			await terminal.gone('── 6 Assistant');
			pressAction(terminal, 'global', 'commandLine');
			await terminal.until('Tab complete');
			terminal.type('file names.ipynb');
			pressAction(terminal, 'chooser', 'accept');
			await terminal.until(/work in it[^]*\[ \] +import json/);
			pressAction(terminal, 'viewer', 'work');
			await terminal.until(/saved · python3 · cell 1 of 3/);
			pressAction(terminal, 'notebook', 'runNext');
			await terminal.until(/\[1\] +import json/);
			await terminal.until('cell 2 of 3');
			pressAction(terminal, 'notebook', 'edit');
			await terminal.until('esc done');

			// The key indents if there is no text before the cursor.
			pressAction(terminal, 'notebookEdit', 'complete');
			terminal.type('kennel.b');
			await terminal.until(/\[ \] {6}kennel\.b/);
			pressAction(terminal, 'notebookEdit', 'killToStart');
			await terminal.gone(/kennel\.b$/m);
			terminal.type('kennel.b');
			await terminal.until(/\[ \] {2}kennel\.b/);
			pressAction(terminal, 'notebookEdit', 'complete');
			await terminal.until(
				/\[ \] {2}kennel\.bark_\n── completions ─+ 1\/2 ─+\n +▸ bark_once .*\n +bark_twice .*\n[^]*⏎ take +Tab next/,
			);
			terminal.type('tw');
			await terminal.until(/kennel\.bark_tw\n── completions ─+\n +▸ bark_twice/);
			pressAction(terminal, 'completions', 'accept');
			await terminal.until(/\[ \] {2}kennel\.bark_twice\n/);
			await terminal.gone('── completions');

			pressAction(terminal, 'notebookEdit', 'killToStart');
			await terminal.gone('kennel.bark_twice');
			terminal.type('json.dumps(');
			await terminal.until(/\[ \] {2}json\.dumps\(/);
			pressAction(terminal, 'notebookEdit', 'inspect');
			await terminal.until(/json\.dumps\(\n── documentation ─+ \d+\/\d+ ─[^]*Signature:[^]*sort_keys/);
			pressAction(terminal, 'documentation', 'close');
			await terminal.gone('── documentation');
			pressAction(terminal, 'notebookEdit', 'killToStart');
			await terminal.gone('json.dumps(');
			terminal.type('kennel.bark_once?');
			await terminal.until(/kennel\.bark_once\?\n── documentation[^]*One bark\./);
			pressAction(terminal, 'documentation', 'close');
			await terminal.gone('── documentation');
			pressAction(terminal, 'notebookEdit', 'killToStart');
			await terminal.gone('bark_once?');

			// A request for completions does not count as a cell.
			terminal.type('print("se" + "cond")');
			pressAction(terminal, 'notebookEdit', 'runNext');
			await terminal.until(/^ +second$/m);
			await terminal.until(/\[2\] +print/);
			await terminal.until('cell 3 of 3');
			pressAction(terminal, 'notebook', 'edit');
			await terminal.until('esc done');
			pressAction(terminal, 'notebookEdit', 'textEnd');
			pressAction(terminal, 'notebookEdit', 'complete');
			terminal.type('.b');
			await terminal.until(/md +kennel {2}\.b$/m);
		},
	);
});
