// @module-tag long
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {localService, settings, type LocalService} from '../../support/local-service.ts';
import {newHome, runCommand} from '../../support/program.ts';
import {tempFolder} from '../../support/temp-folder.ts';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../../support/hub.ts';
import {waitFor} from '../../support/wait-for.ts';

type Fields = Readonly<Record<string, unknown>>;

const WAIT = {interval: 100};

if (hubMissing !== null) console.warn(`\n*** SKIPPED: nothing was tried on JupyterHub: ${hubMissing} ***\n`);

/** A catalogue as an operator would write it for the profiles of KubeSpawner. */
const catalogue = {
	compute: [
		{
			name: 'Small',
			cloud_host: 'hub',
			compute_id: 'hub-small',
			cpus: 2,
			memory: '4G',
			num_gpus: 0,
			vram_per_gpu: '0G',
			total_vram: '0G',
			hourly_price: 0.1,
			availability: [{region: 'default', available: true}],
			user_options: {profile: 'small'},
		},
		{
			name: 'T4 (1x)',
			cloud_host: 'hub',
			compute_id: 'hub-T4x1',
			cpus: 8,
			memory: '30G',
			num_gpus: 1,
			vram_per_gpu: '16G',
			total_vram: '16G',
			hourly_price: 0.5,
			availability: [{region: 'default', available: true}],
			user_options: {profile: 'gpu'},
		},
	],
	environments: [
		{
			environment_id: 'ai',
			name: 'AI',
			description: "The hub's own image.",
			user_options: {image: 'registry.example/ai:1'},
		},
		{environment_id: 'broken', name: 'Broken', description: 'An image that is not there.'},
	],
};
const small = {...settings, server_request: 'hub-small'};

