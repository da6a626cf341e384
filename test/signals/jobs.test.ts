import {dirname} from 'node:path';
import {expect, test} from 'vitest';
import {defineHeld, openRepl, runCode, startWelcome} from '../journeys/steps.ts';
import {openJobShell, processState, PROMPT, type JobShell} from '../support/job-shell.ts';
import {pressAction} from '../support/press-action.ts';
import {processesUsing} from '../support/processes.ts';
import {newHome, openProgram, PROGRAM, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {testRows} from '../support/rows.ts';
import {waitFor} from '../support/wait-for.ts';
import {isTitleRule} from '../support/title-rule.ts';

const REPOSITORY = dirname(dirname(PROGRAM));
const BASH = ['bash', '--norc', '--noprofile', '-i'];
/** This shell does not reset the terminal, so the terminal line is as the program leaves it. */
const DASH = ['dash', '-i'];

const onMain = {
	alternateScreen: false,
	cursorVisible: true,
	autoWrap: true,
	bracketedPaste: false,
	kittyKeyboard: 0,
	keys: [],
};
const onProgram = {
	alternateScreen: true,
	autoWrap: false,
	bracketedPaste: true,
	keys: ['1036', '1039', 'modifyOtherKeys'],
};

const untilState = async (pid: number, state: RegExp): Promise<void> => {
	await waitFor(async () => expect(await processState(pid)).toMatch(state), {interval: 20});
};

const serviceState = async (home: Home): Promise<string | undefined> => {
	const [service] = (await processesUsing(home.folder)).filter(({command}) => /boot\.js serve/.test(command));
	return service && processState(service.pid);
};

const expectShell = async ({terminal, answers}: JobShell): Promise<void> => {
	await terminal.untilTrue(
		'a prompt on the main screen',
		() => !terminal.modes().alternateScreen && terminal.screen().trimEnd().endsWith(PROMPT.trim()),
	);
	expect(terminal.modes()).toMatchObject(onMain);
	await answers();
};

const expectProgram = async (terminal: Terminal): Promise<void> => {
	await terminal.until(/welcome\s[^]*⏎ open/);
	// Suspending and resuming may each redraw everything.
	await waitFor(() => {
		expect(terminal.modes()).toMatchObject(onProgram);
		expect(terminal.line(0)).toMatch(/^ svc-tui .*6 Assistant/);
		expect(isTitleRule(terminal.line(1), 120), terminal.line(1)).toBe(true);
		expect(terminal.screen()).not.toContain(PROMPT);
	});
	pressAction(terminal, 'global', 'compute');
	await terminal.until('Price /h');
	pressAction(terminal, 'global', 'servers');
	await terminal.until('⏎ open');
};

const quit = async ({terminal}: JobShell): Promise<void> => {
	pressAction(terminal, 'global', 'quit');
	await terminal.untilTrue(
		'a prompt on the main screen',
		() => !terminal.modes().alternateScreen && terminal.screen().trimEnd().endsWith(PROMPT.trim()),
	);
	expect(terminal.modes()).toMatchObject(onMain);
};

const stops: ReadonlyArray<readonly [how: string, stop: (shell: JobShell, pid: number) => void]> = [
	['Ctrl-Z', ({terminal}) => pressAction(terminal, 'always', 'suspend')],
	['kill -TSTP', (_, pid) => process.kill(pid, 'SIGTSTP')],
];
const starts: ReadonlyArray<readonly [shell: string, command: readonly string[], line: string]> = [
	['bash', BASH, PROGRAM],
	['a shell that repairs nothing', DASH, PROGRAM],
	['bash and npm start', BASH, 'npm start'],
];
const cases = starts.flatMap(([shell, command, line]) =>
	stops.map(([how, stop]) => ({shell, command, line, how, stop})),
);

test.each(cases)(
	'below $shell, $how gives a usable shell, and fg restores the program',
	{tags: 'long'},
	async ({command, line, stop}) => {
		await using home = await newHome();
		await using shell = await openJobShell(home, command, REPOSITORY);
		const {terminal} = shell;
		const before = await shell.lineSettings();
		await shell.run(line, /welcome\s.*offline/);
		const pid = await shell.programPid();
		for (let round = 0; round < 2; round++) {
			stop(shell, pid);
			await untilState(pid, /T/);
			await expectShell(shell);
			expect(await shell.lineSettings()).toBe(before);
			expect(await serviceState(home)).toMatch(/[SRD]/);
			terminal.type('fg\r');
			await untilState(pid, /[SR]/);
			await expectProgram(terminal);
		}
		await quit(shell);
		expect(await shell.lineSettings()).toBe(before);
		await shell.run('exit', /exit/);
		await terminal.exit;
	},
);

test(
	'below bash, kill -STOP leaves the terminal as it is, and fg repairs everything',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using shell = await openJobShell(home, BASH);
		const {terminal} = shell;
		const before = await shell.lineSettings();
		await shell.run(PROGRAM, /welcome\s.*offline/);
		const pid = await shell.programPid();
		for (let round = 0; round < 2; round++) {
			process.kill(pid, 'SIGSTOP');
			await untilState(pid, /T/);
			await shell.run('echo rubbish-$((40 + 2))', 'rubbish-42');
			terminal.type('fg\r');
			await terminal.gone('rubbish');
			await expectProgram(terminal);
			expect(terminal.modes()).toMatchObject({cursorVisible: false});
		}
		await quit(shell);
		expect(await shell.lineSettings()).toBe(before);
		terminal.type('exit\r');
		await terminal.exit;
	},
);

