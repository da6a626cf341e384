import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {freePort} from '../support/free-port.ts';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {canned, list, serve, serverItem, type Served} from './support.ts';

let home: Home;
let served: Served;
beforeAll(async () => {
	home = await newHome();
	served = await serve(home);
});
afterAll(async () => {
	await served[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

test('a service that is named by --base-url is used before that of SVC_BASE_URL', async () => {
	await using other = await canned({'GET /api/servers': list('servers', serverItem('elsewhere'))});
	const {stdout} = await served.run(['servers', '--json', '--base-url', other.url]);
	expect(JSON.parse(stdout)).toMatchObject([{name: 'elsewhere'}]);
	expect((await served.run(['servers', '--base-url', `${other.url}/`])).stdout).toContain('elsewhere');
});

test('the key comes from --api-key-file, which may be standard input, before SVC_API_KEY', async () => {
	const env = {SVC_API_KEY: 'wrong'};
	expect(await served.run(['servers'], {env})).toMatchObject({code: 4});
	expect(await served.run(['servers', '--api-key-file', served.keyFile], {env})).toMatchObject({code: 0});
	expect(await served.run(['servers', '--api-key-file', '-'], {env, input: `${served.key}\n`})).toMatchObject(
		{code: 0},
	);
});

test('standard input cannot hold both the key and the code', async () => {
	const {code, stderr} = await served.run(['run', 'welcome', '-', '--api-key-file', '-'], {
		input: served.key,
	});
	expect(code).toBe(2);
	expect(stderr).toMatch(/^Standard input cannot carry both the API key and the data/);
});

test('a wrong key exits 4, suggests a check and never shows a key', async () => {
	const {code, stdout, stderr} = await served.run(['servers'], {env: {SVC_API_KEY: 'canary-of-a-key'}});
	expect({code, stdout}).toEqual({code: 4, stdout: ''});
	expect(stderr).toMatch(
		/rejected the API key \(401\)[^\n]*\nCheck the API key \(SVC_API_KEY or --api-key-file\)/,
	);
	expect(stderr).not.toContain('canary-of-a-key');
	const json = await served.run(['servers', '--json'], {env: {SVC_API_KEY: 'canary-of-a-key'}});
	expect(json).toMatchObject({code: 4, stdout: ''});
	expect(JSON.parse(json.stderr)).toMatchObject({
		error: {code: 'auth', next: expect.stringContaining('SVC_API_KEY')},
	});
});

test('a missing key exits 4 and names the variable', async () => {
	const {code, stderr} = await runHere(['servers'], {home, env: {SVC_BASE_URL: served.url}});
	expect(code).toBe(4);
	expect(stderr).toMatch(
		/^127\.0\.0\.1:\d+ needs an API key: set SVC_API_KEY, or name a file that holds it with --api-key-file\.\n$/,
	);
});

test('a key file that is not there, or empty, is named', async () => {
	expect(await served.run(['servers', '--api-key-file', 'nowhere'])).toMatchObject({
		code: 2,
		stderr: 'The API key cannot be read from nowhere: there is no such file.\n',
	});
	const file = join(home.folder, 'empty');
	await writeFile(file, '\n');
	expect(await served.run(['servers', '--api-key-file', file])).toMatchObject({
		code: 4,
		stderr: expect.stringContaining(`There is no API key in ${file}`),
	});
});

test('an invalid address, or one that would send the key unencrypted, exits 2 before anything is sent', async () => {
	expect(await served.run(['servers', '--base-url', 'notebooks'])).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/^The base URL is not an address/),
	});
	expect(await served.run(['servers', '--base-url', 'http://notebooks.example'])).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/unencrypted\. Use https:/),
	});
});

test('a service that cannot be reached exits 5', {tags: 'long'}, async () => {
	const env = {SVC_BASE_URL: `http://127.0.0.1:${await freePort()}`};
	const {code, stdout, stderr} = await served.run(['servers'], {env});
	expect({code, stdout}).toEqual({code: 5, stdout: ''});
	expect(stderr).toMatch(/^Cannot reach 127\.0\.0\.1:\d+: connection refused/);
	expect(JSON.parse((await served.run(['compute', '--json'], {env})).stderr)).toMatchObject({
		error: {code: 'unreachable'},
	});
});

test('a web page where a service should be exits 1 and shows the beginning of it', async () => {
	await using page = await canned({'GET /api/servers': '<html>log in</html>'});
	const {code, stderr} = await served.run(['servers'], {env: page.env});
	expect(code).toBe(1);
	expect(stderr).toMatch(
		/sent a web page instead of JSON\.\nGET \/api\/servers returned: <html>log in<\/html>\n/,
	);
});

test('options for another service are refused where none is named', async () => {
	const {code, stderr} = await runHere(['servers', '--api-key-file', served.keyFile], {home});
	expect(code).toBe(2);
	expect(stderr).toMatch(/^--api-key-file needs --base-url, --profile or SVC_BASE_URL/);
});

test(
	'nothing is started on a service that was named: the line to type is shown instead',
	{tags: 'long'},
	async () => {
		for (const args of [
			['run', 'welcome', '-c', '1'],
			['chat', 'welcome', 'hello'],
			['files', 'list', 'welcome'],
		]) {
			const {code, stdout, stderr} = await served.run(args);
			expect({code, stdout}).toEqual({code: 1, stdout: ''});
			expect(stderr).toBe('"welcome" is offline.\nStart it first: svc-tui server start welcome --wait\n');
		}
		const {stderr} = await runHere(['run', 'welcome', '-c', '1', '--json', '--base-url', served.url], {
			home,
			env: {SVC_API_KEY: served.key},
		});
		expect(JSON.parse(stderr)).toEqual({
			error: {
				code: 'server-offline',
				message: '"welcome" is offline.',
				next: `Start it first: svc-tui server start welcome --wait --base-url ${served.url}`,
			},
		});
		expect((await served.run(['servers'])).stdout).toMatch(/welcome +offline/);
	},
);

test('a missing server exits 3 and lists the existing ones', async () => {
	for (const args of [
		['run', 'nope', '-c', '1'],
		['server', 'start', 'nope'],
		['chat', 'nope', 'hello'],
		['files', 'get', 'nope', 'a'],
	]) {
		const {code, stderr} = await served.run(args);
		expect(code).toBe(3);
		expect(stderr).toMatch(
			/^There is no server "nope"\. You have welcome\.\nsvc-tui servers lists them\.\n$/,
		);
	}
});
