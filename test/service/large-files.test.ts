import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serverFolder} from '../support/folders.ts';
import {readyService} from '../support/local-service.ts';

const PATH = '/api/servers/welcome/files/large.csv';
const TEXT = 'id,"name",é\n'.repeat(500_000);

test('a large file is answered in pieces with the fields and the ETag of any file, and is saved with that', async () => {
	await using local = await readyService();
	const path = join(serverFolder(local.folder), 'large.csv');
	writeFileSync(path, TEXT);
	const answer = await local.call('GET', PATH);
	expect([answer.status, answer.headers.get('transfer-encoding')]).toEqual([200, 'chunked']);
	const {content, ...entry} = answer.body['content'] as Record<string, unknown>;
	expect(content === TEXT).toBe(true);
	expect(entry).toMatchObject({
		name: 'large.csv',
		type: 'file',
		format: 'text',
		mimetype: 'text/csv',
		size: Buffer.byteLength(TEXT),
		writable: true,
	});
	const tag = answer.headers.get('etag') ?? '';
	expect(tag).toBe(`"${createHash('sha256').update(TEXT).digest('hex')}"`);
	const save = (text: string) =>
		local.call('PUT', PATH, {type: 'file', format: 'text', content: text}, {headers: {'if-match': tag}});
	expect((await save('first')).status).toBe(200);
	expect((await save('second')).status).toBe(412);
	expect(readFileSync(path, 'utf8')).toBe('first');
});
