// @module-tag long
// Third-party clients run the notebook of the welcome server on the embedded engine, through the
// server's own address.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {findProgram} from '../../src/engines/jupyter/installation.ts';
import {freePort} from '../support/free-port.ts';
import {callJupyter, openChannels, type JupyterAddress} from '../support/jupyter-client.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {hasNbformat, nbformatSays} from '../support/nbformat.ts';
import {notebookFaults} from '../support/notebook-schema.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';
import {INSTALL_MS, installPeers} from './install-peers.ts';
import {askPeer} from './peer-process.ts';

type Fields = Readonly<Record<string, unknown>>;
type Ran = {readonly outputs: readonly Fields[]; readonly status: string; readonly count: number};

const notebook = JSON.parse(
	readFileSync(new URL('../../src/service/local/welcome/prices.ipynb', import.meta.url), 'utf8'),
) as {readonly cells: readonly Fields[]};
const sources = notebook.cells
	.filter(cell => cell['cell_type'] === 'code')
	.map(cell => (cell['source'] as readonly string[]).join(''));

/** The notebook, with these outputs in its code cells. */
const withOutputs = (ran: readonly Ran[]): unknown => {
	const left = [...ran];
	return {
		...notebook,
		cells: notebook.cells.map(cell => {
			if (cell['cell_type'] !== 'code') return cell;
			const {outputs, count} = left.shift() ?? {outputs: [], count: null};
			return {...cell, outputs, execution_count: count};
		}),
	};
};
/** Outputs as front ends store them, with adjacent texts of a stream joined. */
const joined = (outputs: readonly Fields[]): readonly Fields[] =>
	outputs.reduce<readonly Fields[]>((all, output) => {
		const last = all.at(-1);
		return last?.['output_type'] === 'stream' && last['name'] === output['name']
			? [...all.slice(0, -1), {...last, text: `${String(last['text'])}${String(output['text'])}`}]
			: [...all, output];
	}, []);
const expectPrices = (pieces: readonly Ran[]): void => {
	const ran = pieces.map(each => ({...each, outputs: joined(each.outputs)}));
	expect(ran.map(({status}) => status)).toEqual(sources.map(() => 'ok'));
	expect(ran[0]?.outputs).toMatchObject([{output_type: 'execute_result', data: {'text/plain': '77'}}]);
	expect(ran[1]?.outputs).toMatchObject([{output_type: 'stream', name: 'stdout'}]);
	expect(String(ran[1]?.outputs[0]?.['text']).trimEnd().split('\n')).toHaveLength(5);
	expect(notebookFaults(withOutputs(ran))).toEqual([]);
	if (hasNbformat) expect(nbformatSays([JSON.stringify(withOutputs(ran))])).toBe('valid');
};

let local: LocalService;
let address: JupyterAddress;
beforeAll(async () => {
	await installPeers();
	local = await localService({openEngine: undefined, engine: 'pyodide'});
	await local.call('POST', '/api/servers/welcome/start', settings);
	await waitFor(async () => expect(await local.state('welcome')).toBe('ready'), {interval: 50});
	const {servers} = (await local.call('GET', '/api/servers')).body as {readonly servers: readonly Fields[]};
	const {url, token} = servers[0] ?? {};
	address = {url: String(url).split('?')[0] ?? '', token: String(token)};
}, INSTALL_MS + 60_000);
afterAll(() => local?.[Symbol.asyncDispose]());

