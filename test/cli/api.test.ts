import {afterAll, beforeAll, expect, test} from 'vitest';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {canned, onTerminal, serve, shell, type Served} from './support.ts';

let home: Home;
let service: Served;
beforeAll(async () => {
	home = await newHome();
	service = await serve(home);
	expect(await service.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
});
afterAll(async () => {
	await service[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

test('the response is unchanged in a pipe, and formatted on a terminal', async () => {
	const {code, stdout} = await shell('svc-tui api GET /api/environments', {home, env: service.env});
	const asItCame = await fetch(`${service.url}/api/environments`, {headers: {apiKey: service.key}});
	expect([code, stdout.toString()]).toEqual([0, await asItCame.text()]);
	const {text} = await onTerminal(['api', 'GET', 'api/environments'], {home, env: service.env});
	expect(text).toMatch(/^\{\n {2}"status": "success",\n {2}"environments": \[\n/);
});

test('-d sends JSON from the line, a file or standard input, and code runs with it', async () => {
	const run = 'svc-tui api POST /api/servers/welcome/run-code';
	for (const line of [
		`${run} -d '{"code": "6*7", "kernel_name": "python3"}'`,
		`echo '{"code": "6*7", "kernel_name": "python3"}' > body.json; ${run} -d @body.json`,
		`echo '{"code": "6*7", "kernel_name": "python3"}' | ${run} -d -`,
	]) {
		const {code, stdout, stderr} = await shell(line, {home, env: service.env});
		expect([code, stderr]).toEqual([0, '']);
		expect(JSON.parse(stdout.toString())).toMatchObject({content: {outputs: [{data: {'text/plain': '42'}}]}});
	}
});

test('a request without a body ends at once', async () => {
	for (const method of ['POST', 'DELETE'])
		expect(await service.run(['api', method, 'api/servers/none'])).toMatchObject({
			code: expect.toBeOneOf([1, 3]),
			stderr: expect.not.stringContaining('(408)'),
		});
});

test.each([
	[
		'a refusal of the service',
		['GET', '/api/servers/none/files/a.txt'],
		3,
		/does not know that name \(404\)/,
	],
	['what is not JSON', ['POST', '/api/servers/create', '-d', '{"name'], 2, /-d takes a JSON object/],
	['a body of GET', ['GET', '/api/servers', '-d', '{}'], 2, /GET takes no body/],
	['an unknown method', ['get', '/api/servers'], 2, /Allowed choices are GET, POST/],
])('%s ends with its own exit code', async (_, args, code, says) => {
	expect(await service.run(['api', ...args])).toMatchObject({
		code,
		stdout: '',
		stderr: expect.stringMatching(says),
	});
});

test("under --json the service's response is unchanged", async () => {
	await using service = await canned({'GET /api/n': null, 'GET /api/t': '12345678901234567890'});
	for (const [path, answer] of [
		['n', 'null\n'],
		['t', '12345678901234567890\n'],
	])
		expect(await runHere(['api', 'GET', `/api/${path}`, '--json'], {home, env: service.env})).toMatchObject({
			code: 0,
			stdout: answer,
		});
});

test('the key goes nowhere but below the base URL', async () => {
	await using elsewhere = await canned({});
	await using based = await canned({'GET /base/x?a=b': {here: true}});
	const env = {...based.env, SVC_BASE_URL: `${based.url}/base`};
	for (const path of [
		`${elsewhere.url}/api/servers`,
		elsewhere.url.replace('http:', ''),
		elsewhere.url.replace('http:', '/'),
		elsewhere.url.replace('http://', String.raw`\\`),
		'/../api/servers',
		'/%2e%2e/api/servers',
		'#x',
	])
		expect(await service.run(['api', 'GET', path], {env}), path).toMatchObject({
			code: 2,
			stderr: expect.stringContaining(
				'is not a path below the base URL.\nNothing was sent. Write it as /api/servers.',
			),
		});
	expect([elsewhere.asked, based.asked]).toEqual([[], []]);
	expect(await service.run(['api', 'GET', '/x?a=b', '--jsonl'], {env})).toMatchObject({
		code: 0,
		stdout: '{"here":true}\n',
	});
});
