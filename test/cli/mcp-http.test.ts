// MCP at /mcp of the service, with the client of the official SDK.
import {writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {join} from 'node:path';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {expect, test} from 'vitest';
import {notebookOf} from '../support/notebook-of.ts';
import {settings} from '../support/local-service.ts';
import {newHome, runCommand} from '../support/program.ts';
import {serve, type Served} from './support.ts';

const connect = async ({url, key}: Served, headers: Readonly<Record<string, string>> = {apikey: key}) => {
	const client = new Client({name: 'a client', version: '1'});
	const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {requestInit: {headers}});
	await client.connect(transport as Parameters<typeof client.connect>[0]);
	const call = async (name: string, given: Readonly<Record<string, unknown>> = {}) => {
		const {
			content,
			structuredContent: value,
			isError = false,
		} = await client.callTool({name, arguments: given});
		const blocks = content as readonly {readonly text?: string}[];
		return {value, isError, text: blocks.flatMap(({text}) => text ?? []).join('\n')};
	};
	return {
		client,
		call,
		tools: async () => (await client.listTools()).tools.map(({name}) => name),
		[Symbol.asyncDispose]: async () => client.close(),
	};
};

test('a client reads with the key of the service, and does no more unless the operator allows it', async () => {
	await using home = await newHome();
	await using served = await serve(home);
	await using mcp = await connect(served);
	expect(mcp.client.getServerVersion()).toMatchObject({name: 'svc-tui'});
	expect(await mcp.tools()).toContain('list_cells');
	expect(await mcp.tools()).not.toContain('run_code');
	expect((await mcp.call('list_servers')).value).toMatchObject({
		servers: [{name: 'welcome', status: 'offline'}],
	});
	expect(await mcp.call('run_code', {server: 'welcome', code: '1'})).toEqual({
		value: undefined,
		isError: true,
		text: 'run_code is not allowed: the operator of the service allows run with --mcp-allow or for this key.',
	});
	await expect(connect({...served, key: 'wrong'})).rejects.toThrow(/401|apiKey/);
});

test('with permissions, cells run, and outlive their request', async () => {
	await using home = await newHome();
	await using served = await serve(home, ['--engine', 'embedded', '--mcp-allow', 'run,write']);
	await using mcp = await connect(served);
	expect((await mcp.call('start_server', {server: 'welcome'})).value).toMatchObject({status: 'ready'});
	const path = {server: 'welcome', path: 'a.ipynb'};
	const wait = 'import os, time\nwhile not os.path.exists("go"): time.sleep(0.01)\nprint("end")';
	await served.run(['files', 'put', 'welcome', '-', path.path], {input: notebookOf('1 + 1', wait)});
	expect((await mcp.call('run_cell', {...path, cell: 1})).text).toMatch(/^Cell 1 has run .*\n.*\n2\n$/);
	expect((await mcp.call('run_cell', {...path, cell: 2, wait_seconds: 0})).text).toMatch(
		/^Cell 2 has not ended/,
	);
	// The client waits before the cell ends. Later, the outputs would be in the file only.
	await using other = await connect(served);
	const waited = other.call('wait_for_cell', {...path, cell: 2});
	await served.run(['files', 'put', 'welcome', '-', 'go'], {input: ''});
	expect((await waited).text).toMatch(/^Cell 2 has run .*\n.*\nend\n$/);
	expect((await other.call('create_server', {name: 'x', environment: 'ai', compute: 'y'})).isError).toBe(
		true,
	);
});

test('each key of the keys file has permissions of its own, and reaches the servers of its user', async () => {
	await using home = await newHome();
	const keys = join(home.folder, 'keys.json');
	const entries = {
		'ann@example.com': ['ann-key', {key: 'ann-agent', mcp: 'run'}],
		'bob@example.com': {key: 'bob-key', mcp: ''},
	};
	writeFileSync(keys, JSON.stringify(entries), {mode: 0o600});
	await using served = await serve(home, ['--engine', 'embedded', '--keys', keys, '--mcp-allow', 'write']);
	const toolsOf = async (key: string) => {
		await using mcp = await connect({...served, key});
		const tools = await mcp.tools();
		return ['run_cell', 'edit_cell', 'read_cell'].filter(name => tools.includes(name));
	};
	expect(await toolsOf('ann-key')).toEqual(['edit_cell', 'read_cell']);
	expect(await toolsOf('ann-agent')).toEqual(['run_cell', 'read_cell']);
	expect(await toolsOf('bob-key')).toEqual(['read_cell']);
});

test('users whom a proxy signs in reach their own servers, with the permissions of --mcp-allow', async () => {
	await using home = await newHome();
	const proxy = ['--user-header', 'X-Auth-Request-Email', '--trusted-proxy', '127.0.0.1'];
	await using served = await serve(home, ['--engine', 'embedded', '--mcp-allow', 'run', ...proxy]);
	const as = (user: string) => connect(served, {'x-auth-request-email': user, apikey: 'token at the proxy'});
	await using ann = await as('ann@example.com');
	expect(await ann.tools()).toContain('run_cell');
	expect(await ann.tools()).not.toContain('edit_cell');
	expect(await ann.call('list_servers')).toMatchObject({isError: false, value: {servers: []}});
	const created = await fetch(new URL('/api/servers', served.url), {
		method: 'POST',
		headers: {'x-auth-request-email': 'ann@example.com', 'content-type': 'application/json'},
		body: JSON.stringify({server_name: 'mine', ...settings}),
	});
	expect(created.status).toBe(202);
	expect((await ann.call('list_servers')).value).toMatchObject({servers: [{name: 'mine'}]});
	await using bob = await as('bob@example.com');
	expect((await bob.call('list_servers')).value).toMatchObject({servers: []});
});

/** Status of a request to /mcp. `fetch` would set Host and Origin itself. */
const statusOf = async (
	{url, key}: Served,
	{method = 'POST', body = '{}', ...headers}: Readonly<Record<string, string>>,
): Promise<number> => {
	const answer = Promise.withResolvers<number>();
	request(
		new URL('/mcp', url),
		{method, headers: {apikey: key, 'content-type': 'application/json', ...headers}},
		response => {
			response.resume();
			answer.resolve(response.statusCode ?? 0);
		},
	)
		.on('error', answer.reject)
		.end(method === 'POST' ? body : undefined);
	return answer.promise;
};

test('foreign pages and names, missing keys, other methods and other bodies are refused', async () => {
	await using home = await newHome();
	await using served = await serve(home);
	const ping = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'});
	expect(await statusOf(served, {body: ping})).toBe(200);
	expect(await statusOf(served, {body: ping, origin: 'https://evil.example'})).toBe(403);
	expect(await statusOf(served, {body: ping, host: 'evil.example'})).toBe(403);
	expect(await statusOf({...served, key: 'wrong'}, {body: ping})).toBe(401);
	expect(await statusOf(served, {method: 'GET'})).toBe(405);
	expect(await statusOf(served, {method: 'DELETE'})).toBe(405);
	expect(await statusOf(served, {body: '{}'})).toBe(400);
	expect(await statusOf(served, {body: JSON.stringify({jsonrpc: '2.0', method: 'notifications/x'})})).toBe(
		202,
	);
	expect(await runCommand(['serve', '--mcp-allow', 'run,spend'], {home})).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(
			/^--mcp-allow "spend" is not run or write; reading needs no permission\.\n/,
		),
	});
});
