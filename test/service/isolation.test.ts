import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import * as assistant from '../../src/contract/assistant.ts';
import * as cells from '../../src/contract/cells.ts';
import * as compute from '../../src/contract/compute.ts';
import * as environments from '../../src/contract/environments.ts';
import * as files from '../../src/contract/files.ts';
import {MODELS} from '../../src/contract/names.ts';
import * as servers from '../../src/contract/servers.ts';
import {localService, settings, type Answer, type LocalService} from '../support/local-service.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

const ann = {key: 'ann-key'};
const bob = {key: 'bob-key'};
/** Text that only Ann may see. */
const SECRET = 'only-for-ann';

const temp = tempFolder();
let local: LocalService;
beforeAll(async () => {
	const keysFile = join(temp.path, 'keys.json');
	writeFileSync(keysFile, JSON.stringify({'ann@example.com': ann.key, 'bob@example.com': bob.key}), {
		mode: 0o600,
	});
	local = await localService({dataFolder: join(temp.path, 'data'), keysFile});
	for (const [name, user] of [
		[SECRET, ann],
		['shared', ann],
		['control', ann],
		['shared', bob],
	] as const)
		await local.call('POST', '/api/servers', {server_name: name, ...settings}, user);
	await waitFor(async () =>
		expect([...(await states(ann)), ...(await states(bob))]).toEqual(['ready', 'ready', 'ready', 'ready']),
	);
	await put('control', 'private.txt', '', ann);
	await put(SECRET, 'private.txt', SECRET, ann);
	await put('shared', 'whose.txt', SECRET, ann);
	await put('shared', 'whose.txt', 'of bob', bob);
	await run(SECRET, `raise ${SECRET} ${SECRET}`, ann);
	await run('shared', 'x = 1', ann);
	await run('shared', 'x = 2', bob);
});
afterAll(async () => {
	await local[Symbol.asyncDispose]();
	temp[Symbol.dispose]();
});

type User = {readonly key: string};
const listOf = async (user: User): Promise<readonly Record<string, unknown>[]> =>
	(await local.call('GET', '/api/servers', undefined, user)).body['servers'] as Record<string, unknown>[];
const states = async (user: User): Promise<unknown[]> => (await listOf(user)).map(server => server['status']);
const put = (server: string, path: string, content: string, user: User): Promise<Answer> =>
	local.call('PUT', `/api/servers/${server}/files/${path}`, {type: 'file', format: 'text', content}, user);
const run = (server: string, code: string, user: User): Promise<Answer> =>
	local.call('POST', `/api/servers/${server}/run-code`, {code, kernel_name: 'python3'}, user);

type Row = {readonly method: string; readonly path: string};
const isRow = (value: unknown): value is Row =>
	typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
const rows = [servers, compute, environments, files, cells, assistant].flatMap(module =>
	Object.values(module).filter(isRow),
);
const keyOf = ({method, path}: Row): string => `${method} ${path}`;

type Call = readonly [method: string, path: string, body?: unknown];
const question = {messages: [{role: 'user', content: 'what files are here, and what was the last error?'}]};

/** Each endpoint of a server, called by Bob for a server of Ann. */
const onHers: Readonly<Record<string, readonly Call[]>> = {
	'POST /servers/{server_name}/start': [['POST', `/api/servers/${SECRET}/start`, settings]],
	'GET /servers/{server_name}/files/{path}': [
		['GET', `/api/servers/${SECRET}/files/`],
		['GET', `/api/servers/${SECRET}/files/private.txt`],
	],
	'PUT /servers/{server_name}/files/{path}': [
		['PUT', `/api/servers/${SECRET}/files/private.txt`, {type: 'file', format: 'text', content: 'of bob'}],
		['PUT', `/api/servers/${SECRET}/files/new`, {type: 'directory'}],
	],
	'POST /servers/{server_name}/run-code': [
		['POST', `/api/servers/${SECRET}/run-code`, {code: 'x = 3', kernel_name: 'python3'}],
	],
	'POST /assistant/{server_name}/{model}': MODELS.map(model => [
		'POST',
		`/api/assistant/${SECRET}/${model}`,
		question,
	]),
};

