// @module-tag long
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

// The terminal has less than 100 columns, so there is a single pane and the REPL has the whole
// width.
const SIZE = {columns: 90, rows: 40};

test('a newcomer starts welcome, sees it start, and runs a first cell', {tags: 'short'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'servers', 'start');
	await terminal.until('Start welcome?');
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until(/welcome \S starting/);
	await terminal.until(/welcome \S ready/);
	await openRepl(terminal);
	runCode(terminal, '1+1');
	await terminal.until(/\[1] +1\+1[^\n]*\n → +2\n/);
});

test('output, warnings, result and traceback of a cell all appear below it', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'import sys; print("to stdout"); print("to stderr", file=sys.stderr); "the " + "result"');
	const first = await terminal.until(/\[1\] [^]*→ /);
	expect(first.match(/^ +(?:→ +)?(to stdout|to stderr|'the result')$/gm)).toEqual([
		'       to stdout',
		'       to stderr',
		" →     'the result'",
	]);
	runCode(terminal, 'int("eleven")');
	await terminal.until(
		/\[2] +int\("eleven"\).*\n ✗ +Traceback \(most recent call last\):\n(?: .*\n)+ +ValueError: invalid literal for int\(\) with base 10: 'eleven'\n/,
	);
});

test('names stay from cell to cell, also after a cell that failed', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'kept = 40');
	await terminal.until('[1]');
	runCode(terminal, 'kept += 1; 1/0');
	await terminal.until('ZeroDivisionError');
	runCode(terminal, 'kept + 1');
	await terminal.until(/\[3\] [^]*→ +42/);
});

test('a block runs after an empty line and not before', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'for i in range(3):');
	await terminal.until(/>>> for i in range\(3\):\n \.\.\. *\n/);
	// The next line is indented automatically.
	runCode(terminal, 'print("row", i * 7)');
	const typed = await terminal.until(
		/>>> for i in range\(3\):\n \.\.\. {5}print\("row", i \* 7\)\n \.\.\. *\n/,
	);
	expect(typed).not.toMatch(/\[[ *\d]+\] /);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/^ +row 0\n +row 7\n +row 14$/m);
});

test('an unclosed bracket waits for its end', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, 'sum([1,');
	expect(await terminal.until(/>>> sum\(\[1,\n \.\.\. *\n/)).not.toMatch(/\[[ *\d]+\] /);
	runCode(terminal, '2, 39])');
	await terminal.until(/\[1\] [^]*→ +42/);
});

test('Up restores earlier cells, those that begin with the typed text, and Down the draft', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, '6 * 7');
	await terminal.until(/\[1\] [^]*→ +42/);
	runCode(terminal, '"second"');
	await terminal.until(/\[2\] [^]*→ /);
	pressAction(terminal, 'repl', 'earlier');
	await terminal.until('>>> "second"');
	pressAction(terminal, 'repl', 'earlier');
	await terminal.until('>>> 6 * 7');
	pressAction(terminal, 'repl', 'later');
	await terminal.until('>>> "second"');
	pressAction(terminal, 'repl', 'later');
	await terminal.until(/>>> *\n/);
	terminal.type('6');
	await terminal.until('>>> 6');
	pressAction(terminal, 'repl', 'earlier');
	await terminal.until('>>> 6 * 7');
	pressAction(terminal, 'repl', 'later');
	await terminal.until(/>>> 6 *\n/);
	terminal.type('unfinished(');
	await terminal.until('>>> 6unfinished(');
	pressAction(terminal, 'repl', 'earlier');
	await terminal.until('No earlier entry starts with this');
	pressAction(terminal, 'repl', 'killToStart');
	await terminal.gone('unfinished(');
	pressAction(terminal, 'repl', 'earlier');
	pressAction(terminal, 'repl', 'earlier');
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/\[3\] [^]*→ +42/);
});

test('text deleted by a key is restored at the cursor: the words before it, and the rest of the line', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	pressAction(terminal, 'repl', 'yank');
	await terminal.until('Nothing deleted here to put back');
	terminal.type('print(6 * 7)');
	await terminal.until('>>> print(6 * 7)');
	for (const action of ['deleteWord', 'deleteWord', 'lineStart', 'yank'] as const)
		pressAction(terminal, 'repl', action);
	await terminal.until(/>>> 6 \* 7\)print\( *\n/);
	for (const action of ['lineStart', 'killToEnd'] as const) pressAction(terminal, 'repl', action);
	await terminal.until(/>>> *\n/);
	for (const action of ['yank', 'yank'] as const) pressAction(terminal, 'repl', action);
	await terminal.until('>>> 6 * 7)print(6 * 7)print(');
});

