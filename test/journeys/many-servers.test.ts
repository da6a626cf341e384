import {chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {computeOption, serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';

const SERVERS = Array.from({length: 2000}, (_, index) =>
	serverItem(`job-${String(index).padStart(4, '0')}`, {
		status: index % 4 === 0 ? 'ready' : 'offline',
		environment: `env-${index % 500}`,
		server_request: `cloud-L4x${1 + (index % 8)}`,
		port: 8000 + (index % 100),
	}),
);
const COMPUTE = Array.from({length: 8}, (_, index) =>
	computeOption(`L4 (${index + 1}x)`, {
		compute_id: `cloud-L4x${index + 1}`,
		num_gpus: index + 1,
		hourly_price: index + 1,
	}),
);
const ENVIRONMENTS = Array.from({length: 500}, (_, index) => ({
	environment_id: `env-${index}`,
	name: `Toolkit ${index}`,
	description: `${`All that ${index} needs. `.repeat(800)}The end of ${index}.`,
}));

test('among 2,000 servers the list is walked, filtered and sorted, each time with the cursor on its server, and the sums are of all', async () => {
	await using service = await startHostileService({
		servers: () => success({servers: SERVERS}),
		compute: () => success({compute: COMPUTE}),
	});
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 120, rows: 30, env: service.env});
	// 500 servers are ready: 250 on cloud-L4x1 and 250 on cloud-L4x5.
	await terminal.until(/Servers 2000 · 500 ready[^]*1500\.00\/h now/);
	pressAction(terminal, 'servers', 'last');
	await terminal.until(/▸ job-1999/);
	pressAction(terminal, 'servers', 'pageUp');
	pressAction(terminal, 'servers', 'up');
	await terminal.until(/▸ job-19(?:7|8)\d/);
	pressAction(terminal, 'servers', 'filter');
	terminal.type('job-17');
	await terminal.until(/Servers 100 of 2000/);
	pressAction(terminal, 'filter', 'accept');
	pressAction(terminal, 'servers', 'last');
	await terminal.until(/▸ job-1799/);
	for (let column = 0; column < 5; column++) pressAction(terminal, 'servers', 'sortNext');
	pressAction(terminal, 'servers', 'turnSort');
	await terminal.until(/↓Rate \/h[^]*▸ job-1799/);
	pressAction(terminal, 'servers', 'first');
	// The most expensive servers come first. Offline servers cost nothing and come last.
	await terminal.until(/▸ job-1700 +\S ready +5× L4 24G +env-200 +5\.00/);
	// The sort order remains after a visit to another screen.
	pressAction(terminal, 'global', 'environments');
	await terminal.until(/Environments 1 /);
	pressAction(terminal, 'global', 'servers');
	await terminal.until(/↓Rate \/h[^]*▸ job-1700/);
	pressAction(terminal, 'servers', 'showAll');
	await terminal.until(/Servers 2000 [^]*▸ job-1700/);
});

test(
	'500 environments with long descriptions are listed, read to their end, filtered by their text, and used for a new server',
	{tags: 'long'},
	async () => {
		await using service = await startHostileService({
			environments: () => success({environments: ENVIRONMENTS}),
			servers: () => success({servers: SERVERS}),
		});
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 80, rows: 30, env: service.env});
		await terminal.until(/Servers 2000/);
		pressAction(terminal, 'global', 'environments');
		await terminal.until(/Environments 500 .*─ Toolkit 0 ─[^]*Servers [^]*\n ▸ Toolkit 0 +4 /);
		await terminal.until(/Used by +● job-0000 +● job-0500\n.*│ +● job-1000 +● job-1500\n/);
		pressAction(terminal, 'environments', 'scrollDown');
		await terminal.until(/↓ \d+ more lines J and K scroll/);
		for (let page = 0; page < 20; page++) pressAction(terminal, 'environments', 'scrollDown');
		await terminal.until('The end of 0.');
		pressAction(terminal, 'environments', 'filter');
		terminal.type('end of 321');
		await terminal.until(/Environments 1 of 500 [^]*▸ Toolkit 321/);
		pressAction(terminal, 'filter', 'accept');
		pressAction(terminal, 'environments', 'create');
		await terminal.until(/Rent a server[^]*environment +env-321/);
	},
);