describe.skipIf(hubMissing !== null)('JupyterHub', () => {
	let hub: TestHub;
	let ann: string;
	let bob: string;
	let first: LocalService;
	let second: LocalService;
	const temp = tempFolder();
	beforeAll(async () => {
		hub = await startHub();
		[ann, bob] = [await hub.tokenOf('ann@example.com'), await hub.tokenOf('bob')];
		const catalogueFile = join(temp.path, 'catalogue.json');
		writeFileSync(catalogueFile, JSON.stringify(catalogue));
		const copy = (): Promise<LocalService> =>
			localService({openEngine: undefined, engine: 'jupyterhub', hub: hub.url, apiKey: ann, catalogueFile});
		[first, second] = [await copy(), await copy()];
	}, HUB_START_MS);
	afterAll(async () => {
		await first?.[Symbol.asyncDispose]();
		await second?.[Symbol.asyncDispose]();
		await hub?.[Symbol.asyncDispose]();
		temp[Symbol.dispose]();
	});

	const list = async (local: LocalService, key = ann): Promise<readonly Fields[]> =>
		(await local.call('GET', '/api/servers', undefined, {key})).body['servers'] as readonly Fields[];
	const itemOf = async (name: string, local = first, key = ann): Promise<Fields> =>
		(await list(local, key)).find(server => server['name'] === name) ?? {};
	const untilState = (name: string, status: string, key = ann): Promise<void> =>
		waitFor(async () => expect(await itemOf(name, first, key)).toMatchObject({status}), WAIT);
	let names = 0;
	/** A new name for each attempt, because servers remain on the hub. */
	const fresh = (name: string): string => `${name}-${++names}`;
	const create = async (
		name: string,
		{key = ann, ...changes}: Fields & {readonly key?: string} = {},
	): Promise<void> => {
		const {status, text} = await first.call(
			'POST',
			'/api/servers',
			{...small, ...changes, server_name: name},
			{key},
		);
		expect([status, text]).toEqual([202, expect.any(String)]);
	};
	const run = async (local: LocalService, name: string, code: string, key = ann): Promise<unknown> => {
		const {body, text} = await local.call(
			'POST',
			`/api/servers/${name}/run-code`,
			{code, kernel_name: 'python3'},
			{key},
		);
		const outputs = (body['content'] as {readonly outputs: readonly Fields[]} | undefined)?.outputs;
		return outputs
			? ((outputs.at(-1)?.['data'] as Fields | undefined)?.['text/plain'] ?? outputs.at(-1)?.['ename'])
			: text;
	};

	test("the choice reaches the hub with its operator's options, and every copy lists it", async () => {
		const chosen = fresh('chosen');
		await create(chosen, {server_request: 'hub-T4x1', port: 9000});
		await untilState(chosen, 'ready');
		const answer = await fetch(`${hub.url}/hub/api/user`, {headers: {authorization: `token ${ann}`}});
		const {servers} = (await answer.json()) as {readonly servers: Readonly<Record<string, Fields>>};
		expect(servers[chosen]?.['user_options']).toEqual({
			environment: 'ai',
			port: 9000,
			server_request: 'hub-T4x1',
			profile: 'gpu',
			image: 'registry.example/ai:1',
		});
		for (const local of [first, second]) {
			expect(await itemOf(chosen, local)).toMatchObject({
				environment: 'ai',
				port: 9000,
				server_request: 'hub-T4x1',
				status: 'ready',
				token: expect.any(String),
				url: expect.stringMatching(`^${hub.url}/user/ann@example\\.com/${chosen}/\\?token=\\w+$`),
			});
			expect(JSON.stringify((await local.call('GET', '/api/compute')).body)).not.toContain('user_options');
		}
		expect(
			(await first.call('POST', '/api/servers', {...small, server_name: chosen.toUpperCase()})).status,
		).toBe(409);
		expect((await second.call('POST', `/api/servers/${chosen}/start`, small)).status).toBe(409);
	});

	test("two users never see each other's servers, and an invalid key sees none", async () => {
		const bobs = fresh('of-bob');
		await create(bobs, {key: bob});
		await untilState(bobs, 'ready', bob);
		expect((await list(first)).map(server => server['name'])).not.toContain(bobs);
		expect((await list(first, bob)).map(server => server['name'])).toEqual(expect.arrayContaining([bobs]));
		expect((await list(first, bob)).every(server => String(server['name']).startsWith('of-bob-'))).toBe(true);
		expect((await first.call('GET', `/api/servers/${bobs}/files/`)).status).toBe(404);
		expect(
			(await first.call('POST', `/api/servers/${bobs}/run-code`, {code: '1', kernel_name: 'python3'})).status,
		).toBe(404);
		expect((await first.call('GET', '/api/servers', undefined, {key: 'nobodys'})).status).toBe(401);
		expect(await run(first, bobs, 'import os\nos.environ["JUPYTERHUB_USER"]', bob)).toBe("'bob'");
	});

	test('two copies behind a balancer are one service: names, files and states are the same in both', async () => {
		const shared = fresh('shared');
		await create(shared);
		await untilState(shared, 'ready');
		const copies = [first, second];
		for (let turn = 0; turn < 6; turn++) {
			const [one = first, other = second] = turn % 2 === 0 ? copies : copies.toReversed();
			expect(await run(one, shared, turn === 0 ? 'total = 0\ntotal' : 'total += 1\ntotal')).toBe(
				String(turn),
			);
			expect(
				(
					await other.call('PUT', `/api/servers/${shared}/files/turn.txt`, {
						type: 'file',
						format: 'text',
						content: `turn ${turn}`,
					})
				).status,
			).toBe(200);
			expect((await one.call('GET', `/api/servers/${shared}/files/turn.txt`)).body['content']).toMatchObject({
				content: `turn ${turn}`,
			});
			const [here, there] = [await list(one), await list(other)];
			// Each copy of the service has its own token for a server.
			const told = (servers: readonly Fields[]) =>
				servers.map(({name, status, environment, url}) => ({
					name,
					status,
					environment,
					url: String(url).replace(/\?token=\w+$/, ''),
				}));
			expect(told(here)).toEqual(told(there));
		}
	});

	test("a start that fails is offline with the hub's reason, in the list and in the command", async () => {
		const failing = fresh('failing');
		await create(failing, {environment: 'broken'});
		await waitFor(
			async () =>
				expect(await itemOf(failing)).toMatchObject({
					status: 'offline',
					status_reason: 'The hub could not start it: the image for broken is missing',
				}),
			WAIT,
		);
		// The other service polls the hub, so its list may be out of date for a moment.
		await waitFor(
			async () =>
				expect(await itemOf(failing, second)).toEqual({
					...(await itemOf(failing)),
					assistant_editor_url: expect.any(String),
					port_forward_url: expect.any(String),
				}),
			WAIT,
		);
		await using home = await newHome();
		const listed = await runCommand(['servers'], {
			home,
			env: {SVC_BASE_URL: first.service.url, SVC_API_KEY: ann},
		});
		expect(listed.stdout).toMatch(new RegExp(`${failing} +offline`));
		const refused = await runCommand(['run', failing, '-c', '1'], {
			home,
			env: {SVC_BASE_URL: first.service.url, SVC_API_KEY: ann},
		});
		expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('offline')]);
	});

	test("a server that is killed behind the hub's back does not answer, is offline soon, and starts again with its files", async () => {
		const killed = fresh('killed');
		await create(killed);
		await untilState(killed, 'ready');
		expect(await run(first, killed, 'open("kept.txt", "w").write("x")')).toBe('1');
		const pids = await hub.processesOf('ann@example.com', killed);
		expect(pids.length).toBeGreaterThan(0);
		for (const pid of pids) process.kill(pid, 'SIGKILL');
		const refused = await first.call('POST', `/api/servers/${killed}/run-code`, {
			code: '1',
			kernel_name: 'python3',
		});
		// The status is 200 if the cell is in progress; its output then reports the loss.
		expect([200, 409, 503]).toContain(refused.status);
		expect(refused.text).toMatch(/does not respond|no longer responds|is offline/);
		await untilState(killed, 'offline');
		expect((await second.call('POST', `/api/servers/${killed}/start`, small)).status).toBe(200);
		await untilState(killed, 'ready');
		expect(await run(second, killed, 'open("kept.txt").read()')).toBe("'x'");
	});

	test('while the hub is away its servers are refused with a sentence, and after it they and their names are there again', async () => {
		const lasting = fresh('lasting');
		await create(lasting);
		await untilState(lasting, 'ready');
		expect(await run(first, lasting, 'kept = 42\nkept')).toBe('42');
		await hub.stopHub();
		const away = await waitFor(async () => {
			const answer = await first.call('GET', '/api/servers');
			expect(answer.status).toBe(503);
			return answer;
		}, WAIT);
		expect(away.text).toMatch(/The JupyterHub at 127\.0\.0\.1:\d+ (cannot respond now|does not respond)/);
		await hub.startHub();
		await untilState(lasting, 'ready');
		expect(await run(first, lasting, 'kept')).toBe('42');
	});
});