test('on a Cyrillic layout Ctrl and Alt keys work, the numeric keypad types, and a word is deleted either way', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	const pad = (keys: string): string =>
		Array.from(keys, key => `\u001B[${57_399 + '0123456789./*-+'.indexOf(key)};129u`).join('');
	terminal.type(`one two ${pad('6*7')}`);
	await terminal.until('>>> one two 6*7');
	// Alt-B twice, then Alt-D, as a terminal with the kitty protocol sends them: the key of the
	// layout and the US key in the same position.
	terminal.type('\u001B[1080::98;3u\u001B[1080::98;3u\u001B[1074::100;3u');
	await terminal.until('>>> one two *7');
	terminal.type('\u001B[127;5u\u001B[127;5u');
	await terminal.until('>>> *7');
	terminal.type('\u001B[3;5~');
	await terminal.until(/>>> *\n/);
	// Ctrl-Y inserts the text that Ctrl-Delete and the other keys have removed.
	terminal.type('\u001B[1085::121;5u');
	await terminal.until('>>> one two 6*7');
});

test('code typed in one burst with its Enter runs', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.type('1+1\r');
	await terminal.until(/\[1\] [^]*→ +2/);
});

test('several pasted lines stay in the editor until Enter is pressed', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.paste('a = 1\nprint("pasted", a)\na + 41\n');
	const pasted = await terminal.until(/>>> a = 1\n \.\.\. print\("pasted", a\)\n \.\.\. a \+ 41\n/);
	expect(pasted).not.toMatch(/\[[ *\d]+\] /);
	pressAction(terminal, 'repl', 'run');
	const ran = await terminal.until(/\[1\] [^]*→ +42/);
	expect(ran).toMatch(/^ +pasted 1$/m);
});

test(
	'without the live link Tab completes names that were used, and asks the kernel for others once that is allowed',
	{tags: 'short'},
	async () => {
		await using home = await newHome();
		const settings = join(home.folder, '.config/svc-tui');
		await mkdir(settings, {recursive: true});
		await writeFile(join(settings, 'settings.json'), '{"profiles": {"local": {"live": false}}}');
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		runCode(terminal, 'measured_length = [3, 4]');
		await terminal.until('[1]');
		terminal.type('sum(meas');
		await terminal.until('>>> sum(meas');
		pressAction(terminal, 'repl', 'complete');
		await terminal.until('>>> sum(measured_length');
		pressAction(terminal, 'repl', 'killToStart');
		terminal.type('measured_length.app');
		await terminal.until('length.app');
		pressAction(terminal, 'repl', 'complete');
		await terminal.until('Only the kernel knows more');
		pressAction(terminal, 'repl', 'complete');
		await terminal.until('>>> measured_length.append');
		terminal.type('(35) or sum(measured_length)');
		pressAction(terminal, 'repl', 'run');
		await terminal.until(/\[\d\] [^]*→ +42/);
		// The key moves to the next pane if there is no name before the cursor.
		pressAction(terminal, 'repl', 'complete');
		await terminal.until(/Files · welcome/);
	},
);

test('a new line is indented as the code asks for, and Backspace takes one step of it back', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	await startWelcome(terminal);
	await openRepl(terminal);
	const indented = async (line: string, column: number): Promise<string> =>
		terminal.untilTrue(
			`the cursor below ${line} in column ${column}`,
			() => terminal.line(terminal.cursor().row - 1).endsWith(line) && terminal.cursor().column === column,
		);
	runCode(terminal, 'for i in range(2):');
	await indented('for i in range(2):', 9);
	runCode(terminal, 'if i:');
	await indented('if i:', 13);
	pressAction(terminal, 'repl', 'backspace');
	await indented('if i:', 9);
	runCode(terminal, 'print("outer")');
	await indented('print("outer")', 9);
	pressAction(terminal, 'repl', 'backspace');
	pressAction(terminal, 'repl', 'run');
	await terminal.until('IndentationError');
});
