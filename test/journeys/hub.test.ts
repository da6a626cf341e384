// @module-tag long
// A real JupyterHub as its users see it: several users at once, a start that fails, a server that
// is killed, and a hub that is down.
import {waitFor} from '../support/wait-for.ts';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../support/hub.ts';
import {hubCatalogue, usersOf, type NewUser, type User} from '../support/hub-users.ts';
import {localService, type LocalService} from '../support/local-service.ts';
import {pressAction} from '../support/press-action.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {openRepl, runCode} from './steps.ts';

if (hubMissing !== null) console.warn(`\n*** SKIPPED: nobody worked on a JupyterHub: ${hubMissing} ***\n`);

describe.skipIf(hubMissing !== null)('on a JupyterHub', () => {
	let hub: TestHub;
	let local: LocalService;
	let newUser: NewUser;
	const temp = tempFolder();
	const catalogueFile = join(temp.path, 'catalogue.json');
	beforeAll(async () => {
		hub = await startHub();
		writeFileSync(catalogueFile, JSON.stringify(hubCatalogue));
		local = await localService({
			openEngine: undefined,
			engine: 'jupyterhub',
			hub: hub.url,
			apiKey: await hub.tokenOf('operator'),
			catalogueFile,
		});
		newUser = usersOf(hub, local);
	}, HUB_START_MS);
	afterAll(async () => {
		await local?.[Symbol.asyncDispose]();
		await hub?.[Symbol.asyncDispose]();
		temp[Symbol.dispose]();
	});

	const kill = async (user: User, server: string): Promise<void> => {
		const pids = await hub.processesOf(user.name, server);
		expect(pids.length).toBeGreaterThan(0);
		for (const pid of pids) process.kill(pid, 'SIGKILL');
	};

	test("two users have their own servers on their screens, and the other's are not there for them", async () => {
		await using ann = await newUser('ann');
		await using bob = await newUser('bob');
		await Promise.all([ann.create('of-ann'), bob.create('of-bob')]);
		await using left = await ann.open();
		await using right = await bob.open();
		for (const [terminal, own, other] of [
			[left, 'of-ann', 'of-bob'],
			[right, 'of-bob', 'of-ann'],
		] as const) {
			await terminal.until(new RegExp(`▸ ${own} +● ready`));
			await openRepl(terminal);
			runCode(terminal, 'import os; os.environ["JUPYTERHUB_SERVER_NAME"]');
			expect(await terminal.until(/→ +'/)).toContain(`'${own}'`);
			expect(terminal.screen()).not.toContain(other);
		}
		const asked = await bob.command('run', 'of-ann', '-c', '1');
		expect([asked.code, asked.stdout, asked.stderr]).toEqual([
			3,
			'',
			'There is no server "of-ann". You have of-bob.\nsvc-tui servers lists them.\n',
		]);
	});

	test("a start that fails is reported with the hub's reason and what to do: by commands, in the list, in place of the workspace", async () => {
		await using ann = await newUser('ann');
		const REASON = 'The hub could not start it: the image for broken is missing';
		const made = await ann.command(
			'server',
			'create',
			'bad',
			'--environment',
			'broken',
			'--compute',
			'hub-small',
			'--wait',
		);
		expect([made.code, made.stderr]).toEqual([
			1,
			expect.stringMatching(
				new RegExp(
					`^"bad" did not become ready: it is offline.* ${REASON}\nsvc-tui server start bad --wait tries again\\.\n$`,
				),
			),
		]);
		const run = await ann.command('run', 'bad', '-c', '1');
		expect([run.code, run.stderr]).toEqual([
			1,
			`"bad" is offline. ${REASON}\nStart it first: svc-tui server start bad --wait\n`,
		]);
		await using terminal = await ann.open();
		await terminal.until(new RegExp(`▸ bad +○ offline[^]+Press s to start bad`));
		pressAction(terminal, 'servers', 'start');
		await terminal.until('Start bad?');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until('✗ bad did not start; it is offline again: The hub could not start it');
		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until(
			new RegExp(
				`bad is offline: its files, REPL and assistant need it running\\.\n +${REASON}\\.\n +Press s to start it\\.`,
			),
		);
	});

	test("a server killed without the hub's knowledge: the cell reports it, the screen follows, and it starts again from there with its files", async () => {
		await using ann = await newUser('ann');
		await ann.create('lab');
		await ann.command('run', 'lab', '-c', 'open("kept.txt", "w").write("kept")');
		await using terminal = await ann.open();
		await terminal.until(/lab +● ready/);
		await openRepl(terminal);
		await kill(ann, 'lab');
		runCode(terminal, '2+2');
		// After the failed cell the list is requested at once, not at the next poll half a minute
		// later.
		await terminal.until(/lab is offline: its files[^]+Press s to start it\./);
		const run = await ann.command('run', 'lab', '-c', '1');
		expect([run.code, run.stderr]).toEqual([
			1,
			'"lab" is offline.\nStart it first: svc-tui server start lab --wait\n',
		]);
		pressAction(terminal, 'offline', 'start');
		await terminal.until('Start lab?');
		pressAction(terminal, 'confirm', 'yes');
		expect(await terminal.until(/lab ● ready[^]+>>>/)).toMatch(
			/\[.\] +2\+2[^]+(does not\s+respond|no longer\s+responds|is offline)/,
		);
		runCode(terminal, 'open("kept.txt").read()');
		await terminal.until(/\[\d+\] [^]*→ +'kept'/);
	});

	test('a server is shut down at its own address, and the hub notices at its next poll: charging ends', async () => {
		await using ann = await newUser('ann');
		await ann.create('lab');
		await using terminal = await ann.open();
		await terminal.until(/lab +● ready/);
		await openRepl(terminal);
		runCode(terminal, 'print("be" + "fore")');
		await terminal.until(/^ +before$/m);
		pressAction(terminal, 'anywhere', 'commandLine');
		await terminal.until('Command');
		terminal.type('shutdown');
		await terminal.until(': shutdown');
		terminal.press('\r');
		expect(await terminal.until('Shut down lab?')).toContain('The server costs 0.10/h');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(/lab is offline: its files[^]+Press s to start it\./);
		await terminal.until('lab is offline: you no longer pay 0.10/h');
		// The kernels end one by one after their server has ended.
		await waitFor(async () => expect(await hub.processesOf(ann.name, 'lab')).toEqual([]));
	});

	test('while the hub is down the list keeps its rows and reports it; once the hub is back, its servers and their variables are there', async () => {
		await using ann = await newUser('ann');
		await ann.create('lab');
		await ann.command('run', 'lab', '-c', 'lasting = 42');
		await using terminal = await ann.open();
		await terminal.until(/lab +● ready/);
		await hub.stopHub();
		try {
			pressAction(terminal, 'global', 'refresh');
			const away = await terminal.until('The service failed. Try again');
			expect(away).toMatch(/lab +● ready/);
			expect(away.replaceAll(/\s+/g, ' ')).toMatch(
				/ old ─.* is unavailable \(503\): The JupyterHub at 127\.0\.0\.1:\d+ (cannot respond now|does not respond)[^.]*\. Try again soon\./,
			);
			const listed = await ann.command('servers');
			expect([listed.code, listed.stdout, listed.stderr]).toEqual([
				1,
				'',
				expect.stringMatching(/The JupyterHub at 127\.0\.0\.1:\d+ (cannot respond now|does not respond)/),
			]);
		} finally {
			await hub.startHub();
		}
		pressAction(terminal, 'global', 'refresh');
		await terminal.gone(' old ─');
		await terminal.until(/lab +● ready/);
		await openRepl(terminal);
		runCode(terminal, 'lasting');
		await terminal.until(/\[\d+\] [^]*→ +42/);
	});

	test("a cell's output comes as it is printed, over a token that opens this server only and ends with the service", async () => {
		await using ann = await newUser('ann');
		await ann.create('lab');
		await ann.create('other');
		await using terminal = await ann.open();
		await terminal.until(/lab +● ready/);
		await openRepl(terminal);
		await terminal.until(/REPL · lab · Python · live/);
		terminal.paste(
			'import os, time\nprint("first", flush=True)\nwhile not os.path.exists("go"): time.sleep(0.02)\nprint("second"); shared = 41',
		);
		pressAction(terminal, 'repl', 'run');
		expect(await terminal.until(/^ +first$/m)).toMatch(/\[\*]/);
		expect((await ann.command('run', 'other', '-c', '1')).code).toBe(0);
		const {stdout} = await ann.command('servers', '--json');
		const listed = JSON.parse(stdout) as readonly {readonly name: string; readonly token?: string}[];
		const token = listed.find(({name}) => name === 'lab')?.token ?? 'none';
		const ask = async (path: string): Promise<number> =>
			(await fetch(hub.url + path, {headers: {authorization: `token ${token}`}, redirect: 'manual'})).status;
		expect(await ask(`/user/${ann.name}/lab/api/contents/go`)).toBe(404);
		expect(await ask(`/user/${ann.name}/other/api/status`)).not.toBe(200);
		expect(await ask(`/hub/api/users/${ann.name}/tokens`)).not.toBe(200);
		expect(
			(
				await fetch(`${hub.url}/user/${ann.name}/lab/api/contents/go`, {
					method: 'PUT',
					headers: {authorization: `token ${token}`, 'content-type': 'application/json'},
					body: JSON.stringify({type: 'file', format: 'text', content: 'x'}),
				})
			).status,
		).toBe(201);
		await terminal.until(/^ +second$/m);
		expect((await ann.command('run', 'lab', '-c', 'print(shared + 1)')).stdout).toBe('42\n');
		expect(
			(await hub.tokensOf(ann.name)).filter(({note}) => note === 'svc-tui: lab').map(({scopes}) => scopes),
		).toEqual([expect.arrayContaining([`access:servers!server=${ann.name}/lab`])]);
		expect(terminal.screen()).not.toContain(token);
	});

	test("if the hub's token may not create others, the link names the missing scope", async () => {
		await using ann = await newUser('ann');
		await ann.create('lab');
		const key = await hub.tokenOf(ann.name, ['read:users!user', 'servers!user', 'access:servers!user']);
		const {body} = await local.call('GET', '/api/servers', undefined, {key});
		expect(body['servers']).toEqual([
			expect.objectContaining({
				token: null,
				token_reason:
					'your hub token lacks the scope "tokens": create one with it, or without selecting scopes',
			}),
		]);
	});

	test('a service that ends revokes the tokens that it made', async () => {
		await using ann = await newUser('ann');
		await ann.create('lab');
		const key = await hub.tokenOf(ann.name);
		{
			await using second = await localService({
				openEngine: undefined,
				engine: 'jupyterhub',
				hub: hub.url,
				apiKey: key,
				catalogueFile,
			});
			const {body} = await second.call('GET', '/api/servers', undefined, {key});
			expect(body['servers']).toEqual([expect.objectContaining({token: expect.any(String)})]);
		}
		const notes = (await hub.tokensOf(ann.name)).map(({note}) => note);
		// The token of the first service may be left.
		expect(notes.filter(note => note === 'svc-tui: lab').length).toBeLessThanOrEqual(1);
	});
});