test('addresses are opened in the browser, or copied without the token unless it is asked for', async () => {
	const TOKEN = 'token-0123456789';
	await using service = await startHostileService({
		servers: () =>
			success({
				servers: [
					serverItem('lab', {
						url: `https://lab.example/user/u/lab/?token=${TOKEN}`,
						token: TOKEN,
						port_forward_url: 'pending',
					}),
				],
			}),
	});
	await using home = await newHome();
	const [browser, log] = [join(home.folder, 'browser'), join(home.folder, 'opened')];
	await writeFile(
		browser,
		`#!/bin/sh\nprintf '%s\\n' "$1" > '${log}.new'; cat "\${1#file://}" >> '${log}.new'; mv '${log}.new' '${log}'\n`,
	);
	await chmod(browser, 0o755);
	await using terminal = await openProgram({
		home,
		columns: 160,
		rows: 30,
		env: {...service.env, BROWSER: browser},
	});
	let sent = '';
	terminal.onOutput(chunk => {
		sent += chunk;
	});
	await terminal.until(/lab +\S ready/);
	await terminal.until(/Page +lab\.example\/user\/u\/lab +o[^]*Token +set/);
	pressAction(terminal, 'servers', 'copy');
	await terminal.until(
		'The address without its token was sent to the terminal; if nothing arrived, ^X y shows it',
	);
	pressAction(terminal, 'servers', 'addresses');
	await terminal.until(
		/Addresses of lab[^]*▸ Page[^]*Editor +https:\/\/editor\.example\/x[^]*Forward +pending: not assigned yet/,
	);
	pressAction(terminal, 'addresses', 'open');
	await terminal.until('The page of lab was opened in your browser');
	const [argument, ...page] = (await waitFor(() => readFile(log, 'utf8'))).split('\n');
	expect(argument).toMatch(/^file:\/\/\/(?!.*token)/);
	expect(page.join('\n')).toContain(`url=https://lab.example/user/u/lab/?token=${TOKEN}">`);
	pressAction(terminal, 'addresses', 'down');
	pressAction(terminal, 'addresses', 'down');
	pressAction(terminal, 'addresses', 'open');
	await terminal.until('The forward address of lab: not assigned yet');
	// The token has not been sent to the terminal so far.
	expect(sent).not.toContain(TOKEN);
	// All keys arrive in a single read: they close the list, open it and move past its end. No key
	// is lost, and the cursor stays within the list.
	terminal.type('qo\u001B[B\u001B[A\u001B[Bjjjj\r');
	await terminal.until(/▸ Forward[^]*The forward address of lab: not assigned yet/);
	terminal.type('kk\u001B[A\u001B[A');
	await terminal.until(/▸ Page/);
	pressAction(terminal, 'addresses', 'copyWithToken');
	await terminal.until(
		'The address with its token was sent to the terminal; if nothing arrived, svc-tui server open --with-token prints it',
	);
	const copied = terminal.events.clipboard.map(text =>
		Buffer.from(text.replace(/^c;/, ''), 'base64').toString(),
	);
	expect(copied).toEqual([
		'https://lab.example/user/u/lab/',
		`https://lab.example/user/u/lab/?token=${TOKEN}`,
	]);
	expect(terminal.screen()).not.toContain(TOKEN);
	pressAction(terminal, 'always', 'showCopied');
	await terminal.until('A token is not shown on the screen');
	pressAction(terminal, 'addresses', 'copy');
	await terminal.until('The address without its token was sent');
	pressAction(terminal, 'always', 'showCopied');
	await terminal.untilTrue(
		'the address alone',
		() =>
			!terminal.modes().alternateScreen &&
			/^https:\/\/lab\.example\/user\/u\/lab\/\n\nThis is the copied text. Press Enter to return to svc-tui\./m.test(
				terminal.screen(),
			),
	);
	terminal.press('enter');
	await terminal.until(/Addresses of lab/);
	expect(terminal.modes()).toMatchObject({alternateScreen: true});
});
