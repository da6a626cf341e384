import {chmodSync, existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import fc from 'fast-check';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {openAddress} from '../../src/app/open-address.ts';
import {redirectHtml, redirectPage} from '../../src/app/open-address.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
	folder = tempFolder();
	vi.stubEnv('XDG_STATE_HOME', join(folder.path, 'state'));
	vi.stubEnv('HOME', folder.path);
});
afterEach(() => {
	vi.unstubAllEnvs();
	folder[Symbol.dispose]();
});

/** Starts a browser that records its arguments, and returns them. */
const opened = async (address: string, token: string | null = null): Promise<readonly string[] | false> => {
	const [browser, log] = [join(folder.path, 'browser'), join(folder.path, 'log')];
	writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$@" > '${log}.new' && mv '${log}.new' '${log}'\n`);
	chmodSync(browser, 0o755);
	if (!(await openAddress(address, token, {...process.env, BROWSER: browser}))) return false;
	return (await waitFor(() => readFileSync(log, 'utf8'))).trimEnd().split('\n');
};

const SECRET = 's3cret-token';
for (const address of [
	`https://lab.example/?token=${SECRET}`,
	`https://lab.example/lab?access_token=${SECRET}&x=1`,
	`https://lab.example/#token=${SECRET}`,
	`https://user:${SECRET}@lab.example/`,
	`https://lab.example/user/${SECRET}/lab`,
	`http://${SECRET}.localhost:8080/`,
]) {
	test(`no token is in the arguments: ${address.replace(SECRET, '…')}`, async () => {
		const [argument = '', ...more] = (await opened(address, SECRET)) || [];
		expect(more).toEqual([]);
		expect(argument).toMatch(/^file:\/\/\//);
		expect(argument).not.toContain(SECRET);
		expect(readFileSync(fileURLToPath(argument), 'utf8')).toContain(SECRET);
		expect(statSync(fileURLToPath(argument)).mode & 0o777).toBe(0o600);
	});
}

test('an address without a token is passed unchanged, and anything but a web address is not opened', async () => {
	expect(await opened('https://lab.example/user/u/lab/', SECRET)).toEqual([
		'https://lab.example/user/u/lab/',
	]);
	for (const address of [
		'javascript:alert(1)',
		'file:///etc/passwd',
		'--version',
		'data:text/html,x',
		' https',
		'https://',
	])
		expect(await opened(address)).toBe(false);
});

test('the page is removed after a while, regardless of its place', async () => {
	for (const hasSnaps of [false, true]) {
		const path = fileURLToPath(await redirectPage('https://lab.example/?token=t', {livesS: 0, hasSnaps}));
		expect(
			path.startsWith(join(folder.path, hasSnaps ? 'svc-tui-open-' : 'state/svc-tui/opened/svc-tui-open-')),
		).toBe(true);
		await waitFor(() => expect(existsSync(path)).toBe(false));
	}
});

test('a hostile address stays within its two places in the page', () => {
	fc.assert(
		fc.property(
			fc.array(
				fc.constantFrom(
					'"',
					"'",
					'<',
					'>',
					'&',
					'&quot;',
					';',
					'</a>',
					'<script>',
					'">',
					'\u2028',
					' ',
					'\n',
					'é',
					'%22',
					'\\',
					'javascript:',
				),
				{maxLength: 12},
			),
			parts => {
				for (const address of [
					`https://a.example/${parts.join('')}`,
					`https://a.example/?q=${parts.join('')}`,
					`https://a.example/#${parts.join('')}`,
				].map(text => new URL(text).href)) {
					const html = redirectHtml(address);
					const inPage = [...html.matchAll(/<a href="([^"]*)">|content="0;url=([^"]*)">/g)].map(
						([, link, refresh]) =>
							(link ?? refresh ?? '')
								.replaceAll('&lt;', '<')
								.replaceAll('&gt;', '>')
								.replaceAll('&quot;', '"')
								.replaceAll('&#39;', "'")
								.replaceAll('&amp;', '&'),
					);
					expect(inPage).toEqual([address, address]);
					expect(html.match(/<[a-z!/]/gi)).toHaveLength(
						redirectHtml('https://a.example/').match(/<[a-z!/]/gi)!.length,
					);
				}
			},
		),
	);
});
