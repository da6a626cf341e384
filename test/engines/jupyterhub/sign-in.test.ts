// @module-tag long
// A user of a real hub gets a key: the service reports the hub's page, which `login` and the
// screens show and open.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {onTerminal} from '../../cli/support.ts';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../../support/hub.ts';
import {localService, type LocalService} from '../../support/local-service.ts';
import {pressAction} from '../../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../../support/program.ts';
import {waitFor} from '../../support/wait-for.ts';

if (hubMissing !== null) console.warn(`\n*** SKIPPED: nobody signed in at a hub: ${hubMissing} ***\n`);

/** A fake browser that records its arguments. */
const browserIn = ({folder}: Home) => {
	const [browser, log] = [join(folder, 'browser'), join(folder, 'opened')];
	writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$@" > '${log}.new'; mv '${log}.new' '${log}'\n`, {
		mode: 0o755,
	});
	return {BROWSER: browser, log};
};

describe.skipIf(hubMissing !== null)('signing in to the service of a hub', () => {
	let hub: TestHub;
	let local: LocalService;
	let page: string;
	const serviceOf = (options: {readonly publicUrl?: string} = {}): Promise<LocalService> =>
		localService({openEngine: undefined, engine: 'jupyterhub', hub: hub.url, apiKey: 'nobodys', ...options});
	beforeAll(async () => {
		hub = await startHub();
		page = `${hub.url}/hub/token`;
		local = await serviceOf();
	}, HUB_START_MS);
	afterAll(async () => {
		await local?.[Symbol.asyncDispose]();
		await hub?.[Symbol.asyncDispose]();
	});

	test('the page is available without a key, belongs to the hub, and pages of this machine are not given to others', async () => {
		const told = async ({service}: LocalService): Promise<unknown> =>
			(await fetch(`${service.url}/local/key-page`)).json();
		expect(await told(local)).toEqual({status: 'success', key_page: page, browser_sign_in: false});
		const asked = await fetch(page);
		expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('JupyterHub')]);
		expect((await fetch(`${page}s`)).status).toBe(404);
		await using away = await serviceOf({publicUrl: 'https://nb.example.com'});
		expect(await told(away)).toEqual({status: 'success', key_page: null, browser_sign_in: false});
	});

	test('login shows the page, opens it on Enter, and accepts the token created there', async () => {
		await using home = await newHome();
		const {BROWSER, log} = browserIn(home);
		const token = await hub.tokenOf('ann');
		const args = ['login', '--base-url', local.service.url, '--profile', 'hub'];
		const {host} = new URL(local.service.url);
		const {code, text} = await onTerminal(args, {
			home,
			env: {BROWSER},
			type: [
				{after: /API key of/, text: '\r'},
				{after: /Opened in your browser[^]*API key of/, text: `${token}\r`},
			],
		});
		expect([code, text]).toEqual([
			0,
			expect.stringContaining(
				`Create a key for ${host} at ${page} (press Enter to open the page).\nAPI key of ${host} (not shown): `,
			),
		]);
		expect(text).not.toContain(token);
		expect(readFileSync(log, 'utf8')).toBe(`${page}\n`);
		expect(await runCommand(['servers', '--profile', 'hub'], {home})).toMatchObject({code: 0});
	});

	test('without a browser login reports that and waits for the token; a script gets the page, and no browser', async () => {
		await using home = await newHome();
		const {BROWSER, log} = browserIn(home);
		const args = ['login', '--base-url', local.service.url];
		const {code, text} = await onTerminal(args, {
			home,
			env: {BROWSER: '', DISPLAY: '', WAYLAND_DISPLAY: ''},
			type: [
				{after: /API key of/, text: '\r'},
				{after: /No browser found[^]*API key of/, text: `${await hub.tokenOf('bob')}\r`},
			],
		});
		expect([code, text]).toEqual([0, expect.stringContaining('Signed in to')]);
		for (const input of ['no-token-of-the-hub', ''])
			expect(await runCommand(args, {home, env: {BROWSER}, input})).toMatchObject({
				code: 4,
				stderr: expect.stringContaining(`Nothing was stored. Create one at ${page} and try again.\n`),
			});
		expect(existsSync(log)).toBe(false);
	});

	test('the form of the screens shows the page once it asks for the key, and opens it', async () => {
		await using home = await newHome();
		const {BROWSER, log} = browserIn(home);
		await using terminal = await openProgram({home, columns: 100, rows: 30, env: {BROWSER}});
		await terminal.until('welcome');
		pressAction(terminal, 'anywhere', 'signIn');
		await terminal.until('▸ Address');
		terminal.paste(local.service.url);
		pressAction(terminal, 'signIn', 'accept');
		await terminal.until('▸ Profile');
		expect(terminal.screen()).not.toContain(page);
		pressAction(terminal, 'signIn', 'accept');
		await terminal.until('▸ API key');
		await terminal.until(page);
		pressAction(terminal, 'signIn', 'openKeyPage');
		await terminal.until('Opened in your browser');
		expect(await waitFor(async () => readFileSync(log, 'utf8'))).toBe(`${page}\n`);
		const token = await hub.tokenOf('cleo');
		terminal.paste(token);
		pressAction(terminal, 'signIn', 'accept');
		await terminal.until('No servers yet');
		expect(terminal.screen()).not.toContain(token);
	});
});
