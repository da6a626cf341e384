// Kernels of a server's sessions on every engine, with raw clients of Jupyter's protocol and real
// servers.
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import WebSocket from 'ws';
import {HUB_START_MS} from '../support/hub.ts';
import {callJupyter, openChannels, type Channels, type JupyterAddress} from '../support/jupyter-client.ts';
import {movingClock, openLease} from '../support/lease.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {waitFor} from '../support/wait-for.ts';
import {engineTable} from './engine-table.ts';

type Fields = Readonly<Record<string, unknown>>;
/** Type of a response; the tests check its content. */
type Answered = ReturnType<typeof JSON.parse>;

const until = (check: () => void | Promise<void>): Promise<void> => waitFor(check, {interval: 10});
const addressOf = async (local: LocalService): Promise<JupyterAddress> => {
	const {servers} = (await local.call('GET', '/api/servers')).body as {readonly servers: readonly Fields[]};
	const {url, token} = servers.find(server => server['name'] === 'lab') ?? {};
	return {url: String(url).split('?')[0] ?? '', token: String(token)};
};
const startLab = async (local: LocalService, how = settings): Promise<void> => {
	expect((await local.call('POST', '/api/servers', {server_name: 'lab', ...how})).status).toBe(202);
	await waitFor(async () => expect(await local.state('lab')).toBe('ready'), {interval: 50});
};
const clientOf = (address: () => JupyterAddress) => {
	const jupyter = async (method: string, path: string, body?: unknown): Promise<Answered> => {
		const answer = await callJupyter(address(), method, path, body);
		const text = await answer.text();
		return {status: answer.status, body: text === '' ? undefined : JSON.parse(text)};
	};
	const open = async (path: string): Promise<Answered> =>
		(await jupyter('POST', 'api/sessions', {path, name: '', type: 'notebook', kernel: {name: 'python3'}}))
			.body;
	const stateOf = async (kernel: string): Promise<unknown> =>
		(await jupyter('GET', `api/kernels/${kernel}`)).body.execution_state;
	/** Opens a channel and waits until its kernel replies. */
	const connect = async (kernel: string, how: Parameters<typeof openChannels>[2] = {}): Promise<Channels> => {
		const channels = await openChannels(address(), kernel, how);
		await ended(channels, channels.send('kernel_info_request', {}));
		return channels;
	};
	return {jupyter, open, stateOf, connect};
};
const send = (channels: Channels, code: string, more: object = {}): string =>
	channels.send('execute_request', {code, silent: false, store_history: true, allow_stdin: false, ...more});
const ended = async (channels: Channels, id: string): Promise<Fields> => {
	await until(() => {
		expect(channels.reply(id)).toBeDefined();
		expect(
			channels.messages.some(
				({parent_header: of, content}) => of.msg_id === id && content['execution_state'] === 'idle',
			),
		).toBe(true);
	});
	return channels.reply(id)?.content ?? {};
};
const run = async (channels: Channels, code: string, more: object = {}): Promise<string> => {
	const id = send(channels, code, more);
	await ended(channels, id);
	return channels.text(id);
};
const statusOf = (channels: Channels, ids: readonly string[]): readonly unknown[] =>
	ids.map(id => channels.reply(id)?.content['status']);

