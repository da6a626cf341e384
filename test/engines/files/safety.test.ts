import {execFileSync, spawn} from 'node:child_process';
import {
	chmod,
	link,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	realpath,
	rm,
	symlink,
	truncate,
	writeFile,
} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {FileFault} from '../../../src/engines/files.ts';
import {folderFiles, sweepTemps} from '../../../src/engines/folder-files.ts';
import {grapheme} from '../../support/code-points.ts';
import {firstOutput} from '../../support/first-output.ts';
import {tempFolder} from './temp-folder.ts';

const text = (content: string) => ({type: 'file', format: 'text', content}) as const;
const isRoot = process.getuid?.() === 0;
const clientProcess = fileURLToPath(new URL('./client-process.ts', import.meta.url));

test.each(['..', '.', '../x', 'a/../../x', 'a/./b', '/etc/passwd', '//x', 'a//b', 'a/', 'a\0b', 'a\uD83D'])(
	'the path %j is refused for reading and writing',
	async path => {
		await using root = await tempFolder();
		const files = folderFiles(root.path);
		await expect(files.get(path)).rejects.toMatchObject({status: 400});
		await expect(files.put(path, text('x'))).rejects.toMatchObject({status: 400});
		expect(await readdir(root.path)).toEqual([]);
	},
);

test.each([
	['a name of 256 letters', 'x'.repeat(256)],
	['a name of 256 bytes', 'é'.repeat(128)],
	['a path of 4097 bytes', `${'a/'.repeat(2048)}b`],
])('%s is refused for reading and writing', async (_, path) => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await expect(files.get(path)).rejects.toMatchObject({status: 400});
	await expect(files.put(path, text('x'))).rejects.toMatchObject({status: 400});
});

test
	.skipIf(process.platform === 'win32')
	.each([
		'log-10:00.txt',
		'#?.txt',
		'aux.txt',
		'a.',
		'a ',
		' a',
		'b./c',
		'con',
		'a<b',
		'a|b',
		'a*b',
		'a"b',
		'..\\x',
		'a\nb',
		'\u001b[2J',
		'e\u0301',
		'%2e%2e',
		'~',
		'-rf',
	])('the name %j is valid on Linux: it is written, listed and read unchanged', async path => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	expect(await files.put(path, text('kept'))).toMatchObject({path});
	expect(await readdir(root.path)).toEqual([path.split('/')[0]]);
	expect((await files.get(path)).content).toBe('kept');
});

test.skipIf(process.platform === 'win32')(
	'names that differ only in the encoding of an accent are two files',
	async () => {
		await using root = await tempFolder();
		const files = folderFiles(root.path);
		for (const name of ['\u00e9', 'e\u0301']) await files.put(name, text(name));
		for (const name of ['\u00e9', 'e\u0301']) expect((await files.get(name)).content).toBe(name);
	},
);

test("the service's own files cannot be read, written or listed under any of their names", async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await mkdir(join(root.path, '.svc'));
	await writeFile(join(root.path, '.svc/lock'), 'secret');
	await writeFile(join(root.path, '.svc-0123456789abcdef.tmp'), 'half');
	await symlink('.svc', join(root.path, 'way'));
	for (const path of ['.svc', '.svc/lock', '.SVC/lock', 'way/lock', '.svc-0123456789abcdef.tmp']) {
		await expect(files.get(path)).rejects.toMatchObject({status: 403});
		await expect(files.put(path, text('x'))).rejects.toMatchObject({status: 403});
	}
	expect((await files.get('')).content).toEqual([expect.objectContaining({name: 'way'})]);
	expect(await readFile(join(root.path, '.svc/lock'), 'utf8')).toBe('secret');
});

