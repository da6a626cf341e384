// @module-tag long
// Jupyter's clients at the address of an embedded server. The service, its Python and the
// connections are real.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {callJupyter, openChannels, type Channels, type JupyterAddress} from '../support/jupyter-client.ts';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {rawRequest} from '../support/raw-request.ts';
import {waitFor} from '../support/wait-for.ts';

/** Type of a response; the tests check its content. */
type Answered = ReturnType<typeof JSON.parse>;
type Fields = Readonly<Record<string, unknown>>;

let local: LocalService;
let address: JupyterAddress;
let kernel: string;

const addressOf = async (name: string): Promise<JupyterAddress> => {
	const {servers} = (await local.call('GET', '/api/servers')).body as {readonly servers: readonly Fields[]};
	const {url, token} = servers.find(server => server['name'] === name) ?? {};
	return {url: String(url).split('?')[0] ?? '', token: String(token)};
};
const jupyter = async (
	method: string,
	path: string,
	body?: unknown,
): Promise<{status: number; body: Answered}> => {
	const answer = await callJupyter(address, method, path, body);
	const text = await answer.text();
	return {status: answer.status, body: text === '' ? undefined : JSON.parse(text)};
};
const until = (check: () => void): Promise<void> => waitFor(check, {interval: 5});
const run = async (code: string): Promise<Fields> =>
	(await local.call('POST', '/api/servers/welcome/run-code', {code, kernel_name: 'python3'})).body[
		'content'
	] as Fields;
const execute = async (channels: Channels, code: string, more: object = {}): Promise<string> => {
	const id = channels.send('execute_request', {code, silent: false, store_history: true, ...more});
	await until(() => expect(channels.reply(id)).toBeDefined());
	return id;
};
const ask = async (channels: Channels, type: string, content: object, channel?: string): Promise<Fields> => {
	const id = channels.send(type, content, channel);
	await until(() => expect(channels.reply(id)).toBeDefined());
	return channels.reply(id)?.content ?? {};
};
/** Messages about a request: their types, or for status messages the state. */
const toldOf = (channels: Channels, id: string): readonly unknown[] =>
	channels.messages
		.filter(({parent_header: of}) => of.msg_id === id)
		.map(({header, content}) =>
			header.msg_type === 'status' ? content['execution_state'] : header.msg_type,
		);

beforeAll(async () => {
	local = await localService({openEngine: undefined, engine: 'pyodide'});
	await local.call('POST', '/api/servers/welcome/start', settings);
	await waitFor(async () => expect(await local.state('welcome')).toBe('ready'), {interval: 50});
	address = await addressOf('welcome');
	kernel = (await jupyter('POST', 'api/sessions', {path: 'svc-tui-python3', type: 'console'})).body.kernel.id;
});
afterAll(() => local?.[Symbol.asyncDispose]());

for (const protocols of [[], ['v1.kernel.websocket.jupyter.org']]) {
	test(`a cell in the form ${protocols[0] ?? 'of JSON'}: the names of run-code, its outputs in order, its states`, async () => {
		await run('x = 41');
		const channels = await openChannels(address, kernel, {protocols});
		expect(channels.protocol).toBe(protocols[0] ?? '');
		const code =
			'import sys\nprint(x)\nprint("no", file=sys.stderr)\ndisplay("é", display_id="a")\nupdate_display("ü", display_id="a")\nclear_output(wait=True)\nx + 1';
		const id = await execute(channels, code, {user_expressions: {double: 'x * 2'}});
		await until(() => expect(toldOf(channels, id).at(-1)).toBe('idle'));
		expect(toldOf(channels, id)).toEqual([
			'busy',
			'execute_input',
			'stream',
			'stream',
			'display_data',
			'update_display_data',
			'clear_output',
			'execute_result',
			'execute_reply',
			'idle',
		]);
		expect(channels.text(id)).toBe('41\n');
		expect(channels.reply(id)?.content).toMatchObject({
			status: 'ok',
			user_expressions: {double: {status: 'ok', data: {'text/plain': '82'}}},
		});
		await channels.close();
	});
}

test('listeners receive the messages of run-code, with a parent of its own', async () => {
	const channels = await openChannels(address, kernel);
	await run('print("from run-code")');
	await until(() => expect(channels.text()).toBe('from run-code\n'));
	const parent =
		channels.messages.find(({header}) => header.msg_type === 'stream')?.parent_header.msg_id ?? '';
	await until(() => expect(toldOf(channels, parent)).toEqual(['busy', 'execute_input', 'stream', 'idle']));
	expect((await jupyter('GET', 'api/sessions')).body).toMatchObject([
		{path: 'svc-tui-python3', kernel: {id: kernel}},
	]);
	await channels.close();
});

