import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fileEntry, folderEntry, json, startHostileService, success} from '../faults/hostile-service.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {share} from '../support/share.ts';
import type {Terminal} from '../support/terminal.ts';
import {startWelcome} from './steps.ts';

/** Texts of recovery copies that have not been discarded. */
const copies = (home: Home): readonly string[] => {
	const folder = join(home.folder, '.local/state/svc-tui/edits');
	return readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter(each => each.isFile() && !each.name.startsWith('.'))
		.map(each => readFileSync(join(each.parentPath, each.name), 'utf8'));
};

const openReadme = async (terminal: Terminal): Promise<void> => {
	await startWelcome(terminal);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('README.md');
	pressAction(terminal, 'tree', 'last');
	pressAction(terminal, 'tree', 'up');
	await terminal.until(/▸ +README\.md/);
	pressAction(terminal, 'tree', 'open');
	await terminal.until('rendered, v source');
	pressAction(terminal, 'viewer', 'raw');
	await terminal.until(/ 1 +# Welcome/);
};

/** A program with README.md of `welcome` open. Its editor is a script. */
const shared = share(async stack => {
	const home = stack.use(await newHome());
	const script = join(home.folder, 'editor.sh');
	const terminal = stack.use(await openProgram({home, env: {EDITOR: `sh "${script}"`}}));
	await openReadme(terminal);
	return {
		home,
		terminal,
		file: join(serverFolder(serviceFolder(home)), 'README.md'),
		edits: (command: string) => writeFileSync(script, `${command} "$1"\n`),
	};
});

test("a file is edited in the user's own editor, its difference shown, and saved", async () => {
	const {home, terminal, file, edits} = await shared();
	edits('sed -i s/Welcome/Hello/');
	pressAction(terminal, 'viewer', 'edit');
	await terminal.until(/Save README\.md\?[^]*- # Welcome[^]*\+ # Hello/);
	expect(readFileSync(file, 'utf8')).toMatch(/^# Welcome/);
	pressAction(terminal, 'writing', 'save');
	await terminal.until(/README\.md is saved[^]*/);
	await terminal.until(/ 1 +# Hello/);
	expect(readFileSync(file, 'utf8')).toMatch(/^# Hello/);
	expect(copies(home)).toEqual([]);
	pressAction(terminal, 'viewer', 'undo');
	await terminal.until(/Save README\.md\?[^]*- # Hello[^]*\+ # Welcome/);
	pressAction(terminal, 'writing', 'save');
	await terminal.until(/ 1 +# Welcome/);
	expect(readFileSync(file, 'utf8')).toMatch(/^# Welcome/);
});

test('a file changed by another client is not overwritten: both versions are shown, and neither is lost', async () => {
	const {home, terminal, file, edits} = await shared();
	edits('sed -i s/Welcome/Mine/');
	const before = readFileSync(file, 'utf8');
	const theirs = before.replace('# Welcome', '# Theirs');
	pressAction(terminal, 'viewer', 'edit');
	await terminal.until(/\+ # Mine/);
	writeFileSync(file, theirs);
	pressAction(terminal, 'writing', 'save');
	await terminal.until(/Changed by someone else: [^]*From theirs to yours[^]*- # Theirs[^]*\+ # Mine/);
	pressAction(terminal, 'conflict', 'other');
	await terminal.until(/Their changes[^]*- # Welcome[^]*\+ # Theirs/);
	expect(readFileSync(file, 'utf8')).toBe(theirs);
	pressAction(terminal, 'conflict', 'theirs');
	await terminal.until(/was left unchanged on the server/);
	await terminal.until(/ 1 +# Theirs/);
	expect(copies(home)).toEqual([before.replace('Welcome', 'Mine')]);

	pressAction(terminal, 'viewer', 'edit');
	await terminal.until(/left as it was/);
	writeFileSync(file, before);
	pressAction(terminal, 'viewer', 'edit');
	await terminal.until(/\+ # Mine/);
	writeFileSync(file, theirs);
	pressAction(terminal, 'writing', 'save');
	await terminal.until('From theirs to yours');
	pressAction(terminal, 'conflict', 'mine');
	await terminal.until('overwrite their changes');
	pressAction(terminal, 'writing', 'save');
	await terminal.until(/README\.md is saved/);
	expect(readFileSync(file, 'utf8')).toBe(before.replace('Welcome', 'Mine'));
	pressAction(terminal, 'viewer', 'undo');
	await terminal.until(/\+ # Theirs/);
	pressAction(terminal, 'writing', 'close');
});

test(
	'the editor has the terminal to itself, Ctrl-C in it is its own, and the screen comes back',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		const script = join(home.folder, 'editor.sh');
		writeFileSync(
			script,
			'trap "echo interrupted-the-editor" INT\nprintf "editing-%s " "${1##*/}"; read answer; [ -n "$answer" ] || read answer; printf "%s\\n" "$answer" > "$1"\n',
		);
		await using terminal = await openProgram({
			home,
			env: {VISUAL: `sh "${script}"`, EDITOR: 'false', SVC_API_KEY: ''},
		});
		await openReadme(terminal);
		pressAction(terminal, 'viewer', 'edit');
		await terminal.until('editing-README.md');
		expect(terminal.modes().alternateScreen).toBe(false);
		terminal.type('\u0003');
		await terminal.until('interrupted-the-editor');
		terminal.type('q1jk typed in the editor\r');
		await terminal.until('Save README.md?');
		pressAction(terminal, 'writing', 'last');
		await terminal.until('+ q1jk typed in the editor');
		expect(terminal.modes().alternateScreen).toBe(true);
		pressAction(terminal, 'writing', 'close');
		await terminal.until(/Not saved\. Your text is under :edits, in /);
		expect(copies(home)).toEqual(['q1jk typed in the editor\n']);
	},
);

test('a new file is made where its path leads', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, env: {EDITOR: 'echo fresh >'}});
	await openReadme(terminal);
	pressAction(terminal, 'viewer', 'tree');
	await terminal.until('a new file');
	pressAction(terminal, 'tree', 'add');
	await terminal.until('New file');
	terminal.type('notes/today.txt');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/This file is new[^]*\+ fresh/);
	pressAction(terminal, 'writing', 'save');
	await terminal.until('notes/today.txt is saved');
	expect(readFileSync(join(serverFolder(serviceFolder(home)), 'notes/today.txt'), 'utf8')).toBe('fresh\n');
});

test(
	'a refused save gives the reason and the path of the text, and a save with a lost response is verified',
	{tags: 'long'},
	async () => {
		let stored = 'plain\n';
		let refuse = true;
		await using service = await startHostileService({
			file: ({path}) =>
				success({
					content:
						path === '' ? folderEntry('', [fileEntry('plain.txt')]) : fileEntry(path, {content: stored}),
				}),
			upload: ({body}) => {
				if (refuse) return json({message: 'the disk is full'}, 507);
				stored = (JSON.parse(body) as {readonly content: string}).content;
				// The service executes the save, but its response is lost.
				return {reason: '', status: 599, type: 'text/html', body: '<html>'};
			},
		});
		await using home = await newHome();
		await using terminal = await openProgram({home, env: {...service.env, EDITOR: 'echo more >>'}});
		await terminal.until(/calm +. ready/);
		pressAction(terminal, 'servers', 'open');
		await terminal.until('plain.txt');
		pressAction(terminal, 'tree', 'edit');
		await terminal.until(/\+ more/);
		pressAction(terminal, 'writing', 'save');
		await terminal.until(/Not saved\.[^]*the disk is full[^]*Your text is in/);
		expect(copies(home)).toEqual(['plain\nmore\n']);
		refuse = false;
		pressAction(terminal, 'writing', 'save');
		await terminal.until('plain.txt is saved');
		expect(stored).toBe('plain\nmore\n');
		expect(copies(home)).toEqual([]);
	},
);

test('an editor that is not there or fails is reported, and nothing is changed', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, env: {EDITOR: 'no-such-editor --wait'}});
	await openReadme(terminal);
	pressAction(terminal, 'viewer', 'edit');
	await terminal.until(/Editor no-such-editor --wait not found\. Set VISUAL or EDITOR/);
	await terminal.until(/ 1 +# Welcome/);
	expect(copies(home)).toEqual([]);
});

test.each([
	['UTF-16', Buffer.from('\uFEFFname,city\nJosé,Málaga\n', 'utf16le'), 'tree'],
	['Latin-1', Buffer.from('name,city\nJosé,Málaga\n', 'latin1'), 'viewer'],
] as const)(
	'a file in %s is shown as its text and not edited: the reason and an alternative are shown, and its bytes stay',
	async (encoding, bytes, from) => {
		const uploads: string[] = [];
		await using service = await startHostileService({
			file: ({path}) =>
				success({
					content:
						path === ''
							? folderEntry('', [fileEntry('table.csv')])
							: fileEntry(path, {mimetype: 'text/csv', format: 'base64', content: bytes.toString('base64')}),
				}),
			upload({path}) {
				uploads.push(path);
				return success({content: fileEntry(path, {content: null, format: null})});
			},
		});
		await using home = await newHome();
		await using terminal = await openProgram({home, env: {...service.env, EDITOR: 'echo mine >>'}});
		await terminal.until(/calm +. ready/);
		pressAction(terminal, 'servers', 'open');
		await terminal.until(/▸ +table\.csv/);
		const refusal = new RegExp(`table\\.csv is ${encoding}, and only UTF-8 is saved[^]*download`);
		if (from === 'viewer') {
			pressAction(terminal, 'tree', 'open');
			await terminal.until(new RegExp(`table\\.csv .*${encoding}[^]*José +Málaga`));
		}
		pressAction(terminal, from, 'edit');
		await terminal.until(refusal);
		expect(uploads).toEqual([]);
		expect(existsSync(join(home.folder, '.local/state/svc-tui/edits'))).toBe(false);
	},
);
