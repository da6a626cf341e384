// @module-tag long
// `sync --watch`: changes in a local folder are sent to the server, deletions only on request.
import {existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {fileEntry, folderEntry, json, startHostileService, success} from '../faults/hostile-service.ts';
import {serverFolder} from '../support/folders.ts';
import {newHome, PROGRAM, type Home} from '../support/program.ts';
import {openTerminal, type Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {serve} from './support.ts';

type Env = Readonly<Record<string, string>>;

const write = (root: string, path: string, content: string): void => {
	mkdirSync(dirname(join(root, path)), {recursive: true});
	writeFileSync(join(root, path), content);
};

const watching = async (
	home: Home,
	env: Env,
	args: readonly string[],
	before: readonly string[] = [],
): Promise<Terminal> =>
	openTerminal({
		command: [...before, PROGRAM, 'files', 'sync', join(home.folder, 'here'), ...args, '--watch'],
		env: {...home.env, ...env},
		cwd: home.folder,
	});

/** A service that stores uploads, or answers them with this response instead. */
const storing = async () => {
	const stored = new Map<string, string>();
	const refusals: ReturnType<typeof json>[] = [];
	const service = await startHostileService({
		file: ({path}) =>
			path === '' ? success({content: folderEntry('', [])}) : json({error: 'no such file'}, 404),
		upload({path, body}) {
			const refusal = refusals.shift();
			if (refusal) return refusal;
			stored.set(path, (JSON.parse(body) as {readonly content: string}).content);
			return success({content: fileEntry(path, {content: null, format: null})});
		},
	});
	return {service, stored, refusals};
};

test(
	'local changes are sent at once, in new folders too, without files that git ignores, until Ctrl-C',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		const here = join(home.folder, 'here');
		write(here, '.gitignore', 'out/\n');
		write(here, 'a.py', 'print(1)\n');
		const {service, stored} = await storing();
		await using _ = service;
		await using terminal = await watching(home, service.env, ['calm:code']);
		await terminal.until(/2 files sent.*\nWatching \S+here; press Ctrl-C to stop\./);

		write(here, 'a.py', 'print(2)\n');
		await terminal.until(/^sent {5}a\.py$/m);
		expect(stored.get('code/a.py')).toBe('print(2)\n');
		write(here, 'out/model.bin', 'large\n');
		write(here, 'new/deep/b.py', 'b = 1\n');
		await terminal.until(/^sent {5}new\/deep\/b\.py$/m);
		write(here, 'new/deep/b.py', 'b = 2\n');
		await waitFor(() => expect(stored.get('code/new/deep/b.py')).toBe('b = 2\n'));
		renameSync(join(here, 'a.py'), join(here, 'c.py'));
		await terminal.until(/^sent {5}c\.py$/m);
		expect([...stored.keys()].toSorted()).toEqual([
			'code/.gitignore',
			'code/a.py',
			'code/c.py',
			'code/new/deep/b.py',
		]);

		terminal.press('ctrl+c');
		expect(await terminal.exit).toMatchObject({code: 130});
		expect(terminal.screen()).toContain('Stopped.');
	},
);

test('with --delete it asks once, deletes files that are deleted here, and keeps those that the server created', async () => {
	await using home = await newHome();
	await using service = await serve(home);
	expect(await service.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
	const here = join(home.folder, 'here');
	const there = join(serverFolder(join(home.folder, 'served')), 'code');
	for (const name of ['a.py', 'b.py']) write(here, name, `${name}\n`);
	const args = ['welcome:code', '--delete'];
	expect(await service.run(['files', 'sync', here, ...args, '--watch'])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining(
			'--delete would delete each file on welcome whose local file is deleted while this runs.',
		) as string,
	});
	expect(existsSync(there)).toBe(false);
	await using terminal = await watching(home, service.env, args);
	await terminal.until(
		'Delete each file on welcome whose local file is deleted while this runs? This cannot be undone. [y/N]',
	);
	terminal.type('y\r');
	await terminal.until('Watching');
	write(there, 'model.bin', 'trained\n');
	rmSync(join(here, 'a.py'));
	await terminal.until(/^deleted {2}a\.py$/m);
	expect(existsSync(join(there, 'a.py'))).toBe(false);
	renameSync(join(here, 'b.py'), join(here, 'c.py'));
	await terminal.until(/^sent {5}c\.py\ndeleted {2}b\.py$/m);
	expect([existsSync(join(there, 'b.py')), existsSync(join(there, 'c.py'))]).toEqual([false, true]);
	expect(readFileSync(join(there, 'model.bin'), 'utf8')).toBe('trained\n');
	// A folder replaces a file, and a file the folder.
	rmSync(join(here, 'c.py'));
	write(here, 'c.py/inner.py', 'inner\n');
	await waitFor(() => expect(readFileSync(join(there, 'c.py/inner.py'), 'utf8')).toBe('inner\n'));
	rmSync(join(here, 'c.py'), {recursive: true});
	write(here, 'c.py', 'a file again\n');
	await waitFor(() => expect(readFileSync(join(there, 'c.py'), 'utf8')).toBe('a file again\n'));
	rmSync(here, {recursive: true});
	expect(await terminal.exit).toMatchObject({code: 2});
	expect(existsSync(join(there, 'c.py'))).toBe(true);
});

test('a refused file is reported once and sent again, and a rejected key ends it', async () => {
	await using home = await newHome();
	const here = join(home.folder, 'here');
	write(here, 'a.py', 'one\n');
	const {service, stored, refusals} = await storing();
	await using _ = service;
	await using terminal = await watching(home, service.env, ['calm:']);
	await terminal.until('Watching');
	write(here, 'b.py', 'b\n');
	await terminal.until(/^sent {5}b\.py$/m);
	refusals.push(json({error: 'no space'}, 500), json({error: 'no space'}, 500));
	write(here, 'a.py', 'two\n');
	await terminal.until(/^sent {5}a\.py$/m);
	expect(stored.get('a.py')).toBe('two\n');
	expect(terminal.screen().match(/no space/g)).toHaveLength(1);
	refusals.push(json({error: 'key expired'}, 401));
	write(here, 'a.py', 'three\n');
	expect(await terminal.exit).toMatchObject({code: 4});
});

test('without system watches it announces polling, and finds changes', async () => {
	await using home = await newHome();
	const here = join(home.folder, 'here');
	write(here, 'a.py', 'one\n');
	const {service, stored} = await storing();
	await using _ = service;
	const noWatches = [
		'unshare',
		'-Ur',
		'sh',
		'-c',
		'echo 0 >/proc/sys/user/max_inotify_watches; exec "$@"',
		'-',
	];
	await using terminal = await watching(home, service.env, ['calm:'], noWatches);
	await terminal.until(/File watching is not available here \(ENOSPC\); scanning the folder every 2 s\./);
	write(here, 'a.py', 'two\n');
	await terminal.until(/^sent {5}a\.py$/m);
	expect(stored.get('a.py')).toBe('two\n');
	terminal.press('ctrl+c');
	expect(await terminal.exit).toMatchObject({code: 130});
});
