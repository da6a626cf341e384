// @module-tag long
// Renaming, creating, deleting and inspecting files over the live link, on each engine whose
// servers have Jupyter's API.
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Live, LiveFiles} from '../../../src/api/client-types.ts';
import type {Reply} from '../../../src/api/failure.ts';
import {findJupyter} from '../../../src/engines/jupyter/installation.ts';
import {serverFolder} from '../../support/folders.ts';
import {localService, settings, type LocalService} from '../../support/local-service.ts';
import {answering, connect} from '../../support/peer.ts';

const linked = async (engine: 'jupyter' | 'pyodide') => {
	const local: LocalService = await localService({openEngine: undefined, engine});
	await local.call('POST', '/api/servers/welcome/start', settings);
	await local.until('welcome', 'ready');
	const {body} = await local.call('GET', '/api/servers');
	const [server = {}] = body['servers'] as readonly {url?: string; token?: string}[];
	const found = await connect(local.service.url).live(server, new Set());
	if (!('live' in found)) throw new Error(JSON.stringify(found));
	const live: Live = found.live;
	return {
		files: live.files,
		folder: serverFolder(local.folder),
		async [Symbol.asyncDispose]() {
			live.close();
			await local[Symbol.asyncDispose]();
		},
	};
};
const namesIn = async (files: LiveFiles, path: string): Promise<readonly string[]> => {
	const reply = await files.list(path);
	if (!reply.ok) throw new Error(reply.failure.message);
	return (reply.value.content as readonly {name: string}[])
		.map(({name}) => name)
		.filter(name => !name.startsWith('.'))
		.toSorted();
};
const kindOf = (reply: Reply<unknown>): string => (reply.ok ? 'done' : reply.failure.kind);

describe.each(['pyodide', 'jupyter'] as const)('on %s', engine => {
	const missing = engine === 'jupyter' && findJupyter(process.env) === null;
	if (missing)
		console.warn('\n*** SKIPPED: no files over the live link: jupyter-server is not installed ***\n');

	test.skipIf(missing)(
		'files and folders are renamed, created and deleted, never over existing ones',
		async () => {
			await using server = await linked(engine);
			const {files, folder} = server;
			writeFileSync(join(folder, 'a b#?%41é.txt'), 'one');
			writeFileSync(join(folder, 'two.txt'), 'two');

			expect(await files.makeFolder('deep/er/folder')).toEqual({ok: true, value: null});
			expect(kindOf(await files.makeFolder('deep/er/folder'))).toBe('conflict');
			expect(kindOf(await files.makeFolder('two.txt/below'))).toBe('conflict');
			expect(await files.move('a b#?%41é.txt', 'deep/er/it\'s "odd" 日本.txt')).toEqual({
				ok: true,
				value: null,
			});
			expect(await namesIn(files, 'deep/er')).toEqual(['folder', 'it\'s "odd" 日本.txt']);

			const taken = await files.move('two.txt', 'deep/er/it\'s "odd" 日本.txt');
			expect(taken).toMatchObject({ok: false, failure: {kind: 'conflict', status: 409}});
			expect(readFileSync(join(folder, 'two.txt'), 'utf8')).toBe('two');
			expect(readFileSync(join(folder, 'deep/er/it\'s "odd" 日本.txt'), 'utf8')).toBe('one');
			expect(await files.move('two.txt', 'nowhere/two.txt')).toMatchObject({
				failure: {kind: 'not-found', message: 'There is no folder "nowhere".'},
			});
			expect(kindOf(await files.move('gone.txt', 'other.txt'))).toBe('not-found');
			expect(kindOf(await files.move('two.txt', 'deep/er/it\'s "odd" 日本.txt/x'))).toBe('conflict');

			expect(await files.move('deep/er', 'moved')).toEqual({ok: true, value: null});
			expect(await namesIn(files, 'moved')).toEqual(['folder', 'it\'s "odd" 日本.txt']);
			expect(await files.remove('moved/folder')).toEqual({ok: true, value: null});
			expect(await files.remove('two.txt')).toEqual({ok: true, value: null});
			expect(existsSync(join(folder, 'two.txt'))).toBe(false);
			expect(kindOf(await files.remove('two.txt'))).toBe('not-found');
			expect(await namesIn(files, 'moved')).toEqual(['it\'s "odd" 日本.txt']);
		},
	);

	test.skipIf(missing)('a folder may be called checkpoints, as models have them', async () => {
		await using server = await linked(engine);
		const {files, folder} = server;
		mkdirSync(join(folder, 'run/checkpoints'), {recursive: true});
		writeFileSync(join(folder, 'run/checkpoints/epoch-1'), 'weights');
		expect(await namesIn(files, 'run/checkpoints')).toEqual(['epoch-1']);
		expect(await files.stat('run/checkpoints/epoch-1')).toMatchObject({ok: true, value: {size: 7}});
		expect(await files.move('run/checkpoints/epoch-1', 'run/checkpoints/epoch-2')).toMatchObject({ok: true});
		expect(await files.remove('run/checkpoints/epoch-2')).toMatchObject({ok: true});
		expect(await files.move('run/checkpoints', 'checkpoints')).toMatchObject({ok: true});
		expect(await namesIn(files, 'checkpoints')).toEqual([]);
		expect(existsSync(join(folder, 'run/checkpoints'))).toBe(false);
	});

	test.skipIf(missing)(
		'a check notices that a file has grown and that a folder has other content',
		async () => {
			await using server = await linked(engine);
			const {files, folder} = server;
			writeFileSync(join(folder, 'grows.log'), 'one\n');
			const before = await files.stat('grows.log');
			expect(before).toMatchObject({ok: true, value: {type: 'file', size: 4, content: null}});
			const root = await files.stat('');
			expect(root).toMatchObject({ok: true, value: {type: 'directory'}});
			writeFileSync(join(folder, 'grows.log'), 'two\n', {flag: 'a'});
			expect(await files.stat('grows.log')).toMatchObject({ok: true, value: {size: 8}});
			writeFileSync(join(folder, 'new.txt'), '');
			const later = await files.stat('');
			expect(later.ok && root.ok && later.value.last_modified !== root.value.last_modified).toBe(true);
			expect(kindOf(await files.stat('none'))).toBe('not-found');
		},
	);
});

test.each([
	['a page', 200, '<html></html>', 'off-contract'],
	['a login', 302, '', 'redirect'],
	['a refusal', 403, '{"message":"Forbidden"}', 'refused'],
	['an error', 500, '{"message":"Unhandled error"}', 'server'],
] as const)('%s in place of a file is a failure', {tags: 'short'}, async (_, status, body, kind) => {
	await using peer = await answering(status, body, {'content-type': 'text/plain', location: '/x'});
	const {createAccess} = await import('../../../src/api/live/access.ts');
	const {createRest} = await import('../../../src/api/live/rest.ts');
	const {createFiles} = await import('../../../src/api/live/files.ts');
	const {targetOf} = await import('../../../src/api/target.ts');
	const target = targetOf({baseUrl: `${peer.url}/`, apiKey: 'key'});
	if (typeof target === 'string') throw new Error(target);
	const files = createFiles(
		createRest(
			target,
			createAccess('token', async () => null),
			undefined,
		),
	);
	expect(await files.stat('a')).toMatchObject({ok: false, failure: {kind}});
	if (status !== 200) expect(await files.remove('a')).toMatchObject({ok: false, failure: {kind}});
});
