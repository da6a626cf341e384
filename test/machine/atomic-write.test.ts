import * as fs from 'node:fs';
import {basename, join} from 'node:path';
import {expect, test} from 'vitest';
import {syncFolder, writeDurably, type FileSystem} from '../../src/machine/atomic-write.ts';
import {localService} from '../support/local-service.ts';
import {tempFolder} from '../support/temp-folder.ts';

/** The real file system, with a record of the calls. The call with number `fails` fails. */
const watched = (fails = Infinity): {readonly system: FileSystem; readonly asked: string[]} => {
	const asked: string[] = [];
	const names = new Map<number, string>();
	const step = <Result>(what: string, action: () => Result): Result => {
		asked.push(what);
		if (asked.length === fails) throw Object.assign(new Error('no space'), {code: 'ENOSPC'});
		return action();
	};
	const system = {
		...fs,
		openSync: (path: string, flags: string, mode?: number) =>
			step(`open ${basename(path)}`, () => {
				const descriptor = fs.openSync(path, flags, mode);
				names.set(descriptor, basename(path));
				return descriptor;
			}),
		writeFileSync: (descriptor: number, content: string) =>
			step(`write ${names.get(descriptor)}`, () => fs.writeFileSync(descriptor, content)),
		fsyncSync: (descriptor: number) => step(`fsync ${names.get(descriptor)}`, () => fs.fsyncSync(descriptor)),
		renameSync: (from: string, to: string) =>
			step(`rename ${basename(from)} ${basename(to)}`, () => fs.renameSync(from, to)),
	} as unknown as FileSystem;
	return {system, asked};
};

test('a secret is on the disk before it has its name, and its name before the writer continues', () => {
	using temp = tempFolder();
	const {system, asked} = watched();
	const draft = `key.${process.pid}.tmp`;
	fs.writeFileSync(join(temp.path, draft), 'left by a killed process of our number');
	writeDurably(join(temp.path, 'key'), 'secret', system);
	expect(asked).toEqual([
		`open ${draft}`,
		`write ${draft}`,
		`fsync ${draft}`,
		`rename ${draft} key`,
		`open ${basename(temp.path)}`,
		`fsync ${basename(temp.path)}`,
	]);
	expect(fs.readFileSync(join(temp.path, 'key'), 'utf8')).toBe('secret');
	expect(fs.statSync(join(temp.path, 'key')).mode & 0o777).toBe(0o600);
});

test.each([1, 2, 3, 4, 5, 6])(
	'when step %d fails, the file is the old one or the new one, and nothing is left beside it',
	fails => {
		using temp = tempFolder();
		const file = join(temp.path, 'key');
		fs.writeFileSync(file, 'old');
		expect(() => writeDurably(file, 'new', watched(fails).system)).toThrow('no space');
		expect(fs.readFileSync(file, 'utf8')).toBe(fails <= 4 ? 'old' : 'new');
		expect(fs.readdirSync(temp.path)).toEqual(['key']);
		writeDurably(file, 'newer');
		expect(fs.readFileSync(file, 'utf8')).toBe('newer');
	},
);

test('a disk that cannot flush a folder is not a failure', () => {
	using temp = tempFolder();
	syncFolder(temp.path, {
		...fs,
		fsyncSync: () => {
			throw Object.assign(new Error(), {code: 'EINVAL'});
		},
	});
});

test('the key file of the service that a power cut left empty is created again', async () => {
	using temp = tempFolder();
	const dataFolder = join(temp.path, 'data');
	fs.mkdirSync(dataFolder, {mode: 0o700});
	fs.writeFileSync(join(dataFolder, 'key'), '', {mode: 0o600});
	await using local = await localService({dataFolder});
	expect(local.key).toMatch(/^[\w-]{32}$/);
	expect((await local.call('GET', '/api/servers')).status).toBe(200);
});

/**
 * Modules that may rename a complete file themselves: at the user's request, after a download's
 * hash was checked, to start a new log, or to take over the file of another process.
 */
const OTHERS = [
	'engines/folder-change.ts',
	'engines/pyodide/packages/download.ts',
	'service/log.ts',
	'storage/cell-journal.ts',
	'storage/run-log.ts',
	'storage/service-storage.ts',
];

test('nothing else of ours writes a file by renaming a draft', () => {
	const source = join(import.meta.dirname, '../../src');
	const renaming = fs
		.readdirSync(source, {recursive: true, encoding: 'utf8'})
		.filter(path => /\.tsx?$/.test(path) && !path.startsWith('build'))
		.filter(path => /\brename(?:Sync)?\(/.test(fs.readFileSync(join(source, path), 'utf8')));
	expect(renaming.sort()).toEqual([...OTHERS, 'machine/atomic-write.ts'].sort());
});
