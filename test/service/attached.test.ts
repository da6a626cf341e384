// @module-tag long
// Jupyter Servers that run outside the service and are attached to its list. Debian's own are used.
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serviceLogFile} from '../../src/settings/instance.ts';
import {jupyterMissing, jupyterServer, type JupyterServer} from '../support/jupyter-server.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {freePort} from '../support/free-port.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

if (jupyterMissing) console.warn('\n*** SKIPPED: nothing attached: jupyter-server is not installed ***\n');

/** A service with the options with which the program starts it. */
const ownService = (folder?: string): Promise<LocalService> =>
	localService({leased: true, leases: {first: 600_000}, ...(folder !== undefined && {dataFolder: folder})});

const addressOf = ({url, token}: JupyterServer, page = ''): string => `${url}${page}?token=${token}`;
const attach = (local: LocalService, address: string, name?: string) =>
	local.call('POST', '/local/attach', {address, ...(name !== undefined && {name})});
const serverIn = async (local: LocalService, name: string, key?: string) => {
	const {body} = await local.call('GET', '/api/servers', undefined, key === undefined ? {} : {key});
	return (body['servers'] as readonly Record<string, unknown>[]).find(server => server['name'] === name);
};
const run = (local: LocalService, name: string, code: string) =>
	local.call('POST', `/api/servers/${name}/run-code`, {code, kernel_name: 'python3'});
const messageOf = ({body}: {readonly body: Record<string, unknown>}): unknown =>
	(body['error'] as {readonly message?: string} | undefined)?.message;

/** An HTTP server that is not Jupyter Server, with the requests it has received. */
const otherProgram = async (status: number, headers: Record<string, string> = {}) => {
	const heads: string[] = [];
	const server = http.createServer((request, response) => {
		heads.push(JSON.stringify([request.url, request.headers]));
		response.writeHead(status, headers).end('{"hello": "world"}');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
		heads,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
};

test.skipIf(jupyterMissing)(
	'an attached server runs code and has files, is there after a restart of the service, and runs on when it is detached',
	async () => {
		await using jupyter = await jupyterServer();
		writeFileSync(join(jupyter.root, 'theirs.txt'), 'hello');
		using temp = tempFolder();
		{
			await using local = await ownService(temp.path);
			expect(await attach(local, addressOf(jupyter, 'lab/tree/theirs.txt'), 'node17')).toMatchObject({
				status: 200,
				body: {server_name: 'node17'},
			});
			expect((await run(local, 'node17', 'kept = 41')).status).toBe(200);
			expect((await local.call('GET', '/api/servers/node17/files/')).text).toContain('theirs.txt');
			expect(readFileSync(serviceLogFile(temp.path), 'utf8')).not.toContain(jupyter.token);
			expect(statSync(join(temp.path, 'attached.json')).mode & 0o777).toBe(0o600);
		}
		await using local = await ownService(temp.path);
		expect(await serverIn(local, 'node17')).toMatchObject({
			status: 'ready',
			url: addressOf(jupyter),
			token: jupyter.token,
			environment: '',
			server_request: '',
		});
		expect((await run(local, 'node17', 'kept + 1')).text).toContain('42');
		expect(
			await local.call('PUT', '/api/servers/node17/files/ours.txt', {
				type: 'file',
				format: 'text',
				content: 'x',
			}),
		).toMatchObject({status: 200});
		expect(readFileSync(join(jupyter.root, 'ours.txt'), 'utf8')).toBe('x');
		expect(await local.call('POST', '/api/servers', {...settings, server_name: 'Node17'})).toMatchObject({
			status: 409,
		});

		expect((await local.call('POST', '/local/detach', {server_name: 'node17'})).status).toBe(200);
		expect(await serverIn(local, 'node17')).toBeUndefined();
		expect((await run(local, 'node17', '1')).status).toBe(404);
		expect(readFileSync(join(temp.path, 'attached.json'), 'utf8')).not.toContain(jupyter.token);
		expect(await jupyter.status('api/status')).toBe(200);
		await waitFor(async () => expect(await jupyter.status('api/sessions')).toBe(200));
	},
);

test.skipIf(jupyterMissing)(
	'an ended server is offline with the reason, a start names the place to start it, and with a new token it is attached again',
	async () => {
		const port = await freePort();
		await using local = await ownService();
		{
			await using jupyter = await jupyterServer({port});
			expect((await attach(local, addressOf(jupyter), 'lab')).status).toBe(200);
			expect(messageOf(await local.call('POST', '/api/servers/lab/start', settings))).toBe(
				'The server lab is already ready.',
			);
			await jupyter.stop();
			await waitFor(async () => expect(await local.state('lab')).toBe('offline'), {interval: 100});
		}
		const reason = `Nothing listens at 127.0.0.1:${port}: start the Jupyter Server there, or correct the address; jupyter server list prints it.`;
		expect(await serverIn(local, 'lab')).toMatchObject({status_reason: reason});
		expect(messageOf(await run(local, 'lab', '1'))).toBe(`The server lab is offline. ${reason}`);
		expect(messageOf(await local.call('POST', '/api/servers/lab/start', settings))).toBe(
			`The server lab is an attached server. Start it on its own machine. ${reason}`,
		);
		await using again = await jupyterServer({port});
		expect(await attach(local, addressOf(again))).toMatchObject({body: {server_name: 'lab'}});
		expect(await serverIn(local, 'lab')).toMatchObject({status: 'ready', token: again.token});
	},
);

test('a program other than Jupyter Server, and a missing one, is refused with a remedy, and never sees the token', async () => {
	await using local = await ownService();
	const token = 'a-token-for-jupyter-only';
	await using page = await otherProgram(200);
	await using missing = await otherProgram(404);
	await using login = await otherProgram(302, {location: '/login'});
	for (const [program, says] of [
		[page, 'is not a Jupyter Server (status 200)'],
		[missing, 'is not a Jupyter Server (status 404)'],
		[login, 'such as a login page'],
	] as const) {
		const answer = await attach(local, `http://${program.host}/lab?token=${token}`);
		expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringContaining(says)]);
		expect(program.heads.join('\n')).not.toContain(token);
	}
	const dead = await attach(local, `http://127.0.0.1:${await freePort()}/?token=${token}`);
	expect(messageOf(dead)).toMatch(/^Nothing listens at 127\.0\.0\.1:\d+: start the Jupyter Server there/);
	for (const [address, says] of [
		['http://127.0.0.1:8888/lab', 'The address has no token'],
		[`http://node17:8888/?token=${token}`, 'unencrypted'],
		[`ftp://127.0.0.1/?token=${token}`, 'should look like'],
		[`http://ann:secret@127.0.0.1/?token=${token}`, 'should look like'],
		['', 'should look like'],
	] as const) {
		const answer = await attach(local, address);
		expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringContaining(says)]);
		expect(answer.text).not.toContain(token);
	}
	expect((await local.call('GET', '/api/servers')).body['servers']).toHaveLength(1);
});

