import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {serverFolder} from '../support/folders.ts';
import {readyService, settings, type LocalService} from '../support/local-service.ts';

const SECRET = 'secret-outside-of-the-server';
let local: LocalService;
let root = '';
let socket: Server;

beforeAll(async () => {
	local = await readyService();
	root = serverFolder(local.folder);
	writeFileSync(join(local.folder, 'outside.txt'), SECRET);
	mkdirSync(`${root}-sibling`);
	writeFileSync(join(`${root}-sibling`, 'x'), SECRET);
	for (const [name, target] of [
		['link.txt', '../../outside.txt'],
		['way', '../..'],
		['sibling', `../${root.split('/').at(-1)}-sibling`],
		['loop', 'loop'],
		['dangling', 'nowhere'],
		['in', 'src'],
	] as const)
		symlinkSync(target, join(root, name));
	execFileSync('mkfifo', [join(root, 'pipe')]);
	if (process.getuid?.() === 0) execFileSync('mknod', [join(root, 'device'), 'c', '1', '5']);
	else linkSync(join(root, 'pipe'), join(root, 'device'));
	// The path of a socket is limited to 107 bytes.
	socket = createServer().listen(join(root, 's'));
	await once(socket, 'listening');
	mkdirSync(join(root, '.svc'));
	writeFileSync(join(root, '.svc/lock'), SECRET);
	writeFileSync(join(root, '.svc-0123456789abcdef.tmp'), 'half');
	writeFileSync(join(root, 'bytes'), Buffer.from([0xff, 0xfe, 0]));
	writeFileSync(join(root, '.env'), 'dot');
	writeFileSync(join(root, 'big'), '');
	truncateSync(join(root, 'big'), 160 * 2 ** 20 + 1);
});
afterAll(async () => {
	socket.close();
	await local[Symbol.asyncDispose]();
});

const text = {type: 'file', format: 'text', content: 'x'};
const folder = {type: 'directory'};

type Row = readonly [what: string, method: 'GET' | 'PUT', path: string, status: number, body?: object];

const table: readonly Row[] = [
	['a link to a file outside', 'GET', 'link.txt', 403],
	['a link to a file outside, to write', 'PUT', 'link.txt', 403, text],
	['a path over a link to outside', 'GET', 'way/outside.txt', 403],
	['a new file over a link to outside', 'PUT', 'way/new.txt', 403, text],
	['new folders over a link to outside', 'PUT', 'way/a/b', 403, folder],
	["a folder beside the server's whose name starts like it", 'GET', 'sibling/x', 403],
	['a link that leads to itself', 'GET', 'loop', 403],
	['a path over it', 'PUT', 'loop/x', 403, text],
	['a dangling link, to write', 'PUT', 'dangling', 403, text],
	['a link to a folder inside, in a path', 'GET', 'in/prices.py', 200],
	['a pipe', 'GET', 'pipe', 400],
	['a pipe, to write', 'PUT', 'pipe', 400, text],
	['a device', 'GET', 'device', 400],
	['a device, to write', 'PUT', 'device', 400, text],
	['a socket', 'GET', 's', 400],
	['the root', 'GET', '', 200],
	['a folder', 'GET', 'data', 200],
	['a missing file', 'GET', 'none.txt', 404],
	['a missing file in a missing folder', 'GET', 'none/none.txt', 404],
	['a new file in new folders', 'PUT', 'made/by/put.txt', 200, text],
	['a new folder', 'PUT', 'made/folder', 200, folder],
	['a file below 33 new folders', 'PUT', `${'d/'.repeat(33)}f`, 400, text],
	['a file in place of a folder', 'PUT', 'data', 409, text],
	['a folder in place of a file', 'PUT', 'README.md', 409, folder],
	['the root as a file', 'PUT', '', 409, text],
	["the service's own folder", 'GET', '.svc', 403],
	['a file in it', 'GET', '.svc/lock', 403],
	['a file in it, in capitals', 'GET', '.SVC/lock', 403],
	['a file in it, to write', 'PUT', '.svc/lock', 403, text],
	['an unfinished file', 'GET', '.svc-0123456789abcdef.tmp', 403],
	['binary content', 'GET', 'bytes', 200],
	['a file over 160 MiB', 'GET', 'big', 413],
];

for (const [what, method, path, status, body] of table) {
	test(`${method} of ${what} returns ${status}`, async () => {
		const answer = await local.call(method, `/api/servers/welcome/files/${path}`, body);
		expect([answer.status, answer.text.includes(SECRET)]).toEqual([status, false]);
		if (status === 200) return;
		expect(answer.body).toEqual({
			status: 'error',
			error: {code: status, message: expect.stringMatching(/^["A-Z].*\.$/)},
		});
		for (const part of [local.folder, 'servers/', '/tmp']) expect(answer.text).not.toContain(part);
	});
}

test("the root lists folders and dotfiles, but not the service's own files", async () => {
	const {body} = await local.call('GET', '/api/servers/welcome/files/');
	const {type, content} = body['content'] as {type: string; content: readonly {name: string; type: string}[]};
	const names = content.map(({name}) => name);
	expect([type, names.includes('.env'), names.some(name => name.startsWith('.svc'))]).toEqual([
		'directory',
		true,
		false,
	]);
	expect(content.find(({name}) => name === 'data')).toMatchObject({type: 'directory'});
});

test('binary content arrives as base64 and is written back unchanged', async () => {
	const {body} = await local.call('GET', '/api/servers/welcome/files/bytes');
	expect(body['content']).toMatchObject({format: 'base64', content: '//4A', size: 3});
	await local.call('PUT', '/api/servers/welcome/files/copy', {
		type: 'file',
		format: 'base64',
		content: '//4A',
	});
	expect(readFileSync(join(root, 'copy'))).toEqual(Buffer.from([0xff, 0xfe, 0]));
});

test('reading twenty pipes at once does not hold up other reads', async () => {
	const pipes = Array.from({length: 20}, () => local.call('GET', '/api/servers/welcome/files/pipe'));
	// The requests above outnumber Node's file threads. If they blocked, this read would wait too.
	expect((await local.call('GET', '/api/servers/welcome/files/README.md')).status).toBe(200);
	expect((await Promise.all(pipes)).map(({status}) => status)).toEqual(Array.from({length: 20}, () => 400));
});

test('unfinished files of an earlier run are removed when the server starts', async () => {
	const unfinished = '.svc-fedcba9876543210.tmp';
	await local.call('POST', '/api/servers', {server_name: 'swept', ...settings});
	await local.until('swept', 'ready');
	const folders = readdirSync(join(local.folder, 'servers'));
	for (const each of folders) writeFileSync(join(local.folder, 'servers', each, unfinished), 'half');
	await local.service.close();
	const again = await readyService({dataFolder: local.folder});
	try {
		expect(readdirSync(root)).not.toContain(unfinished);
		expect(readdirSync(root)).toContain('README.md');
	} finally {
		await again.service.close();
	}
});
