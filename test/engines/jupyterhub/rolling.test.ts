// @module-tag long
// Two copies of a hub's service behind one load balancer are restarted one after the other while
// users work. Checks the outcome of each request.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import https from 'node:https';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {firstOutput} from '../../support/first-output.ts';
import {freePort} from '../../support/free-port.ts';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../../support/hub.ts';
import {settings} from '../../support/local-service.ts';
import {newHome, PROGRAM, type Home} from '../../support/program.ts';
import {proxyMissing, startProxy} from '../../support/proxies.ts';
import {PATIENCE, waitFor} from '../../support/wait-for.ts';

const missing = hubMissing ?? proxyMissing('haproxy');
if (missing !== null) console.warn(`\n*** SKIPPED: no rolling restart behind a balancer: ${missing} ***\n`);

const LISTERS = 4;

type Copy = {readonly port: number; end(): Promise<unknown>};
type Asked = {readonly status: number; readonly text: string; readonly said: string};

describe.skipIf(missing !== null)('two copies behind one balancer', () => {
	let hub: TestHub;
	let home: Home;
	beforeAll(async () => {
		hub = await startHub();
		home = await newHome();
	}, HUB_START_MS);
	afterAll(async () => {
		await home?.[Symbol.asyncDispose]();
		await hub?.[Symbol.asyncDispose]();
	});

	/**
	 * Starts two copies on separate ports and haproxy in front of them. Returns a function that
	 * sends a request to haproxy.
	 */
	const balanced = async (args: readonly string[], user: string) => {
		await using opened = new AsyncDisposableStack();
		const [port, one, two] = [await freePort(), await freePort(), await freePort()];
		const publicUrl = `https://127.0.0.1:${port}/base`;
		const running = new Set<Copy>();
		const copy = async (own: number): Promise<Copy> => {
			const child = spawn(
				PROGRAM,
				[
					'serve',
					'--engine',
					'jupyterhub',
					'--hub',
					hub.url,
					'--port',
					`${own}`,
					'--public-url',
					publicUrl,
					...args,
				],
				{env: home.env, cwd: home.folder, stdio: ['ignore', 'pipe', 'pipe']},
			);
			await firstOutput(child);
			const started: Copy = {
				port: own,
				async end() {
					running.delete(started);
					child.kill('SIGTERM');
					await waitFor(() =>
						expect(child.exitCode, `the copy at ${own} runs on after SIGTERM`).not.toBeNull(),
					);
					return child.exitCode;
				},
			};
			running.add(started);
			return started;
		};
		opened.defer(async () => {
			await Promise.all([...running].map(each => each.end()));
		});
		const copies = [await copy(one), await copy(two)];
		const {certFile: NODE_EXTRA_CA_CERTS} = opened.use(
			await startProxy('haproxy', {port, to: [one, two], strips: false}),
		);
		const key = await hub.tokenOf(user);
		// Connections without a limit, kept alive as clients do.
		const agent = new https.Agent({keepAlive: true, rejectUnauthorized: false});
		opened.defer(() => agent.destroy());
		const ask = (method: string, path: string, body?: object): Promise<Asked> =>
			new Promise((resolve, reject) => {
				const request = https.request(
					`${publicUrl}/api${path}`,
					{
						method,
						agent,
						timeout: PATIENCE,
						headers: {apiKey: key, ...(body && {'content-type': 'application/json'})},
					},
					response => {
						let text = '';
						response.setEncoding('utf8').on('data', (part: string) => {
							text += part;
						});
						response.once('end', () =>
							resolve({
								status: response.statusCode ?? 0,
								text,
								said: `${method} ${path}: ${response.statusCode} ${text}`,
							}),
						);
						response.once('error', reject);
					},
				);
				request.once('error', reject);
				request.once('timeout', () =>
					request.destroy(new Error(`${method} ${path} had no answer for ${PATIENCE} ms`)),
				);
				request.end(body && JSON.stringify(body));
			});
		/** Opens a lease. Resolves once the service holds it; `ended` settles when it ends. */
		const lease = (): Promise<{readonly ended: Promise<unknown>}> =>
			new Promise((resolve, reject) => {
				https
					.request(`${publicUrl}/local/lease`, {agent, headers: {apiKey: key}}, response => {
						if (response.statusCode === 200) resolve({ended: once(response.resume(), 'close')});
						else reject(new Error(`the lease was answered with ${response.statusCode}`));
					})
					.once('error', reject)
					.end();
			});
		// The balancer answers 503 until a copy has passed its first check.
		await waitFor(async () => expect((await ask('GET', '/servers')).status).toBe(200));
		const run = (code: string): Promise<Asked> =>
			ask('POST', '/servers/lab/run-code', {code, kernel_name: 'python3'});
		const all = opened.move();
		return {
			copies,
			copy,
			ask,
			lease,
			run,
			env: {SVC_BASE_URL: publicUrl, SVC_API_KEY: key, NODE_EXTRA_CA_CERTS},
			[Symbol.asyncDispose]: () => all.disposeAsync(),
		};
	};

	type Balanced = Awaited<ReturnType<typeof balanced>>;

	/** Starts a server of the user and runs code on it. */
	const startLab = async ({ask, run}: Balanced): Promise<void> => {
		expect(await ask('POST', '/servers', {...settings, server_name: 'lab'})).toMatchObject({status: 202});
		await waitFor(async () => expect((await ask('GET', '/servers')).text).toMatch(/"status": ?"ready"/), {
			interval: 100,
		});
		expect((await run('1')).status).toBe(200);
	};

	/**
	 * Restarts both copies, one after the other, under load. Resolves to the outcome of each
	 * request.
	 */
	const rollOver = async (service: Balanced) => {
		const {copies, copy, ask, run} = service;
		await startLab(service);
		let isOver = false;
		const ended: Asked[] = [];
		const lost: unknown[] = [];
		const repeat = async (next: (turn: number) => Promise<Asked>): Promise<void> => {
			for (let turn = 0; !isOver; turn++)
				await next(turn).then(
					answer => ended.push(answer),
					(error: unknown) => lost.push(error),
				);
		};
		const load = [
			...Array.from({length: LISTERS}, () => repeat(() => ask('GET', '/servers'))),
			repeat(turn => run(`print(${turn})`)),
		];
		const long: Asked[] = [];
		const codes: unknown[] = [];
		try {
			for (const [index, each] of copies.entries()) {
				// Two requests in addition to the load, so that each copy has one in progress.
				const asked = ['a', 'b'].map(name =>
					run(`import time; open('${name}${index}', 'w').close(); time.sleep(1.5); print('slept')`),
				);
				await waitFor(
					async () => expect((await ask('GET', `/servers/lab/files/a${index}`)).status).toBe(200),
					{interval: 50},
				);
				codes.push(await each.end());
				long.push(...(await Promise.all(asked)));
				await copy(each.port);
				const before = ended.length;
				// The balancer uses the copy again, and both copies answer requests.
				await waitFor(() => expect(ended.length).toBeGreaterThan(before + 50));
			}
		} finally {
			isOver = true;
			await Promise.all(load);
		}
		return {ended, lost, long, codes};
	};

	test('with --drain every request is answered, also those in progress when a copy is stopped', async () => {
		await using service = await balanced(['--drain', '2'], 'ann@example.com');
		const {ended, lost, long, codes} = await rollOver(service);
		console.info(`rolling restart with --drain 2: ${ended.length} requests, ${lost.length} lost`);
		expect(lost).toEqual([]);
		expect(ended.filter(({status}) => status !== 200).map(({said}) => said)).toEqual([]);
		expect(long.map(({status, text}) => [status, text.includes('slept')])).toEqual(
			Array(4).fill([200, true]),
		);
		expect(codes).toEqual([143, 143]);
	});

	test('a lease, which has no end of its own, is not waited for', {timeout: 20_000}, async () => {
		await using service = await balanced(['--drain', '1'], 'ann@example.com');
		const {ended} = await service.lease();
		await Promise.all(service.copies.map(copy => copy.end()));
		await ended;
	});

	test('a server that hangs keeps no copy from its end', async () => {
		await using service = await balanced([], 'bob@example.com');
		await startLab(service);
		const hanging = await hub.processesOf('bob@example.com', 'lab');
		for (const pid of hanging) process.kill(pid, 'SIGSTOP');
		expect(hanging).not.toEqual([]);
		expect(await Promise.all(service.copies.map(copy => copy.end()))).toEqual([143, 143]);
	});
});
