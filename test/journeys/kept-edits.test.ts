// @module-tag long
import {existsSync, readdirSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	fileEntry,
	folderEntry,
	startHostileService,
	success,
	type HostileService,
} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

/** A service with one file, and its content. */
const fileService = async (): Promise<HostileService & {stored: string}> => {
	const kept = {stored: 'one\ntwo\n'};
	const service = await startHostileService({
		file: ({path}) =>
			success({
				content:
					path === '' ? folderEntry('', [fileEntry('plain.txt')]) : fileEntry(path, {content: kept.stored}),
			}),
		upload({path, body}) {
			kept.stored = (JSON.parse(body) as {readonly content: string}).content;
			return success({content: fileEntry(path, {content: null, format: null})});
		},
	});
	return Object.assign(kept, service);
};

const copyFolders = (home: Home): readonly string[] => {
	const folder = join(home.folder, '.local/state/svc-tui/edits');
	return existsSync(folder) ? readdirSync(folder) : [];
};

const openFiles = async (terminal: Terminal): Promise<void> => {
	await terminal.until(/calm +. ready/);
	pressAction(terminal, 'servers', 'open');
	await terminal.until(/▸ +plain\.txt/);
};

const command = async (terminal: Terminal, line: string): Promise<void> => {
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type(line);
	await terminal.until(new RegExp(`: ${line}`));
	pressAction(terminal, 'chooser', 'accept');
};

/** Edits the only file. Kills the program when it shows the difference. */
const editAndKill = async (home: Home, env: Readonly<Record<string, string>>): Promise<void> => {
	await using terminal = await openProgram({home, env: {...env, EDITOR: 'echo mine >>'}});
	await openFiles(terminal);
	pressAction(terminal, 'tree', 'edit');
	await terminal.until(/\+ mine/);
	terminal.kill('SIGKILL');
	await terminal.exit;
};

test(
	'text from an editor is offered after kill -9, at the next start and when the file is edited again, and can be saved',
	{tags: 'short'},
	async () => {
		await using service = await fileService();
		await using home = await newHome();
		await editAndKill(home, service.env);
		await using terminal = await openProgram({
			home,
			args: ['--fresh'],
			env: {...service.env, EDITOR: 'echo fresh >>'},
		});
		await terminal.until(/Edits of plain\.txt in an editor were not saved: :edits shows them/);
		await openFiles(terminal);
		pressAction(terminal, 'tree', 'edit');
		await terminal.until(/plain\.txt on calm[^]*and not saved[^]*\+ mine[^]*y continue editing/);
		pressAction(terminal, 'keptEdit', 'close');
		await terminal.gone('continue editing');
		await command(terminal, 'edits');
		await terminal.until(/Written in an editor and not saved[^]*plain\.txt on calm/);
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(/y continue editing/);
		pressAction(terminal, 'keptEdit', 'takeUp');
		await terminal.until(/Save plain\.txt\?[^]*\+ mine/);
		expect(service.stored).toBe('one\ntwo\n');
		pressAction(terminal, 'writing', 'save');
		await terminal.until('plain.txt is saved');
		expect(service.stored).toBe('one\ntwo\nmine\n');
		expect(copyFolders(home)).toEqual([]);
	},
);

test('text from before kill -9 does not overwrite what another client has saved since', async () => {
	await using service = await fileService();
	await using home = await newHome();
	await editAndKill(home, service.env);
	service.stored = 'theirs\n';
	await using terminal = await openProgram({home, args: ['--fresh'], env: {...service.env, EDITOR: 'true'}});
	await openFiles(terminal);
	pressAction(terminal, 'tree', 'edit');
	await terminal.until('continue editing');
	pressAction(terminal, 'keptEdit', 'takeUp');
	await terminal.until(/Changed by someone else: plain\.txt[^]*- theirs[^]*\+ mine/);
	pressAction(terminal, 'conflict', 'other');
	await terminal.until(/Their changes[^]*- one[^]*\+ theirs/);
	expect(service.stored).toBe('theirs\n');
});

