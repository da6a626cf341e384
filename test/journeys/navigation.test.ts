import {expect, test} from 'vitest';
import {serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {share} from '../support/share.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

/** A program with the local service, whose server is not running. */
const shared = share(async stack => {
	const home = stack.use(await newHome());
	const terminal = stack.use(await openProgram({home}));
	await terminal.until(/welcome\s.*offline/);
	return terminal;
});

/** The program on the screen of servers, without a dialog. */
const onServers = async (): ReturnType<typeof shared> => {
	const terminal = await shared();
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until(/welcome\s.*offline/);
	return terminal;
};

test('the palette finds an action of another screen by a part of its name and does it there', async () => {
	const terminal = await onServers();
	pressAction(terminal, 'anywhere', 'palette');
	await terminal.until('Find anything');
	terminal.type('avail');
	await terminal.until(/Available only {3}Compute +fa /);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/Compute \d+ of [^]*avail/);
	await terminal.gone('Find anything');
});

test('the palette finds synonyms, and the commands without a key', async () => {
	const terminal = await onServers();
	pressAction(terminal, 'anywhere', 'palette');
	await terminal.until('Find anything');
	terminal.type('ipynb');
	await terminal.until(/Write the session to a file {3}REPL, reading/);
	pressAction(terminal, 'chooser', 'killToStart');
	terminal.type('restart');
	await terminal.until(/Restart the kernel of the focused document +Space k r +:restart/);
	pressAction(terminal, 'chooser', 'killToStart');
	terminal.type('profile');
	await terminal.until(/Switch to another profile +:profile/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('╭ Profiles ');
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('╭ Profiles ');
});

test('an action that needs a ready server gives the reason when it is chosen', {tags: 'long'}, async () => {
	const terminal = await onServers();
	pressAction(terminal, 'anywhere', 'palette');
	await terminal.until('Find anything');
	terminal.type('type code');
	await terminal.until(/Type code {3}REPL, reading/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('needs a ready server');
});

test('the command line suggests commands and servers, completes with Tab, and remembers earlier commands', async () => {
	await using service = await startHostileService();
	service.answer({
		servers: () =>
			success({
				servers: [
					serverItem('one', {status: 'offline'}),
					serverItem('trainer', {status: 'offline'}),
					serverItem('third'),
				],
			}),
	});
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/third +● ready/);
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until(/─ Command /);
	terminal.type('sta');
	await terminal.until(/start \[server\]/);
	pressAction(terminal, 'chooser', 'complete');
	await terminal.until(/start one[^]*start trainer/);
	expect(terminal.screen()).not.toContain('start third');
	terminal.type('tr');
	await terminal.gone('start one');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('Start trainer?');
	pressAction(terminal, 'confirm', 'no');
	await terminal.gone('Start trainer?');
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until(/Before[^]*start trainer/);
	terminal.type('start third');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('third is ready: there is nothing to start');
	terminal.type(':servers tra');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/Servers 1 of 3 .*\/ tra/);
});

test('help lists the keys of the screen, finds one by its words and runs it', async () => {
	const terminal = await onServers();
	pressAction(terminal, 'global', 'help');
	await terminal.until(/On Servers {3}s start/);
	pressAction(terminal, 'chooser', 'complete');
	await terminal.until(/╭ All keys ─[^]*Move up/);
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('All keys');
	pressAction(terminal, 'global', 'help');
	await terminal.until('Type to search all');
	terminal.type('previous screen');
	await terminal.until(/Previous screen +- /);
	pressAction(terminal, 'chooser', 'close');
	await terminal.gone('╭ Keys ─');
	pressAction(terminal, 'global', 'compute');
	await terminal.until('Price /h');
	pressAction(terminal, 'global', 'help');
	terminal.type('previous screen');
	await terminal.until(/Previous screen +- /);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/Compute +Environment/);
	pressAction(terminal, 'global', 'lastView');
	await terminal.until('Price /h');
});

test(
	'the calls to the service are listed and can be copied as curl without the key',
	{tags: 'long'},
	async () => {
		await using service = await startHostileService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: service.env});
		let sent = '';
		terminal.onOutput(chunk => {
			sent += chunk;
		});
		await terminal.until(/calm +● ready/);
		pressAction(terminal, 'anywhere', 'requests');
		await terminal.until(/GET +\/api\/servers .*200 +\d+ ms/);
		pressAction(terminal, 'requests', 'last');
		pressAction(terminal, 'requests', 'copy');
		await terminal.until('The curl command was sent to the terminal; if nothing arrived');
		const copied = Buffer.from(/\u001B\]52;c;([^\u0007]*)/.exec(sent)?.[1] ?? '', 'base64').toString();
		expect(copied).toBe(`curl '${service.baseUrl}/api/servers' -H "apiKey: $SVC_API_KEY"`);
	},
);

test('a call that takes too long can be cancelled from the list of calls', {tags: 'long'}, async () => {
	await using service = await startHostileService({run: () => new Promise<never>(() => {})});
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/calm \S ready/);
	await openRepl(terminal);
	runCode(terminal, '1');
	await terminal.until(/\[[ *]\]|running/);
	pressAction(terminal, 'anywhere', 'requests');
	await terminal.until(/◌ {2}POST +\/api\/servers\/calm\/run-code/);
	pressAction(terminal, 'requests', 'cancel');
	await terminal.until(/POST +\/api\/servers\/calm\/run-code +cancelled/);
	pressAction(terminal, 'requests', 'cancel');
	await terminal.until('This request has already finished');
});

test("the program's notices stay in the messages", {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'servers', 'showAll');
	await terminal.until('No filter is set');
	pressAction(terminal, 'anywhere', 'messages');
	await terminal.until(/Messages ─[^]*◇ No filter is set: all rows are shown +\d\d:\d\d:\d\d[^]*1 since/);
});

test('a pane fills the screen and comes back beside the others', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 200, rows: 40});
	await startWelcome(terminal);
	await openRepl(terminal);
	await terminal.until(/REPL · welcome.*Assistant · welcome/);
	pressAction(terminal, 'anywhere', 'zoom');
	await terminal.gone('Assistant · welcome');
	expect(terminal.screen()).toContain('REPL · welcome');
	pressAction(terminal, 'anywhere', 'zoom');
	await terminal.until(/REPL · welcome.*Assistant · welcome/);
});
