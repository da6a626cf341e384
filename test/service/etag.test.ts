import {createHash} from 'node:crypto';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serverFolder} from '../support/folders.ts';
import {readyService, type Answer, type LocalService} from '../support/local-service.ts';

const path = '/api/servers/welcome/files/a.txt';
const text = (content: string) => ({type: 'file', format: 'text', content});
const tag = (bytes: string | Buffer): string => `"${createHash('sha256').update(bytes).digest('hex')}"`;

const put = (local: LocalService, content: string, ifMatch?: string): Promise<Answer> =>
	local.call('PUT', path, text(content), ifMatch === undefined ? {} : {headers: {'if-match': ifMatch}});
const contentOf = async (local: LocalService): Promise<unknown> =>
	((await local.call('GET', path)).body['content'] as {content: unknown}).content;

test('the ETag of a file is the SHA-256 of its bytes, in the responses to GET and PUT', async () => {
	await using local = await readyService();
	expect((await put(local, 'héy\r\n')).headers.get('etag')).toBe(tag('héy\r\n'));
	expect((await local.call('GET', path)).headers.get('etag')).toBe(tag('héy\r\n'));
	const bytes = Buffer.from([0xff, 0, 1, 2]);
	const wrapped = `${bytes.toString('base64').slice(0, 4)}\n${bytes.toString('base64').slice(4)}`;
	expect(
		(await local.call('PUT', path, {type: 'file', format: 'base64', content: wrapped})).headers.get('etag'),
	).toBe(tag(bytes));
	expect((await local.call('GET', path)).headers.get('etag')).toBe(tag(bytes));
	const folder = await local.call('PUT', '/api/servers/welcome/files/sub', {type: 'directory'});
	expect([
		folder.status,
		folder.headers.get('etag'),
		(await local.call('GET', '/api/servers/welcome/files/')).headers.get('etag'),
	]).toEqual([200, null, null]);
});

test('a save with the current ETag is accepted, and one with an older ETag is refused with 412 and changes nothing', async () => {
	await using local = await readyService();
	const first = (await put(local, 'one')).headers.get('etag') ?? '';
	const second = await put(local, 'two', first);
	expect(second.status).toBe(200);
	const late = await put(local, 'three', first);
	expect([late.status, late.body]).toEqual([
		412,
		{
			status: 'error',
			error: {
				code: 412,
				message: expect.stringMatching(/"a\.txt" was not saved: it was changed or deleted.*\.$/),
			},
		},
	]);
	expect(await contentOf(local)).toBe('two');
	// A change made by code in between counts as well.
	writeFileSync(join(serverFolder(local.folder), 'a.txt'), 'by code');
	expect((await put(local, 'four', second.headers.get('etag') ?? '')).status).toBe(412);
	expect(await contentOf(local)).toBe('by code');
});

test('of many simultaneous saves based on the same content exactly one is accepted', async () => {
	await using local = await readyService();
	const read = (await put(local, 'base')).headers.get('etag') ?? '';
	const answers = await Promise.all(
		Array.from({length: 8}, (_, index) => put(local, `writer ${index}`, read)),
	);
	expect(answers.map(({status}) => status).sort()).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
	expect(await contentOf(local)).toBe(`writer ${answers.findIndex(({status}) => status === 200)}`);
});

test.each([
	['* on a file that is there', '*', 200],
	['a list with the right tag in it', `"x", ${tag('base')}`, 200],
	['a list without it', '"x", "y"', 412],
	['a weak tag', `W/${tag('base')}`, 412],
	['an empty tag', '""', 412],
	['a tag without quotes', tag('base').slice(1, -1), 400],
	['nothing', ' ', 400],
	['half a list', '"x",', 400],
])('If-Match with %s', async (_, ifMatch, status) => {
	await using local = await readyService();
	await put(local, 'base');
	expect((await put(local, 'new', ifMatch)).status).toBe(status);
	expect(await contentOf(local)).toBe(status === 200 ? 'new' : 'base');
});

test('If-Match on a missing file is 412 and creates neither file nor folder', async () => {
	await using local = await readyService();
	for (const [missing, ifMatch] of [
		['none.txt', '*'],
		['new/deep/none.txt', tag('')],
		['README.md/below', '*'],
		['data', tag('')],
	] as const) {
		const answer = await local.call('PUT', `/api/servers/welcome/files/${missing}`, text('x'), {
			headers: {'if-match': ifMatch},
		});
		expect([missing, answer.status]).toEqual([missing, 412]);
	}
	expect(readdirSync(serverFolder(local.folder)).sort()).toEqual([
		'README.md',
		'data',
		'prices.ipynb',
		'src',
	]);
	expect(readFileSync(join(serverFolder(local.folder), 'README.md'), 'utf8')).not.toBe('x');
});
