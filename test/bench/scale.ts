import http from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {hubMissing, startHub} from '../support/hub.ts';
import {newHome} from '../support/program.ts';
import {startBenchService} from './bench-service.ts';
import type {Measurement} from './measurement.ts';
import {cpuTime, residentMemory} from './process-costs.ts';

const USERS = 100;
const AT_ONCE = 10;
const ROUNDS = 5;
/** Pause in ms, longer than the two seconds for which the service caches the owner of a key. */
const APART_MS = 2100;

/** Proxy that forwards to a hub and counts the requests. */
const countingProxy = async (to: string) => {
	let count = 0;
	const server = http.createServer((request, response) => {
		count++;
		const {method, headers} = request;
		const passed = http.request(new URL(request.url ?? '', to), {method, headers}, answer => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		passed.once('error', () => response.destroy());
		response.once('close', () => passed.destroy());
		request.pipe(passed);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		count: () => count,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
};

/**
 * Many users share one copy of the hub's service. Measures requests to the hub per user, requests
 * per second, and memory.
 */
export const scale = async (): Promise<readonly Measurement[]> => {
	if (hubMissing !== null) {
		console.error('*** NOT MEASURED: JupyterHub is not installed ***');
		return [];
	}
	await using hub = await startHub({SVC_TEST_HUB_LIGHT: 'yes'});
	const keys: string[] = [];
	for (let user = 0; user < USERS; user++) keys.push(await hub.tokenOf(`user-${user}`));
	await using proxy = await countingProxy(hub.url);
	await using home = await newHome();
	await using service = await startBenchService(home, {
		args: ['--engine', 'jupyterhub', '--hub', proxy.url],
		key: keys[0] ?? '',
	});
	const ask = async (key: string, path: string, body?: object): Promise<void> => {
		const answer = await fetch(`${service.url}/api${path}`, {
			method: body ? 'POST' : 'GET',
			headers: {apiKey: key, ...(body && {'content-type': 'application/json'})},
			...(body && {body: JSON.stringify(body)}),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
	};
	/** Runs the action for all users, several at once. */
	const all = async (act: (key: string) => Promise<unknown>): Promise<void> => {
		const left = [...keys];
		const work = async (): Promise<void> => {
			for (let key = left.pop(); key !== undefined; key = left.pop()) await act(key);
		};
		await Promise.all(Array.from({length: AT_ONCE}, work));
	};
	const ownList = `${hub.url}/hub/api/user?include_stopped_servers`;
	const row = (what: string, unit: Measurement['unit'], values: readonly number[]): Measurement => ({
		id: 'scale',
		what,
		unit,
		values,
	});
	const rounds = async (
		what: string,
		path: string,
		apart: number,
		withHub: boolean,
	): Promise<readonly Measurement[]> => {
		const [hubs, rates, cpu]: [number[], number[], number[]] = [[], [], []];
		for (let round = 0; round < ROUNDS; round++) {
			await delay(apart);
			const [asked, used, from] = [proxy.count(), await cpuTime(service.pid), performance.now()];
			await all(key => ask(key, path));
			rates.push((USERS * 1000) / (performance.now() - from));
			cpu.push(((await cpuTime(service.pid)) - used) / USERS);
			hubs.push((proxy.count() - asked) / USERS);
		}
		const direct: number[] = [];
		for (let round = 0; withHub && round < ROUNDS; round++) {
			const from = performance.now();
			await all(async key => (await fetch(ownList, {headers: {authorization: `token ${key}`}})).text());
			direct.push((USERS * 1000) / (performance.now() - from));
		}
		return [
			row(`${what}: asked of the hub`, 'requests', hubs),
			{
				...row(`${what}: answered a second, ${AT_ONCE} at once`, 'requests', rates),
				...(withHub && {reference: {what: "the hub's own answer", values: direct}}),
			},
			row(`${what}: processor time of the service`, 'ms', cpu),
		];
	};

	await ask(keys[0] ?? '', '/environments');
	const one = await residentMemory(service.pid);
	const lists = await rounds('list of servers', '/servers', APART_MS, true);
	await all(key => ask(key, '/environments'));
	const known = await rounds('environments, key known', '/environments', 0, false);
	const memory = await residentMemory(service.pid);

	const created: number[] = [];
	const listed: number[] = [];
	for (const [user, key] of keys.slice(0, 10).entries()) {
		await delay(APART_MS);
		let asked = proxy.count();
		await ask(key, '/servers', {
			server_name: 'lab',
			environment: 'ai',
			port: 8888,
			server_request: 'svc-medium',
		});
		created.push(proxy.count() - asked);
		const path = `${hub.url}/hub/api/users/user-${user}`;
		for (;;) {
			const answer = await fetch(path, {headers: {authorization: `token ${key}`}});
			const {servers} = (await answer.json()) as {
				readonly servers: Readonly<Record<string, {readonly ready: boolean}>>;
			};
			if (servers['lab']?.ready === true) break;
			await delay(100);
		}
		await ask(key, '/servers');
		await delay(APART_MS);
		asked = proxy.count();
		await ask(key, '/servers');
		listed.push(proxy.count() - asked);
	}
	return [
		...lists,
		...known,
		row('create of a server: asked of the hub', 'requests', created),
		row('list with a ready server, later: asked of the hub', 'requests', listed),
		{
			...row(`memory of the service, ${USERS} users`, 'MB', [memory]),
			reference: {what: 'one user', values: [one]},
		},
	];
};