test('links never lead outside: not as the file, not as a folder of its path, not in a loop', async () => {
	await using outside = await tempFolder();
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await writeFile(join(outside.path, 'secret'), 'secret');
	await symlink(join(outside.path, 'secret'), join(root.path, 'file'));
	await symlink(outside.path, join(root.path, 'folder'));
	await symlink('loop', join(root.path, 'loop'));
	await symlink('/nowhere/at/all', join(root.path, 'dangling'));
	await symlink('dangling', join(root.path, 'inside-dangling'));
	for (const path of [
		'file',
		'folder',
		'folder/secret',
		'folder/missing',
		'folder/missing/deeper',
		'loop',
		'loop/x',
		'dangling',
		'dangling/x',
		'inside-dangling/x',
	]) {
		await expect(files.get(path), path).rejects.toMatchObject({status: 403});
		await expect(files.put(path, text('changed')), path).rejects.toMatchObject({status: 403});
	}
	expect(await readdir(outside.path)).toEqual(['secret']);
	expect(await readFile(join(outside.path, 'secret'), 'utf8')).toBe('secret');
});

test("a folder beside the root whose name starts like the root's is outside", async () => {
	await using root = await tempFolder();
	const sibling = `${root.path}-sibling`;
	await mkdir(sibling);
	await using _ = {[Symbol.asyncDispose]: () => rm(sibling, {recursive: true})};
	await writeFile(join(sibling, 'x'), 'secret');
	await symlink(sibling, join(root.path, 'way'));
	await expect(folderFiles(root.path).get('way/x')).rejects.toMatchObject({status: 403});
});

test('a link to a folder inside works as a folder of a path, and the root itself may be a link', async () => {
	await using root = await tempFolder();
	await mkdir(join(root.path, 'real/data'), {recursive: true});
	await symlink('data', join(root.path, 'real/latest'));
	await symlink('real', join(root.path, 'root'));
	const files = folderFiles(join(root.path, 'root'));
	await files.put('latest/x.txt', text('1'));
	expect(await files.get('data/x.txt')).toMatchObject({content: '1'});
	expect(await files.get('latest/x.txt')).toMatchObject({content: '1', path: 'latest/x.txt'});
});

test('a pipe, a socket and a device are refused at once and never hold up other reads', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await files.put('ok', text('fine'));
	execFileSync('mkfifo', [join(root.path, 'pipe')]);
	const server = createServer().listen(join(root.path, 'socket'));
	await once(server, 'listening');
	const odd = ['pipe', 'socket'];
	if (isRoot) {
		execFileSync('mknod', [join(root.path, 'device'), 'c', '1', '5']);
		odd.push('device');
	}
	// More requests than the process has threads for files: if they blocked, later requests would
	// wait.
	const refused = Array.from({length: 12}, () => odd)
		.flat()
		.flatMap(path => [files.get(path), files.put(path, text('x'))]);
	const outcomes = Promise.allSettled(refused);
	expect((await files.get('ok')).content).toBe('fine');
	for (const outcome of await outcomes)
		expect(outcome).toMatchObject({status: 'rejected', reason: {status: 400}});
	await expect(files.get('pipe/x')).rejects.toMatchObject({status: 404});
	server.close();
});

test('a file over 160 MiB is refused before it is read', async () => {
	await using root = await tempFolder();
	await writeFile(join(root.path, 'big'), '');
	await truncate(join(root.path, 'big'), 160 * 2 ** 20 + 1);
	await expect(folderFiles(root.path).get('big')).rejects.toMatchObject({status: 413});
});

