import {once} from 'node:events';
import {readdirSync, readFileSync} from 'node:fs';
import http from 'node:http';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {Lab} from '../support/lab/lab.ts';
import {labMissing, startLab} from '../support/lab/lab.ts';
import {labHome} from '../support/lab-home.ts';
import {processesUsing} from '../support/processes.ts';
import {startBenchService, type BenchService} from './bench-service.ts';
import type {Measurement} from './measurement.ts';
import {lookTimes} from './remote-look.ts';

const STARTS = 5;
const BREAKS = 5;
const ROUND_TRIPS = 300;
const LISTS = 50;
const QUIET_MS = 60_000;
const LOOK_EVERY_MS = 5;

type Item = {readonly name: string; readonly status: string; readonly url: string};

/** Holds the lease of a service, as a program does, until disposal. */
const hold = async ({url, keyFile}: BenchService, held: AsyncDisposableStack): Promise<void> => {
	const headers = {apiKey: readFileSync(keyFile, 'utf8').trim()};
	const request = http.get(`${url}/local/lease`, {agent: false, headers});
	await once(request, 'response');
	request.on('error', () => {});
	held.defer(() => void request.destroy());
};

const timed = async (act: () => Promise<unknown>): Promise<number> => {
	const from = performance.now();
	await act();
	return performance.now() - from;
};

const itemOf = async (service: BenchService, name: string): Promise<Item> => {
	const list = () => service.call('GET', '/servers');
	// The first attempt may fail if the service is closing the idle connection.
	const {servers} = (await list().catch(list)) as {readonly servers: readonly Item[]};
	const found = servers.find(server => server.name === name);
	if (!found) throw new Error(`no server ${name}`);
	return found;
};
const until = async (service: BenchService, name: string, ...states: readonly string[]): Promise<void> => {
	for (;;) {
		const {status} = await itemOf(service, name);
		if (states.includes(status)) return;
		if (status === 'error') throw new Error(`${name} failed`);
		await delay(LOOK_EVERY_MS);
	}
};
const control = (service: BenchService, what: string, body: object) =>
	service.call('POST', `/../local/hosts/${what}`, body);
const createReady = (service: BenchService, name: string, compute: string): Promise<number> =>
	timed(async () => {
		const how = {environment: 'lab-python3', port: 8888, server_request: compute};
		await service.call('POST', '/servers', {server_name: name, ...how});
		await until(service, name, 'ready');
	});
const stop = async (service: BenchService, name: string): Promise<void> => {
	await control(service, 'stop', {server_name: name});
	await until(service, name, 'offline');
};

/** Times of round trips to a server on one connection, in ms. */
const roundTrips = async (url: string, socketPath?: string): Promise<readonly number[]> => {
	const {hostname, port, pathname, search} = new URL(url);
	const token = new URLSearchParams(search).get('token') ?? '';
	const agent = new http.Agent({keepAlive: true, maxSockets: 1});
	const ask = () =>
		new Promise<void>((resolve, reject) => {
			http
				.get(
					{
						...(socketPath === undefined ? {hostname, port} : {socketPath}),
						...{agent, path: `${pathname}api/kernels`, headers: {authorization: `token ${token}`}},
					},
					response => {
						response.resume();
						response.on('end', resolve).on('error', reject);
					},
				)
				.on('error', reject);
		});
	const times: number[] = [];
	for (let trip = 0; trip < ROUND_TRIPS; trip++) times.push(await timed(ask));
	agent.destroy();
	return times.slice(ROUND_TRIPS / 10);
};
/** Path of a server's socket, as root sees it on this machine. */
const socketOf = (lab: Lab, name: string): string => {
	const servers = join(lab.home('alice'), '.local/share/svc-tui/remote/servers');
	for (const id of readdirSync(servers)) {
		const folder = join(servers, id);
		if (!readFileSync(join(folder, 'about.json'), 'utf8').includes(`"name":"${name}"`)) continue;
		const where = readFileSync(join(folder, 'where'), 'utf8');
		const value = (key: string): string => new RegExp(`^${key} (.*)$`, 'm').exec(where)?.[1] ?? '';
		const node = value('node');
		return value('socket').replace(/^\/tmp/, node === '' ? '/tmp' : join(lab.folder, `tmp.${node}`));
	}
	throw new Error(`no folder of ${name}`);
};

