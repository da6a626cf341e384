// @module-tag long
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serviceFolder} from '../support/folders.ts';
import {pressAction} from '../support/press-action.ts';
import {processesUsing, type ProcessEntry} from '../support/processes.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import {defineHeld, openRepl, readCells, runCode, startWelcome} from './steps.ts';
import {waitFor} from '../support/wait-for.ts';

const SIZE = {columns: 90, rows: 30};

const services = async (home: Home): Promise<readonly ProcessEntry[]> =>
	(await processesUsing(home.folder)).filter(({command}) => /boot\.js serve/.test(command));
const engines = async (home: Home): Promise<readonly ProcessEntry[]> =>
	(await processesUsing(home.folder)).filter(({command}) => command.includes('engine.js'));

const untilNothingRuns = async (home: Home): Promise<void> => {
	await waitFor(async () => expect(await processesUsing(home.folder)).toEqual([]), {interval: 50});
};

/** Files of all servers, including temporary files of interrupted saves. */
const filesOf = (home: Home): readonly string[] =>
	readdirSync(join(serviceFolder(home), 'servers'), {recursive: true})
		.map(String)
		.map(path => path.replace(/^[^/]+\/?/, ''))
		.filter(path => path !== '')
		.sort();

const WELCOME_FILES = ['README.md', 'data', 'data/gpu-prices.csv', 'prices.ipynb', 'src', 'src/prices.py'];

test(
	'two programs on one home share the servers, and one continues when the other quits',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		await using first = await openProgram({home, ...SIZE});
		await startWelcome(first);
		await using second = await openProgram({home, ...SIZE});
		await second.until(/welcome \S ready/);
		expect(await services(home)).toHaveLength(1);
		await openRepl(first);
		runCode(first, 'shared = "one Python"');
		await first.until('[1]');
		await openRepl(second);
		runCode(second, 'shared');
		await second.until(/\[2\] [^]*→ +'one Python'/);

		pressAction(first, 'repl', 'leave');
		await first.until('esc servers');
		pressAction(first, 'global', 'quit');
		await expect(first.exit).resolves.toEqual({code: 0, signal: null});
		runCode(second, 'shared + ", still"');
		await second.until(/\[3\] [^]*→ +'one Python, still'/);
		expect(await engines(home)).not.toEqual([]);

		await readCells(second);
		await second.until('esc servers');
		pressAction(second, 'global', 'quit');
		await second.exit;
		await untilNothingRuns(home);
		expect(filesOf(home)).toEqual(WELCOME_FILES);
	},
);

test('nothing is left running when both programs are killed while code runs, and the next start has the same files', async () => {
	await using home = await newHome();
	{
		await using first = await openProgram({home, ...SIZE});
		await startWelcome(first);
		await using second = await openProgram({home, ...SIZE});
		await second.until(/welcome \S ready/);
		await openRepl(first);
		const {begun} = await defineHeld(first, home);
		runCode(first, 'open("kept.txt", "w").write("written before the kill\\n")');
		await first.until(/\[2\] [^]*→ +24/);
		runCode(first, 'held()');
		await begun();
		expect(await engines(home)).not.toEqual([]);
		first.kill('SIGKILL');
		second.kill('SIGKILL');
		await expect(first.exit).resolves.toEqual({code: 137, signal: 'SIGKILL'});
		await expect(second.exit).resolves.toEqual({code: 137, signal: 'SIGKILL'});
		await untilNothingRuns(home);
	}
	expect(filesOf(home)).toEqual([...WELCOME_FILES, 'begun', 'kept.txt'].sort());
	// Either program may have saved its location last, at a prompt or at the list of servers.
	await using again = await openProgram({home, args: ['--fresh'], ...SIZE});
	expect(await again.until(/welcome\s.*offline/)).toMatch(/Servers 1 /);
	await startWelcome(again);
	await openRepl(again);
	runCode(again, 'open("kept.txt").read()');
	await again.until("'written before the kill\\n'");
});

test('an endless loop ends too after the last program was killed', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	const {begun} = await defineHeld(terminal, home);
	terminal.type('open("go", "w").close(); held()');
	pressAction(terminal, 'repl', 'newline');
	terminal.type('while True: pass');
	pressAction(terminal, 'repl', 'newline');
	pressAction(terminal, 'repl', 'run');
	await begun();
	terminal.kill('SIGKILL');
	await terminal.exit;
	await untilNothingRuns(home);
});

test('when the service is killed the program reports it and restarts the service, and welcome can be started again', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 130, rows: 30});
	await startWelcome(terminal);
	const [service] = await services(home);
	expect(service).toBeDefined();
	process.kill(service!.pid, 'SIGKILL');
	await terminal.until(/The local service stopped and is restarting/);
	await terminal.until(/welcome\s.*offline/);
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, '6*7');
	await terminal.until(/\[1\] [^]*→ +42/);
	expect(await services(home)).toHaveLength(1);
});

test('a service that stops repeatedly is reported, and a key starts it', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 130, rows: 30});
	await terminal.until(/welcome\s.*offline/);
	let last = 0;
	for (let stop = 1; stop <= 4; stop++) {
		// The new service is running: it has another process id, and its list was loaded.
		await waitFor(async () => {
			const [service] = await services(home);
			if (service === undefined || service.pid === last) throw new Error('not started yet');
			last = service.pid;
		});
		await terminal.until(/local ●[^]*welcome\s.*offline/);
		process.kill(last, 'SIGKILL');
		// The message that the previous service stopped may still be visible.
		await terminal.gone(/local ●/);
		await terminal.until(
			stop < 4 ? /is restarting/ : /The local service stopped 4 times in one minute\.[^]*R restarts it/,
		);
		if (stop < 4) await terminal.until(/local ●/);
	}
	expect(terminal.screen()).not.toMatch(/network|Cannot reach/);
	pressAction(terminal, 'global', 'refresh');
	await terminal.until(/local ●[^]*welcome\s.*offline/);
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, '6*7');
	await terminal.until(/\[1\] [^]*→ +42/);
});

test('a cell that runs while the service is killed is shown as failed', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 130, rows: 30});
	await startWelcome(terminal);
	await openRepl(terminal);
	const {begun} = await defineHeld(terminal, home);
	runCode(terminal, 'held()');
	await begun();
	const [service] = await services(home);
	process.kill(service!.pid, 'SIGKILL');
	await terminal.until(/The local service stopped and is restarting/);
	await terminal.until(/is offline: its files, REPL and assistant need it running/);
	pressAction(terminal, 'offline', 'start');
	await terminal.until('Start welcome?');
	pressAction(terminal, 'confirm', 'yes');
	const screen = await terminal.until(/\[[^]*\] +held\(\)[^]*The connection to \S+ was lost before the re/);
	expect(screen).not.toContain('[*]');
	runCode(terminal, '6*7');
	await terminal.until(/\[1\] [^]*→ +42/);
});

test('a command beside the open program uses the same service', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'shared = 21');
	await terminal.until('[1]');
	const {stdout, code} = await runCommand(['run', 'welcome', '-'], {home, input: 'print(shared * 2)'});
	expect({stdout, code}).toEqual({stdout: '42\n', code: 0});
});
