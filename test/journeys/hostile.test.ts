// @module-tag long
// @module-tag plain
import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {ask, columnsOf, openAssistant, openRepl, runCode, startWelcome} from './steps.ts';

/** Modes that the program itself sets and resets. */
const OWN_MODES = new Set([
	'?25h',
	'?25l',
	'?2026h',
	'?2026l',
	'?7l',
	'?1049h',
	'?2004h',
	'?1036h',
	'?1039h',
	'?1007h',
	'?1007l',
]);

/** All effects on the terminal except shown text. */
const harmOf = ({events}: Terminal) => ({
	clipboard: events.clipboard,
	titles: events.titles,
	links: events.links,
	commands: events.commands,
	resets: events.resets,
	controls: events.controls,
	bells: events.bells,
	modes: events.modes.filter(mode => !OWN_MODES.has(mode) && !/^[<>=?].*u$/.test(mode)),
});
const NO_HARM = {
	clipboard: [],
	titles: [],
	links: [],
	commands: [],
	resets: [],
	controls: [],
	bells: 0,
	modes: [],
};

// Python code by the effect that its output would have on an unprotected terminal. The code itself
// contains no control characters.
const ATTACKS = {
	clipboard: String.raw`\x1b]52;c;b3duZWQ=\x07`,
	title: String.raw`\x1b]0;owned\x07`,
	link: String.raw`\x1b]8;;http://evil.example/\x1b\\click\x1b]8;;\x1b\\`,
	mainScreen: String.raw`\x1b[?1049l`,
	mouse: String.raw`\x1b[?1003h`,
	reset: String.raw`\x1bc`,
	c1: String.raw`\x9d0;owned\x9c\x9b?1003h`,
	device: String.raw`\x1bP$qm\x1b\\\x1b[c\x1b[6n`,
	bell: String.raw`\x07`,
	bidi: String.raw`\u202egnp.exe\u2066`,
	clear: String.raw`\x1b[2J\x1b[H`,
};
const ALL = Object.values(ATTACKS).join('');

const expectFrame = (terminal: Terminal): void => {
	expect(terminal.line(0)).toMatch(/^ svc-tui .*welcome \S ready/);
	expect(terminal.line(39)).toMatch(/ esc \S/);
	expect(terminal.screen()).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u0080-\u009F]/);
};

test('a file with a hostile name is listed, opened and asked about, and the terminal does nothing', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, String.raw`open("evil\x1b]0;owned\x07\u202etxt.py", "w").write("x")`);
	await terminal.until(/\[1\] [^]*→ /);
	const known = terminal.events.replies.length;
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('evil^[]0;owned^G<U+202E>txt.py');
	expectFrame(terminal);
	pressAction(terminal, 'tree', 'last');
	pressAction(terminal, 'tree', 'up');
	await terminal.until(/▸ +evil/);
	pressAction(terminal, 'tree', 'open');
	await terminal.until(/│ 1 {2}x$/m);
	expectFrame(terminal);
	await openAssistant(terminal);
	ask(terminal, 'list the files');
	await terminal.until(' in · ');
	expectFrame(terminal);
	expect(harmOf(terminal)).toEqual(NO_HARM);
	expect(terminal.events.replies.slice(known)).toEqual([]);
});

test('a file with hostile content is shown as such, and the terminal does nothing', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, `open("a.py", "w", encoding="utf-8").write("first line\\n${ALL}\\nlast line\\n" * 3)`);
	await terminal.until(/\[1\] [^]*→ /);
	const known = terminal.events.replies.length;
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	pressAction(terminal, 'tree', 'last');
	pressAction(terminal, 'tree', 'up');
	await terminal.until(/▸ +a\.py/);
	pressAction(terminal, 'tree', 'open');
	const opened = await terminal.until(/first line[^]*last line/);
	expectFrame(terminal);
	expect(columnsOf(opened, 0, 60)).toContain('^[]52;c;b3duZWQ=^G');
	pressAction(terminal, 'viewer', 'wrap');
	// The screen may wrap the name of the character.
	await terminal.until(/\+202E>/);
	expectFrame(terminal);
	await openAssistant(terminal);
	ask(terminal, 'what is in a.py?');
	await terminal.until(' in · ');
	expectFrame(terminal);
	expect(harmOf(terminal)).toEqual(NO_HARM);
	expect(terminal.events.replies.slice(known)).toEqual([]);
});

test('output, results and errors of code cannot control the terminal', {tags: 'short'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	const known = terminal.events.replies.length;
	runCode(
		terminal,
		`print("${ALL}printed"); import sys; print("${ALL}complained", file=sys.stderr); "${ALL}returned"`,
	);
	await terminal.until(/printed[^]*complained[^]*returned/);
	expectFrame(terminal);
	runCode(terminal, `class Evil:\n    def __repr__(self): return "${ALL}represented"\n`);
	runCode(terminal, 'Evil()');
	await terminal.until(/\[\d+\] [^]*→ [^]*represented/);
	expectFrame(terminal);
	runCode(terminal, `raise ValueError("${ALL}raised")`);
	await terminal.until(/ValueError: [^]*raised/);
	expectFrame(terminal);
	runCode(terminal, '"\\x1b[31mred" + "\\x1b[0m"; print("\\x1b[31mred\\x1b[0m text")');
	await terminal.until('red text');
	expect(harmOf(terminal)).toEqual(NO_HARM);
	expect(terminal.events.replies.slice(known)).toEqual([]);
});

test('pasted text cannot control the terminal either', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openAssistant(terminal);
	const known = terminal.events.replies.length;
	const before = terminal.events.frames;
	terminal.paste('pasted \u001B]0;owned\u0007\u009D0;owned\u009C\u202Egnp.exe end');
	await terminal.untilTrue(
		'the paste',
		() => terminal.events.frames > before && /pasted .*end/.test(terminal.screen()),
	);
	expectFrame(terminal);
	pressAction(terminal, 'assistant', 'send');
	await terminal.until(' in · ');
	expectFrame(terminal);
	expect(harmOf(terminal)).toEqual(NO_HARM);
	expect(terminal.events.replies.slice(known)).toEqual([]);
});
