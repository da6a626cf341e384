import {chmod, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {canned, list, serverItem} from './support.ts';
import {waitFor} from '../support/wait-for.ts';

let home: Home;
beforeAll(async () => {
	home = await newHome();
});
afterAll(async () => home[Symbol.asyncDispose]());

const TOKEN = 'token-0123456789';
const protectedServer = serverItem('s', 'ready', {
	url: `https://lab.example/user/u/s/?token=${TOKEN}`,
	token: TOKEN,
	port_forward_url: 'pending',
});

/** A service whose server has these states, one per request; the last one repeats. */
const stateful = (...states: readonly string[]) => {
	let looks = 0;
	return canned({
		'GET /api/servers': () => list('servers', serverItem('s', states[Math.min(looks++, states.length - 1)])),
	});
};

/**
 * A home with a fake browser. It records the number of its arguments, the first argument, the API
 * key in its environment, and the page if the argument is a file.
 */
const withBrowser = async (
	folder: string,
): Promise<{readonly env: Readonly<Record<string, string>>; readonly opened: () => Promise<string>}> => {
	const [browser, log] = [join(folder, 'browser'), join(folder, 'opened')];
	await writeFile(
		browser,
		`#!/bin/sh\nprintf '%s\\n' "$#" "$1" "\${SVC_API_KEY-none}" > '${log}.new'; case "$1" in file://*) cat "\${1#file://}" >> '${log}.new';; esac; mv '${log}.new' '${log}'\n`,
	);
	await chmod(browser, 0o755);
	return {env: {BROWSER: browser}, opened: () => waitFor(async () => readFile(log, 'utf8'))};
};

test('server wait ends when the server is ready, and prints its address without the token', async () => {
	await using service = await canned({'GET /api/servers': () => list('servers', protectedServer)});
	expect(await runHere(['server', 'wait', 's'], {home, env: service.env})).toEqual({
		code: 0,
		signal: null,
		stdout: 's is ready, https://lab.example/user/u/s/?token=…\n',
		stderr: '',
	});
	await using changing = await stateful('offline', 'queued', 'spawning', 'ready');
	expect(await runHere(['server', 'wait', 's'], {home, env: changing.env})).toMatchObject({
		code: 0,
		stdout: 's is ready, https://lab.example/user/u/x/\n',
	});
	expect(changing.asked.filter(line => line !== 'GET /api/servers')).toEqual([]);
});

test('server wait times out after --timeout with 5 and reports the last state', async () => {
	await using service = await stateful('queued');
	const {code, stderr} = await runHere(['server', 'wait', 's', '--timeout', '0.2'], {home, env: service.env});
	expect(code).toBe(5);
	expect(stderr).toMatch(/^"s" is not ready after 0\.2 s: its state is "queued"\.\n/);
	expect(
		(await runHere(['server', 'wait', 's', '--timeout', 'soon'], {home, env: service.env})).stderr,
	).toMatch(
		/^--timeout "soon" is not a number of seconds above 0\.\nsvc-tui server wait --help shows how\.\n/,
	);
});

test(
	'server wait fails when the server goes offline again, and exits 3 for a missing one',
	{tags: 'long'},
	async () => {
		await using service = await stateful('queued', 'queued', 'offline');
		expect(await runHere(['server', 'wait', 's'], {home, env: service.env})).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^"s" did not become ready: it is offline again\./),
		});
		expect(await runHere(['server', 'wait', 'other'], {home, env: service.env})).toMatchObject({code: 3});
	},
);

test('server open gives the address, with its token, to the browser alone, which never sees the API key', async () => {
	await using ownHome = await newHome();
	await using service = await canned({'GET /api/servers': list('servers', protectedServer)});
	const browser = await withBrowser(ownHome.folder);
	expect(
		await runHere(['server', 'open', 's'], {home: ownHome, env: {...service.env, ...browser.env}}),
	).toEqual({code: 0, signal: null, stdout: '', stderr: ''});
	const [count, argument = '', key, ...page] = (await browser.opened()).split('\n');
	expect([count, key]).toEqual(['1', 'none']);
	expect(argument).toMatch(/^file:\/\/\/.*\.html$/);
	expect(argument).not.toContain(TOKEN);
	expect(page.join('\n')).toContain(
		`<meta http-equiv="refresh" content="0;url=https://lab.example/user/u/s/?token=${TOKEN}">`,
	);
	expect((await stat(fileURLToPath(argument))).mode & 0o777).toBe(0o600);
});

test('an address without a token goes to the browser as it is', async () => {
	await using ownHome = await newHome();
	await using service = await canned({'GET /api/servers': list('servers', protectedServer)});
	const browser = await withBrowser(ownHome.folder);
	expect(
		await runHere(['server', 'open', 's', '--editor'], {
			home: ownHome,
			env: {...service.env, ...browser.env},
		}),
	).toMatchObject({code: 0});
	expect(await browser.opened()).toBe('1\nhttps://editor.example/x\nnone\n');
});

test('without a browser, or with --print, the address is printed, and its token only when asked for', async () => {
	await using service = await canned({'GET /api/servers': list('servers', protectedServer)});
	const env = {...service.env, SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22', BROWSER: ''};
	expect(await runHere(['server', 'open', 's'], {home, env})).toMatchObject({
		code: 0,
		stdout: 'https://lab.example/user/u/s/\n',
		stderr: 'No browser found. --with-token prints the address with its token.\n',
	});
	expect(await runHere(['server', 'open', 's', '--editor', '--print'], {home, env})).toMatchObject({
		code: 0,
		stdout: 'https://editor.example/x\n',
		stderr: '',
	});
	expect(await runHere(['server', 'open', 's', '--with-token'], {home, env})).toMatchObject({
		code: 0,
		stdout: `https://lab.example/user/u/s/?token=${TOKEN}\n`,
		stderr: '',
	});
	expect(JSON.parse((await runHere(['server', 'open', 's', '--json'], {home, env})).stdout)).toEqual({
		url: 'https://lab.example/user/u/s/',
	});
});

test('an address that is not known yet, or is none of the web, is refused with the reason', async () => {
	await using service = await canned({
		'GET /api/servers': list(
			'servers',
			protectedServer,
			serverItem('odd', 'ready', {url: 'file:///etc/passwd', assistant_editor_url: null}),
		),
	});
	expect(await runHere(['server', 'open', 's', '--forward'], {home, env: service.env})).toMatchObject({
		code: 1,
		stdout: '',
		stderr: expect.stringMatching(
			/^The forward address of "s" cannot be opened: not assigned yet\.\nsvc-tui server wait s waits/,
		),
	});
	expect(await runHere(['server', 'open', 'odd'], {home, env: service.env})).toMatchObject({
		code: 1,
		stdout: '',
		stderr:
			'The page of "odd" cannot be opened: it is not a web address.\nsvc-tui servers --json shows all that the service reports about it.\n',
	});
	expect(await runHere(['server', 'open', 'odd', '--editor'], {home, env: service.env})).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/the service reports no such address/),
	});
	expect(
		await runHere(['server', 'open', 's', '--editor', '--forward'], {home, env: service.env}),
	).toMatchObject({code: 2, stderr: expect.stringMatching(/^Use either --editor or --forward, not both\./)});
});
