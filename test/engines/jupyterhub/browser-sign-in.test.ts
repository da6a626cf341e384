// @module-tag long
// Signing in to a hub with a browser, as the page on hubs describes. The user copies no token.
import {once} from 'node:events';
import {chmodSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {randomBytes} from 'node:crypto';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {challengeOf, signInMark} from '../../../src/contract/sign-in.ts';
import {onTerminal} from '../../cli/support.ts';
import {freePort} from '../../support/free-port.ts';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../../support/hub.ts';
import {openBrowser} from '../../support/hub-browser.ts';
import {hubCatalogue} from '../../support/hub-users.ts';
import {pressAction} from '../../support/press-action.ts';
import {newHome, openProgram, PROGRAM, type Home} from '../../support/program.ts';
import {runHere} from '../../support/run-here.ts';
import {tempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';

if (hubMissing !== null) console.warn(`\n*** SKIPPED: no browser has signed in: ${hubMissing} ***\n`);

const PAGE = readFileSync(join(import.meta.dirname, '../../../src/docs/hub.md'), 'utf8');
const [, ENTRY = ''] = /## Signing in with a browser\n[^]*?```python\n([^]*?)```/.exec(PAGE) ?? [];
const SUPPORT = join(import.meta.dirname, '../../support');

/** The port of a program that waits for a browser. */
const listen = async () => {
	const arrived: URLSearchParams[] = [];
	const server = createServer((request, response) => {
		arrived.push(new URL(request.url ?? '', 'http://127.0.0.1').searchParams);
		response.end('seen');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		arrived,
		[Symbol.dispose]: () => void server.close().closeAllConnections(),
	};
};

describe.skipIf(hubMissing !== null)('with a browser', () => {
	let hub: TestHub;
	let url: string;
	const temp = tempFolder();
	const browser = join(temp.path, 'browser');
	beforeAll(async () => {
		const catalogueFile = join(temp.path, 'catalogue.json');
		writeFileSync(catalogueFile, JSON.stringify(hubCatalogue));
		writeFileSync(browser, `#!/bin/sh\nexec '${process.execPath}' '${SUPPORT}/browser-process.ts' "$@"\n`);
		chmodSync(browser, 0o755);
		expect(ENTRY).toContain("['svc-tui', 'serve'");
		hub = await startHub({
			SVC_TEST_HUB_SERVICES: ENTRY.replace("['svc-tui', 'serve'", `['${PROGRAM}', 'serve'`)
				.replace('127.0.0.1:9999', `127.0.0.1:${await freePort()}`)
				.replace('/etc/svc-tui/catalogue.json', catalogueFile),
		});
		url = `${hub.url}/services/svc-tui`;
		await waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), {interval: 100});
	}, HUB_START_MS);
	afterAll(async () => {
		await hub?.[Symbol.asyncDispose]();
		temp[Symbol.dispose]();
	});

	const login = async (home: Home, env: Readonly<Record<string, string>>) =>
		onTerminal(['login', '--base-url', url, '--profile', 'hub'], {
			home,
			env,
			type: {after: /or paste an API key[^]*not shown/, text: '\r'},
		});
	const finish = async (code: string, verifier: string) => {
		const response = await fetch(`${url}/local/sign-in`, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: JSON.stringify({code, verifier}),
		});
		return {status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>>};
	};

	test('Enter at the question opens one, and the users who sign in there have servers of their own', async () => {
		await using ann = await newHome();
		await using bob = await newHome();
		for (const [home, user] of [
			[ann, 'ann'],
			[bob, 'bob'],
		] as const) {
			const {code, text} = await login(home, {BROWSER: browser, SVC_TEST_USER: user});
			expect({code, text}).toMatchObject({code: 0, text: expect.stringContaining('Signed in to 127.0.0.1')});
			const key = readFileSync(join(home.folder, '.config/svc-tui/keys/hub'), 'utf8').trim();
			expect(text).not.toContain(key);
			expect(readFileSync(join(hub.folder, 'hub.log'), 'utf8')).not.toContain(key);
		}
		const create = ['server', 'create', 'lab', '--environment', 'ai', '--compute', 'hub-small'];
		expect(await runHere(create, {home: ann})).toMatchObject({code: 0});
		expect(await runHere(['servers'], {home: ann})).toMatchObject({stdout: expect.stringContaining('lab')});
		expect(await runHere(['servers'], {home: bob})).toMatchObject({
			stdout: expect.not.stringContaining('lab'),
		});
	});

	test('without a browser the address is printed, and another program than the one that began gets nothing', async () => {
		using program = await listen();
		const verifier = randomBytes(32).toString('base64url');
		const challenge = challengeOf(verifier);
		const page = `${url}/local/sign-in?port=${program.port}&challenge=${challenge}`;
		const {text, status, visited} = await openBrowser('carl').signIn(page);
		expect({text, status}).toEqual({text: 'seen', status: 200});
		expect(await (await fetch(page)).text()).toContain(signInMark(challenge));
		const code = program.arrived[0]?.get('code') ?? '';
		expect(await finish(code, 'another')).toMatchObject({status: 400});
		expect(await finish(`${code.slice(0, -3)}AAA`, verifier)).toMatchObject({status: 400});
		const {status: first, body} = await finish(code, verifier);
		expect(first).toBe(200);
		expect(visited.join('\n')).not.toContain(body['key']);
		expect(await finish(code, verifier)).toMatchObject({status: 400});
		// The code that the hub issued cannot be used a second time either.
		const callback = visited.find(address => address.includes('/oauth_callback')) ?? '';
		await fetch(callback);
		expect(program.arrived.at(-1)?.get('error')).toBe('hub');
		const denied = callback.replace(/code=[^&]*/, 'error=access_denied');
		await fetch(denied);
		expect(program.arrived.at(-1)?.get('error')).toBe('denied');
		const forged = callback.replace(
			/state=[^&.]*/,
			`state=${Buffer.from('{"port":1}').toString('base64url')}`,
		);
		expect((await fetch(forged, {redirect: 'manual'})).status).toBe(400);
		expect((await fetch(`${url}/local/sign-in?port=0&challenge=x`)).status).toBe(400);
	});

	test('Enter in the form of the screens opens one, and Esc stops the wait for it', async () => {
		await using home = await newHome();
		const open = async (BROWSER: string) => {
			const env = {BROWSER, SVC_TEST_USER: 'carl'};
			const terminal = await openProgram({home, columns: 100, rows: 30, env});
			await terminal.until('welcome');
			pressAction(terminal, 'anywhere', 'signIn');
			await terminal.until('▸ Address');
			terminal.paste(url);
			pressAction(terminal, 'signIn', 'accept');
			await terminal.until('▸ Profile');
			pressAction(terminal, 'signIn', 'accept');
			await terminal.until('signs in with your browser');
			pressAction(terminal, 'signIn', 'accept');
			return terminal;
		};
		{
			await using terminal = await open('');
			await terminal.until(/No browser found[^]*only if it shows/);
			pressAction(terminal, 'signIn', 'cancel');
			await terminal.gone('╭ Sign in');
			expect(existsSync(join(home.folder, '.config/svc-tui/keys'))).toBe(false);
		}
		await using terminal = await open(browser);
		await terminal.until('No servers yet');
		const [name = ''] = readdirSync(join(home.folder, '.config/svc-tui/keys'));
		const key = readFileSync(join(home.folder, '.config/svc-tui/keys', name), 'utf8').trim();
		expect(key).not.toBe('');
		expect(terminal.screen()).not.toContain(key);
	});

	test('Ctrl-C while it waits stores nothing', async () => {
		await using home = await newHome();
		const {code, text} = await onTerminal(['login', '--base-url', url, '--profile', 'hub'], {
			home,
			type: [
				{after: /or paste an API key[^]*not shown/, text: '\r'},
				{after: /No browser found[^]*Continue there only if/, text: '\u0003'},
			],
		});
		expect({code, text}).toMatchObject({code: 130, text: expect.stringContaining('Nothing was stored')});
	});
});
