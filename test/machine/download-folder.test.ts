import {execFileSync} from 'node:child_process';
import {
	linkSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {downloadFolder} from '../../src/machine/download-folder.ts';
import {localFiles, readListed} from '../../src/machine/local-file.ts';
import {tempFolder} from '../support/temp-folder.ts';

const bytes = Buffer.from('from the server');

/** A folder to download into, and one beside it that must not change. */
const twoFolders = () => {
	const temp = tempFolder();
	const top = realpathSync(temp.path);
	const [into, outside] = [join(top, 'into'), join(top, 'outside')];
	mkdirSync(into);
	mkdirSync(outside);
	writeFileSync(join(outside, 'mine'), 'mine');
	return {into, outside, [Symbol.dispose]: () => temp[Symbol.dispose]()};
};

test('a file is written with its parent folders, and replaces the existing one', async () => {
	using place = twoFolders();
	const target = downloadFolder(join(place.into, 'new'));
	await target.write('a/b/c.txt', Buffer.from('old'));
	await target.write('a/b/c.txt', bytes);
	expect(readFileSync(join(place.into, 'new/a/b/c.txt'), 'utf8')).toBe('from the server');
	expect([await target.isThere('a/b/c.txt'), await target.isThere('a/b/d.txt')]).toEqual([true, false]);
	expect(await target.holds('a/b/c.txt', bytes)).toBe(true);
	expect(await target.holds('a/b/c.txt', Buffer.from('x'))).toBe(false);
});

test('nothing is written through a link that leads out of the folder, be it the file, a folder on the way or the outermost', async () => {
	using place = twoFolders();
	symlinkSync(join(place.outside, 'mine'), join(place.into, 'file'));
	symlinkSync(place.outside, join(place.into, 'folder'));
	symlinkSync('../outside', join(place.into, 'relative'));
	mkdirSync(join(place.into, 'deep'));
	symlinkSync('../../outside', join(place.into, 'deep/folder'));
	const target = downloadFolder(place.into);
	for (const path of ['file', 'folder/mine', 'folder/new', 'relative/mine', 'deep/folder/a/b'])
		await expect(target.write(path, bytes), path).rejects.toThrow('a link that leads out of');
	expect(readFileSync(join(place.outside, 'mine'), 'utf8')).toBe('mine');
	expect(lstatSync(join(place.outside, 'new'), {throwIfNoEntry: false})).toBeUndefined();
	expect(lstatSync(join(place.outside, 'a'), {throwIfNoEntry: false})).toBeUndefined();
});

test("a link inside the folder is followed, but not into git's data", async () => {
	using place = twoFolders();
	mkdirSync(join(place.into, 'real'));
	symlinkSync('real', join(place.into, 'alias'));
	mkdirSync(join(place.into, '.git'));
	symlinkSync('.git', join(place.into, 'innocent'));
	const target = downloadFolder(place.into);
	await target.write('alias/a.txt', bytes);
	expect(readFileSync(join(place.into, 'real/a.txt'), 'utf8')).toBe('from the server');
	await expect(target.write('innocent/config', bytes)).rejects.toThrow("part of git's own data");
	expect(lstatSync(join(place.into, '.git/config'), {throwIfNoEntry: false})).toBeUndefined();
});

test('a link of the user in the path of the folder itself is followed', async () => {
	using place = twoFolders();
	symlinkSync(place.into, join(place.outside, 'alias'));
	await downloadFolder(join(place.outside, 'alias')).write('a.txt', bytes);
	expect(readFileSync(join(place.into, 'a.txt'), 'utf8')).toBe('from the server');
});

test('a link that leads nowhere is replaced, a pipe is left alone, and a hard link elsewhere keeps its content', async () => {
	using place = twoFolders();
	symlinkSync(join(place.outside, 'missing'), join(place.into, 'dangling'));
	linkSync(join(place.outside, 'mine'), join(place.into, 'hard'));
	execFileSync('mkfifo', [join(place.into, 'pipe')]);
	const target = downloadFolder(place.into);
	await target.write('dangling', bytes);
	await target.write('hard', bytes);
	expect(lstatSync(join(place.outside, 'missing'), {throwIfNoEntry: false})).toBeUndefined();
	expect(readFileSync(join(place.outside, 'mine'), 'utf8')).toBe('mine');
	await expect(target.write('pipe', bytes)).rejects.toThrow('a device or a pipe');
});

test('a file that was listed is read, but not through a link that has taken its place or that of a folder above it', async () => {
	using place = twoFolders();
	mkdirSync(join(place.into, 'sub'));
	writeFileSync(join(place.into, 'sub/mine'), 'project');
	writeFileSync(join(place.into, 'plain'), 'project');
	const [plain, below] = (await localFiles(place.into)).map(({file}) => file) as [string, string];
	expect((await readListed(below)).toString()).toBe('project');
	rmSync(plain);
	symlinkSync(join(place.outside, 'mine'), plain);
	renameSync(join(place.into, 'sub'), join(place.into, 'moved'));
	symlinkSync(place.outside, join(place.into, 'sub'));
	for (const file of [plain, below])
		await expect(readListed(file), file).rejects.toThrow('has taken its place');
});
