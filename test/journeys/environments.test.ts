// @module-tag long
import {mkdtemp} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand} from '../support/program.ts';
import {openIndex, openMirror, wheel} from '../support/wheels.ts';

test('the data environment shows its contents, asks before its download, shows the progress, and is ready then', async () => {
	await using home = await newHome();
	const wheels = [
		wheel('numpy', 'NAME = "an array"\n'),
		wheel('pandas', 'import numpy\nNAME = "a frame"\n', ['numpy']),
	];
	await using mirror = await openMirror(wheels, await mkdtemp(join(home.folder, 'mirror-')));
	const env = {SVC_PYODIDE_URL: mirror.url.href, SVC_PYODIDE_LOCK: mirror.lockFile};
	await using terminal = await openProgram({home, env, columns: 120, rows: 40});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'global', 'environments');
	await terminal.until(/Environments 10/);
	pressAction(terminal, 'environments', 'last');
	await terminal.until(/▸ Data/);
	const shown = await terminal.until(/Packages +numpy 1\.0, pandas 1\.0/);
	expect(shown).toMatch(/Python +3\.14\.2/);
	expect(shown).toMatch(/At start +downloads 2 files from 127\.0\.0\.1:\d+, after you confirm/);

	pressAction(terminal, 'environments', 'create');
	await terminal.until('Rent a server');
	await terminal.until(/▸ name/);
	terminal.type('lab');
	await terminal.until(/▸ name +lab/);
	pressAction(terminal, 'form', 'accept');
	await terminal.until(/▸ environment +data/);
	pressAction(terminal, 'form', 'accept');
	await terminal.until(/▸ compute +svc-medium/);
	pressAction(terminal, 'form', 'accept');
	await terminal.until(/▸ port +8888/);
	pressAction(terminal, 'form', 'accept');
	await terminal.until('Rent for free');
	pressAction(terminal, 'confirm', 'yes');

	const question = await terminal.until('Download the packages of the environment data?');
	expect(question).toMatch(/2 files, \d\.\d kB in all, from 127\.0\.0\.1:\d+ to this machine:/);
	expect(mirror.asked).toEqual([]);
	const held: (() => void)[] = [];
	mirror.answerWith((request, response) => {
		const found = wheels.find(({file}) => request.url?.endsWith(file));
		held.push(() => response.end(found?.bytes));
	});
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until(/lab is starting/);
	pressAction(terminal, 'global', 'servers');
	await terminal.until(/\S starting[^]*Downloading packages from/);
	mirror.answerWith(null);
	for (const send of held) send();
	await terminal.until(/lab \S ready/);
});

test.skipIf(findJupyter(process.env) === null)(
	'the screen shows where the environments of Jupyter Server come from, and the first start builds one',
	async () => {
		await using home = await newHome();
		await using index = await openIndex([wheel('frames', 'NAME = "three rows"\n')]);
		const env = {SVC_ENGINE: 'jupyter', PIP_INDEX_URL: index.url};
		// The service that the program starts has the environment from the beginning.
		await using terminal = await openProgram({home, env, columns: 120, rows: 40});
		await terminal.until(/welcome\s.*offline/);
		expect(await runCommand(['env', 'create', 'tables', 'frames', '--system'], {home, env})).toMatchObject({
			code: 0,
		});
		pressAction(terminal, 'global', 'environments');
		await terminal.until(/From +The Python of this machine, \/\S+/);
		pressAction(terminal, 'global', 'refresh');
		await terminal.until(/Environments 10/);
		pressAction(terminal, 'environments', 'last');
		const shown = await terminal.until(/At start +its first start builds it/);
		expect(shown).toMatch(/Changes +In a cell, %pip install NAME changes this environment/);
		expect(shown).toMatch(/Packages +frames$/m);
		const create = ['server', 'create', 'lab', '--environment', 'tables', '--compute', 'svc-medium'];
		expect(await runCommand([...create, '--wait'], {home, env})).toMatchObject({code: 0});
		pressAction(terminal, 'global', 'refresh');
		const built = await terminal.until(/From +Built in\b/);
		expect(built).toMatch(/At start +ready/);
		expect(built).toMatch(/frames 1\.0/);
	},
);
