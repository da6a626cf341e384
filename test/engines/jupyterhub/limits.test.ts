// @module-tag long
// Explanations for users of an operator's settings of a real hub: a limit of servers, profiles with
// GPUs, the progress of a start.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../../support/hub.ts';
import {hubCatalogue, usersOf, type NewUser} from '../../support/hub-users.ts';
import {localService, type LocalService} from '../../support/local-service.ts';
import {tempFolder} from '../../support/temp-folder.ts';

if (hubMissing !== null) console.warn(`\n*** SKIPPED: no limit of a hub was tried: ${hubMissing} ***\n`);

const [small] = hubCatalogue.compute;
const catalogue = {
	compute: [
		{...small, user_options: {profile: 'small'}},
		{
			...small,
			name: 'T4 (1x)',
			compute_id: 'hub-T4x1',
			num_gpus: 1,
			vram_per_gpu: '16G',
			total_vram: '16G',
			user_options: {profile: 'gpu'},
		},
		{...small, name: 'Gone', compute_id: 'hub-gone', user_options: {profile: 'gone'}},
	],
	environments: [
		...hubCatalogue.environments,
		{environment_id: 'slow', name: 'Slow', description: 'An image that is pulled first.'},
	],
};

describe.skipIf(hubMissing !== null)("an operator's settings of a hub", () => {
	let hub: TestHub;
	let local: LocalService;
	let newUser: NewUser;
	const temp = tempFolder();
	beforeAll(async () => {
		const catalogueFile = join(temp.path, 'catalogue.json');
		writeFileSync(catalogueFile, JSON.stringify(catalogue));
		hub = await startHub({SVC_TEST_HUB_NAMED_LIMIT: '1', SVC_TEST_HUB_TELLS: 'yes'});
		local = await localService({
			openEngine: undefined,
			engine: 'jupyterhub',
			hub: hub.url,
			catalogueFile,
			apiKey: 'nobodys',
		});
		newUser = usersOf(hub, local);
	}, HUB_START_MS);
	afterAll(async () => {
		await local?.[Symbol.asyncDispose]();
		await hub?.[Symbol.asyncDispose]();
		temp[Symbol.dispose]();
	});
	const order = (server: string, compute: string, environment = 'ai'): readonly string[] => [
		'server',
		'create',
		server,
		'--environment',
		environment,
		'--compute',
		compute,
	];

	test("a server beyond the hub's limit is refused in its words", async () => {
		await using ann = await newUser('ann');
		await ann.create('first');
		const {code, stdout, stderr} = await ann.command(...order('second', 'hub-small'));
		expect([code, stdout, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
			1,
			'',
			expect.stringContaining(
				`The hub refused: User ${ann.name} already has the maximum of 1 named servers. One must be deleted before a new server can be created.`,
			),
		]);
	});

	test('a profile with a GPU is given to its server, and an unknown one fails with the list of profiles', async () => {
		await using ann = await newUser('ann');
		expect((await ann.command('compute')).stdout).toMatch(/hub-T4x1 +T4 +1 +16G/);
		expect(await ann.command(...order('lab', 'hub-T4x1'), '--wait')).toMatchObject({code: 0});
		expect(
			await ann.command('run', 'lab', '-c', 'import os; print(os.environ["SVC_PROFILE"])'),
		).toMatchObject({code: 0, stdout: 'gpu\n'});
		await using bob = await newUser('bob');
		expect(await bob.command(...order('lab', 'hub-gone'), '--wait')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining(
				'The hub could not start it: No such profile: gone. Options include: small, gpu',
			),
		});
	});

	test("the progress of a start is shown in the hub's words, and disappears when it is ready", async () => {
		await using ann = await newUser('ann');
		expect(await ann.command(...order('lab', 'hub-small', 'slow'))).toMatchObject({code: 0});
		await using terminal = await ann.open();
		await terminal.until('The hub says: Pulling image "registry.example/slow:1"');
		writeFileSync(join(hub.folder, 'go-on'), '');
		await terminal.until(/▸ lab +● ready/);
		await terminal.gone('The hub says');
	});
});