test("JupyterLab's client runs every cell, is asked, completes, inspects, interrupts, restarts and keeps files", async () => {
	const found = await askPeer<{
		readonly ran: readonly Ran[];
		readonly input: Ran;
		readonly complete: readonly string[];
		readonly inspect: Fields;
		readonly isComplete: Fields;
		readonly interrupted: Ran;
		readonly restarted: Ran;
		readonly contents: Fields & {readonly listed: readonly string[]};
		readonly kernelsLeft: number;
	}>('notebook-process.mjs', {...address, cells: sources});
	expectPrices(found.ran);
	expect(found.input.outputs).toMatchObject([{name: 'stdout', text: 'to name? \n'}]);
	expect(found.complete).toEqual(['append']);
	expect(found.inspect).toMatchObject({found: true, data: {'text/plain': expect.stringContaining('median')}});
	expect(found.isComplete).toEqual({status: 'incomplete', indent: '    '});
	expect(found.interrupted.outputs).toMatchObject([{text: 'before\n'}, {ename: 'KeyboardInterrupt'}]);
	expect(found.restarted.outputs).toMatchObject([{data: {'text/plain': 'False'}}]);
	expect(found.contents).toMatchObject({
		made: 'Untitled.ipynb',
		saved: 'notebook',
		point: 'checkpoint',
		renamed: 'theirs.ipynb',
	});
	expect(found.contents.listed).toContain('theirs.ipynb');
	expect(found.kernelsLeft).toBe(0);
});

const jupyterServer = findProgram('jupyter-server', process.env);

test.skipIf(jupyterServer === undefined)(
	'Jupyter Server as a client of ours (a gateway) runs every cell',
	async () => {
		using temp = tempFolder();
		const port = await freePort();
		await mkdir(join(temp.path, 'config'));
		// The key is passed in a file, because all users of the machine can read arguments.
		await writeFile(
			join(temp.path, 'config/jupyter_server_config.json'),
			JSON.stringify({
				ServerApp: {
					port,
					port_retries: 0,
					token: 'of-the-gateway',
					root_dir: temp.path,
					allow_root: true,
					open_browser: false,
				},
				GatewayClient: {url: address.url, auth_token: address.token},
			}),
			{mode: 0o600},
		);
		const child = spawn(jupyterServer ?? '', ['--ip=127.0.0.1'], {
			cwd: temp.path,
			stdio: 'ignore',
			env: {
				...process.env,
				HOME: temp.path,
				JUPYTER_CONFIG_DIR: join(temp.path, 'config'),
				JUPYTER_RUNTIME_DIR: join(temp.path, 'runtime'),
				JUPYTER_DATA_DIR: join(temp.path, 'data'),
			},
		});
		const ended = once(child, 'close');
		try {
			const gateway = {url: `http://127.0.0.1:${port}/`, token: 'of-the-gateway'};
			await waitFor(
				async () => expect((await callJupyter(gateway, 'GET', 'api/kernelspecs')).status).toBe(200),
				{interval: 100},
			);
			const {id} = (await (await callJupyter(gateway, 'POST', 'api/kernels', {name: 'python3'})).json()) as {
				id: string;
			};
			const channels = await openChannels(gateway, id);
			// The gateway accepts a channel before its own channel to our service is open, and
			// drops messages that arrive in between.
			await waitFor(
				() => {
					channels.send('kernel_info_request', {});
					expect(channels.messages.map(({header}) => header.msg_type)).toContain('kernel_info_reply');
				},
				{interval: 100},
			);
			const ran: Ran[] = [];
			for (const code of sources) {
				const request = channels.send('execute_request', {code, silent: false, store_history: true});
				await waitFor(
					() => {
						const told = channels.messages.filter(({parent_header: of}) => of.msg_id === request);
						expect(told.at(-1)?.content).toMatchObject({execution_state: 'idle'});
						expect(channels.reply(request)).toBeDefined();
					},
					{interval: 10},
				);
				const outputs = channels.messages
					.filter(
						({header, parent_header: of}) =>
							of.msg_id === request &&
							['stream', 'display_data', 'execute_result', 'error'].includes(header.msg_type),
					)
					.map(({header, content}) => ({output_type: header.msg_type, ...content}));
				const {status, execution_count: count} = channels.reply(request)?.content ?? {};
				ran.push({outputs, status: String(status), count: Number(count)});
			}
			expectPrices(ran);
			await channels.close();
		} finally {
			child.kill();
			await ended;
		}
	},
);
