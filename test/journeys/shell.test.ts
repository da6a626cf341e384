// @module-tag long
// A shell on Debian's Jupyter Server in a real terminal: full-screen programs, hostile output, and
// leftover processes.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {startHostileService, success} from '../faults/hostile-service.ts';
import {cuttingProxy} from '../support/cutting-proxy.ts';
import {localService, settings} from '../support/local-service.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {pressAction} from '../support/press-action.ts';
import {waitFor} from '../support/wait-for.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

const missing = findJupyter(process.env) === null;
if (missing) console.warn('\n*** SKIPPED: no shell: jupyter-server is not installed ***\n');

const JUPYTER = {SVC_ENGINE: 'jupyter'};
/** Opens a shell and sets a known prompt. */
const prompt = async (terminal: Terminal): Promise<void> => {
	await terminal.until(/[$#] $|[$#]$/m);
	terminal.type("PS1='there''> '\r");
	await terminal.until(/^there>/m);
};
/** Matches output of a shell. If text was typed ahead, the output follows the prompt. */
const printed = (line: string): RegExp => new RegExp(`^(?:there> )*${line} *$`, 'm');
const openShell = async (home: Home, args: readonly string[] = ['shell', 'welcome']): Promise<Terminal> => {
	const terminal = await openProgram({home, args, columns: 90, rows: 30, env: JUPYTER});
	await terminal.until('Shell on welcome. Type exit to leave; Enter, then ~. leaves');
	await prompt(terminal);
	return terminal;
};

test.skipIf(missing)(
	'size, Ctrl-C, vi, less and exit are as in any terminal, and leave it as it was',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using terminal = await openShell(home);
		terminal.type('stty size\r');
		await terminal.until(printed('30 90'));
		terminal.resize(100, 32);
		// The shell receives the size a moment later.
		terminal.type('until [ "$(stty size)" = "32 100" ]; do :; done; echo size-$((40+2))\r');
		await terminal.until(printed('size-42'));
		terminal.type('echo begun-$((40+2)); sleep 1000; echo never-$((40+2))\r');
		await terminal.until(printed('begun-42'));
		terminal.press('ctrl+c');
		await terminal.until(/\^C\n+there>/);
		terminal.type('echo status-$?\r');
		expect(await terminal.until(printed('status-130'))).not.toContain('never-42');

		terminal.type('vi notes.txt\r');
		await terminal.untilTrue('vi has the screen', () => terminal.modes().alternateScreen);
		await terminal.until(/^~ *$/m);
		terminal.type('iwritten in vi');
		await terminal.until(/^written in vi/m);
		terminal.press('esc');
		terminal.type(':wq\r');
		await terminal.untilTrue('vi has left the screen', () => !terminal.modes().alternateScreen);
		terminal.type('tr a-z A-Z < notes.txt\r');
		await terminal.until(printed('WRITTEN IN VI'));
		terminal.type('seq 500 | less\r');
		await terminal.untilTrue('less has the screen', () => terminal.modes().alternateScreen);
		terminal.type('G');
		await terminal.until(/^500 *$/m);
		terminal.type('q');
		await terminal.untilTrue('less has left the screen', () => !terminal.modes().alternateScreen);
		terminal.type('exit\r');
		expect(await terminal.exit).toEqual({code: 0, signal: null});
		expect(await terminal.leftovers()).toEqual([]);
	},
);

const HOSTILE = [
	'\u001B]52;c;aGVsbG8=\u0007',
	'\u001B]0;a title\u0007',
	'\u001B[c\u001B[6n\u001B[>q\u001B]11;?\u0007\u001BP$qm\u001B\\\u001BP+q544e\u001B\\',
	'\u001B_Gt=f,a=T;L2V0Yy9wYXNzd2Q=\u001B\\\u001B]1337;File=inline=1:AAAA\u0007',
	'\u009B6n\u009D52;c;aGk=\u009C',
	'\u001B[?1049h\u001B[?1003;1006h\u001B[?25l\u001B[?7l\u001B[5;20r\u001B(0',
].join('');

test.skipIf(missing)(
	'output makes the terminal reply nothing, and a signal leaves no mode behind',
	async () => {
		await using home = await newHome();
		writeFileSync(join(home.folder, 'hostile'), `${HOSTILE}\u001B(B\r\nend of it\r\n`);
		await using terminal = await openShell(home);
		expect(
			await runCommand(['files', 'put', 'welcome', join(home.folder, 'hostile'), 'hostile'], {home}),
		).toMatchObject({code: 0});
		const before = terminal.events.replies.length;
		terminal.type('cat hostile; printf "\\nafter-%d\\n" 42; cat\r');
		await terminal.until(/after-42/);
		expect(terminal.modes()).toMatchObject({alternateScreen: true, mouse: true, cursorVisible: false});
		// If the terminal had sent a reply, `cat` would show it before this text.
		terminal.type('echoed\r');
		await terminal.until(/echoed\s+echoed/);
		const {clipboard, titles, commands, controls, replies} = terminal.events;
		expect({clipboard, titles, commands, controls, replies: replies.slice(before)}).toEqual({
			clipboard: [],
			titles: [],
			commands: [],
			controls: [],
			replies: [],
		});
		terminal.kill('SIGTERM');
		expect(await terminal.exit).toMatchObject({code: 143});
		expect(await terminal.leftovers()).toEqual([]);
	},
);

test.skipIf(missing)('the keys for it leave a program that hangs, and end the shell there', async () => {
	await using home = await newHome();
	// This program keeps the service running.
	await using other = await openShell(home);
	await using terminal = await openShell(home);
	const terminals =
		'import os, urllib.request, json, glob\nfor f in glob.glob(os.environ["JUPYTER_RUNTIME_DIR"] + "/jpserver-*.json"):\n s = json.load(open(f)); print(len(json.load(urllib.request.urlopen(urllib.request.Request(s["url"] + "api/terminals", headers={"authorization": "token " + s["token"]})))))';
	expect(await runCommand(['run', 'welcome', '-c', terminals], {home})).toMatchObject({stdout: '2\n'});
	terminal.type('vi\r');
	await terminal.untilTrue('vi has the screen', () => terminal.modes().alternateScreen);
	terminal.type('\r~.');
	expect(await terminal.exit).toMatchObject({code: 0});
	expect(terminal.screen()).toContain('Left the shell on welcome and closed it.');
	expect(await terminal.leftovers()).toEqual([]);
	expect(await runCommand(['run', 'welcome', '-c', terminals], {home})).toMatchObject({stdout: '1\n'});
	other.type('echo here-$((40+2))\r');
	await other.until(printed('here-42'));
});

test.skipIf(missing)(
	'a broken connection is reported and reopened to the same shell; a closed shell is reported',
	async () => {
		await using home = await newHome();
		await using local = await localService({openEngine: undefined, engine: 'jupyter'});
		await local.call('POST', '/api/servers/welcome/start', settings);
		await local.until('welcome', 'ready');
		const {body} = await local.call('GET', '/api/servers');
		const [server] = body['servers'] as readonly {url: string; token: string}[];
		const address = new URL(server!.url);
		const {token} = server!;
		await using proxy = await cuttingProxy(Number(address.port));
		const direct = address.href;
		address.port = String(proxy.port);
		await using foreign = await startHostileService({
			servers: () => success({servers: [{...server!, url: address.href}]}),
		});
		await using terminal = await openProgram({
			home,
			args: ['shell', 'welcome', '--base-url', foreign.baseUrl],
			env: {SVC_API_KEY: 'a-key'},
		});
		await prompt(terminal);
		terminal.type('kept=$((40+2)); vi\r');
		await terminal.untilTrue('vi has the screen', () => terminal.modes().alternateScreen);
		await terminal.until(/^~ *$/m);
		proxy.tear();
		await terminal.until('Connection lost; reconnecting');
		// The earlier output has been replayed.
		await terminal.gone('Connection lost');
		await terminal.untilTrue('vi is there again', () => terminal.modes().alternateScreen);
		terminal.press('esc');
		terminal.type(':q\r');
		await terminal.untilTrue('vi has left the screen', () => !terminal.modes().alternateScreen);
		terminal.type('echo kept-$kept\r');
		await terminal.until(printed('kept-42'));

		const ask = async (method: string, path: string): Promise<Response> =>
			fetch(new URL(`api/terminals${path}`, direct), {method, headers: {authorization: `token ${token}`}});
		const [{name} = {name: ''}] = (await (await ask('GET', '')).json()) as {name: string}[];
		proxy.tear();
		await ask('DELETE', `/${name}`);
		expect(await terminal.exit).toMatchObject({code: 5});
		await waitFor(() =>
			expect(terminal.screen()).toContain(
				'The shell on welcome is gone: the server closed it or was restarted.',
			),
		);
		expect(await terminal.leftovers()).toEqual([]);
	},
);

test.skipIf(missing)(':shell replaces the screens, which keep working and return unchanged', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 30, env: JUPYTER});
	await startWelcome(terminal);
	await openRepl(terminal);
	await terminal.until(/REPL · welcome · Python · live/);
	runCode(
		terminal,
		'import os, time; exec("while not os.path.exists(\\"go\\"): time.sleep(0.02)"); print("went " + "on")',
	);
	await terminal.until(/\[\*]/);
	terminal.type('half a line');
	await terminal.until('>>> half a line');
	pressAction(terminal, 'anywhere', 'commandLine');
	await terminal.until('Command');
	terminal.type('shell');
	terminal.press('enter');
	await terminal.until('Shell on welcome. Type exit to leave');
	expect(terminal.modes().alternateScreen).toBe(false);
	await prompt(terminal);
	terminal.type('vi\r');
	await terminal.untilTrue('vi has the screen', () => terminal.modes().alternateScreen);
	await terminal.until(/^~ *$/m);
	terminal.type(':q\r');
	await terminal.untilTrue('vi has left the screen', () => !terminal.modes().alternateScreen);
	terminal.type('touch go; echo touched-$((40+2))\r');
	await terminal.until(printed('touched-42'));
	terminal.type('exit\r');
	const after = await terminal.until(/^ +went on$/m);
	expect(after).toContain('>>> half a line');
	expect(after).not.toContain('there>');
	pressAction(terminal, 'anywhere', 'quit');
	expect(await terminal.exit).toMatchObject({code: 0});
	expect(await terminal.leftovers()).toEqual([]);
});

test.skipIf(missing)('a signal in the middle of :shell leaves no mode behind', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 30, env: JUPYTER});
	await startWelcome(terminal);
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Command');
	terminal.type('shell');
	terminal.press('enter');
	await terminal.until('Shell on welcome. Type exit to leave');
	await prompt(terminal);
	terminal.type('vi\r');
	await terminal.untilTrue('vi has the screen', () => terminal.modes().alternateScreen);
	await terminal.until(/^~ *$/m);
	terminal.kill('SIGTERM');
	expect(await terminal.exit).toMatchObject({code: 143});
	expect(await terminal.leftovers()).toEqual([]);
});

test('without a shell the command reports that, and an alternative', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, args: ['shell', 'welcome'], env: {SVC_ENGINE: 'embedded'}});
	expect(await terminal.exit).toMatchObject({code: 1});
	expect(terminal.screen()).toContain('There is no shell on "welcome": it offers no terminals.');
	for (const args of [
		['shell', 'welcome'],
		['shell', 'welcome', '--json'],
	]) {
		const {code, stderr} = await runCommand(args, {home});
		expect(code).toBe(2);
		expect(stderr).toContain('use svc-tui run welcome -c CODE');
	}
});
