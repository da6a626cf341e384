// @module-tag long
// 200 users of one service, one of them hostile: does another user notice? With SVC_SOAK=1 times
// must stay within a factor of the quiet ones. Otherwise each request of the others must succeed.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import {Agent, request} from 'node:http';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serve} from '../cli/support.ts';
import {frozenDisk, whyNotFrozen} from '../support/frozen-disk.ts';
import {settings} from '../support/local-service.ts';
import {newHome} from '../support/program.ts';
import {due} from '../support/due.ts';
import {createRandom, newSeed} from '../support/random.ts';
import {waitFor} from '../support/wait-for.ts';

const USERS = 200;
/** Requests of the others per second, as by screens that poll. */
const RATE = 60;
const isSoak = process.env['SVC_SOAK'] === '1';
const [WINDOW_MS, ROUNDS] = isSoak ? [10_000, 6] : [2000, 1];
const RESPONSE_MS = 20_000;

/** A frozen disk would outlive a killed test. The others still delay the users by seconds. */
const ONLY_IN_SOAK = isSoak
	? ([
			['frozen disk', 1.3],
			['expression', 2],
			['bodies', 2],
		] as const)
	: [];

const seed = newSeed();

const percentile = (values: readonly number[], share: number): number =>
	values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

type Timed = {readonly ms: number; readonly status: number; readonly text: string};

const openClients = (url: string) => {
	const agent = new Agent({keepAlive: true});
	return {
		ask: (key: string, method: string, path: string, body?: object): Promise<Timed> =>
			new Promise((resolve, reject) => {
				const from = performance.now();
				const headers = {apikey: key, ...(body && {'content-type': 'application/json'})};
				const sent = request(new URL(path, url), {method, agent, headers, timeout: RESPONSE_MS}, response => {
					const status = response.statusCode ?? 0;
					let text = '';
					response.setEncoding('utf8').on('data', (part: string) => {
						text += part;
					});
					response.once('end', () => resolve({ms: performance.now() - from, status, text}));
				});
				sent.once('error', reject);
				sent.once('timeout', () => sent.destroy(new Error(`no response to ${method} ${path}`)));
				sent.end(body && JSON.stringify(body));
			}),
		[Symbol.dispose]: () => agent.destroy(),
	};
};

/** Lets a hostile user attack until the end of its scope. */
const startAttack = async (way: string, url: string, key: string) => {
	const program = join(import.meta.dirname, 'hostile-process.ts');
	const child = spawn(process.execPath, [program, way, url, key, 'own'], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const ended = once(child, 'close');
	await once(child.stdout, 'data');
	return {
		async [Symbol.asyncDispose]() {
			child.stdin.end();
			await ended;
		},
	};
};

const timesOfOthers = async (
	way: string,
	isFrozen: boolean,
): Promise<readonly [quiet: number, attacked: number]> => {
	const random = createRandom(seed);
	await using home = await newHome();
	const keysFile = join(home.folder, 'keys.json');
	const keys = Array.from({length: USERS}, (_, user) => `key-of-user-${user}`);
	const entries = keys.map((key, user) => [`u${user}@example.com`, key]);
	writeFileSync(keysFile, JSON.stringify(Object.fromEntries(entries)), {mode: 0o600});
	await using served = await serve(home, ['--keys', keysFile, '--mcp-allow', 'run,write']);
	using clients = openClients(served.url);
	const {ask} = clients;
	const [hostile = '', neighbour = '', ...others] = keys;
	for (const key of [hostile, neighbour]) {
		expect((await ask(key, 'POST', '/api/servers', {server_name: 'own', ...settings})).status).toBe(202);
		await waitFor(async () => expect((await ask(key, 'GET', '/api/servers')).text).toContain('"ready"'));
	}
	const file = '/api/servers/own/files/a.txt';
	const write = (key: string) =>
		ask(key, 'PUT', file, {type: 'file', format: 'text', content: `${random.below(9)}`});
	await write(hostile);
	const folders = join(home.folder, 'served/servers');
	const own = readdirSync(folders).find(name => existsSync(join(folders, name, 'a.txt'))) ?? '';
	await write(neighbour);

	const step = (): Promise<Timed> => {
		const kind = random.below(20);
		if (kind === 0) return write(neighbour);
		if (kind < 4) return ask(neighbour, 'GET', file);
		return ask(random.pick(others), 'GET', kind < 7 ? '/api/environments' : '/api/servers');
	};
	/** Times of the others' responses in a window of time, in ms. */
	const times = async (): Promise<readonly number[]> => {
		const waits: Array<Promise<Timed>> = [];
		for await (const _ of due(WINDOW_MS, () => (2 * random.below(1000)) / RATE)) waits.push(step());
		const all = await Promise.all(waits);
		expect(all.filter(({status}) => status !== 200)).toEqual([]);
		return all.map(({ms}) => ms);
	};
	using disk = isFrozen ? frozenDisk(join(folders, own)) : undefined;
	const [quiet, attacked]: [number[], number[]] = [[], []];
	await times();
	for (let round = 0; round < ROUNDS; round++) {
		quiet.push(...(await times()));
		await using _ = await startAttack(way, served.url, hostile);
		disk?.freeze(true);
		try {
			attacked.push(...(await times()));
		} finally {
			disk?.freeze(false);
		}
	}
	return [percentile(quiet, 0.95), percentile(attacked, 0.95)];
};

test.each([['cell', 2], ['socket', 1.3], ['disk', 1.3], ...ONLY_IN_SOAK] as const)(
	`%s: 199 other users are served, with a p95 within %s times the quiet one in the soak (seed ${seed})`,
	async (way, factor) => {
		const isFrozen = way === 'frozen disk';
		const why = isFrozen ? whyNotFrozen() : undefined;
		if (why !== undefined) {
			console.warn(`*** NOT TESTED: a frozen disk: ${why}. ***`);
			return;
		}
		const [quiet, attacked] = await timesOfOthers(isFrozen ? 'disk' : way, isFrozen);
		console.log(
			`${way}: p95 ${quiet.toFixed(1)} → ${attacked.toFixed(1)} ms, ${(attacked / quiet).toFixed(2)}x`,
		);
		if (isSoak) expect(attacked).toBeLessThanOrEqual(factor * quiet);
	},
);
