import {chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';
import {runHere} from './run-in-process.ts';

const PAGE = 'https://lab.example/u/s/';
const TOKEN = 'tok-0123/secret';
const INNER = 'token=tok-0123%2Fsecret';

/**
 * Data of the service's response, the address without its token, and the address with it; null if
 * there is no token.
 */
const CASES: readonly {
	readonly what: string;
	readonly url: string | null;
	readonly token?: unknown;
	readonly bare: string | null;
	readonly whole: string | null;
}[] = [
	{what: 'field', url: PAGE, token: TOKEN, bare: PAGE, whole: `${PAGE}?${INNER}`},
	{what: 'both', url: `${PAGE}?${INNER}`, token: TOKEN, bare: PAGE, whole: `${PAGE}?${INNER}`},
	{what: 'url-only', url: `${PAGE}?${INNER}`, token: null, bare: PAGE, whole: `${PAGE}?${INNER}`},
	{what: 'absent', url: `${PAGE}?${INNER}`, bare: PAGE, whole: `${PAGE}?${INNER}`},
	{what: 'query', url: `${PAGE}?a=1`, token: TOKEN, bare: `${PAGE}?a=1`, whole: `${PAGE}?a=1&${INNER}`},
	{what: 'hash', url: `${PAGE}#top`, token: TOKEN, bare: `${PAGE}#top`, whole: `${PAGE}?${INNER}#top`},
	{
		what: 'query-hash',
		url: `${PAGE}?a=1#x?y`,
		token: TOKEN,
		bare: `${PAGE}?a=1#x?y`,
		whole: `${PAGE}?a=1&${INNER}#x?y`,
	},
	{
		what: 'empty-in-url',
		url: `${PAGE}?token=&a=1`,
		token: TOKEN,
		bare: `${PAGE}?a=1`,
		whole: `${PAGE}?a=1&${INNER}`,
	},
	{
		what: 'twice',
		url: `${PAGE}?token=one-secret&token=two-secret&a=1`,
		token: null,
		bare: `${PAGE}?a=1`,
		whole: `${PAGE}?token=one-secret&token=two-secret&a=1`,
	},
	{
		what: 'other-name',
		url: `${PAGE}?auth=tok-0123%2Fsecret&a=1`,
		token: TOKEN,
		bare: `${PAGE}?a=1`,
		whole: `${PAGE}?auth=tok-0123%2Fsecret&a=1&${INNER}`,
	},
	{
		what: 'in-hash',
		url: `${PAGE}#token=abc-secret`,
		token: null,
		bare: PAGE,
		whole: `${PAGE}#token=abc-secret`,
	},
	{what: 'null', url: PAGE, token: null, bare: PAGE, whole: null},
	{what: 'empty', url: PAGE, token: '', bare: PAGE, whole: null},
	{what: 'all-empty', url: `${PAGE}?token=`, token: '', bare: PAGE, whole: null},
	{what: 'pending', url: 'pending', token: TOKEN, bare: null, whole: null},
	{what: 'no-url', url: null, token: TOKEN, bare: null, whole: null},
	{what: 'path-only', url: '/u/s/', token: TOKEN, bare: null, whole: null},
];
const servers = CASES.map(({what, url, token}, at) =>
	serverItem(`s${String(at).padStart(2, '0')}-${what}`, {url, token}),
);
const nameOf = (at: number): string => servers[at]?.name ?? '';

test('server open prints the address of any service without its token, and with it when asked', async () => {
	await using service = await startHostileService({servers: () => success({servers})});
	const run = async (...args: readonly string[]) =>
		runHere(['server', 'open', ...args], {baseUrl: service.baseUrl, apiKey: 'key-of-the-addresses'});
	for (const [at, {what, bare, whole}] of CASES.entries()) {
		const name = nameOf(at);
		const plain = await run(name);
		const asked = await run(name, '--with-token');
		if (bare === null) {
			for (const ran of [plain, asked]) expect(ran, what).toMatchObject({code: 1, stdout: ''});
			continue;
		}
		expect(plain, what).toEqual({
			code: 0,
			stdout: `${bare}\n`,
			stderr: `No browser found.${whole === null ? '' : ' --with-token prints the address with its token.'}\n`,
		});
		expect(asked, what).toMatchObject({
			code: 0,
			stderr: whole === null ? `${name} has no token for its page.\n` : '',
		});
		if (whole !== null) expect(asked.stdout, what).toBe(`${whole}\n`);
		for (const [args, url] of [
			[[], bare],
			[['--with-token'], whole],
		] as const)
			if (url !== null) expect(JSON.parse((await run(name, ...args, '--json')).stdout), what).toEqual({url});
		expect(JSON.stringify(plain), what).not.toMatch(/secret/);
	}
});

test(
	"the screens copy and open what a server's addresses promise, with any data from the service",
	{tags: 'long', timeout: 240_000},
	async () => {
		await using service = await startHostileService({servers: () => success({servers})});
		await using home = await newHome();
		const [browser, log] = [join(home.folder, 'browser'), join(home.folder, 'opened')];
		await writeFile(
			browser,
			`#!/bin/sh\ncase "$1" in file://*) cat "\${1#file://}";; *) echo "url=$1\\">";; esac > '${log}.new'; mv '${log}.new' '${log}'\n`,
		);
		await chmod(browser, 0o755);
		await using terminal = await openProgram({
			home,
			columns: 200,
			rows: 40,
			env: {...service.env, BROWSER: browser},
		});
		/** Text that is in the terminal's clipboard now. */
		const copied = async (
			action: 'copy' | 'copyWithToken',
			scope: 'servers' | 'addresses',
		): Promise<string> => {
			const {clipboard} = terminal.events;
			const before = clipboard.length;
			pressAction(terminal, scope, action);
			await terminal.untilTrue('a copy', () => clipboard.length > before);
			return Buffer.from((clipboard.at(-1) ?? '').replace(/^c;/, ''), 'base64').toString('utf8');
		};
		await terminal.until(nameOf(0));
		for (const [at, {what, url, bare, whole}] of CASES.entries()) {
			if (at > 0) pressAction(terminal, 'servers', 'down');
			const fields = await terminal.until(new RegExp(`┬─ ${nameOf(at)} ─+\\n[^]*▸ ${nameOf(at)} `));
			const promise = /Token +(\S[^\n│]*)/.exec(fields)?.[1] ?? '';
			expect(promise.includes('Y copies with it'), `${what}: ${promise}`).toBe(whole !== null);
			expect(fields, what).not.toContain('secret');
			if (bare === null) {
				pressAction(terminal, 'servers', 'copyWithToken');
				await terminal.until(new RegExp(`The page of ${nameOf(at)}: `));
				continue;
			}
			expect(await copied('copy', 'servers'), what).toBe(bare);
			if (whole === null) {
				pressAction(terminal, 'servers', 'copyWithToken');
				await terminal.until(`${nameOf(at)} has no token for its page`);
			} else expect(await copied('copyWithToken', 'servers'), what).toBe(whole);

			pressAction(terminal, 'servers', 'addresses');
			const dialog = await terminal.until(`Addresses of ${nameOf(at)}`);
			expect(dialog, what).not.toContain('secret');
			expect(dialog.includes('copy with the token'), what).toBe(whole !== null);
			if (whole !== null) expect(await copied('copyWithToken', 'addresses'), what).toBe(whole);
			await writeFile(log, '');
			pressAction(terminal, 'addresses', 'open');
			const given = await waitFor(async () => {
				const page = await readFile(log, 'utf8');
				if (!page.includes('url=')) throw new Error('the browser was not started yet');
				return page.replaceAll('&amp;', '&');
			});
			expect(given, what).toContain(`url=${whole ?? url}">`);
			pressAction(terminal, 'addresses', 'close');
			await terminal.gone('Addresses of');
		}
	},
);