test('a stopped program can be put in the background, where it waits, and returns with fg', async () => {
	await using home = await newHome();
	await using shell = await openJobShell(home, BASH);
	const {terminal} = shell;
	await shell.run(PROGRAM, /welcome\s.*offline/);
	const pid = await shell.programPid();
	pressAction(terminal, 'always', 'suspend');
	await untilState(pid, /T/);
	await expectShell(shell);
	await shell.run('bg; echo went-$((40 + 2))', 'went-42');
	await untilState(pid, /T/);
	// The threads of a process stop one by one. Until the last one has stopped, bash considers the
	// job running, and its `fg` would resume nothing.
	await shell.run('until [ "$(jobs -s)" ]; do sleep 0.05; done; echo waits-$((40 + 2))', 'waits-42');
	await expectShell(shell);
	terminal.type('fg\r');
	await expectProgram(terminal);
	await quit(shell);
	terminal.type('exit\r');
	await terminal.exit;
});

const SIZES = [
	['smaller', 90, 28],
	['larger', 150, 45],
] as const;
testRows(
	'a terminal that was made %s while the program was stopped is filled after fg',
	SIZES,
	1,
	async ([_, columns, rows]) => {
		await using home = await newHome();
		await using shell = await openJobShell(home, BASH);
		const {terminal} = shell;
		await shell.run('echo before-$((40 + 2))', 'before-42');
		await shell.run(PROGRAM, /welcome\s.*offline/);
		const pid = await shell.programPid();
		for (const [how, width, height] of [
			['SIGTSTP', columns, rows],
			['SIGSTOP', 120, 40],
		] as const) {
			process.kill(pid, how);
			await untilState(pid, /T/);
			terminal.resize(width, height);
			await shell.run('echo waits-$((40 + 2))', 'waits-42');
			terminal.type('fg\r');
			await waitFor(() => {
				expect(isTitleRule(terminal.line(1), width), terminal.line(1)).toBe(true);
				expect(terminal.line(height - 1)).toContain('⏎ open');
				expect(terminal.screen()).not.toContain('waits');
			});
			pressAction(terminal, 'global', 'compute');
			await terminal.until('Price /h');
			pressAction(terminal, 'global', 'servers');
			await terminal.until('⏎ open');
		}
		await quit(shell);
		expect(terminal.screen()).toContain('before-42');
		terminal.type('exit\r');
		await terminal.exit;
	},
);

test(
	'a stopped program can be ended from the shell, whose line it leaves alone',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using shell = await openJobShell(home, BASH);
		const {terminal} = shell;
		const before = await shell.lineSettings();
		await shell.run(PROGRAM, /welcome\s.*offline/);
		const pid = await shell.programPid();
		pressAction(terminal, 'always', 'suspend');
		await untilState(pid, /T/);
		await expectShell(shell);
		const {length} = terminal.events.modes;
		terminal.type('kill %1\r');
		await waitFor(async () => expect(await processState(pid)).toBeUndefined(), {interval: 20});
		await expectShell(shell);
		expect(terminal.events.modes.slice(length)).toEqual([]);
		expect(await shell.lineSettings()).toBe(before);
		terminal.type('exit\r');
		await terminal.exit;
	},
);

