// @module-tag long
import {execFile} from 'node:child_process';
import {mkdir, readdir, readFile, writeFile, chmod, utimes} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {folderFiles, sweepTemps} from '../../../src/engines/folder-files.ts';
import {tempFolder} from './temp-folder.ts';

const program = fileURLToPath(new URL('./fault-process.ts', import.meta.url));
const OLD = 'old'.repeat(40_000);
const NEW = 'new'.repeat(50_000);

type Outcome = {
	readonly killed: boolean;
	readonly saved?: boolean;
	readonly status?: number;
	readonly message?: string;
	readonly step?: string | null;
};

const save = (root: string, path: string, step: number, code: string): Promise<Outcome> =>
	new Promise((resolve, reject) => {
		execFile(process.execPath, [program, root, path, String(step), code], (error, stdout, stderr) => {
			if (error?.signal === 'SIGKILL') resolve({killed: true});
			else if (error) reject(new Error(stderr));
			else resolve({killed: false, ...(JSON.parse(stdout) as object)});
		});
	});

/**
 * Creates a folder with one old file. Its time is in the future, so that the save has to set the
 * time too.
 */
const withOldFile = async (root: string): Promise<void> => {
	await mkdir(join(root, 'src'));
	await writeFile(join(root, 'src/old.txt'), OLD);
	await chmod(join(root, 'src/old.txt'), 0o640);
	await utimes(join(root, 'src/old.txt'), 4e9, 4e9);
};

const WRITE = 2;

test.each([
	['EDQUOT', 507, 'quota is used up'],
	['EFBIG', 507, 'larger than'],
	['EACCES', 403, 'permission denied'],
	['EPERM', 403, 'permission denied'],
	['EROFS', 403, 'read-only file system'],
] as const)(
	'%s while a file is saved returns %i with the reason, and the file is unchanged',
	{tags: 'short'},
	async (code, status, sentence) => {
		await using root = await tempFolder();
		await withOldFile(root.path);
		expect(await save(root.path, 'src/old.txt', WRITE, code)).toEqual({
			killed: false,
			saved: false,
			step: 'write',
			status,
			message: expect.stringMatching(new RegExp(`^"src/old\\.txt" .*${sentence}.*\\.$`)),
		});
		expect([
			await readdir(join(root.path, 'src')),
			(await readFile(join(root.path, 'src/old.txt'), 'utf8')) === OLD,
		]).toEqual([['old.txt'], true]);
	},
);

test.each([
	['ENOSPC', 507, 'the disk is full'],
	['EIO', 500, 'input/output error (EIO)'],
] as const)(
	'%s at any step of a save returns %i, and the file is entirely old or entirely new',
	async (code, status, sentence) => {
		await using root = await tempFolder();
		await withOldFile(root.path);
		const seen: string[] = [];
		for (let step = 1; ; step++) {
			await writeFile(join(root.path, 'src/old.txt'), OLD);
			await utimes(join(root.path, 'src/old.txt'), 4e9, 4e9);
			const outcome = await save(root.path, 'src/old.txt', step, code);
			const content = await readFile(join(root.path, 'src/old.txt'), 'utf8');
			expect(await readdir(join(root.path, 'src'))).toEqual(['old.txt']);
			if (outcome.saved) {
				expect([outcome.step, content === NEW]).toEqual([null, true]);
				break;
			}
			seen.push(outcome.step ?? '');
			expect(outcome).toMatchObject({status, message: expect.stringContaining(sentence)});
			expect(outcome.message).toContain('"src/old.txt"');
			expect(outcome.message).not.toContain('/a/path');
			expect([OLD, NEW].indexOf(content)).toBe(
				seen.filter(name => name === 'rename').length === 1 && outcome.step !== 'rename' ? 1 : 0,
			);
		}
		expect(seen).toEqual(['open', 'write', 'fchmod', 'futimes', 'fsync', 'rename', 'fsync']);
	},
);

test('a full disk at any step of a new file in new folders leaves no partial file', async () => {
	for (let step = 1; ; step++) {
		await using root = await tempFolder();
		const outcome = await save(root.path, 'a/b/new.txt', step, 'ENOSPC');
		const files = (await readdir(root.path, {recursive: true, withFileTypes: true}))
			.filter(entry => entry.isFile())
			.map(({name}) => name);
		if (outcome.saved) {
			expect([files, step]).toEqual([['new.txt'], 10]);
			break;
		}
		expect(outcome).toMatchObject({status: 507});
		// The file has been renamed before step 9, the last flush of the folder.
		expect(files).toEqual(step === 9 ? ['new.txt'] : []);
		if (step === 9) expect(await readFile(join(root.path, 'a/b/new.txt'), 'utf8')).toBe(NEW);
	}
});

test.each(['kill-before', 'kill-after'])(
	'a %s each step of a save leaves the old or the new file, and the next start removes leftovers',
	async code => {
		let killed = 0;
		let swept = 0;
		for (let step = 1; ; step++) {
			await using root = await tempFolder();
			await withOldFile(root.path);
			const outcome = await save(root.path, 'src/old.txt', step, code);
			if (!outcome.killed) {
				expect(outcome.saved).toBe(true);
				break;
			}
			killed++;
			swept += await sweepTemps(root.path);
			expect(await readdir(join(root.path, 'src'))).toEqual(['old.txt']);
			const {content} = await folderFiles(root.path).get('src/old.txt');
			expect([step, [OLD, NEW].indexOf(String(content))]).toEqual([
				step,
				step > (code === 'kill-after' ? 5 : 6) ? 1 : 0,
			]);
			// A later save in the folder succeeds.
			await folderFiles(root.path).put('src/old.txt', {type: 'file', format: 'text', content: 'later'});
			expect((await folderFiles(root.path).get('src/old.txt')).content).toBe('later');
		}
		expect([killed, swept]).toEqual([7, 5]);
	},
);