for (const {name: engineName, missing, open: openEngine, settings: how} of engineTable) {
	const tags = engineName === 'embedded' ? [] : ['long'];
	describe.skipIf(missing !== null)(`kernels on the engine ${engineName}`, {tags}, () => {
		let local: LocalService;
		let address: JupyterAddress;
		const {jupyter, open, connect} = clientOf(() => address);
		beforeAll(async () => {
			local = await openEngine();
			await startLab(local, how);
			address = await addressOf(local);
		}, HUB_START_MS);
		afterAll(() => local?.[Symbol.asyncDispose]());

		test('each path has a kernel of its own: variables, files, completion, interrupt, restart, end', async () => {
			const own = await local.call('POST', '/api/servers/lab/run-code', {
				code: 'x = "repl"',
				kernel_name: 'python3',
			});
			expect(own.status).toBe(200);
			const [first, second] = [await open('a.ipynb'), await open('svc-tui-run-1')];
			const [a, b] = [await connect(first.kernel.id), await connect(second.kernel.id)];
			await run(
				a,
				'x = only_in_a = 1\nopen("data.txt", "w").write("of a")\nopen("mine.py", "w").write("y = 5")',
			);
			expect(await run(b, 'x = 2; import mine; print(open("data.txt").read(), mine.y)')).toBe('of a 5\n');
			expect(await run(b, 'import os; os.remove("mine.py"); os.mkdir("mine.py")')).toBe('');
			expect(await run(a, 'import os; print(os.path.isdir("mine.py"), os.listdir("."), x)')).toMatch(
				/^True .*'mine\.py'.* 1\n$/,
			);
			expect(
				(await local.call('POST', '/api/servers/lab/run-code', {code: 'print(x)', kernel_name: 'python3'}))
					.body,
			).toMatchObject({content: {outputs: [{text: 'repl\n'}]}});

			// The second kernel answers while the first one is busy.
			const busy = send(a, 'print("busy")\nwhile True: pass');
			await until(() => expect(a.text(busy)).toBe('busy\n'));
			expect(await run(b, 'print(x)')).toBe('2\n');
			await jupyter('POST', `api/kernels/${first.kernel.id}/interrupt`);
			expect(await ended(a, busy)).toMatchObject({status: 'error', ename: 'KeyboardInterrupt'});
			for (const [channels, matches] of [
				[a, ['only_in_a']],
				[b, []],
			] as const) {
				const id = channels.send('complete_request', {code: 'only_in', cursor_pos: 7});
				await until(() => expect(channels.reply(id)).toBeDefined());
				expect(channels.reply(id)?.content['matches']).toEqual(matches);
			}

			await b.close();
			expect((await jupyter('POST', `api/kernels/${second.kernel.id}/restart`)).status).toBe(200);
			const again = await connect(second.kernel.id);
			expect(await run(again, 'print("x" in globals())')).toBe('False\n');
			expect(await run(a, 'print(x)')).toBe('1\n');
			const paths = async (): Promise<readonly unknown[]> =>
				(await jupyter('GET', 'api/sessions')).body.map(({path}: Fields) => path).sort();
			expect(await paths()).toEqual(['a.ipynb', 'svc-tui-python3', 'svc-tui-run-1']);
			await Promise.all([a.close(), again.close()]);
			for (const {id} of [first, second])
				expect((await jupyter('DELETE', `api/sessions/${id}`)).status).toBe(204);
			expect((await jupyter('GET', `api/kernels/${first.kernel.id}`)).status).toBe(404);
			expect(await paths()).toEqual(['svc-tui-python3']);
		});

		test('the kernel takes a whole queue; an error or an interrupt aborts what waits behind it', async () => {
			const {id: session, kernel} = await open('queue.ipynb');
			const channels = await connect(kernel.id);
			const gate = send(
				channels,
				'import time\nwhile not __import__("os").path.exists("go"): time.sleep(0.01)',
			);
			const cells = Array.from({length: 200}, (_, number) => send(channels, `print(${number})`));
			await run(await connect((await open('other.ipynb')).kernel.id), 'open("go", "w").close()');
			await ended(channels, cells.at(-1) ?? '');
			expect(channels.text()).toBe(cells.map((_, number) => `${number}\n`).join(''));
			expect(statusOf(channels, [gate])).toEqual(['ok']);

			const raising = [send(channels, 'time.sleep(0.1)'), send(channels, '1 / 0')];
			const behind = Array.from({length: 5}, () => send(channels, 'print("behind")'));
			await ended(channels, behind.at(-1) ?? '');
			expect(statusOf(channels, raising)).toEqual(['ok', 'error']);
			expect(behind.map(each => channels.reply(each)?.content)).toEqual(
				behind.map(() => ({status: 'aborted'})),
			);
			expect(channels.text()).not.toContain('behind');
			expect(await run(channels, 'print("after")')).toBe('after\n');

			// The failure of a silent cell, or of a cell without stop_on_error, aborts no other
			// cell.
			const passed = [
				send(channels, 'time.sleep(0.1)'),
				send(channels, '1 / 0', {silent: true, store_history: false}),
				send(channels, '1 / 0', {stop_on_error: false}),
				send(channels, 'print("still here")'),
			];
			await ended(channels, passed.at(-1) ?? '');
			expect(statusOf(channels, passed)).toEqual(['ok', 'error', 'error', 'ok']);

			const endless = send(channels, 'print("endless")\nwhile True: pass');
			const waiting = [send(channels, 'print("behind")'), send(channels, 'print("behind")')];
			await until(() => expect(channels.text(endless)).toBe('endless\n'));
			await jupyter('POST', `api/kernels/${kernel.id}/interrupt`);
			await ended(channels, waiting.at(-1) ?? '');
			expect(statusOf(channels, [endless, ...waiting])).toEqual(['error', 'aborted', 'aborted']);
			expect(channels.text()).not.toContain('behind');
			await channels.close();
			await jupyter('DELETE', `api/sessions/${session}`);
		});

		test('cells run and output is kept while no client is connected', {tags: 'long'}, async () => {
			const {id, kernel} = await open('away.ipynb');
			const session = randomUUID();
			const client = await connect(kernel.id, {session, came: 0});
			const begun = send(
				client,
				'import time\nprint("begun")\nwhile not __import__("os").path.exists("away"): time.sleep(0.01)',
			);
			const cells = Array.from({length: 20}, (_, number) => send(client, `print("away", ${number})`));
			send(client, 'open("ran", "w").close()');
			await until(() => expect(client.text(begun)).toBe('begun\n'));
			await client.close();
			// A file proves that the cell has ended: a hub's Jupyter may list a busy kernel as
			// idle.
			const other = await open('other.ipynb');
			await run(
				await connect(other.kernel.id),
				'import os, time\nopen("away", "w").close()\nwhile not os.path.exists("ran"): time.sleep(0.01)',
			);
			const back = await openChannels(address, kernel.id, {session, came: client.messages.length});
			await ended(back, cells.at(-1) ?? '');
			expect(back.text()).toBe(cells.map((_, number) => `away ${number}\n`).join(''));
			await back.close();
			await jupyter('DELETE', `api/sessions/${id}`);
			await jupyter('DELETE', `api/sessions/${other.id}`);
		});

		// Servers of a hub do not buffer messages.
		test.skipIf(engineName === 'jupyterhub')(
			'a connection attempt that arrives late loses no output',
			{tags: 'long'},
			async () => {
				const {id, kernel} = await open('late.ipynb');
				const session = randomUUID();
				const client = await connect(kernel.id, {session, came: 0});
				await run(client, 'for n in range(10): print(n, flush=True)');
				// Once the server has read the next request, it has received every confirmation.
				await run(client, '');
				// A connection with an old number, whose client confirms nothing.
				const late = new WebSocket(
					`${address.url.replace('http', 'ws')}api/kernels/${kernel.id}/channels?session_id=${session}&token=${address.token}`,
					{headers: {'last-event-id': '3'}, autoPong: false},
				);
				await once(late, 'open');
				const other = await connect(kernel.id);
				await run(other, 'for n in range(10, 20): print(n, flush=True)');
				late.terminate();
				const back = await openChannels(address, kernel.id, {session, came: client.messages.length});
				await run(back, 'print("end")');
				expect(back.text()).toBe(`${Array.from({length: 10}, (_, n) => `${n + 10}\n`).join('')}end\n`);
				for (const each of [back, other]) await each.close();
				await jupyter('DELETE', `api/sessions/${id}`);
			},
		);
	});
}

