import {mkdir, readFile, stat, writeFile, chmod, symlink, utimes} from 'node:fs/promises';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fileEntry} from '../../../src/contract/files.ts';
import {folderFiles} from '../../../src/engines/folder-files.ts';
import {isoMicros} from '../../../src/engines/folder-entry.ts';
import {tempFolder} from './temp-folder.ts';

const text = (content: string) => ({type: 'file', format: 'text', content}) as const;
const MICROS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

test('the response to an uploaded text has no content, a later read has it, both with exactly the fields of the API', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	const put = await files.put('notes/today.txt', text('abcd'));
	expect(put).toEqual({
		name: 'today.txt',
		path: 'notes/today.txt',
		serverPath: 'notes/today.txt',
		type: 'file',
		format: null,
		content: null,
		mimetype: 'text/plain',
		size: 4,
		created: expect.stringMatching(MICROS),
		last_modified: expect.stringMatching(MICROS),
		writable: true,
	});
	expect(await files.get('notes/today.txt')).toEqual({...put, format: 'text', content: 'abcd'});
	expect(fileEntry.parse(put)).toEqual(put);
});

test('the size is in bytes, and line ends, a byte order mark and a missing last newline come back as they were', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	const content = '\uFEFFhéy\r\nmixed\nends 😀\0';
	const {size} = await files.put('a.txt', text(content));
	expect(size).toBe(Buffer.byteLength(content));
	expect(await readFile(join(root.path, 'a.txt'), 'utf8')).toBe(content);
	expect((await files.get('a.txt')).content).toBe(content);
});

test('every byte of a binary file survives upload and download', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	const bytes = Buffer.from(Array.from({length: 1024}, (_, index) => index % 256));
	await files.put('model.bin', {type: 'file', format: 'base64', content: bytes.toString('base64')});
	const got = await files.get('model.bin');
	expect(got).toMatchObject({format: 'base64', mimetype: 'application/octet-stream', size: 1024});
	expect(Buffer.from(String(got.content), 'base64')).toEqual(bytes);
	expect(await readFile(join(root.path, 'model.bin'))).toEqual(bytes);
});

test("Jupyter's base64 with line breaks is taken, and bytes that turn out to be UTF-8 are shown as text", async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await files.put('t', {type: 'file', format: 'base64', content: 'aGVs\nbG8=\n'});
	expect(await files.get('t')).toMatchObject({format: 'text', content: 'hello', mimetype: 'text/plain'});
});

test.each([
	['half of a character', {type: 'file', format: 'text', content: 'a\uD83D'}, 400],
	['no content', {type: 'file', format: 'text', content: null}, 400],
	['broken base64', {type: 'file', format: 'base64', content: 'a*=='}, 400],
	['base64 that is cut', {type: 'file', format: 'base64', content: 'aGVsb'}, 400],
	['a notebook object', {type: 'notebook', format: 'json', content: '{}'}, 400],
	['more than 160 MiB', {type: 'file', format: 'text', content: 'x'.repeat(160 * 2 ** 20 + 1)}, 413],
] as const)('an upload with %s is refused and leaves nothing behind', async (_, upload, status) => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await expect(files.put('new/file', upload)).rejects.toMatchObject({status});
	expect((await files.get('')).content).toEqual([]);
});

test('a folder lists folders first, then files in natural order, dotfiles included, without their content', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	for (const path of ['run10.txt', 'run9.txt', '.env', 'src/a.py', 'data/x/y.csv'])
		await files.put(path, text('1'));
	await mkdir(join(root.path, '.svc'));
	const listed = await files.get('');
	expect(listed).toMatchObject({
		name: '',
		path: '',
		type: 'directory',
		format: 'json',
		mimetype: null,
		size: null,
		writable: true,
	});
	const entries = fileEntry.array().parse(listed.content);
	expect(entries.map(entry => entry.name)).toEqual(['data', 'src', '.env', 'run9.txt', 'run10.txt']);
	expect(entries.every(entry => entry.content === null && entry.format === null)).toBe(true);
	const [inner] = fileEntry.array().parse((await files.get('data/x')).content);
	expect(inner).toMatchObject({
		name: 'y.csv',
		path: 'data/x/y.csv',
		serverPath: 'data/x/y.csv',
		type: 'file',
		mimetype: 'text/csv',
		size: 1,
	});
});

test('a notebook is answered as a text file', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await files.put('n.ipynb', text('{"cells":[]}'));
	expect(await files.get('n.ipynb')).toMatchObject({type: 'file', format: 'text', content: '{"cells":[]}'});
});

test('an upload of type directory creates the folder with its parents, and repeating it changes nothing', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	expect(await files.put('a/b/c', {type: 'directory'})).toMatchObject({
		type: 'directory',
		path: 'a/b/c',
		content: null,
		format: null,
	});
	await files.put('a/b/c/x.txt', text('kept'));
	await files.put('a/b/c', {type: 'directory'});
	expect((await files.get('a/b/c/x.txt')).content).toBe('kept');
	await expect(files.put('a/b/c', text('x'))).rejects.toMatchObject({status: 409});
	await expect(files.put('a/b/c/x.txt', {type: 'directory'})).rejects.toMatchObject({status: 409});
	await expect(files.put('a/b/c/x.txt/below', text('x'))).rejects.toMatchObject({status: 409});
});