test('no generated path reads or writes anything outside the root', {tags: 'long'}, async () => {
	await using around = await tempFolder();
	const root = join(around.path, 'root');
	await mkdir(join(root, 'in'), {recursive: true});
	await mkdir(join(around.path, 'root2'));
	await writeFile(join(around.path, 'root2/f'), 'SECRET');
	await writeFile(join(around.path, 'f'), 'SECRET');
	await symlink('..', join(root, 'up'));
	await symlink('../root2', join(root, 'side'));
	await symlink('../../f', join(root, 'in/f'));
	await symlink('.', join(root, 'self'));
	const files = folderFiles(root);
	// Not `readdir` with `recursive`, because that follows links.
	const outside = async () => [
		...(await readdir(around.path)),
		...(await readdir(join(around.path, 'root2'))),
	];
	const before = await outside();
	const part = fc.oneof(
		fc.constantFrom(
			'..',
			'.',
			'',
			'in',
			'f',
			'up',
			'side',
			'self',
			'root',
			'root2',
			'...',
			'%2e%2e',
			'..\\..',
			'\u2025',
			'~',
			'C:',
			'.svc',
		),
		fc.string({unit: grapheme, maxLength: 6}),
	);
	const anyPath = fc.array(part, {maxLength: 7}).map(parts => parts.join('/'));
	await fc.assert(
		fc.asyncProperty(anyPath, async path => {
			const [got, put] = await Promise.allSettled([files.get(path), files.put(path, text('MINE'))]);
			for (const outcome of [got, put]) {
				if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(FileFault);
				else
					expect(await realpath(join(root, outcome.value.path))).toMatch(
						new RegExp(`^${await realpath(root)}(/|$)`),
					);
			}
			if (got.status === 'fulfilled') expect(got.value.content).not.toBe('SECRET');
		}),
		{numRuns: 1500},
	);
	expect(await outside()).toEqual(before);
	expect(await readFile(join(around.path, 'f'), 'utf8')).toBe('SECRET');
	expect(await readFile(join(around.path, 'root2/f'), 'utf8')).toBe('SECRET');
});

test('a save never writes through a hard link into another folder', async () => {
	await using outside = await tempFolder();
	await using root = await tempFolder();
	await writeFile(join(outside.path, 'f'), 'theirs');
	await link(join(outside.path, 'f'), join(root.path, 'f'));
	await folderFiles(root.path).put('f', text('mine'));
	expect(await readFile(join(outside.path, 'f'), 'utf8')).toBe('theirs');
});

/** Runs reads and writes in another process, as an unprivileged user if the test runs as root. */
const asUser = async (
	root: string,
	calls: readonly {method: 'get' | 'put'; path: string}[],
): Promise<unknown[]> => {
	const child = spawn(process.execPath, [clientProcess, root], {
		stdio: ['pipe', 'pipe', 'inherit'],
		...(isRoot && {uid: 65_534, gid: 65_534}),
	});
	child.stdin.end(calls.map(call => JSON.stringify(call)).join('\n'));
	let out = '';
	for await (const chunk of child.stdout) out += String(chunk);
	return out
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as unknown);
};

test('a file or folder without permission returns 403, and the old content stays', async () => {
	await using root = await tempFolder();
	await chmod(root.path, 0o755);
	for (const [name, mode] of [
		['unreadable', 0o200],
		['read-only', 0o444],
	] as const) {
		await writeFile(join(root.path, name), 'old');
		await chmod(join(root.path, name), mode);
	}
	await mkdir(join(root.path, 'closed'));
	await writeFile(join(root.path, 'closed/f'), 'old');
	await chmod(join(root.path, 'closed/f'), 0o666);
	await chmod(join(root.path, 'closed'), 0o555);
	if (isRoot) execFileSync('chown', ['-R', '65534:65534', root.path]);
	const answers = await asUser(root.path, [
		{method: 'get', path: 'unreadable'},
		{method: 'put', path: 'read-only'},
		{method: 'put', path: 'closed/f'},
		{method: 'put', path: 'closed/new/x'},
		{method: 'get', path: 'read-only'},
		{method: 'get', path: 'closed/f'},
		{method: 'get', path: ''},
	]);
	expect(answers.slice(0, 4)).toMatchObject(Array.from({length: 4}, () => ({status: 403})));
	expect(JSON.stringify(answers)).not.toContain(root.path);
	expect(answers.slice(4)).toMatchObject([
		{entry: {content: 'old', writable: false}},
		{entry: {content: 'old', writable: false}},
		{
			entry: {
				content: [
					{name: 'closed', writable: false},
					{name: 'read-only', writable: false},
					{name: 'unreadable', writable: true},
				],
			},
		},
	]);
	expect(await readdir(join(root.path, 'closed'))).toEqual(['f']);
	await chmod(join(root.path, 'closed'), 0o755);
});