test('lines come while the cell runs; an interrupt keeps them, and what waits behind it is not run', async () => {
	const channels = await openChannels(address, kernel);
	const id = channels.send('execute_request', {code: 'print("before")\nwhile True: pass'});
	const behind = channels.send('execute_request', {code: 'print("behind")'});
	await until(() => expect(channels.text(id)).toBe('before\n'));
	expect(await ask(channels, 'kernel_info_request', {}, 'control')).toMatchObject({status: 'ok'});
	expect((await jupyter('POST', `api/kernels/${kernel}/interrupt`)).status).toBe(204);
	await until(() => expect(channels.reply(behind)).toBeDefined());
	expect(toldOf(channels, id)).toEqual(['busy', 'execute_input', 'stream', 'error', 'execute_reply', 'idle']);
	expect(channels.reply(id)?.content).toMatchObject({status: 'error', ename: 'KeyboardInterrupt'});
	expect(channels.reply(behind)?.content).toMatchObject({status: 'aborted'});
	await channels.close();
});

test('input() and getpass() ask the session that runs the cell', async () => {
	const [mine, other] = await Promise.all([openChannels(address, kernel), openChannels(address, kernel)]);
	const code = 'import getpass\nname = input("name? ")\nprint(name + getpass.getpass("word? "))';
	const id = mine.send('execute_request', {code, allow_stdin: true});
	const questions = (of: Channels): readonly unknown[] =>
		of.messages.filter(({header}) => header.msg_type === 'input_request').map(({content}) => content);
	await until(() => expect(questions(mine)).toEqual([{prompt: 'name? ', password: false}]));
	mine.send('input_reply', {value: 'Zoë', status: 'ok'}, 'stdin');
	await until(() => expect(questions(mine).at(-1)).toEqual({prompt: 'word? ', password: true}));
	mine.send('input_reply', {value: '!', status: 'ok'}, 'stdin');
	await until(() => expect(mine.text(id)).toBe('Zoë!\n'));
	expect(questions(other)).toEqual([]);
	const refused = await execute(mine, 'input()', {allow_stdin: false});
	expect(mine.reply(refused)?.content).toMatchObject({ename: 'StdinNotImplementedError'});
	await Promise.all([mine.close(), other.close()]);
});

test('the assistant knows the error of a cell that came this way', async () => {
	const channels = await openChannels(address, kernel);
	await execute(channels, 'print(not_there)');
	const {text} = await local.call('POST', '/api/assistant/welcome/model_1', {
		messages: [{role: 'user', content: 'Explain my last error'}],
	});
	expect(text).toContain('NameError');
	await channels.close();
});

