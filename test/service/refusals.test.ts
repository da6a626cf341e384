import {expect, test} from 'vitest';
import {localService, readyService, settings, type Answer} from '../support/local-service.ts';

const expectRefusal = ({status, body}: Answer, wanted: number, sentence: RegExp): void => {
	expect(body).toEqual({status: 'error', error: {code: wanted, message: expect.stringMatching(sentence)}});
	expect(status).toBe(wanted);
};

test('a body of the wrong shape names the first three wrong fields', async () => {
	await using local = await localService();
	const answer = await local.call('POST', '/api/servers', {port: 'x'});
	expectRefusal(answer, 400, /environment: .*; port: .*; server_request: .*\.$/);
	expect((answer.body['error'] as {message: string}).message).not.toContain('server_name');
});

test('an invalid server name is refused with the rule', async () => {
	await using local = await localService();
	for (const server_name of ['', '-a', 'a b', '..', 'ü', 'a'.repeat(64)]) {
		expectRefusal(
			await local.call('POST', '/api/servers', {server_name, ...settings}),
			400,
			/1 to 63 letters/,
		);
	}
});

test('an unknown environment, an unknown compute option and an impossible port are bad requests', async () => {
	await using local = await localService();
	const create = (changes: object): Promise<Answer> =>
		local.call('POST', '/api/servers', {server_name: 'a', ...settings, ...changes});
	expectRefusal(await create({environment: 'nope'}), 400, /environment "nope"/);
	expectRefusal(await create({server_request: 'svc-huge'}), 400, /compute option "svc-huge"/);
	expectRefusal(await create({port: 0}), 400, /1 to 65535/);
	expectRefusal(await create({port: 65_536}), 400, /1 to 65535/);
	expectRefusal(await create({port: 1.5}), 400, /port/);
	expectRefusal(
		await local.call('POST', '/api/servers/welcome/start', {...settings, environment: 'nope'}),
		400,
		/environment "nope"/,
	);
});

test('an option that is not available is a conflict, and no server is created', async () => {
	await using local = await localService();
	expectRefusal(
		await local.call('POST', '/api/servers', {server_name: 'a', ...settings, server_request: 'svc-xl'}),
		409,
		/XL CPU \(svc-xl\) is not available/,
	);
	expect(await local.state('a')).toBeUndefined();
});

test('a taken name is a conflict, regardless of case', async () => {
	await using local = await localService();
	expectRefusal(
		await local.call('POST', '/api/servers', {server_name: 'Welcome', ...settings}),
		409,
		/already have a server welcome/,
	);
});

test('an unknown server is not found on any of its endpoints', async () => {
	await using local = await localService();
	const calls: ReadonlyArray<readonly [string, string, unknown?]> = [
		['POST', '/api/servers/nobody/start', settings],
		['GET', '/api/servers/nobody/files/a'],
		['PUT', '/api/servers/nobody/files/a', {content: '', format: 'text', type: 'file'}],
		['POST', '/api/servers/nobody/run-code', {code: '', kernel_name: 'python3'}],
		['POST', '/api/assistant/nobody/model_1', {messages: [{role: 'user', content: 'hi'}]}],
	];
	for (const [method, path, body] of calls)
		expectRefusal(await local.call(method, path, body), 404, /no server nobody/);
});

test('an unknown model and a missing file are not found', async () => {
	await using local = await readyService();
	expectRefusal(
		await local.call('POST', '/api/assistant/welcome/model_6', {messages: [{role: 'user', content: 'hi'}]}),
		404,
		/model_1, model_2/,
	);
	expectRefusal(await local.call('GET', '/api/servers/welcome/files/nope.txt'), 404, /does not exist/);
});

test('files, code and assistant of an offline server are a conflict that says to start it', async () => {
	await using local = await localService();
	expectRefusal(
		await local.call('GET', '/api/servers/welcome/files/README.md'),
		409,
		/offline; start it first/,
	);
	expectRefusal(
		await local.call('PUT', '/api/servers/welcome/files/a', {content: '', format: 'text', type: 'file'}),
		409,
		/offline/,
	);
	expectRefusal(
		await local.call('POST', '/api/servers/welcome/run-code', {code: '', kernel_name: 'python3'}),
		409,
		/offline/,
	);
	expectRefusal(
		await local.call('POST', '/api/assistant/welcome/model_2', {messages: [{role: 'user', content: 'hi'}]}),
		409,
		/offline/,
	);
});

test('a kernel that the server does not have is not found', async () => {
	await using local = await readyService();
	expectRefusal(
		await local.call('POST', '/api/servers/welcome/run-code', {code: '', kernel_name: 'julia'}),
		404,
		/no kernel "julia"/,
	);
});

test('a question without messages is a bad request', async () => {
	await using local = await readyService();
	expectRefusal(await local.call('POST', '/api/assistant/welcome/model_2', {messages: []}), 400, /messages/);
});

test('an internal failure shows an id that the log explains, and nothing else', async () => {
	await using local = await readyService({
		openEngine: async () => {
			const {createTinyEngine} = await import('../support/tiny-engine.ts');
			const engine = createTinyEngine();
			return {
				...engine,
				open: async options => ({
					...(await engine.open(options)),
					run: async () => Promise.reject(new Error('secret detail')),
				}),
			};
		},
	});
	const answer = await local.call('POST', '/api/servers/welcome/run-code', {
		code: '',
		kernel_name: 'python3',
	});
	expectRefusal(answer, 500, /see [0-9a-f]{8} in the service log/);
	expect(answer.text).not.toContain('secret');
	const {readFileSync} = await import('node:fs');
	const id = /[0-9a-f]{8}/.exec(answer.text)?.[0] ?? '';
	expect(readFileSync(`${local.folder}/service.log`, 'utf8')).toMatch(
		new RegExp(`${id}: Error: secret detail`),
	);
});
