import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {HostileService} from '../faults/hostile-service.ts';
import {storeOn} from '../support/store-on.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';
import {serviceWith} from './files-service.ts';
import {runHere, type Ran} from './run-in-process.ts';
import {fileTransfers} from '../../src/tui/files/tree/transfers.ts';

const get = (
	service: HostileService,
	path: string,
	folder: string,
	more: readonly string[] = [],
	answers?: string[],
): Promise<Ran> =>
	runHere(['files', 'get', 'nb', path, '-o', folder, ...more], {
		baseUrl: service.baseUrl,
		apiKey: 'k',
		...(answers !== undefined && {answers}),
	});

test("a downloaded folder writes nothing into git's data here, in no spelling: each such folder is named, and the rest arrives", async () => {
	const config = '[core]\n\tfsmonitor = touch /tmp/owned\n';
	const spellings = ['.git', '.GIT', 'git~1', '.git.', '.g\u200Cit', '.hg'];
	await using service = await serviceWith({
		...Object.fromEntries(spellings.map(name => [`work/${name}/config`, config])),
		'work/sub/.git': 'gitdir: ../elsewhere\n',
		'work/train.py': 'print(1)\n',
	});
	using here = tempFolder();
	const ran = await get(service, 'work', here.path, ['--json']);
	expect(ran.code).toBe(1);
	const {downloaded, failed} = JSON.parse(ran.stdout) as {
		downloaded: {path: string}[];
		failed: {path: string; message: string}[];
	};
	expect(downloaded.map(({path}) => path)).toEqual(['work/train.py']);
	expect(failed.map(({path}) => path).toSorted()).toEqual(
		[...spellings.map(name => `work/${name}`), 'work/sub/.git'].toSorted(),
	);
	for (const {message} of failed) expect(message).toMatch(/runs commands/);
	for (const name of spellings) expect(existsSync(join(here.path, 'work', name))).toBe(false);
	// The client does not even list a refused folder.
	expect(service.asked.filter(line => line.includes('.git'))).toEqual([]);
	expect((await get(service, 'work/.git', here.path)).code).toBe(1);
	expect(existsSync(join(here.path, '.git'))).toBe(false);
});

test('a folder that would be a bare repository here arrives without its HEAD', async () => {
	await using service = await serviceWith({
		'work/data/HEAD': 'ref: refs/heads/main\n',
		'work/data/config': '[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch /tmp/owned\n',
		'work/data/objects/x': '',
		'work/data/refs/x': '',
		'work/HEAD': 'a file of this name alone is nothing to git\n',
	});
	using here = tempFolder();
	const ran = await get(service, 'work', here.path);
	expect(ran).toMatchObject({code: 1, stderr: expect.stringContaining('work/data/HEAD: it was not written')});
	expect(existsSync(join(here.path, 'work/data/HEAD'))).toBe(false);
	expect(existsSync(join(here.path, 'work/HEAD'))).toBe(true);
});

test('an existing hidden file is replaced only by --existing overwrite or after a yes; a new or equal one needs no question', async () => {
	await using service = await serviceWith({
		'work/.bashrc': 'theirs\n',
		'work/.new': 'theirs\n',
		'work/.same': 'theirs\n',
		'work/.config/x': 'theirs\n',
		'work/a.txt': 'theirs\n',
	});
	using here = tempFolder();
	const read = (name: string): string => readFileSync(join(here.path, 'work', name), 'utf8');
	const fill = (): void => {
		mkdirSync(join(here.path, 'work/.config'), {recursive: true});
		for (const name of ['.bashrc', '.config/x', 'a.txt'])
			writeFileSync(join(here.path, 'work', name), 'mine\n');
	};
	writeFileSync(join(here.path, 'x'), '');
	fill();
	writeFileSync(join(here.path, 'work/.same'), 'theirs\n');
	const alone = await get(service, 'work', here.path);
	expect(alone.code).toBe(1);
	expect(alone.stderr).toContain('work/.bashrc: this hidden file already exists and was kept');
	expect(alone.stderr).toContain('--existing overwrite');
	expect(alone.stderr).not.toContain('.same');
	expect(['.bashrc', '.config/x', '.new', 'a.txt'].map(read)).toEqual([
		'mine\n',
		'mine\n',
		'theirs\n',
		'theirs\n',
	]);

	const asked = ['y', 'n'];
	expect(await get(service, 'work', here.path, [], asked)).toMatchObject({code: 0});
	expect(asked).toEqual([]);
	expect(['.bashrc', '.config/x'].map(read).toSorted()).toEqual(['mine\n', 'theirs\n']);

	fill();
	expect(await get(service, 'work', here.path, ['--existing', 'overwrite'])).toMatchObject({code: 0});
	expect(['.bashrc', '.config/x'].map(read)).toEqual(['theirs\n', 'theirs\n']);
});

test('on the screens "overwrite all" does not replace a hidden file: a separate question asks about all of them', async () => {
	const names = ['a/a.txt', '.bashrc', '.profile', 'b.txt'];
	await using service = await serviceWith(
		Object.fromEntries(names.map(name => [`work/${name}`, 'theirs\n'])),
	);
	using here = tempFolder();
	mkdirSync(join(here.path, 'work/a'), {recursive: true});
	const fill = (): void => {
		for (const name of names) writeFileSync(join(here.path, 'work', name), 'mine\n');
	};
	const replaced = (): readonly string[] =>
		names.filter(name => readFileSync(join(here.path, 'work', name), 'utf8') === 'theirs\n');
	const store = storeOn(service.baseUrl);
	/**
	 * Downloads the folder and gives these answers to questions. Returns the paths that were asked
	 * about, those of hidden files in brackets.
	 */
	const download = async (
		...answers: readonly ('overwrite-all' | 'skip-all' | 'overwrite' | 'skip')[]
	): Promise<readonly string[]> => {
		const asked: string[] = [];
		fill();
		fileTransfers(store.getState).download('nb', 'work', here.path);
		for (const answer of answers) {
			await waitFor(() => expect(store.getState().dialogs.at(-1)?.kind).toBe('overwrite'));
			const dialog = store.getState().dialogs.at(-1);
			if (dialog?.kind === 'overwrite') asked.push(dialog.isHidden ? `(${dialog.path})` : dialog.path);
			fileTransfers(store.getState).answerOverwrite(answer);
		}
		await waitFor(() => expect(store.getState().transfer).toBeNull());
		return asked;
	};
	expect(await download('overwrite-all', 'skip', 'overwrite')).toEqual([
		'work/a/a.txt',
		'(work/.bashrc)',
		'(work/.profile)',
	]);
	expect(replaced()).toEqual(['a/a.txt', '.profile', 'b.txt']);
	expect(await download('skip', 'overwrite-all')).toEqual(['work/a/a.txt', '(work/.bashrc)']);
	expect(replaced()).toEqual(['.bashrc', '.profile', 'b.txt']);
});
