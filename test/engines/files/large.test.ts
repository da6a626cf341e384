import {appendFile, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {folderFiles} from '../../../src/engines/folder-files.ts';
import {tempFolder} from './temp-folder.ts';

/**
 * Text longer than the buffer, with characters of one to four bytes, so that a piece of any length
 * may end within a character.
 */
const TEXT = 'a"\\\n\u0001é€😀'.repeat(400_000);

const contentOf = async (json: AsyncIterable<Buffer>): Promise<unknown> => {
	const pieces: Buffer[] = [];
	for await (const piece of json) pieces.push(piece);
	return JSON.parse(`"${Buffer.concat(pieces).toString()}"`);
};

test.each([
	['text', Buffer.from(`\uFEFF${TEXT}`)],
	['bytes that are no text', Buffer.from(`${TEXT}`).subarray(0, -1)],
	['bytes that are no text from the beginning', Buffer.concat([Buffer.of(0xc3), Buffer.from(TEXT)])],
])('%s: a large file in pieces equals the whole', async (_, bytes) => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await writeFile(join(root.path, 'large.csv'), bytes);
	const {content, ...entry} = await files.get('large.csv');
	const found = await files.large?.('large.csv');
	expect(found?.entry).toEqual({...entry, content: null});
	expect((await contentOf(found!.large.json())) === content).toBe(true);
	// A second read starts at the first byte again.
	expect((await contentOf(found!.large.json())) === content).toBe(true);
});

test('a folder and a buffered file have no pieces; a missing file is reported as before', async () => {
	await using root = await tempFolder();
	const files = folderFiles(root.path);
	await mkdir(join(root.path, 'sub'));
	await writeFile(join(root.path, 'small.txt'), 'small');
	expect(await files.large?.('sub')).toBe(undefined);
	expect(await files.large?.('small.txt')).toBe(undefined);
	await expect(files.large?.('none.txt')).rejects.toMatchObject({status: 404});
});

test('growth of a file during a transfer is left out, and a replaced file breaks off', async () => {
	await using root = await tempFolder();
	const path = join(root.path, 'large.log');
	const files = folderFiles(root.path);
	await writeFile(path, TEXT);
	const found = await files.large?.('large.log');
	await appendFile(path, 'and more');
	expect((await contentOf(found!.large.json())) === TEXT).toBe(true);
	await writeFile(path, TEXT.replace('a', 'b'));
	await expect(contentOf(found!.large.json())).rejects.toThrow('changed while it was sent');
	await writeFile(path, 'short');
	await expect(contentOf(found!.large.json())).rejects.toThrow('changed while it was sent');
});
