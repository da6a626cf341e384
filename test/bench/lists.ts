import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {Agent, get} from 'node:http';
import {join} from 'node:path';
import {firstOutput} from '../support/first-output.ts';
import {newHome} from '../support/program.ts';
import {startBenchService} from './bench-service.ts';
import type {Measurement} from './measurement.ts';
import {cpuTime, residentMemory} from './process-costs.ts';

const USERS = [100] as const;
const REQUESTS = 500;
const ROUNDS = 5;
/** Rounds that are not measured, because V8 optimises the code during them. */
const WARM_ROUNDS = 2;

const ask = (url: string, apikey: string, agent: Agent): Promise<string> =>
	new Promise((resolve, reject) => {
		const sent = get(`${url}/api/servers`, {agent, headers: {apikey}}, response => {
			let text = '';
			response.setEncoding('utf8').on('data', (part: string) => {
				text += part;
			});
			response.once('end', () =>
				response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
			);
		});
		sent.once('error', reject);
	});

const startHono = async (bodyFile: string) => {
	const program = join(import.meta.dirname, 'bare-hono-process.ts');
	const child = spawn(process.execPath, [program, bodyFile], {stdio: ['ignore', 'pipe', 'inherit']});
	const port = (await firstOutput(child)).trim();
	return {
		url: `http://127.0.0.1:${port}`,
		pid: child.pid!,
		async [Symbol.asyncDispose]() {
			const exit = once(child, 'exit');
			child.kill('SIGKILL');
			await exit;
		},
	};
};

/** Requests the list of servers from one copy of the service, with as many connections as users. */
const listsOf = async (users: number): Promise<readonly Measurement[]> => {
	await using home = await newHome();
	const keys = Array.from({length: users}, (_, user) => `key-of-user-${user}`);
	const keysFile = join(home.folder, 'keys.json');
	const entries = keys.map((key, user) => [`u${user}@example.com`, key]);
	writeFileSync(keysFile, JSON.stringify(Object.fromEntries(entries)), {mode: 0o600});
	await using service = await startBenchService(home, {args: ['--keys', keysFile], key: keys[0] ?? ''});
	const agents = {keepAlive: true, maxSockets: users};
	const [here, there] = [new Agent(agents), new Agent(agents)];
	const bodyFile = join(home.folder, 'list.json');
	writeFileSync(bodyFile, await ask(service.url, keys[0] ?? '', here));
	await using hono = await startHono(bodyFile);
	/**
	 * Processor time per request in ms. Each user sends the next request when the response has
	 * arrived.
	 */
	const round = async ({url, pid}: {readonly url: string; readonly pid: number}, agent: Agent) => {
		const used = await cpuTime(pid);
		let left = REQUESTS;
		const user = async (key: string): Promise<void> => {
			while (left-- > 0) await ask(url, key, agent);
		};
		await Promise.all(keys.map(user));
		return ((await cpuTime(pid)) - used) / REQUESTS;
	};
	const [values, reference]: [number[], number[]] = [[], []];
	for (let at = -WARM_ROUNDS; at < ROUNDS; at++) {
		const [ours, bare] = [await round(service, here), await round(hono, there)];
		if (at < 0) continue;
		values.push(ours);
		reference.push(bare);
	}
	const memory = [await residentMemory(service.pid)];
	here.destroy();
	there.destroy();
	return [
		{
			id: 'P17',
			what: `list of servers, ${users} users: processor time`,
			unit: 'ms',
			values,
			reference: {what: 'bare Hono', values: reference},
			// The service may need twice the processor time of bare Hono.
			budget: {figure: 'ratio', atMost: 2},
		},
		{id: 'P17', what: `memory of the service, ${users} users`, unit: 'MB', values: memory},
	];
};

/** Processor time of lists, compared with bare Hono. Fails if the service rejects a request. */
export const lists = async (): Promise<readonly Measurement[]> => {
	const measured: Measurement[] = [];
	for (const users of USERS) measured.push(...(await listsOf(users)));
	return measured;
};
