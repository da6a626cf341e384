import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Scope} from '../../src/tui/core/program.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

/**
 * Reads the stream in order, as a screen reader does. Each wait continues after the text that the
 * previous one found.
 */
const reading = (terminal: Terminal) => {
	let all = '';
	let from = 0;
	terminal.onOutput(chunk => {
		all += chunk;
	});
	return {
		/** Waits for an unread line, and continues after it. */
		async hears(pattern: RegExp): Promise<void> {
			await terminal.untilTrue(`${pattern} in the stream`, () => pattern.test(all.slice(from)));
			from += (pattern.exec(all.slice(from))?.index ?? 0) + (pattern.exec(all.slice(from))?.[0].length ?? 0);
		},
		lines: (): readonly string[] => all.split(/\r*\n/),
		/** The stream without the test shell's reports and the sequence for bracketed paste. */
		text: (): string => all.replaceAll(/\u001B\][^\u0007]*\u0007|\u001B\[\?2004[hl]/g, ''),
	};
};

const press = (terminal: Terminal, scope: Scope, action: string): void =>
	pressAction(terminal, scope, action);

test('a whole session can be followed by reading its stream', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, args: ['--screen-reader'], columns: 100, rows: 30});
	const {hears, lines, text} = reading(terminal);
	await hears(/screen-reader mode\. \? lists keys, Ctrl-L tells your position, q quits\./);
	await hears(/Connected to local\./);
	await hears(/welcome, offline, environment ai, compute svc-medium; 1 of 1/);
	press(terminal, 'servers', 'start');
	// The price appears once the catalogue has arrived, perhaps after the question.
	await hears(/Start welcome\?\r?\n[^]*Start for free/);
	await terminal.untilTrue('the keys in the stream', () => text().includes('y Start for free, Esc back'));
	press(terminal, 'confirm', 'yes');
	await hears(/welcome is starting/);
	await hears(/welcome is ready/);

	press(terminal, 'global', 'help');
	await hears(/Keys\.[^]*Enter: open\r?\n[^]*c: rent/);
	press(terminal, 'chooser', 'close');
	await hears(/Servers\.\r?\nwelcome, ready/);

	press(terminal, 'global', 'repl');
	await hears(/REPL of welcome\.\r?\n>>> /);
	for (const key of 'print(6*7)') {
		terminal.type(key);
		await hears(new RegExp(key.replaceAll(/[()*]/g, String.raw`\$&`)));
	}
	press(terminal, 'repl', 'run');
	await hears(/Cell 1 runs\.\r?\n42\r?\nCell 1 is done\.\r?\n>>> /);
	terminal.type('1/0');
	press(terminal, 'repl', 'run');
	await hears(/ZeroDivisionError: division by zero\r?\nCell 2 raised an error\.\r?\n>>> /);
	terminal.type('x = 1');
	press(terminal, 'repl', 'run');
	await hears(/Cell 3 is done, without output\./);
	press(terminal, 'repl', 'leave');
	await hears(/cells\.\r?\nCell 3 of 3 is done:\r?\nx = 1\r?\nNo output\./);
	press(terminal, 'cells', 'previous');
	await hears(/Cell 2 of 3 raised an error:\r?\n1\/0\r?\nOutput:\r?\n/);

	press(terminal, 'global', 'files');
	await hears(/Files of welcome, the tree\.\r?\n[^]*data, folder, collapsed; 1 of 4/);
	press(terminal, 'tree', 'down');
	await hears(/src, folder, collapsed; 2 of 4/);
	press(terminal, 'tree', 'open');
	await hears(/src, folder, expanded; 2 of 5/);
	press(terminal, 'tree', 'down');
	await hears(/prices\.py, \d+ bytes, level 2; 3 of 5/);
	press(terminal, 'tree', 'open');
	await hears(
		/Files of welcome, the open file\.\r?\n[^]*src\/prices\.py, 32 lines\r?\n *1 +"""What a GPU cost/,
	);
	// Long lines are not wrapped.
	await hears(/28 +print\(.*\)\r?\n/);

	press(terminal, 'anywhere', 'assistant');
	await hears(/Assistant of welcome\./);
	terminal.type('what is json.dumps');
	press(terminal, 'assistant', 'send');
	await hears(/The answer will be read out when complete\./);
	await hears(/Answer finished, \d+ lines\.\r?\n/);
	await hears(/json/);
	press(terminal, 'anywhere', 'quit');
	expect(await terminal.exit).toMatchObject({code: 0});
	expect(await terminal.leftovers()).toEqual([]);

	// Only text: no borders, no state marks, no redrawing, and no terminal mode except bracketed
	// paste.
	expect(text()).not.toMatch(/[\u001B\u2500-\u257F●◌○▸▾]/);
	const once = [
		/^welcome, offline/,
		/^welcome is starting/,
		/^welcome is ready/,
		/^Connected to/,
		/^Cell 1 is done/,
		/^Answer finished/,
	];
	for (const line of once) expect(lines().filter(each => line.test(each))).toHaveLength(1);
});

test(
	'the setting does the same; forms and pickers announce field, choice and errors',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		const folder = join(home.folder, '.config/svc-tui');
		mkdirSync(folder, {recursive: true});
		writeFileSync(join(folder, 'settings.json'), '{"screenReader": true} // read out\n');
		await using terminal = await openProgram({home, columns: 100, rows: 30});
		const {hears, text} = reading(terminal);
		await hears(/welcome, offline/);
		press(terminal, 'servers', 'create');
		await hears(/Rent a server\./);
		press(terminal, 'review', 'name');
		await hears(/name: /);
		press(terminal, 'form', 'killToStart');
		press(terminal, 'form', 'accept');
		await hears(/Give the server a name/);
		terminal.type('box');
		await hears(/box/);
		press(terminal, 'form', 'next');
		await hears(/ai: AI\r?\n[^]*environment: ai/);
		press(terminal, 'form', 'later');
		await hears(/environment: \S+/);
		press(terminal, 'form', 'cancel');
		await hears(/Nothing was sent/);
		press(terminal, 'global', 'compute');
		await hears(/Compute\.\r?\n[^]*per hour, available in \d+ of \d+ regions, \S+; 1 of \d+/);
		press(terminal, 'compute', 'down');
		await hears(/per hour, available in \d+ of \d+ regions, \S+; 2 of \d+/);
		press(terminal, 'compute', 'gpu');
		await hears(/GPU models \d+\.\r?\nno GPU \(CPU only\), \d+/);
		terminal.type('h');
		await hears(/H100, \d+/);
		press(terminal, 'chooser', 'accept');
		await hears(/Compute\.\r?\n[^]*H100, 1 GPU of 80G, .*; \d+ of \d+/);
		press(terminal, 'global', 'quit');
		await terminal.exit;
		expect(text()).not.toContain('\u001B[?1049h');
	},
);
