// @module-tag long
// Fifty servers on one hub, and the list of each user. The server processes are minimal; the hub,
// its proxy and our service are real.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../../support/hub.ts';
import {localService, settings, type LocalService} from '../../support/local-service.ts';
import {newHome, runCommand} from '../../support/program.ts';
import {slowHub} from '../../support/slow-hub.ts';
import {waitFor} from '../../support/wait-for.ts';

type Item = {readonly name: string; readonly status: string; readonly url: string; readonly port: number};

const SERVERS = 50;
const names = Array.from({length: SERVERS}, (_, index) => `lab-${index + 1}`);

describe.skipIf(hubMissing !== null)('fifty servers on one hub', () => {
	let hub: TestHub;
	let local: LocalService;
	let tries = 0;
	beforeAll(async () => {
		hub = await startHub({SVC_TEST_HUB_LIGHT: 'yes'});
		local = await localService({
			openEngine: undefined,
			engine: 'jupyterhub',
			hub: hub.url,
			apiKey: 'nobodys',
		});
	}, HUB_START_MS);
	afterAll(async () => {
		await local?.[Symbol.asyncDispose]();
		await hub?.[Symbol.asyncDispose]();
	});

	const list = async (key: string): Promise<readonly Item[]> =>
		(await local.call('GET', '/api/servers', undefined, {key})).body['servers'] as readonly Item[];
	const create = async (name: string, key: string, port: number): Promise<void> => {
		const {status, text} = await local.call(
			'POST',
			'/api/servers',
			{...settings, server_name: name, port},
			{key},
		);
		expect([status, text]).toEqual([202, expect.any(String)]);
	};

	// The hub returns its users page by page, but all servers of a user at once.
	test("each list has its owner's servers with their options, and no others, and a command prints all", async () => {
		// New users for each attempt, because servers remain on the hub.
		const user = `ann-${++tries}@example.com`;
		const [ann, bob] = [await hub.tokenOf(user), await hub.tokenOf(`bob-${tries}`)];
		await Promise.all([
			...names.map((name, index) => create(name, ann, 9000 + index)),
			create('lab-1', bob, 8000),
			create('only-bobs', bob, 8001),
		]);
		await waitFor(
			async () => expect((await list(ann)).filter(({status}) => status === 'ready')).toHaveLength(SERVERS),
			{interval: 200},
		);
		const listed = new Map((await list(ann)).map(item => [item.name, item]));
		expect(listed.size).toBe(SERVERS);
		for (const [index, name] of names.entries())
			expect(listed.get(name)).toMatchObject({
				status: 'ready',
				port: 9000 + index,
				url: expect.stringContaining(`${hub.url}/user/${user}/${name}/?token=`),
			});
		expect((await list(bob)).map(({name, port}) => [name, port]).toSorted()).toEqual([
			['lab-1', 8000],
			['only-bobs', 8001],
		]);
		await using home = await newHome();
		const {stdout} = await runCommand(['servers', '--json'], {
			home,
			env: {SVC_BASE_URL: local.service.url, SVC_API_KEY: ann},
		});
		expect([...stdout.matchAll(/"name": ?"(lab-\d+)"/g)].map(([, name]) => name).toSorted()).toEqual(
			names.toSorted(),
		);
	});

	test('a hub that is slow is asked once for a list', async () => {
		const key = await hub.tokenOf('cat');
		await using slow = await slowHub(hub.url, 300);
		await using served = await localService({
			openEngine: undefined,
			engine: 'jupyterhub',
			hub: slow.url,
			apiKey: 'nobodys',
		});
		const before = slow.asked.length;
		expect((await served.call('GET', '/api/servers', undefined, {key})).body['servers']).toEqual([]);
		expect(slow.asked.slice(before)).toEqual(['GET /hub/api/user?include_stopped_servers']);
	});
});
