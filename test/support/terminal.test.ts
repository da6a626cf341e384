import {expect, test} from 'vitest';
import {newHome} from './program.ts';
import {processesUsing} from './processes.ts';
import {openTerminal} from './terminal.ts';

/** A command that runs a line of JavaScript in the terminal. */
const script = (source: string): readonly string[] => [process.execPath, '-e', source];
const env = {PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color'};
const echoBytes = script(
	'process.stdin.setRawMode(true); process.stdout.write("up\\r\\n"); process.stdin.on("data", b => { process.stdout.write(JSON.stringify(String(b)) + "\\r\\n"); if (String(b).includes("q")) process.exit(3); });',
);

test('typed, pressed and pasted text reaches the program, and its exit code is returned', async () => {
	await using terminal = await openTerminal({command: echoBytes, columns: 60, rows: 10, env});
	await terminal.until('up');
	terminal.press('ctrl+c');
	await terminal.until('\\u0003');
	terminal.paste('a\nb');
	await terminal.until(String.raw`"a\rb"`);
	expect(terminal.line(0)).toBe('up');
	terminal.press('esc', 'q');
	await terminal.until(/"\\u001b"\n"q"/);
	await expect(terminal.exit).resolves.toEqual({code: 3, signal: null});
});

test('a paste comes in brackets once the program has asked for them', async () => {
	await using terminal = await openTerminal({
		command: script(
			'process.stdin.setRawMode(true); process.stdout.write("\\x1b[?2004hup"); process.stdin.on("data", b => process.stdout.write(JSON.stringify(String(b))));',
		),
		columns: 60,
		rows: 5,
		env,
	});
	await terminal.until('up');
	terminal.paste('x');
	await terminal.until(String.raw`\u001b[200~x\u001b[201~`);
	expect(terminal.modes().bracketedPaste).toBe(true);
});

test('a pattern that never comes fails with the whole screen in the message', async () => {
	await using terminal = await openTerminal({command: echoBytes, columns: 20, rows: 3, env});
	await terminal.until('up');
	await expect(terminal.until('nowhere', 50)).rejects.toThrow(
		/waited for nowhere.*50 ms passed.*20x3[^]*│up/,
	);
});

test('waiting ends at once when the program has ended', async () => {
	await using terminal = await openTerminal({
		command: script('process.stdout.write("last words"); process.exit(7)'),
		columns: 20,
		rows: 3,
		env,
	});
	await expect(terminal.until('nowhere')).rejects.toThrow(
		/the program ended \(code 7, signal none\)[^]*last words/,
	);
	await expect(terminal.until('last words')).resolves.toContain('last words');
});

test('half a synchronized frame is never seen', async () => {
	await using terminal = await openTerminal({
		command: script(
			'process.stdin.setRawMode(true); process.stdout.write("\\x1b[?2026hhalf"); process.stdin.once("data", () => process.stdout.write(" whole\\x1b[?2026l")); process.stdin.resume();',
		),
		columns: 20,
		rows: 3,
		env,
	});
	await expect(terminal.until('half', 300)).rejects.toThrow('300 ms passed');
	terminal.press('x');
	await expect(terminal.until('half whole')).resolves.toContain('half whole');
	expect(terminal.events.frames).toBe(1);
});

test('while half a frame is there the one before it is seen', async () => {
	await using terminal = await openTerminal({
		command: script(
			'process.stdin.setRawMode(true); process.stdout.write("\\x1b[?2026hfirst\\x1b[?2026l"); process.stdin.once("data", () => process.stdout.write("\\x1b[?2026h\\x1b[2J\\x1b[2;1Hhalf")); process.stdin.resume();',
		),
		columns: 20,
		rows: 3,
		env,
	});
	await terminal.until('first');
	terminal.press('x');
	await expect.poll(() => terminal.events.modes.filter(mode => mode === '?2026h')).toHaveLength(2);
	expect([terminal.screen().trimEnd(), terminal.cursor()]).toEqual(['first', {column: 5, row: 0}]);
});

test('clipboard, titles, links, modes, bells and resets are noticed, and queries are answered', async () => {
	await using terminal = await openTerminal({
		command: script(
			'process.stdin.setRawMode(true); process.stdout.write("\\x1b]52;c;aGk=\\x07\\x1b]0;title\\x07\\x1b]8;;http://x/\\x1b\\\\L\\x1b]8;;\\x1b\\\\\\x1b[?1000h\\x07\\x1b]777;notify;a;b\\x07\\x1b[!p\\x1b[c"); process.stdin.on("data", b => process.stdout.write(JSON.stringify(String(b))));',
		),
		columns: 60,
		rows: 5,
		env,
	});
	await terminal.until(String.raw`\u001b[?1;2c`);
	expect(terminal.events).toMatchObject({
		clipboard: ['c;aGk='],
		titles: ['title'],
		links: ['http://x/'],
		commands: ['777;notify;a;b'],
		bells: 1,
		resets: ['soft'],
		replies: ['\u001B[?1;2c'],
	});
	expect(terminal.events.modes).toContain('?1000h');
});

test('a program that leaves the terminal as it found it leaves nothing over', async () => {
	await using terminal = await openTerminal({
		command: script(
			'process.stdin.setRawMode(true); process.stdout.write("\\x1b[?1049h\\x1b[?25l\\x1b[?25h\\x1b[?1049l"); process.stdin.setRawMode(false); process.exit(0)',
		),
		env,
	});
	await expect(terminal.leftovers()).resolves.toEqual([]);
});

test('every mode that a killed program leaves on is named', async () => {
	await using terminal = await openTerminal({
		command: script(
			'process.stdin.setRawMode(true); process.stdout.write("\\x1b[?1049h\\x1b[?25l\\x1b[?2004h\\x1b[?7l\\x1b[?1000h\\x1b[?1004h\\x1b[>1uup"); setInterval(() => {}, 1e6)',
		),
		env,
	});
	await terminal.until('up');
	terminal.kill('SIGKILL');
	await expect(terminal.exit).resolves.toMatchObject({signal: 'SIGKILL'});
	await expect(terminal.leftovers()).resolves.toHaveLength(8);
});

test('a resize reaches the program and the screen', async () => {
	await using terminal = await openTerminal({
		command: script(
			'process.stdout.write("up"); process.stdout.on("resize", () => process.stdout.write(` ${process.stdout.columns}x${process.stdout.rows}`)); setInterval(() => {}, 1e6)',
		),
		columns: 80,
		rows: 24,
		env,
	});
	await terminal.until('up');
	terminal.resize(100, 30);
	await terminal.until('up 100x30');
	expect(terminal.screen().split('\n')).toHaveLength(30);
});

test('closing the terminal hangs up on the program', async () => {
	await using terminal = await openTerminal({
		command: script(
			'process.on("SIGHUP", () => process.exit(42)); process.stdout.write("up"); setInterval(() => {}, 1e6)',
		),
		env,
	});
	await terminal.until('up');
	terminal.hangUp();
	await expect(terminal.exit).resolves.toEqual({code: 42, signal: null});
});

test('wide characters take the cells that a current terminal gives them', async () => {
	await using terminal = await openTerminal({
		command: script('process.stdout.write("日本👩‍👩‍👧x\\r\\n"); setInterval(() => {}, 1e6)'),
		columns: 20,
		rows: 3,
		env,
	});
	await terminal.until('x');
	expect(terminal.line(0)).toBe('日本👩‍👩‍👧x');
});

test('a home is left only when none of its processes runs', async () => {
	await using home = await newHome();
	await using terminal = await openTerminal({
		command: script('process.stdout.write("up"); setInterval(() => {}, 1e6)'),
		env: {...env, HOME: home.folder},
	});
	await terminal.until('up');
	await expect(processesUsing(home.folder)).resolves.toHaveLength(1);
	await terminal[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
	await expect(processesUsing(home.folder)).resolves.toEqual([]);
});