for (const {name: engineName, missing} of engineTable.filter(({name}) =>
	['embedded', 'jupyter'].includes(name),
)) {
	test.skipIf(missing !== null)(
		`on the engine ${engineName} a busy kernel without a client outlives the time of keepKernels`,
		{tags: 'long'},
		async () => {
			await using local = await localService({
				openEngine: undefined,
				engine: engineName === 'embedded' ? 'pyodide' : 'jupyter',
				leased: true,
				leases: {last: 50, look: 50},
			});
			const program = await openLease(local, 60_000);
			await startLab(local);
			const address = await addressOf(local);
			const {open, connect, stateOf} = clientOf(() => address);
			const {kernel} = await open('train.ipynb');
			const channels = await connect(kernel.id);
			const id = send(
				channels,
				'import os, time\nprint("begun")\nwhile not os.path.exists("done"):\n    print(".", end="")\n    time.sleep(0.01)',
			);
			await until(() => expect(channels.text(id)).toMatch(/^begun/));
			// Jupyter's kernels report `idle` after each reply on its control channel.
			const asked = channels.send('kernel_info_request', {}, 'control');
			await (engineName === 'embedded'
				? until(() => expect(channels.reply(asked)).toBeDefined())
				: ended(channels, asked));
			expect(await stateOf(kernel.id)).toBe('busy');
			await channels.close();
			program.leave();
			const kept = async (): Promise<Fields> => (await local.call('GET', '/local/kept')).body;
			await until(async () => expect(await kept()).toMatchObject({held: 0}));
			using clock = movingClock();
			clock.move(3_600_000);
			await until(async () =>
				expect(Date.parse(String((await kept())['until']))).toBeGreaterThan(Date.now()),
			);
			expect(await stateOf(kernel.id)).toBe('busy');
			await local.call('PUT', '/api/servers/lab/files/done', {type: 'file', format: 'text', content: ''});
			await until(async () => expect(await stateOf(kernel.id)).toBe('idle'));
			await clock.moveUntil(local.service.closed);
		},
	);
}

