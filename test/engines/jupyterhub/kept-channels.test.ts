// @module-tag long
// Jupyter Servers, on a hub and elsewhere, that buffer messages while a connection is broken. They
// use the configuration line of the page on hubs.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {expectEachOnceWhileCut} from '../../support/cut-lines.ts';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../../support/hub.ts';
import {callJupyter, openChannels, type JupyterAddress} from '../../support/jupyter-client.ts';
import {jupyterMissing, jupyterServer, type JupyterServer} from '../../support/jupyter-server.ts';
import {linkedTo, runNow, textOf} from '../../support/live-link.ts';
import {localService, settings, type LocalService} from '../../support/local-service.ts';
import {waitFor} from '../../support/wait-for.ts';
import {INSTALL_MS, installPeers} from '../../peers/install-peers.ts';
import {askPeer} from '../../peers/peer-process.ts';

if (hubMissing !== null)
	console.warn(`\n*** SKIPPED: no server of a hub has kept what was on its way: ${hubMissing} ***\n`);

const KEPT = join(import.meta.dirname, '../../../dist/kept-channels');
const PAGE = readFileSync(join(import.meta.dirname, '../../../src/docs/hub.md'), 'utf8');
const [, line = ''] = /^(c\.Spawner\.environment\.update\(.*\))$/m.exec(PAGE) ?? [];

const newKernel = async (server: JupyterAddress): Promise<string> =>
	((await (await callJupyter(server, 'POST', 'api/kernels', {name: 'python3'})).json()) as {id: string}).id;

describe.skipIf(hubMissing !== null)('on a hub whose servers store messages in transit', () => {
	let hub: TestHub;
	let local: LocalService;
	const serverOf = async (): Promise<JupyterAddress> => {
		const {servers} = (await local.call('GET', '/api/servers')).body as {
			readonly servers: readonly {readonly name: string; readonly url: string; readonly token: string}[];
		};
		const {url = '', token = ''} = servers.find(({name}) => name === 'lab') ?? {};
		// JupyterLab's client appends the token to addresses itself.
		return {url: url.replace(/\?token=\w+$/, ''), token};
	};
	beforeAll(async () => {
		const folder = '/usr/local/lib/node_modules/svc-tui/dist/kept-channels';
		expect(line).toContain(folder);
		hub = await startHub({SVC_TEST_HUB_SERVERS: line.replace(folder, KEPT)});
		local = await localService({
			openEngine: undefined,
			engine: 'jupyterhub',
			hub: hub.url,
			apiKey: await hub.tokenOf('ann'),
		});
		await local.call('POST', '/api/servers', {...settings, server_name: 'lab'});
		await waitFor(async () => expect(await local.state('lab')).toBe('ready'), {interval: 50});
		await installPeers();
	}, HUB_START_MS + INSTALL_MS);
	afterAll(async () => {
		await local?.[Symbol.asyncDispose]();
		await hub?.[Symbol.asyncDispose]();
	});

	test('10,000 lines, cut and torn 20 times at random: each once and in order', async () => {
		const {url, token} = await serverOf();
		await using cut = await linkedTo(local.service.url, url, token);
		await expectEachOnceWhileCut(cut);
	});

	test("JupyterLab's own client runs a cell in the kernel that a link uses, and each has its own output", async () => {
		const {url, token} = await serverOf();
		await using cut = await linkedTo(local.service.url, url, token);
		await (
			await runNow(cut.live, 'x = 20')
		).ended;
		expect(
			await askPeer('jupyter-process.mjs', {
				url,
				token,
				path: '',
				save: {path: 'theirs.txt', content: 'from them'},
				code: 'for i in range(300): print(i, flush=True)\nx += 1\nx',
			}),
		).toMatchObject({
			reply: 'ok',
			outputs: expect.arrayContaining([['execute_result', {'text/plain': '21'}]]),
		});
		const cell = await runNow(cut.live, 'print(x)');
		expect(await cell.ended).toEqual({kind: 'done'});
		expect([textOf(cell), textOf(cell, 'stderr')]).toEqual(['21\n', '']);
	});

	test("a client without the user's token cannot resume the user's session, and the user can", async () => {
		const server = await serverOf();
		const kernel = await newKernel(server);
		const session = 'of-ann';
		const channels = await openChannels(server, kernel, {session, came: 0});
		const id = channels.send('execute_request', {code: 'print("secret")', silent: false});
		await waitFor(() =>
			expect([channels.reply(id) !== undefined, channels.text()]).toEqual([true, 'secret\n']),
		);
		await channels.close();
		for (const token of ['', 'wrong', await hub.tokenOf('bob')])
			await expect(openChannels({...server, token}, kernel, {session, came: 0})).rejects.toThrow(
				'the channel was refused',
			);
		await using again = {
			channels: await openChannels(server, kernel, {session, came: channels.messages.length}),
			async [Symbol.asyncDispose]() {
				await this.channels.close();
			},
		};
		const next = again.channels.send('execute_request', {code: 'print("more")', silent: false});
		await waitFor(() => expect(again.channels.reply(next)).toBeDefined());
		await waitFor(() => expect(again.channels.text()).toBe('more\n'));
	});
});

