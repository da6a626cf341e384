import {setTimeout as delay} from 'node:timers/promises';
import {hubMissing, startHub} from '../support/hub.ts';
import {newHome} from '../support/program.ts';
import {startBenchService} from './bench-service.ts';
import {createAtHub} from './engines.ts';
import type {Measurement} from './measurement.ts';
import {residentMemory} from './process-costs.ts';

const SERVERS = 50;
/** A server is also created at the hub itself, for comparison, with every fifth one. */
const EVERY = 5;
const LISTS = 50;
/** The service caches the hub's list for 0.1 s. */
const APART_MS = 120;
const AFTER_MS = 2000;

const timed = async (act: () => Promise<unknown>): Promise<number> => {
	const from = performance.now();
	await act();
	return performance.now() - from;
};

/** 50 servers of one user on one hub, each a process of 10 MB. */
export const hub = async (): Promise<readonly Measurement[]> => {
	if (hubMissing !== null) {
		console.error('*** NOT MEASURED: JupyterHub is not installed ***');
		return [];
	}
	await using started = await startHub({SVC_TEST_HUB_LIGHT: 'yes'});
	const [user, other] = ['ann@example.com', 'bob'];
	const [key, otherKey] = [await started.tokenOf(user), await started.tokenOf(other)];
	await using home = await newHome();
	await using service = await startBenchService(home, {
		args: ['--engine', 'jupyterhub', '--hub', started.url],
		key,
	});
	// Warm-up that produces as much garbage as the lists measured below.
	for (let turn = 0; turn < LISTS; turn++) {
		await service.call('GET', '/servers');
		await delay(APART_MS);
	}
	await delay(AFTER_MS);
	const empty = await residentMemory(service.pid);

	const ready: number[] = [];
	const readyDirectly: number[] = [];
	for (let server = 0; server < SERVERS; server++) {
		ready.push(await service.createReady(`lab-${server}`));
		if (server % EVERY === 0)
			readyDirectly.push(await createAtHub(started, other, otherKey, `lab-${server}`));
	}
	const lists: number[] = [];
	const listsDirectly: number[] = [];
	for (let turn = 0; turn < LISTS; turn++) {
		await delay(APART_MS);
		lists.push(
			await timed(async () => {
				const {servers} = (await service.call('GET', '/servers')) as {readonly servers: readonly unknown[]};
				if (servers.length !== SERVERS) throw new Error(`the list has ${servers.length} servers`);
			}),
		);
		listsDirectly.push(
			await timed(async () =>
				(
					await fetch(`${started.url}/hub/api/user?include_stopped_servers`, {
						headers: {authorization: `token ${key}`},
					})
				).json(),
			),
		);
	}
	await delay(AFTER_MS);
	return [
		{
			id: 'hub',
			what: `created to ready, ${SERVERS} one after another`,
			unit: 'ms',
			values: ready,
			reference: {what: 'created at the hub itself', values: readyDirectly},
		},
		{
			id: 'hub',
			what: `list of ${SERVERS} servers`,
			unit: 'ms',
			values: lists,
			reference: {what: "the hub's own answer", values: listsDirectly},
		},
		{
			id: 'hub',
			what: `memory of the service, ${SERVERS} servers`,
			unit: 'MB',
			values: [await residentMemory(service.pid)],
			reference: {what: 'no server', values: [empty]},
		},
	];
};
