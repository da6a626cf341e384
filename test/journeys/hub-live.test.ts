// @module-tag long
// Functions that use a server's own address, on the servers of a real JupyterHub: through the hub's
// proxy, with the token that our service creates.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parquetWriteBuffer} from 'hyparquet-writer';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../support/hub.ts';
import {hubCatalogue, usersOf, type NewUser, type User} from '../support/hub-users.ts';
import {cuttingProxy} from '../support/cutting-proxy.ts';
import {localService, type LocalService} from '../support/local-service.ts';
import {pressAction} from '../support/press-action.ts';
import {openProgram, runCommand} from '../support/program.ts';
import {tempFolder} from '../support/temp-folder.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {openRepl, readCells, runCode} from './steps.ts';

if (hubMissing !== null)
	console.warn(`\n*** SKIPPED: no live link to a JupyterHub's server: ${hubMissing} ***\n`);

const command = async (terminal: Terminal, line: string): Promise<void> => {
	pressAction(terminal, 'anywhere', 'commandLine');
	await terminal.until('Command');
	terminal.type(line);
	await terminal.until(`: ${line}`);
	terminal.press('enter');
};
/** Opens a shell and sets a known prompt. */
const prompt = async (terminal: Terminal): Promise<void> => {
	await terminal.until(/[$#] $|[$#]$/m);
	terminal.type("PS1='there''> '\r");
	await terminal.until(/^there>/m);
};

describe.skipIf(hubMissing !== null)('on a server of a JupyterHub', () => {
	let hub: TestHub;
	let local: LocalService;
	let newUser: NewUser;
	const temp = tempFolder();
	const catalogueFile = join(temp.path, 'catalogue.json');
	beforeAll(async () => {
		hub = await startHub({SVC_TEST_HUB_FORGETS: 'yes'});
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

	const liveRepl = async (user: User): Promise<Terminal> => {
		await user.create('lab');
		const terminal = await user.open(40);
		await terminal.until(/lab +● ready/);
		await openRepl(terminal);
		await terminal.until(/REPL · lab · Python · live/);
		return terminal;
	};

	test('the first Tab asks the kernel, Shift-Tab shows the documentation, and a cell receives its input', async () => {
		await using ann = await newUser('ann');
		await using terminal = await liveRepl(ann);
		runCode(terminal, 'litter = {"rex": 1, "rover": 2}');
		await terminal.until('[1]');
		terminal.type('litter["r');
		await terminal.until('>>> litter["r');
		pressAction(terminal, 'repl', 'complete');
		await terminal.until(/▸ rex [^]*rover /);
		pressAction(terminal, 'completions', 'close');
		await terminal.gone('▸ rex');
		pressAction(terminal, 'repl', 'killToStart');
		await terminal.until(/^ >>> *$/m);
		terminal.type('sorted(');
		await terminal.until('>>> sorted(');
		pressAction(terminal, 'repl', 'inspect');
		await terminal.until(/── documentation[^]*Signature:[^]*reverse/);
		pressAction(terminal, 'documentation', 'close');
		await terminal.gone('── documentation');
		pressAction(terminal, 'repl', 'killToStart');
		await terminal.until(/^ >>> *$/m);
		expect(terminal.screen()).not.toContain('[2]');

		let drawn = '';
		terminal.onOutput(chunk => {
			drawn += chunk;
		});
		runCode(
			terminal,
			'from getpass import getpass; n = input("name? "); w = getpass("word? "); print(n, len(w))',
		);
		expect(await terminal.until(/^ answer: /m)).toMatch(/^ +name\? *$/m);
		terminal.type('Zoe');
		await terminal.until(/^ answer: Zoe/m);
		pressAction(terminal, 'answer', 'answer');
		await terminal.until(/^ hidden: /m);
		terminal.type('hunter-0815');
		await terminal.until(/^ hidden: \*{11}$/m);
		pressAction(terminal, 'answer', 'answer');
		await terminal.until(/^ +name\? Zoe\n +word\? *\n +Zoe 11$/m);
		expect(drawn).not.toContain('hunter-0815');
	});

	test('a result opens as a table from the kernel, variables are listed, opened and deleted', async () => {
		await using ann = await newUser('ann');
		await using terminal = await liveRepl(ann);
		runCode(terminal, 'rows = [{"id": n, "half": n / 2} for n in range(5000)]; rows');
		await terminal.until(/ \.\.\.]$/m);
		await readCells(terminal);
		pressAction(terminal, 'cells', 'table');
		await terminal.until(/rows {2}2 columns[─ ]+1\/5,000/);
		pressAction(terminal, 'tableRows', 'last');
		await terminal.until(/5,000\/5,000[^]*4999 +2499\.5/);
		pressAction(terminal, 'tableRows', 'sort');
		await terminal.until('sorted by id ↑');
		pressAction(terminal, 'tableRows', 'sort');
		await terminal.until(/sorted by id ↓[^]*▸ *4999 +4999 +2499\.5/);
		expect(await ann.command('run', 'lab', '-c', 'rows[4999]["half"] = -1')).toMatchObject({code: 0});
		pressAction(terminal, 'tableRows', 'facts');
		await terminal.until(/rows has changed: R reads it again/);
		pressAction(terminal, 'tableRows', 'reload');
		await terminal.gone('has changed');
		pressAction(terminal, 'tableRows', 'close');
		await terminal.until('⏎ type code');
		pressAction(terminal, 'cells', 'variables');
		await terminal.until(/rows +list +5,000 +[\d.]+ [KM] +\[\{'id': 0/);
		pressAction(terminal, 'variables', 'open');
		await terminal.until(/rows {2}2 columns[─ ]+1\/5,000/);
		pressAction(terminal, 'tableRows', 'close');
		await terminal.until('Variables of the REPL');
		pressAction(terminal, 'variables', 'remove');
		await terminal.until('Delete rows?');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until('rows is deleted');
		await terminal.until('The kernel holds no variables yet');
	});

	test('files of tables open, and a column is drawn', async () => {
		await using ann = await newUser('ann');
		await using terminal = await liveRepl(ann);
		const columns = [
			{name: 'id', data: Array.from({length: 5000}, (_, at) => at), type: 'INT32'},
			{name: 'city', data: Array.from({length: 5000}, (_, at) => `city ${at % 7}`), type: 'STRING'},
		] as const;
		const prices = Array.from({length: 90}, (_, day) => `${day},${day * 10}\n`).join('');
		writeFileSync(join(temp.path, 'a.csv'), `day,price\n${prices}`);
		writeFileSync(join(temp.path, 'b.parquet'), Buffer.from(parquetWriteBuffer({columnData: [...columns]})));
		for (const name of ['a.csv', 'b.parquet'])
			expect(await ann.command('files', 'put', 'lab', join(temp.path, name), name)).toMatchObject({code: 0});
		await command(terminal, 'file b.parquet');
		await terminal.until(/b\.parquet ─[^]*t opens it as a table/);
		pressAction(terminal, 'viewer', 'table');
		await terminal.until(/b\.parquet {2}2 columns · int32[─ ]+1\/5,000[^]*4 +3 +city 3/);
		pressAction(terminal, 'tableRows', 'close');
		await terminal.until('t opens it as a table');
		await command(terminal, 'file a.csv');
		await terminal.until(/columns, t table, v source/);
		pressAction(terminal, 'viewer', 'table');
		await terminal.until(/a\.csv {2}2 columns/);
		pressAction(terminal, 'tableRows', 'right');
		pressAction(terminal, 'tableRows', 'chart');
		await terminal.until(/price {2}histogram · 90 values/);
		pressAction(terminal, 'tableChart', 'kind');
		await terminal.until(/price by row {2}line · 90 points[^]*[▀-▟]/u);
	});

	test('its kernels are listed and interrupted, and :restart starts a new one', async () => {
		await using ann = await newUser('ann');
		await using terminal = await liveRepl(ann);
		runCode(terminal, 'x = 41; print("be" + "gun", flush=True)\nwhile True: pass\n');
		pressAction(terminal, 'repl', 'run');
		await terminal.until(/^ +begun$/m);
		await command(terminal, 'kernels');
		await terminal.until(/Kernels of lab[^]*▸ python3 +busy +this REPL/);
		pressAction(terminal, 'kernels', 'interrupt');
		await terminal.until(/▸ python3 +idle/);
		pressAction(terminal, 'kernels', 'close');
		await terminal.gone('Kernels of lab');
		await terminal.until('KeyboardInterrupt');
		runCode(terminal, 'x + 1');
		await terminal.until(/\[\d+\] [^]*→ +42$/m);
		await command(terminal, 'restart');
		await terminal.until('Restart the kernel of the REPL?');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until('The kernel of lab was restarted');
		runCode(terminal, 'x + 2');
		expect(await terminal.until('NameError')).toMatch(/42\n[^]*new kernel: variables above are gone/);
	});

	test('a shell on it opens by the command and in the place of the screens, which come back as they were', async () => {
		await using ann = await newUser('ann');
		await using terminal = await liveRepl(ann);
		terminal.type('half a line');
		await terminal.until('>>> half a line');
		await command(terminal, 'shell');
		await terminal.until('Shell on lab. Type exit to leave');
		await prompt(terminal);
		terminal.type('echo made-$((40+2)) > "$JUPYTER_SERVER_ROOT/made.txt"; vi\r');
		await terminal.untilTrue('vi has the screen', () => terminal.modes().alternateScreen);
		await terminal.until(/^~ *$/m);
		terminal.type(':q\r');
		await terminal.untilTrue('vi has left the screen', () => !terminal.modes().alternateScreen);
		terminal.type('exit\r');
		await terminal.until('>>> half a line');
		expect(await ann.command('run', 'lab', '-c', 'print(open("made.txt").read(), end="")')).toMatchObject({
			code: 0,
			stdout: 'made-42\n',
		});
		pressAction(terminal, 'anywhere', 'quit');
		expect(await terminal.exit).toMatchObject({code: 0});
		expect(await terminal.leftovers()).toEqual([]);

		await using shell = await ann.open(24, ['shell', 'lab']);
		await prompt(shell);
		shell.type('cat "$JUPYTER_SERVER_ROOT/made.txt"\r');
		await shell.until(/^made-42$/m);
		shell.type('exit\r');
		expect(await shell.exit).toMatchObject({code: 0});
	});

	test("it is attached to a user's own list by the command and by :attach, and works there", async () => {
		await using ann = await newUser('ann');
		await ann.create('lab');
		await ann.create('other');
		const token = await hub.tokenOf(ann.name);
		const page = (server: string): string => `${hub.url}/user/${ann.name}/${server}/lab/tree/a.ipynb`;
		const {home} = ann;
		expect(
			await runCommand(['attach', '--name', 'mine'], {home, input: `${page('lab')}\n${token}\n`}),
		).toMatchObject({code: 0, stderr: ''});
		await using terminal = await openProgram({home, columns: 90, rows: 40});
		await terminal.until(/mine +● ready/);
		await command(terminal, 'attach of-hub');
		await terminal.until('Attach a Jupyter Server as of-hub');
		terminal.paste(`${page('other')}?token=${token}`);
		await terminal.until(/address +\*{20}/);
		pressAction(terminal, 'attach', 'accept');
		await terminal.until('of-hub is attached');
		await terminal.until(/of-hub +● ready/);
		await command(terminal, 'open of-hub');
		await terminal.until(/of-hub ● ready/);
		await openRepl(terminal);
		await terminal.until(/REPL · of-hub · Python · live/);
		runCode(terminal, 'import os; os.environ["JUPYTERHUB_SERVER_NAME"]');
		await terminal.until(/\[\d+\] [^]*→ +'other'$/m);
		expect(await runCommand(['run', 'mine', '-c', 'import os; print(os.getcwd())'], {home})).toMatchObject({
			code: 0,
			stdout: `${hub.folder}/home/${ann.name}/lab\n`,
		});
		await command(terminal, 'detach of-hub');
		await terminal.until('of-hub was removed from the list. Nothing was stopped there');
		expect((await ann.command('run', 'other', '-c', 'print(6 * 7)')).stdout).toBe('42\n');
		expect(terminal.screen()).not.toContain(token);
	});

	test('a token whose time is over in the middle of a cell is renewed: all its output comes, it runs once, and nothing counts as lost', async () => {
		await using proxy = await cuttingProxy(Number(new URL(hub.url).port));
		const url = `http://127.0.0.1:${proxy.port}`;
		await using short = await localService({
			openEngine: undefined,
			engine: 'jupyterhub',
			hub: url,
			apiKey: await hub.tokenOf('operator-of-short'),
			catalogueFile,
			tokenLife: 20,
		});
		await using ann = await usersOf({...hub, url}, short)('of-short');
		await using terminal = await liveRepl(ann);
		const made = async (): Promise<readonly string[]> =>
			(await hub.tokensOf(ann.name)).filter(({note}) => note === 'svc-tui: lab').map(({id}) => id);
		terminal.paste(
			'import os, time\nprint("ran", file=open("runs.txt", "a"))\nprint("first", flush=True)\nwhile not os.path.exists("go"): time.sleep(0.02)\nfor i in range(12): print("n", i, flush=True)\nshared = 41',
		);
		pressAction(terminal, 'repl', 'run');
		await terminal.until(/^ +first$/m);
		const old = await made();
		expect(old.length).toBeGreaterThan(0);
		await waitFor(async () => expect((await made()).filter(id => old.includes(id))).toEqual([]), {
			interval: 200,
		});
		pressAction(terminal, 'anywhere', 'servers');
		await terminal.until(/▸ lab +● ready/);
		pressAction(terminal, 'global', 'refresh');
		// The list now contains another token, and the cell continues.
		await waitFor(async () => expect((await made()).length).toBeGreaterThan(0), {interval: 200});
		pressAction(terminal, 'anywhere', 'repl');
		expect(await terminal.until(/^ +first$/m)).toMatch(/\[\*]/);
		const channels = proxy.channels();
		proxy.tear();
		// Waits, because Jupyter Server may lose a message that arrives while a client reconnects.
		await waitFor(() => expect(proxy.channels()).toBeGreaterThan(channels));
		expect((await runCommand(['files', 'put', 'lab', '-', 'go'], {...ann.place, input: 'x'})).code).toBe(0);
		const lines = Array.from({length: 12}, (_, line) => `       n ${line}\n`).join('');
		const after = await terminal.until(/^ +n 11$/m);
		expect(after).toContain(` first\n${lines}`);
		await terminal.until('[1]');
		expect(terminal.screen()).not.toMatch(/missing|lost|not known/);
		await terminal.until(/REPL · lab · Python · live/);
		runCode(terminal, 'print(open("runs.txt").read().split(), shared + 1)');
		await terminal.until(/^ +\['ran'] 42$/m);
		runCode(terminal, 'print("be" + "gun", flush=True); time.sleep(600)');
		await terminal.until(/^ +begun$/m);
		pressAction(terminal, 'repl', 'leave');
		await terminal.until(/esc interrupt the cell/);
		pressAction(terminal, 'repl', 'leave');
		await terminal.until('KeyboardInterrupt');
	});
});