describe.skipIf(jupyterMissing)('a Jupyter Server that stores messages in transit', () => {
	/**
	 * Messages that a client without history receives: cells, a cell across a reconnection, and a
	 * kernel restart.
	 */
	const heard = async (server: JupyterServer, protocols: string[]): Promise<unknown> => {
		const kernel = await newKernel(server);
		const session = 'of-a-browser';
		const first = await openChannels(server, kernel, {session, protocols});
		const run = (channels: typeof first, code: string): string =>
			channels.send('execute_request', {code, silent: false, stop_on_error: false});
		const ids = [run(first, 'print("out")\n6 * 7'), run(first, '1/0')];
		await waitFor(() => expect(ids.every(id => first.reply(id))).toBe(true));
		const go = `go-on-${kernel}`;
		const left = run(
			first,
			`import os, time\nprint("on", flush=True)\nwhile not os.path.exists("${go}"): time.sleep(0.02)\nprint("later")`,
		);
		await waitFor(() => expect(first.text(left)).toBe('on\n'));
		await first.close();
		await waitFor(async () =>
			expect(await (await callJupyter(server, 'GET', `api/kernels/${kernel}`)).json()).toMatchObject({
				connections: 0,
			}),
		);
		writeFileSync(join(server.root, go), '');
		// Jupyter Server checks whether a kernel is alive when a client connects. Messages that the
		// kernel prints during that check are lost for the client.
		await waitFor(async () =>
			expect(await (await callJupyter(server, 'GET', `api/kernels/${kernel}`)).json()).toMatchObject({
				execution_state: 'idle',
			}),
		);
		const second = await openChannels(server, kernel, {session, protocols});
		await waitFor(() => expect(second.reply(left)).toBeDefined());
		const of = ({messages}: typeof first, id: string): readonly unknown[] =>
			messages
				.filter(({parent_header: parent}) => parent.msg_id === id)
				.map(({channel, header, content}) => [channel, header.msg_type, content['text'], content['ename']])
				.sort();
		await waitFor(() => expect(JSON.stringify(of(second, left))).toContain('later'));
		await callJupyter(server, 'POST', `api/kernels/${kernel}/restart`);
		await second.close();
		return {protocol: second.protocol, cells: ids.map(id => of(first, id)), left: second.text(left)};
	};

	test('is to a client that does not ask for it what any other is, in both wire forms', async () => {
		await using plain = await jupyterServer();
		await using kept = await jupyterServer({env: {JUPYTER_CONFIG_PATH: KEPT}});
		for (const protocols of [[], ['v1.kernel.websocket.jupyter.org']]) {
			const known = await heard(plain, protocols);
			expect(known).toMatchObject({protocol: protocols[0] ?? '', left: 'later\n'});
			expect(await heard(kept, protocols)).toEqual(known);
		}
	});

	test('stores 64 MB of a kernel for all disconnected clients together: the earliest get nothing, the last is told what was left out', async () => {
		await using server = await jupyterServer({env: {JUPYTER_CONFIG_PATH: KEPT}});
		const kernel = await newKernel(server);
		const worker = await openChannels(server, kernel);
		const away = ['first', 'second', 'third'];
		const came: number[] = [];
		for (const session of away) {
			const channels = await openChannels(server, kernel, {session, came: 0});
			const id = channels.send('kernel_info_request', {});
			await waitFor(() => expect(channels.reply(id)).toBeDefined());
			await channels.close();
			came.push(channels.messages.length);
		}
		const id = worker.send('execute_request', {
			code: 'for i in range(100): print("x" * (1 << 20), flush=True)',
			silent: false,
		});
		// The other clients disconnected earlier. The log shows the messages that were buffered for
		// the last client, and the omitted ones.
		const told = (what: string, session: string): RegExp => new RegExp(`${what} [^\\n]*:${session}\\b`);
		for (const session of ['first', 'second'])
			await waitFor(() => expect(server.log()).toMatch(told('Session', session)));
		await waitFor(() => expect(server.log()).toMatch(told('left out for session', 'third')));
		await waitFor(() => expect(worker.reply(id)).toBeDefined());
		await worker.close();
		const got = async (session: string): Promise<readonly [output: number, told: string]> => {
			const channels = await openChannels(server, kernel, {session, came: came[away.indexOf(session)] ?? 0});
			const last = channels.send('execute_request', {code: 'print("end")', silent: false});
			await waitFor(() => expect(channels.text(last)).toBe('end\n'));
			await channels.close();
			return [channels.text(id).length, channels.text(id, 'stderr')];
		};
		const [output, says] = await got('third');
		expect(output).toBeGreaterThan(50 << 20);
		expect(says).toMatch(/^… \d+ outputs dropped: they arrived faster/);
		expect([await got('first'), await got('second')]).toEqual([
			[0, ''],
			[0, ''],
		]);
	});
});
