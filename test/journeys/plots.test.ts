// Plots with Debian's numpy and matplotlib in a kernel of a Jupyter Server.
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;
if (missing)
	console.warn('\n*** SKIPPED: no plot was drawn: jupyter-server and ipykernel are not installed ***\n');

test.skipIf(missing)(
	'an array prints, and a plot is drawn in the REPL, large enough to be read and in its colours',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 90, rows: 45, env: {SVC_ENGINE: 'jupyter'}});
		const drawn: string[] = [];
		terminal.onOutput(chunk => drawn.push(chunk));
		await startWelcome(terminal);
		await openRepl(terminal);
		runCode(terminal, 'import numpy as np; np.arange(6).reshape(2, 3) * 1.5');
		expect(await terminal.until(/array\(.*\n.*\]\]\)/)).toMatch(
			/array\(\[\[0\. , 1\.5, 3\. ],\n +\[4\.5, 6\. , 7\.5\]\]\)/,
		);
		terminal.paste(
			'import matplotlib.pyplot as plt\nx = np.linspace(0, 6, 100)\nplt.fill_between(x, np.sin(x), color="#d62728")\nplt.show()',
		);
		pressAction(terminal, 'repl', 'run');
		const screen = await terminal.until(/^ *[▀-▟]{40,}/m);
		expect(screen.match(/^ *[▀-▟]{40,}/gm)?.length).toBeGreaterThanOrEqual(12);
		// The red of the plot, and no part of its base64.
		expect(drawn.join('')).toContain('48;2;214;39;40');
		expect(screen).not.toMatch(/[A-Za-z0-9+/]{60}/);
	},
);