/** Number of requests about jobs that Slurm's controller has answered: one for each `squeue`. */
const questionsTo = async (lab: Lab): Promise<number> => {
	const {stdout} = await lab.root('sdiag');
	return [...stdout.matchAll(/^\s*REQUEST_JOB_INFO\w*\s.*?count:(\d+)/gm)]
		.map(([, count]) => Number(count))
		.reduce((sum, count) => sum + count, 0);
};

/** Servers on a host and in Slurm's queue, on a cluster of this machine's loopback. */
export const remote = async (): Promise<readonly Measurement[]> => {
	if (labMissing !== null) {
		console.error(`*** NOT MEASURED: ${labMissing} ***`);
		return [];
	}
	await using lab = await startLab();
	await using home = await labHome(lab);
	home.offerLoginNode('lab');
	// A service connects to hosts only while a program holds its lease.
	await using service = await startBenchService(home, {args: ['--leased']});
	await using held = new AsyncDisposableStack();
	await hold(service, held);
	const probe = await timed(() => control(service, 'add', {host: 'lab'}));
	const plain: number[] = [];
	const job: number[] = [];
	for (let turn = 0; turn < STARTS; turn++) {
		plain.push(await createReady(service, `plain${turn}`, 'lab-cpux0'));
		job.push(await createReady(service, `job${turn}`, 'lab-gpu-cpux0'));
		if (turn === STARTS - 1) break;
		await stop(service, `plain${turn}`);
		await stop(service, `job${turn}`);
	}
	const [host, node] = [`plain${STARTS - 1}`, `job${STARTS - 1}`];
	const direct = await roundTrips((await itemOf(service, host)).url, socketOf(lab, host));
	const tunnel = await roundTrips((await itemOf(service, host)).url);
	const directJob = await roundTrips((await itemOf(service, node)).url, socketOf(lab, node));
	const tunnelJob = await roundTrips((await itemOf(service, node)).url);

	const looks = await lookTimes(lab, join(home.folder, 'look.s'));

	const asked = await questionsTo(lab);
	await delay(QUIET_MS);
	const polls = ((await questionsTo(lab)) - asked) / (QUIET_MS / 60_000);

	const back: number[] = [];
	for (let turn = 0; turn < BREAKS; turn++) {
		const clients = (await processesUsing(home.folder)).filter(({command}) =>
			/ -M .*-N .*\blab$/.test(command),
		);
		for (const {pid} of clients) process.kill(pid, 'SIGKILL');
		back.push(
			await timed(async () => {
				await until(service, host, 'unreachable');
				await until(service, host, 'ready');
			}),
		);
	}

	const noticed: number[] = [];
	const lists: number[] = [];
	const again: number[] = [];
	for (let turn = 0; turn < 2; turn++) {
		await lab.root('pkill', '-STOP', '-x', 'sshd');
		noticed.push(await timed(() => until(service, host, 'unreachable')));
		for (let list = 0; list < LISTS; list++) lists.push(await timed(() => service.call('GET', '/servers')));
		await lab.root('pkill', '-CONT', '-x', 'sshd');
		again.push(await timed(() => until(service, host, 'ready')));
	}
	for (const name of [host, node]) await stop(service, name);

	const ms = (what: string, values: readonly number[], atMost: number | null): Measurement => ({
		...{id: 'P18', what, unit: 'ms', values},
		...(atMost !== null && {budget: {figure: 'median', atMost}}),
	});
	return [
		ms('first probe of a host', [probe], 1500),
		ms('plain host: created to ready', plain, 4000),
		ms('idle partition: created to ready', job, 6000),
		{
			...ms('round trip through the tunnel to a host', tunnel, null),
			reference: {what: 'its socket', values: direct},
		},
		{
			...ms('round trip through the tunnel to a node', tunnelJob, null),
			reference: {what: 'its socket', values: directJob},
		},
		ms('one check of 20 servers on a host', looks, 400),
		ms('client killed, to ready', back, 1000),
		ms('network dead, to unreachable', noticed, 20_000),
		ms('network back, to ready', again, null),
		ms('list of servers while the network is dead', lists, 16),
		{
			...{id: 'P18', what: 'questions to Slurm a minute, nothing moves', unit: 'requests'},
			...{values: [polls], budget: {figure: 'median', atMost: 4}},
		},
	];
};