test(
	'code continues while the program is stopped, and its result is there after fg',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using shell = await openJobShell(home, BASH);
		const {terminal} = shell;
		await shell.run(PROGRAM, /welcome\s.*offline/);
		await startWelcome(terminal);
		await openRepl(terminal);
		const {begun, folder} = await defineHeld(terminal, home);
		runCode(terminal, 'held(); open("ran.txt", "w").write("while stopped")');
		// A cell is shown as running a moment before it is sent, and a suspended program sends
		// nothing.
		await begun();
		const pid = await shell.programPid();
		pressAction(terminal, 'always', 'suspend');
		await untilState(pid, /T/);
		await shell.run(
			`cd ${folder}; touch go; until grep -s stopped ran.txt; do sleep 0.05; done`,
			/while stopped$/m,
		);
		expect(await processState(pid)).toBe('T');
		terminal.type('fg\r');
		await terminal.until(/\[2\] [^]*→ +13/);
		await terminal.until('esc read the cells');
		pressAction(terminal, 'anywhere', 'servers');
		await terminal.until('⏎ open');
		await quit(shell);
		// The shell's prompt comes after this text and does not overwrite it.
		await terminal.until(/welcome ends with the local service[^\n]*\nperson\$/);
		terminal.type('exit\r');
		await terminal.exit;
	},
);

test(
	'without a shell that could continue it, the program continues at once after Ctrl-Z',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await terminal.until(/welcome\s.*offline/);
		const {frames} = terminal.events;
		pressAction(terminal, 'always', 'suspend');
		await terminal.untilTrue('a frame', () => terminal.events.frames > frames);
		await expectProgram(terminal);
	},
);

test(
	'a program that is stopped and continued from elsewhere draws everything again',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await terminal.until(/welcome\s.*offline/);
		terminal.kill('SIGSTOP');
		await untilState(terminal.pid, /T/);
		const {frames} = terminal.events;
		terminal.kill('SIGCONT');
		await terminal.untilTrue('a frame', () => terminal.events.frames > frames);
		await expectProgram(terminal);
		pressAction(terminal, 'global', 'quit');
		await expect(terminal.exit).resolves.toMatchObject({code: 0});
		await expect(terminal.leftovers()).resolves.toEqual([]);
	},
);

test.each([
	['Ctrl-L', '\f'],
	['Ctrl-Z', '\u001A'],
	['Ctrl-Z and Ctrl-L', '\u001A\f'],
])('a burst of %s harms nothing', {tags: 'long'}, async (_, keys) => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*offline/);
	const {frames} = terminal.events;
	terminal.type(keys.repeat(20));
	await terminal.untilTrue('a frame', () => terminal.events.frames > frames);
	await expectProgram(terminal);
	pressAction(terminal, 'global', 'quit');
	await expect(terminal.exit).resolves.toMatchObject({code: 0});
	await expect(terminal.leftovers()).resolves.toEqual([]);
});

test(
	"the next start uses a kill -9's leftovers on the terminal and its end restores them, except modes it cannot know were off",
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using shell = await openJobShell(home, BASH);
		const {terminal} = shell;
		const before = await shell.lineSettings();
		await shell.run(PROGRAM, /welcome\s.*offline/);
		process.kill(await shell.programPid(), 'SIGKILL');
		// Text of the shell before its prompt may be cut off: the killed program may have left the
		// cursor at the right edge, and lines do not wrap.
		await terminal.until(PROMPT.trim());
		expect(terminal.modes().alternateScreen).toBe(true);
		terminal.type(`${PROGRAM}\r`);
		await terminal.gone(PROMPT.trim());
		await expectProgram(terminal);
		pressAction(terminal, 'global', 'quit');
		await terminal.untilTrue('the main screen', () => !terminal.modes().alternateScreen);
		await shell.answers();
		// The killed program's entry on kitty's stack of key modes cannot be removed.
		expect(terminal.modes()).toMatchObject({...onMain, kittyKeyboard: 1, keys: ['1036', '1039']});
		expect(await shell.lineSettings()).toBe(before);
		terminal.type('exit\r');
		await terminal.exit;
	},
);

test.each([
	['input', 'svc-tui < /dev/null'],
	['output', 'svc-tui | cat'],
	['input and output', 'svc-tui < /dev/null | cat'],
] as const)(
	'with another standard %s than the terminal one line gives the remedy, and the shell is unchanged',
	async (_, line) => {
		await using home = await newHome();
		await using shell = await openJobShell(home, BASH);
		const before = await shell.lineSettings();
		const screen = await shell.run(
			`${line.replace('svc-tui', PROGRAM)}; echo code-$((\${PIPESTATUS[0]} + 0))`,
			'code-64',
		);
		expect(screen).toMatch(
			/The full-screen program needs a terminal on standard input and output\.[^]*svc-tui --help/,
		);
		expect(shell.terminal.modes()).toMatchObject(onMain);
		expect(await shell.lineSettings()).toBe(before);
	},
);
