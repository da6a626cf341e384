// @module-tag long
import {execFile} from 'node:child_process';
import {cpSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {newHome} from '../support/program.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {openTerminal} from '../support/terminal.ts';

const REPOSITORY = join(import.meta.dirname, '../..');
const ROOM = 'test/tui/fixtures/notes';

test('a room is a folder and a line in the list of rooms: the program that is built has its tab, keys, footer, palette, help and dialog', async () => {
	using copy = tempFolder();
	for (const each of ['src', 'package.json', 'LICENSE', ROOM])
		cpSync(join(REPOSITORY, each), join(copy.path, each), {recursive: true});
	symlinkSync(join(REPOSITORY, 'node_modules'), join(copy.path, 'node_modules'));
	// A copied snapshot saves the time of creating one from Python.
	cpSync(join(REPOSITORY, 'dist/pyodide.snapshot'), join(copy.path, 'dist/pyodide.snapshot'));
	const add = (path: string, importing: string, place: string, name: string): void => {
		const text = readFileSync(join(copy.path, path), 'utf8');
		expect(text.split(place)).toHaveLength(2);
		writeFileSync(join(copy.path, path), `${importing}\n${text.replace(place, `${name} ${place}`)}`);
	};
	add(
		'src/tui/feature-list.ts',
		`import {notes} from '../../${ROOM}/index.ts';`,
		'tables,\n\tpictures',
		'notes,',
	);
	await promisify(execFile)(process.execPath, ['src/build/build.ts'], {cwd: copy.path});

	await using home = await newHome();
	await using terminal = await openTerminal({
		command: [join(copy.path, 'dist/svc-tui')],
		env: home.env,
		columns: 120,
		rows: 30,
	});
	await terminal.until(/7 Notes/);
	terminal.type('7');
	await terminal.until(/> shopping/);
	await terminal.until(/p pin the note/);
	terminal.type('jp');
	await terminal.until(/> plan \(pinned\)/);
	terminal.press('enter');
	await terminal.until('Train on Monday');
	terminal.press('esc');
	await terminal.gone('Train on Monday');
	terminal.type('?pin the note');
	await terminal.until(/Pin the note.* p /);
	terminal.press('esc');
	await terminal.gone('Pin the note');
	terminal.type('1');
	await terminal.until(/▸ welcome/);
	terminal.type('\u0010read the note');
	await terminal.until(/Read the note +Notes/);
	terminal.press('enter');
	await terminal.until('Train on Monday');
	terminal.press('esc');
	await terminal.gone('Train on Monday');
	terminal.type('q');
	expect(await terminal.exit).toEqual({code: 0, signal: null});
});
