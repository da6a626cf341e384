// @module-tag long
// A server that is used with JupyterLab in a browser and through our API. JupyterLab's own client
// uses the url and token that the API returns.
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {engineTable} from '../engines/engine-table.ts';
import {HUB_START_MS} from '../support/hub.ts';
import type {LocalService} from '../support/local-service.ts';
import {INSTALL_MS, installPeers} from './install-peers.ts';
import {askPeer} from './peer-process.ts';
import {waitFor} from '../support/wait-for.ts';

type Fields = Readonly<Record<string, unknown>>;
type Found = {
	readonly kernelspecs: readonly string[];
	readonly file: Fields;
	readonly sessions: readonly {readonly path: string; readonly kernel: Fields}[];
	readonly kernels: readonly Fields[];
	readonly outputs: readonly (readonly unknown[])[];
	readonly reply: string;
};

for (const {name, missing, open, settings} of engineTable) {
	describe.skipIf(missing !== null)(`JupyterLab's client on the engine ${name}`, () => {
		let local: LocalService;
		beforeAll(async () => {
			await installPeers();
			local = await open();
			await local.call('POST', '/api/servers', {...settings, server_name: 'lab'});
			await waitFor(async () => expect(await local.state('lab')).toBe('ready'), {interval: 50});
		}, INSTALL_MS + HUB_START_MS);
		afterAll(async () => local?.[Symbol.asyncDispose]());

		const run = async (code: string): Promise<unknown> => {
			const {body} = await local.call('POST', '/api/servers/lab/run-code', {code, kernel_name: 'python3'});
			return (body['content'] as {readonly outputs: readonly Fields[]}).outputs;
		};

		/**
		 * The address without the token, and the token: JupyterLab's client needs them separately.
		 */
		const addressOfLab = async (): Promise<{readonly url: string; readonly token: unknown}> => {
			const {servers} = (await local.call('GET', '/api/servers')).body as {
				readonly servers: readonly Fields[];
			};
			const {url, token} = servers.find(server => server['name'] === 'lab') ?? {};
			return {url: String(url).replace(/\?.*$/, ''), token};
		};

		test('reads our file, sees our running kernel and its variables, and we read its changes', async () => {
			await local.call('PUT', '/api/servers/lab/files/notes/a%20b.txt', {
				type: 'file',
				format: 'text',
				content: 'from us: é',
			});
			await run('x = 20');
			const {url, token} = await addressOfLab();
			// Servers of a hub accept the user's own key.
			const found = await askPeer<Found>('jupyter-process.mjs', {
				url,
				token: token ?? local.key,
				path: 'notes/a b.txt',
				save: {path: 'theirs.txt', content: 'from them'},
				code: 'print(x)\nx += 1\nx',
			});
			expect(found.kernelspecs).toContain('python3');
			expect(found.file).toMatchObject({
				path: 'notes/a b.txt',
				type: 'file',
				format: 'text',
				content: 'from us: é',
			});
			expect(found.sessions).toHaveLength(1);
			expect(found.sessions[0]).toMatchObject({path: 'svc-tui-python3', kernel: {name: 'python3'}});
			expect(found.kernels.map(({id}) => id)).toContain(found.sessions[0]?.kernel['id']);
			expect([found.reply, found.outputs]).toEqual([
				'ok',
				[
					['stream', '20\n'],
					['execute_result', {'text/plain': '21'}],
				],
			]);
			expect(await run('x')).toMatchObject([{data: {'text/plain': '21'}}]);
			expect((await local.call('GET', '/api/servers/lab/files/theirs.txt')).body['content']).toMatchObject({
				content: 'from them',
			});
		});

		test('is refused without the key of the server', async () => {
			const {url} = await addressOfLab();
			expect(
				await askPeer('jupyter-process.mjs', {url, token: 'wrong', path: '', save: {}, code: ''}),
			).toEqual({refused: 403});
		});
	});
}
