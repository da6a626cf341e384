import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fileEntry, folderEntry, startHostileService, success} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {runHere} from './run-in-process.ts';

/** Listings that contain names outside the folder, and one file inside it. */
const startWrongListings = () =>
	startHostileService({
		file({path}) {
			const own = path === '' ? 'top.txt' : `${path}/inner.txt`;
			if (path.endsWith('.txt'))
				return success({content: fileEntry('', {name: '', content: `it is ${path}\n`})});
			return success({
				content: folderEntry('elsewhere', [
					fileEntry(own),
					folderEntry('data', []),
					folderEntry(path, []),
					folderEntry('', []),
					folderEntry('..', []),
					fileEntry('', {name: 'nameless.txt'}),
					fileEntry('/', {name: 'root.txt'}),
					fileEntry(own, {name: 'twice.txt'}),
					fileEntry(own, {path: null, name: null}),
					...[null, 7, 'text', [], {}].map(each => each),
					fileEntry(own, {size: -1, last_modified: 'never', mimetype: 7, name: {}, writable: 'no'}),
				]),
			});
		},
	});

test('the screens survive a folder that lists itself, files without a path, and a response under another name', async () => {
	await using service = await startWrongListings();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until('● ready');
	pressAction(terminal, 'global', 'files');
	const root = await terminal.until(/ data  [^]*top\.txt/);
	expect(root).not.toMatch(/nameless|root\.txt|twice/);
	pressAction(terminal, 'tree', 'open');
	const unfolded = await terminal.until(/inner\.txt/);
	// The folder appears once, at the root, not inside itself.
	expect(unfolded.match(/ data {5}/g)?.length).toBe(1);
	pressAction(terminal, 'tree', 'down');
	pressAction(terminal, 'tree', 'open');
	await terminal.until('it is data/inner.txt');
});

test('the commands name only what lies in the folder, and bring it here', async () => {
	await using service = await startWrongListings();
	using here = tempFolder();
	const on = {baseUrl: service.baseUrl, apiKey: 'k'};
	const list = await runHere(['files', 'list', 'calm', 'data'], on);
	expect(list.code).toBe(0);
	expect(list.stdout.split('\n').slice(1)).toEqual([expect.stringMatching(/^inner\.txt /), '']);
	const got = await runHere(['files', 'get', 'calm', 'data', '-o', here.path], on);
	expect(got).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('without a name or outside the folder'),
	});
	expect(existsSync(join(here.path, 'data/inner.txt'))).toBe(true);
});