test('an unsaved edit can be discarded for good, after a confirmation', async () => {
	await using service = await fileService();
	await using home = await newHome();
	await editAndKill(home, service.env);
	await using terminal = await openProgram({
		home,
		args: ['--fresh'],
		env: {...service.env, EDITOR: 'echo fresh >>'},
	});
	await openFiles(terminal);
	pressAction(terminal, 'tree', 'edit');
	await terminal.until('continue editing');
	pressAction(terminal, 'keptEdit', 'discard');
	await terminal.until('Discard your text?');
	pressAction(terminal, 'confirm', 'no');
	await terminal.gone('Discard your text?');
	await terminal.until('continue editing');
	expect(copyFolders(home)).toHaveLength(1);
	pressAction(terminal, 'keptEdit', 'discard');
	await terminal.until('Discard your text?');
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until('Discarded the unsaved edits of');
	expect(copyFolders(home)).toEqual([]);
	pressAction(terminal, 'tree', 'edit');
	await terminal.until(/Save plain\.txt\?[^]*\+ fresh/);
});

test('after kill -9 with the editor open, its saved text is offered; an empty copy is removed a day later', async () => {
	await using service = await fileService();
	await using home = await newHome();
	const killIn = async (editor: string): Promise<void> => {
		await using terminal = await openProgram({
			home,
			args: ['--fresh'],
			env: {...service.env, EDITOR: editor},
		});
		await openFiles(terminal);
		pressAction(terminal, 'tree', 'edit');
		await terminal.until('the-editor-waits');
		terminal.kill('SIGKILL');
		await terminal.exit;
	};
	const script = join(home.folder, 'editor.sh');
	writeFileSync(script, 'echo the-editor-waits; exec sleep 60\n');
	await killIn(`sh "${script}"`);
	const [first = ''] = copyFolders(home);
	writeFileSync(script, 'echo half-written >> "$1"; echo the-editor-waits; exec sleep 60\n');
	await killIn(`sh "${script}"`);
	// Two copies remain, because another editor may still have the file open.
	expect(copyFolders(home)).toHaveLength(2);
	const dayBefore = Date.now() / 1000 - 90_000;
	utimesSync(join(home.folder, '.local/state/svc-tui/edits', first, 'plain.txt'), dayBefore, dayBefore);
	await using terminal = await openProgram({home, args: ['--fresh'], env: service.env});
	await terminal.until('Edits of plain.txt in an editor were not saved');
	expect(copyFolders(home)).toHaveLength(1);
	await openFiles(terminal);
	pressAction(terminal, 'tree', 'edit');
	await terminal.until(/\+ half-written/);
});

test('a question written in an editor returns to its field after kill -9', async () => {
	await using service = await fileService();
	await using home = await newHome();
	const script = join(home.folder, 'editor.sh');
	writeFileSync(script, 'echo "a long question" > "$1"; echo the-editor-waits; exec sleep 60\n');
	{
		await using terminal = await openProgram({home, env: {...service.env, EDITOR: `sh "${script}"`}});
		await openFiles(terminal);
		pressAction(terminal, 'anywhere', 'assistant');
		await terminal.until('^J new line');
		pressAction(terminal, 'assistant', 'external');
		await terminal.until('the-editor-waits');
		terminal.kill('SIGKILL');
		await terminal.exit;
	}
	await using terminal = await openProgram({home, args: ['--fresh'], env: service.env});
	await terminal.until('Edits of a question in an editor were not saved');
	await command(terminal, 'edits');
	await terminal.until('a question on calm');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/\+ a long question/);
	pressAction(terminal, 'keptEdit', 'takeUp');
	await terminal.until(/› a long question/);
	expect(copyFolders(home)).toEqual([]);
});