test('messages are numbered without a gap, so that a client can notice a missing one', async () => {
	const channels = await openChannels(address, kernel);
	const from = channels.messages.length;
	await execute(channels, 'print(1)');
	await run('print(2)');
	await until(() => expect(channels.text()).toBe('1\n2\n'));
	await execute(channels, 'print(3)');
	const numbers = channels.messages.slice(from).map(({header}) => Number(/_(\d+)$/.exec(header.msg_id)?.[1]));
	// The reply to run-code is sent to another client, so its number is missing here.
	const gaps = numbers.filter((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1);
	expect(gaps).toHaveLength(1);
	await channels.close();
});

test('completion, inspection, history and the rest are answered', async () => {
	const channels = await openChannels(address, kernel);
	await execute(channels, 'prices = {"apple": 1}');
	expect(await ask(channels, 'complete_request', {code: 'pric', cursor_pos: 4})).toMatchObject({
		status: 'ok',
		matches: ['prices'],
		cursor_start: 0,
		cursor_end: 4,
	});
	expect(await ask(channels, 'inspect_request', {code: 'len', cursor_pos: 3, detail_level: 0})).toMatchObject(
		{status: 'ok', found: true},
	);
	expect(await ask(channels, 'is_complete_request', {code: 'if x:'})).toEqual({
		status: 'incomplete',
		indent: '    ',
	});
	const history = await ask(channels, 'history_request', {hist_access_type: 'tail', n: 1, output: false});
	expect(history).toMatchObject({status: 'ok', history: [[0, expect.any(Number), 'prices = {"apple": 1}']]});
	expect(await ask(channels, 'comm_info_request', {})).toEqual({status: 'ok', comms: {}});
	expect(await ask(channels, 'kernel_info_request', {})).toMatchObject({
		status: 'ok',
		language_info: {name: 'python', file_extension: '.py'},
	});
	await channels.close();
});

test('a channel that is cut four times and opened with the same session has each line once, in order; another session is notified', async () => {
	const session = 'comes-back';
	const code =
		'import os, time\nfor i in range(40):\n    print(i, flush=True)\n    while i in (8, 16, 24, 32) and not os.path.exists(f"go-{i}"): time.sleep(0.01)';
	let channels = await openChannels(address, kernel, {session});
	const all = [channels];
	const id = channels.send('execute_request', {code});
	const lines = (): readonly string[] => all.flatMap(each => each.text(id).split('\n').filter(Boolean));
	for (const last of [8, 16, 24, 32]) {
		await until(() => expect(lines().at(-1)).toBe(String(last)));
		await channels.close();
		await local.call('PUT', `/api/servers/welcome/files/go-${last}`, {
			type: 'file',
			format: 'text',
			content: '',
		});
		if (last === 32) break;
		channels = await openChannels(address, kernel, {session});
		all.push(channels);
	}
	channels = await openChannels(address, kernel, {session});
	all.push(channels);
	await until(() => expect(channels.reply(id)?.content).toMatchObject({status: 'ok'}));
	expect(lines()).toEqual(Array.from({length: 40}, (_, index) => String(index)));

	const endless = channels.send('execute_request', {code: 'print("seen")\nwhile True: pass'});
	await until(() => expect(channels.text(endless)).toBe('seen\n'));
	const other = await openChannels(address, kernel);
	await until(() => expect(other.text(endless, 'stderr')).toContain('different session_id'));
	await jupyter('POST', `api/kernels/${kernel}/interrupt`);
	await until(() => expect(channels.reply(endless)).toBeDefined());
	expect(channels.text(endless, 'stderr')).toBe('');
	await Promise.all([channels.close(), other.close()]);
});

test('files are listed, read, saved, made, renamed, kept as a checkpoint and deleted', async () => {
	expect((await jupyter('GET', 'api/contents/')).body).toMatchObject({type: 'directory', format: 'json'});
	const {body: notebook} = await jupyter('GET', 'api/contents/prices.ipynb');
	expect(notebook).toMatchObject({type: 'notebook', format: 'json', content: {nbformat: 4}});
	expect((await jupyter('GET', 'api/contents/prices.ipynb?content=0')).body).toMatchObject({content: null});
	const {status: made} = await jupyter('PUT', 'api/contents/copy.ipynb', {
		type: 'notebook',
		format: 'json',
		content: notebook.content,
	});
	expect(made).toBe(201);
	expect((await jupyter('GET', 'api/contents/copy.ipynb')).body.content).toEqual(notebook.content);
	expect((await jupyter('POST', 'api/contents/', {type: 'notebook'})).body).toMatchObject({
		path: 'Untitled.ipynb',
		type: 'notebook',
	});
	expect((await jupyter('POST', 'api/contents/', {type: 'file', ext: '.py'})).body.path).toBe('untitled.py');
	expect((await jupyter('POST', 'api/contents/', {type: 'directory'})).body.path).toBe('Untitled Folder');
	expect((await jupyter('POST', 'api/contents/', {copy_from: 'copy.ipynb'})).body.path).toBe(
		'copy-Copy.ipynb',
	);
	expect(
		(await jupyter('PATCH', 'api/contents/untitled.py', {path: 'Untitled Folder/a b.py'})).body,
	).toMatchObject({path: 'Untitled Folder/a b.py', name: 'a b.py'});
	expect((await jupyter('PATCH', 'api/contents/copy.ipynb', {path: 'prices.ipynb'})).status).toBe(409);
	expect((await jupyter('PATCH', 'api/contents/copy.ipynb', {path: '../out.ipynb'})).status).toBe(400);
	expect((await jupyter('POST', 'api/contents/copy.ipynb/checkpoints')).body).toMatchObject({
		id: 'checkpoint',
	});
	await jupyter('PUT', 'api/contents/copy.ipynb', {type: 'file', format: 'text', content: '{}'});
	expect((await jupyter('POST', 'api/contents/copy.ipynb/checkpoints/checkpoint')).status).toBe(204);
	expect((await jupyter('GET', 'api/contents/copy.ipynb')).body.content).toEqual(notebook.content);
	for (const path of ['copy.ipynb', 'Untitled%20Folder'])
		expect((await jupyter('DELETE', `api/contents/${path}`)).status).toBe(204);
	expect((await jupyter('GET', 'api/contents/Untitled%20Folder/a%20b.py')).status).toBe(404);
	expect((await jupyter('DELETE', 'api/contents/')).status).toBe(400);
	const download = await callJupyter(address, 'GET', 'files/README.md');
	expect([download.headers.get('content-disposition'), download.headers.get('content-type')]).toEqual([
		"attachment; filename*=UTF-8''README.md",
		'application/octet-stream',
	]);
	expect((await download.text()).length).toBeGreaterThan(100);
});

test('a restart forgets the names and keeps the kernel; a shutdown ends it with its sessions', async () => {
	const channels = await openChannels(address, kernel);
	await execute(channels, 'x = 41');
	expect((await jupyter('POST', `api/kernels/${kernel}/restart`)).body).toMatchObject({id: kernel});
	const id = await execute(channels, 'print("x" in globals())');
	expect(channels.text(id)).toBe('False\n');
	expect((await jupyter('DELETE', `api/kernels/${kernel}`)).status).toBe(204);
	await channels.closed;
	expect((await jupyter('GET', `api/kernels/${kernel}`)).status).toBe(404);
	expect((await jupyter('GET', 'api/kernels')).body).toEqual([]);
	expect(await run('1 + 1')).toMatchObject({execution_count: 1});
	const [again] = (await jupyter('GET', 'api/kernels')).body;
	expect(again.id).not.toBe(kernel);
	kernel = again.id;
});

test('only its own token, name and pages open it, and the log holds no token', async () => {
	const {url, token} = address;
	const {host, pathname, port} = new URL(url);
	const target = `${pathname}api/kernels/${kernel}/channels?token=${token}`;
	const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;
	const statusOf = async (line: string, ...headers: readonly string[]): Promise<number> =>
		(await rawRequest(Number(port), `${line} HTTP/1.1\r\n${headers.map(each => `${each}\r\n`).join('')}\r\n`))
			.status;
	const end = 'Connection: close';
	expect(await statusOf(`GET ${pathname}api?token=${token}`, `Host: ${host}`, end)).toBe(200);
	for (const [line, ...headers] of [
		[`GET ${pathname}api`, `Host: ${host}`],
		[`GET ${pathname}api?token=${token}x`, `Host: ${host}`],
		[`GET ${pathname}api?token=${local.key}`, `Host: ${host}`],
		[`GET ${pathname}api?token=${token}`, `Host: evil.example:${port}`],
		[`GET ${pathname}api?token=${token}`, `Host: ${host}`, `Host: ${host}`],
		[`GET ${pathname}api?token=${token}`, `Host: ${host}`, 'Origin: http://evil.example'],
		[`GET ${pathname}api?token=${token}`, `Host: ${host}`, 'Origin: null'],
		[`GET ${pathname}api?token=${token}`, `Host: ${host}`, 'Sec-Fetch-Site: same-site'],
	])
		expect([line, headers, await statusOf(line ?? '', ...headers, end)]).toEqual([line, headers, 403]);
	for (const [line, ...headers] of [
		[`GET ${target}`, `Host: evil.example:${port}`],
		[`GET ${target}`, `Host: ${host}`, 'Origin: http://evil.example'],
		[`GET ${target}x`, `Host: ${host}`],
	])
		expect(await statusOf(line ?? '', ...headers, upgrade.trim())).toBe(403);
	expect((await fetch(`${url}?token=${token}`)).headers.get('set-cookie')).toBeNull();
	expect(await (await fetch(`${url}?token=${token}`)).text()).toContain('VS Code');
	expect(readFileSync(join(local.folder, 'service.log'), 'utf8')).not.toContain(token);
});

test('the token opens one server', async () => {
	const {environment, server_request} = settings;
	await local.call('POST', '/api/servers', {server_name: 'second', environment, server_request});
	await waitFor(async () => expect(await local.state('second')).toBe('ready'), {interval: 50});
	const second = await addressOf('second');
	expect(new URL(second.url).port).not.toBe(new URL(address.url).port);
	expect((await callJupyter({url: second.url, token: address.token}, 'GET', 'api')).status).toBe(403);
	expect((await callJupyter(second, 'GET', 'api')).status).toBe(200);
});

test('the address ends with the server, and the token is another at each start', async () => {
	await using short = await localService({openEngine: undefined, engine: 'pyodide', idleAfter: 3000});
	const start = async (): Promise<Fields> => {
		await short.call('POST', '/api/servers/welcome/start', settings);
		await waitFor(async () => expect(await short.state('welcome')).toBe('ready'), {interval: 20});
		const {servers} = (await short.call('GET', '/api/servers')).body as {servers: readonly Fields[]};
		return servers[0] ?? {};
	};
	const first = await start();
	expect((await fetch(String(first['url']))).status).toBe(200);
	await waitFor(async () => expect(await short.state('welcome')).toBe('offline'), {interval: 50});
	await expect(fetch(String(first['url']))).rejects.toThrow();
	const second = await start();
	expect(second['token']).toEqual(expect.any(String));
	expect(second['token']).not.toBe(first['token']);
});