/** Endpoints without a server. Bob's responses must contain no data of Ann. */
const withoutServer: Readonly<Record<string, readonly Call[]>> = {
	'GET /servers': [['GET', '/api/servers']],
	'POST /servers': [['POST', '/api/servers', {server_name: 'shared', ...settings}]],
	'GET /compute': [['GET', '/api/compute']],
	'GET /environments': [['GET', '/api/environments']],
};

test('every endpoint of the API is in one of the two tables', () => {
	expect(rows.length).toBe(9);
	expect(Object.keys({...onHers, ...withoutServer}).sort()).toEqual(rows.map(keyOf).sort());
});

for (const [method, path, body] of Object.values(onHers).flat()) {
	test(`${method} ${path} with another user's key is as unknown as a server that does not exist`, async () => {
		const hers = await local.call(method, path, body, bob);
		const nobodys = await local.call(method, path.replace(SECRET, 'nobody'), body, bob);
		expect([hers.status, hers.text.replaceAll(SECRET, 'nobody')]).toEqual([404, nobodys.text]);
		// Ann's own key finds the server.
		expect((await local.call(method, path.replace(SECRET, 'control'), body, ann)).status).toBe(
			path.endsWith('/start') ? 409 : 200,
		);
	});
}

for (const [method, path, body] of Object.values(withoutServer).flat()) {
	test(`${method} ${path} serves each key its own user's data, and nothing of the other's`, async () => {
		const his = await local.call(method, path, body, bob);
		expect(his.text).not.toContain(SECRET);
		expect(his.text).not.toContain('ann@example.com');
	});
}

test('two keys see two lists', async () => {
	expect((await listOf(ann)).map(({name, url}) => [name, url])).toEqual(
		[SECRET, 'shared', 'control'].map(name => [name, `${local.service.url}/user/ann@example.com/${name}/`]),
	);
	expect((await listOf(bob)).map(({name, url}) => [name, url])).toEqual([
		['shared', `${local.service.url}/user/bob@example.com/shared/`],
	]);
});

test(
	'servers of the same name keep their files, names in the code, counters and last errors apart',
	{tags: 'long'},
	async () => {
		const read = async (user: User): Promise<unknown> =>
			(await local.call('GET', '/api/servers/shared/files/whose.txt', undefined, user)).body['content'];
		expect([await read(ann), await read(bob)]).toMatchObject([{content: SECRET}, {content: 'of bob'}]);
		const [hers, his] = [await run('shared', 'print x', ann), await run('shared', 'print x', bob)];
		expect([hers.body['content'], his.body['content']]).toMatchObject([
			{execution_count: 2, outputs: [{text: '1\n'}]},
			{execution_count: 2, outputs: [{text: '2\n'}]},
		]);
		await run('shared', `raise ${SECRET} ${SECRET}`, ann);
		for (const model of MODELS) {
			const answer = await local.call('POST', `/api/assistant/shared/${model}`, question, bob);
			expect([answer.status, answer.text.includes(SECRET)]).toEqual([200, false]);
		}
		const told = await local.call('POST', '/api/assistant/shared/model_1', question, ann);
		expect(told.text).toContain(SECRET.split('-')[0]);
	},
);

test("what one user does leaves the other's servers as they are", async () => {
	await local.call('POST', '/api/servers/shared/start', settings, bob);
	expect(await states(ann)).toEqual(['ready', 'ready', 'ready']);
	expect(
		(await local.call('GET', `/api/servers/${SECRET}/files/private.txt`, undefined, ann)).body['content'],
	).toMatchObject({content: SECRET});
	expect((await local.call('GET', `/api/servers/${SECRET}/files/new`, undefined, ann)).status).toBe(404);
});

test('pages and leases are the same for every user', async () => {
	const pages = [
		`/user/ann@example.com/${SECRET}/`,
		'/user/bob@example.com/shared/',
		'/user/nobody@example.com/none/',
	];
	const texts = await Promise.all(
		pages.map(async path => (await local.call('GET', path, undefined, {key: ''})).text),
	);
	expect(new Set(texts).size).toBe(1);
	expect((await local.call('GET', '/local/lease', undefined, {key: 'carol-key'})).status).toBe(401);
});
