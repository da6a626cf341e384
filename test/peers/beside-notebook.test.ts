// @module-tag long
// JupyterLab's client uses the kernel of a notebook that is open in the program. No cell runs
// twice, and each client receives the outputs of its own code.
import {writeFileSync} from 'node:fs';
import {beforeAll, expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {notebookOf} from '../support/notebook-of.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand} from '../support/program.ts';
import {outputsIn, pathIn, runAll, save} from '../journeys/notebook-steps.ts';
import {startWelcome} from '../journeys/steps.ts';
import {INSTALL_MS, installPeers} from './install-peers.ts';
import {askPeer} from './peer-process.ts';

const ENGINES = findJupyter(process.env) === null ? ['embedded'] : ['embedded', 'jupyter'];

beforeAll(installPeers, INSTALL_MS);

test.for(ENGINES)('%s: a notebook that JupyterLab has open, too', async engine => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 40, env: {SVC_ENGINE: engine}});
	await startWelcome(terminal);
	writeFileSync(
		pathIn(home, 'both.ipynb'),
		notebookOf(
			'import os, time\nx = 1\nwith open("ran", "a") as file: file.write("0")\nprint("ours " + "begins")',
			'while not os.path.exists("go"): time.sleep(0.01)\nprint("ours continues")',
			'for i in range(100): print("ours", i)',
			'print("x is", x)',
		),
	);
	await runAll(terminal, 'both.ipynb');
	await terminal.until('ours begins');
	pressAction(terminal, 'notebook', 'last');
	await terminal.until(/▌ \[\*\]  print\("x is", x\)/);
	const [{url = '', token = ''} = {}] = JSON.parse(
		(await runCommand(['servers', '--json'], {home})).stdout,
	) as readonly {url?: string; token?: string}[];
	// JupyterLab's cell is queued behind our four, which have already been sent to the kernel.
	const theirs = askPeer<{status: string; text: string; sessions: readonly string[]}>('beside-process.mjs', {
		url: url.split('?')[0],
		token,
		path: 'both.ipynb',
		code: 'for i in range(100): print("theirs", i)\nx += 41; x',
	});
	writeFileSync(pathIn(home, 'go'), '');
	const lines = (of: string): string => Array.from({length: 100}, (_, n) => `${of} ${n}\n`).join('');
	expect(await theirs).toEqual({status: 'ok', text: `${lines('theirs')}42`, sessions: ['both.ipynb']});
	await terminal.until('x is 1');
	await save(terminal);
	expect(outputsIn(home, 'both.ipynb')).toEqual([
		'ours begins\n',
		'ours continues\n',
		lines('ours'),
		'x is 1\n',
	]);
	expect(await runCommand(['files', 'get', 'welcome', 'ran'], {home})).toMatchObject({stdout: '0'});
	// Our next cell reads the variable that JupyterLab changed.
	pressAction(terminal, 'notebook', 'run');
	await terminal.until('x is 42');
});