test.skipIf(jupyterMissing)(
	'a wrong token is reported; on a shared service its operator sets the hosts, and each key has its own servers',
	async () => {
		await using jupyter = await jupyterServer();
		await using local = await ownService();
		expect(messageOf(await attach(local, `${jupyter.url}?token=wrong`))).toMatch(
			/rejected this token\. A restarted server has a new one/,
		);

		using temp = tempFolder();
		const keysFile = join(temp.path, 'keys.json');
		writeFileSync(keysFile, JSON.stringify({ann: 'key-of-ann', bob: 'key-of-bob'}), {mode: 0o600});
		const dataFolder = join(temp.path, 'data');
		const asAnn = {key: 'key-of-ann'};
		const address = addressOf(jupyter);
		{
			await using shared = await localService({keysFile, dataFolder});
			const refused = await shared.call('POST', '/local/attach', {address}, asAnn);
			expect([refused.status, messageOf(refused)]).toEqual([
				403,
				'This service only connects to allowed hosts. Ask its operator to add --allow-attach 127.0.0.1.',
			]);
		}
		{
			await using shared = await localService({keysFile, dataFolder, allowAttach: [new URL(address).host]});
			expect(await shared.call('POST', '/local/attach', {address, name: 'lab'}, asAnn)).toMatchObject({
				status: 200,
			});
			expect(await serverIn(shared, 'lab', 'key-of-ann')).toMatchObject({status: 'ready'});
			expect(await serverIn(shared, 'lab', 'key-of-bob')).toBeUndefined();
			const asBob = {key: 'key-of-bob'};
			for (const answer of [
				await shared.call('GET', '/api/servers/lab/files/', undefined, asBob),
				await shared.call('POST', '/local/detach', {server_name: 'lab'}, asBob),
			])
				expect([answer.status, answer.text.includes(jupyter.token)]).toEqual([404, false]);
		}
		// The service no longer sends requests to the address if the option is missing.
		await using shared = await localService({keysFile, dataFolder});
		expect(await serverIn(shared, 'lab', 'key-of-ann')).toMatchObject({
			status: 'offline',
			status_reason: expect.stringContaining('--allow-attach'),
		});
	},
);

test('a file of attached servers that others can read, or that is broken, ends the start with what to do', async () => {
	using temp = tempFolder();
	writeFileSync(join(temp.path, 'attached.json'), 'no JSON', {mode: 0o600});
	await expect(ownService(temp.path)).rejects.toThrow(/attached\.json cannot be used; restore it/);
});