test('an upload creates up to 32 missing parent folders, and is refused for 33', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	const below = (count: number) => `${'d/'.repeat(count)}f`;
	await files.put(below(32), text('deep'));
	await expect(files.put(`x/${below(32)}`, text('deeper'))).rejects.toMatchObject({status: 400});
	await expect(files.get('x')).rejects.toMatchObject({status: 404});
});

test('a missing file is 404, with its path in the message and without any path of the host', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await files.put('file', text('x'));
	for (const path of ['no', 'no/where.txt', 'file/below', 'file/below/more']) {
		const fault = await files.get(path).then(
			() => null,
			(error: unknown) => error,
		);
		expect(fault).toMatchObject({status: 404, message: `${JSON.stringify(path)} does not exist.`});
	}
});

test('names in any script work', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	for (const name of ['日本語/データ.csv', 'Zoë & co/über.txt', '😀.md', 'नमस्ते']) {
		await files.put(name, text(name));
		expect(await files.get(name)).toMatchObject({path: name, content: name});
	}
});

test.skipIf(process.platform === 'darwin')(
	'a file whose name is decomposed on disk keeps that name when it is saved again',
	async () => {
		await using root = await tempFolder();
		const files = folderFiles(root.path);
		await writeFile(join(root.path, 'e\u0301'), 'old');
		await files.put('e\u0301', text('new'));
		expect(await readFile(join(root.path, 'e\u0301'), 'utf8')).toBe('new');
		expect((await files.get('')).content).toHaveLength(1);
	},
);

test('quick saves of one file get strictly growing times, also after a time in the future', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await files.put('f', text('0'));
	await utimes(join(root.path, 'f'), 4_000_000_000, 4_000_000_000.123_456);
	let before = (await files.get('f')).last_modified ?? '';
	expect(before > '2096').toBe(true);
	for (let turn = 0; turn < 20; turn++) {
		const {last_modified} = await files.put('f', text(String(turn)));
		expect(last_modified! > before).toBe(true);
		before = last_modified!;
	}
	expect((await files.get('f')).last_modified).toBe(before);
});

test('times before 1970 and beyond the range of dates are still written', () => {
	expect(isoMicros(1_500n)).toBe('1970-01-01T00:00:00.000001Z');
	expect(isoMicros(-1n)).toBe('1969-12-31T23:59:59.999999Z');
	expect(isoMicros(1_763_624_633_746_433_999n)).toBe('2025-11-20T07:43:53.746433Z');
	expect(isoMicros(10n ** 25n)).toMatch(/^\+275760/);
});

test('a save keeps the mode of the file; a new file and its folders are for the user alone', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await files.put('bin/run.sh', text('#!/bin/sh'));
	expect((await stat(join(root.path, 'bin/run.sh'))).mode & 0o777).toBe(0o600);
	expect((await stat(join(root.path, 'bin'))).mode & 0o777).toBe(0o700);
	await chmod(join(root.path, 'bin/run.sh'), 0o754);
	await files.put('bin/run.sh', text('#!/bin/bash'));
	expect((await stat(join(root.path, 'bin/run.sh'))).mode & 0o777).toBe(0o754);
});

test('of many simultaneous saves of one file the last one wins, and readers only ever see whole files', async () => {
	await using root = await tempFolder();
	const contents = Array.from({length: 20}, (_, index) => String(index % 10).repeat(50_000 + index));
	for (let round = 0; round < 5; round++) {
		const saves = contents.map(content => folderFiles(root.path).put('f', text(content)));
		await saves[0];
		const reads = await Promise.all(contents.map(() => folderFiles(root.path).get('f')));
		await Promise.all(saves);
		for (const {content} of reads) expect(contents.includes(String(content))).toBe(true);
		expect((await folderFiles(root.path).get('f')).content === contents.at(-1)).toBe(true);
	}
	expect((await folderFiles(root.path).get('')).content).toHaveLength(1);
});

test('a listing marks links and pipes as such, and names that are not UTF-8 as unwritable', async () => {
	await using root = await tempFolder();
	await writeFile(Buffer.concat([Buffer.from(`${root.path}/`), Buffer.from([0x66, 0xff])]), 'x');
	await symlink('/etc/passwd', join(root.path, 'link'));
	execFileSync('mkfifo', [join(root.path, 'pipe')]);
	const entries = fileEntry.array().parse((await folderFiles(root.path).get('')).content);
	expect(entries.map(({name, mimetype, size, writable}) => [name, mimetype, size, writable])).toEqual([
		['f\uFFFD', null, 1, false],
		['link', 'inode/symlink', null, false],
		['pipe', 'inode/fifo', null, false],
	]);
});
