// @module-tag long
// Tokens of a real hub with too few permissions. Each error names the missing scope and the page on
// which a token can be created.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../../support/hub.ts';
import {localService, type LocalService} from '../../support/local-service.ts';
import {hubCatalogue, usersOf} from '../../support/hub-users.ts';
import {runCommand} from '../../support/program.ts';
import {tempFolder} from '../../support/temp-folder.ts';

if (hubMissing !== null)
	console.warn(`\n*** SKIPPED: no narrow token was tried on a hub: ${hubMissing} ***\n`);

describe.skipIf(hubMissing !== null)('a token of a hub with too few scopes', () => {
	let hub: TestHub;
	let local: LocalService;
	const temp = tempFolder();
	beforeAll(async () => {
		const catalogueFile = join(temp.path, 'catalogue.json');
		writeFileSync(catalogueFile, JSON.stringify(hubCatalogue));
		hub = await startHub();
		const apiKey = await hub.tokenOf('operator');
		local = await localService({
			openEngine: undefined,
			engine: 'jupyterhub',
			hub: hub.url,
			catalogueFile,
			apiKey,
		});
	}, HUB_START_MS);
	afterAll(async () => {
		await local?.[Symbol.asyncDispose]();
		await hub?.[Symbol.asyncDispose]();
		temp[Symbol.dispose]();
	});

	test('is rejected with the missing scope and status 403: to list, to create, to run code; with the scopes on the page all works', async () => {
		await using ann = await usersOf(hub, local)('ann');
		await ann.create('lab');
		const {name} = ann;
		const call = async (
			scopes: readonly string[],
			method: string,
			path: string,
			body?: object,
		): Promise<readonly [number, unknown]> => {
			const key = await hub.tokenOf(name, scopes);
			const answer = await local.call(method, path, body, {key});
			return [
				answer.status,
				(answer.body['error'] as {message?: string} | undefined)?.message ?? answer.text,
			];
		};
		const make = `Create a token at ${hub.url}/hub/token without selecting scopes, or with the scopes servers, access:servers and tokens.`;
		const run = {code: 'print(6 * 7)', kernel_name: 'python3'};
		const order = {server_name: 'more', environment: 'ai', port: 8888, server_request: 'hub-small'};

		expect(await call([`read:users:name!user=${name}`], 'GET', '/api/servers')).toEqual([
			403,
			`The hub does not allow this with your token: it lacks the scope "servers". ${make}`,
		]);
		const reads = [`read:servers!user=${name}`];
		expect(await call(reads, 'GET', '/api/servers')).toEqual([200, expect.stringContaining('"lab"')]);
		expect(await call(reads, 'POST', '/api/servers', order)).toEqual([
			403,
			`The hub does not allow this with your token: Action is not authorized with current scopes; requires any of [servers]. ${make}`,
		]);
		const starts = [`servers!user=${name}`];
		for (const [method, path, body] of [
			['POST', '/api/servers/lab/run-code', run],
			['GET', '/api/servers/lab/files/', undefined],
		] as const)
			expect([path, await call(starts, method, path, body)]).toEqual([
				path,
				[403, `The hub does not allow this with your token: it lacks the scope "access:servers". ${make}`],
			]);
		const all = [...starts, `access:servers!user=${name}`, `tokens!user=${name}`];
		expect((await call(all, 'POST', '/api/servers/lab/run-code', run))[0]).toBe(200);

		await using bob = await usersOf(hub, local)('bob');
		const env = {
			...bob.place.env,
			SVC_API_KEY: await hub.tokenOf(bob.name, [`read:users:name!user=${bob.name}`]),
		};
		expect(await runCommand(['servers'], {home: bob.home, env})).toMatchObject({
			code: 4,
			stderr: expect.stringContaining('it lacks the scope "servers"'),
		});
	});
});