test(
	'without memory for a second process a session shares the default kernel, and says so',
	{tags: 'long'},
	async () => {
		const cost = 230 * 2 ** 20;
		let free = cost;
		await using local = await localService({
			openEngine: undefined,
			engine: 'pyodide',
			memory: () => ({total: 64 * 2 ** 30, available: 512 * 2 ** 20 + free}),
		});
		await startLab(local);
		const address = await addressOf(local);
		const {jupyter, open, connect} = clientOf(() => address);
		free = 2 * cost;
		// Both are opened at the same time, and there is enough memory for two.
		const [first, second] = await Promise.all([open('a.ipynb'), open('b.ipynb')]);
		expect([first.shared_with, second.shared_with]).toEqual([null, null]);
		free = cost - 1;
		const third = await open('c.ipynb');
		expect(third).toMatchObject({
			shared_with: ['svc-tui-python3'],
			shared_because: 'Not enough memory for another Python process: one needs about 230 MB.',
		});
		await local.call('POST', '/api/servers/lab/run-code', {code: 'x = 41', kernel_name: 'python3'});
		const channels = await connect(third.kernel.id);
		expect(await run(channels, 'print(x)')).toBe('41\n');
		await channels.close();
		expect((await jupyter('GET', 'api/metrics/v1')).body.kernels).toEqual({
			[third.kernel.id]: expect.any(Number),
			[first.kernel.id]: expect.any(Number),
			[second.kernel.id]: expect.any(Number),
		});
		await jupyter('DELETE', `api/sessions/${third.id}`);
		// The default kernel continues, because the service's session still uses it.
		expect(
			(await local.call('POST', '/api/servers/lab/run-code', {code: 'x', kernel_name: 'python3'})).body,
		).toMatchObject({content: {outputs: [{data: {'text/plain': '41'}}]}});
	},
);