// A full disk needs a separate file system, which only root can mount.
test.skipIf(!isRoot)(
	'on a full disk a save returns 507, the old file stays whole, and no temporary file is left (needs root)',
	async () => {
		const disk = await mkdtemp(join(tmpdir(), 'svc-tui-disk-'));
		execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
		try {
			const files = folderFiles(disk);
			await files.put('f', text('o'.repeat(100_000)));
			await expect(files.put('f', text('n'.repeat(200_000)))).rejects.toMatchObject({
				status: 507,
				message: expect.stringContaining('disk is full'),
			});
			await expect(files.put('other/g', text('n'.repeat(200_000)))).rejects.toMatchObject({status: 507});
			expect((await files.get('f')).content).toBe('o'.repeat(100_000));
			expect((await readdir(disk, {recursive: true})).sort()).toEqual(['f', 'other']);
			execFileSync('mount', ['-o', 'remount,ro', disk]);
			await expect(files.put('f', text('x'))).rejects.toMatchObject({status: 403});
			expect(await files.get('f')).toMatchObject({writable: false});
		} finally {
			execFileSync('umount', [disk]);
			await rm(disk, {recursive: true});
		}
	},
);

test(
	'a service killed during a save leaves the old or the new file, and the next start removes its temporary files',
	{tags: 'long'},
	async () => {
		await using root = await tempFolder();
		const whole = ['a'.repeat(300_000), 'b'.repeat(300_000)];
		let swept = 0;
		for (let kill = 0; kill < 6; kill++) {
			const child = spawn(process.execPath, [clientProcess, root.path, 'write-forever'], {
				stdio: ['ignore', 'pipe', 'inherit'],
			});
			await firstOutput(child);
			// The process is killed while its temporary file exists, so the save is incomplete.
			await expect
				.poll(() => readdir(root.path), {interval: 1})
				.toContainEqual(expect.stringMatching(/\.tmp$/));
			child.kill('SIGKILL');
			await once(child, 'exit');
			swept += await sweepTemps(root.path);
			const names = await readdir(root.path);
			expect(names.filter(name => name !== 'data.txt')).toEqual([]);
			if (names.length > 0) expect(whole).toContain((await folderFiles(root.path).get('data.txt')).content);
		}
		expect(swept).toBeGreaterThan(0);
	},
);

test('at the start, unfinished files in every folder are removed, and nothing else', async () => {
	await using outside = await tempFolder();
	await using root = await tempFolder();
	await mkdir(join(root.path, 'a/b'), {recursive: true});
	const temp = '.svc-00ff00ff00ff00ff.tmp';
	for (const folder of [root.path, join(root.path, 'a/b'), outside.path])
		await writeFile(join(folder, temp), 'half');
	for (const name of ['.svc-notes.tmp', 'x.tmp', `${temp}.txt`])
		await writeFile(join(root.path, name), 'mine');
	await symlink(outside.path, join(root.path, 'way'));
	expect(await sweepTemps(root.path)).toBe(2);
	expect((await readdir(root.path)).sort()).toEqual([
		'.svc-00ff00ff00ff00ff.tmp.txt',
		'.svc-notes.tmp',
		'a',
		'way',
		'x.tmp',
	]);
	expect(await readdir(join(root.path, 'a/b'))).toEqual([]);
	expect(await readdir(outside.path)).toEqual([temp]);
	expect(await sweepTemps(join(root.path, 'missing'))).toBe(0);
});
