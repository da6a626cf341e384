// Various terminals: light or dark, with marks two cells wide, the Linux console, and one without
// an alternate screen.
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findProgram} from '../../src/engines/jupyter/installation.ts';
import {serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {testRows} from '../support/rows.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, PROGRAM} from '../support/program.ts';
import {openTerminal, type Terminal} from '../support/terminal.ts';

const GROUND = '\u001B]11;?\u001B\\';
const DEVICE = '\u001B[c';
const WIDTH = '\u001B[6n';
const device = {[DEVICE]: '\u001B[?62;c'};

type Env = Readonly<Record<string, string>>;
type Visit = (terminal: Terminal, drawn: () => string) => Promise<void>;

/** A ready server and an offline server. */
const visit = async (
	options: {readonly replies?: Env; readonly env?: Env; readonly args?: readonly string[]},
	see: Visit,
): Promise<void> => {
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('calm'), serverItem('asleep', {status: 'offline'})]}),
	});
	await using home = await newHome();
	const {env, ...rest} = options;
	await using terminal = await openProgram({home, ...rest, env: {...service.env, ...env}});
	let drawn = '';
	terminal.onOutput(chunk => (drawn += chunk));
	await terminal.until(/calm \S ready/);
	await see(terminal, () => drawn);
	pressAction(terminal, 'global', 'quit');
	await expect(terminal.exit).resolves.toEqual({code: 0, signal: null});
	expect(await terminal.leftovers()).toEqual([]);
	expect(terminal.screen()).not.toContain('rgb:');
};

/** An exact colour of the light theme, which is used on light backgrounds only. */
const LIGHT = '38;2;0;89;179';

const GROUNDS = [
	['white, by its answer', {replies: {[GROUND]: '\u001B]11;rgb:ffff/ffff/ffff\u001B\\', ...device}}, true],
	['black, by its answer', {replies: {[GROUND]: '\u001B]11;rgb:0000/0000/0000\u0007', ...device}}, false],
	['not told', {}, false],
	['white, by COLORFGBG', {env: {COLORFGBG: '0;default;15'}}, true],
	[
		'black, and COLORFGBG is of another terminal',
		{replies: {[GROUND]: '\u001B]11;rgb:0000/0000/0000\u0007', ...device}, env: {COLORFGBG: '0;15'}},
		false,
	],
	[
		'white, and a theme was chosen',
		{replies: {[GROUND]: '\u001B]11;rgb:ffff/ffff/ffff\u0007', ...device}, args: ['--theme', 'dark']},
		false,
	],
] as const;
testRows('the colours fit a background that is %s', GROUNDS, 1, async ([_, options, isLight]) => {
	await visit(options, async (terminal, drawn) => {
		// This text is typed before the terminal's reply arrives, and remains text.
		pressAction(terminal, 'servers', 'filter');
		terminal.type('cal');
		await terminal.until(/\/ ?cal\b/);
		await terminal.gone('asleep');
		terminal.press('esc', 'esc');
		pressAction(terminal, 'global', 'compute');
		await terminal.until(/A100/);
		pressAction(terminal, 'global', 'servers');
		await terminal.until(/calm \S ready/);
		const last = drawn().slice(drawn().lastIndexOf('A100'));
		expect(last.includes(LIGHT)).toBe(isLight);
		if (isLight) expect(last).not.toMatch(/\u001B\[3[236]m/);
	});
});

test('text painted before the reply is repainted', async () => {
	await using service = await startHostileService();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env, replies: {[GROUND]: '', ...device}});
	await terminal.until(/calm \S ready/);
	pressAction(terminal, 'global', 'compute');
	await terminal.until(/A100/);
	const before = terminal.screen();
	let drawn = '';
	terminal.onOutput(chunk => (drawn += chunk));
	terminal.type('\u001B]11;rgb:ffff/ffff/ffff\u001B\\');
	await terminal.untilTrue('the colours of a light ground', () => drawn.includes(LIGHT));
	expect(terminal.screen()).toBe(before);
});

const CELLS = [
	['that has two cells for our marks', {replies: {[WIDTH]: '\u001B[1;3R', ...device}}, true],
	['that has one cell for our marks', {replies: {[WIDTH]: '\u001B[1;2R', ...device}}, false],
	['of the Linux console', {env: {TERM: 'linux'}}, true],
] as const;
testRows(
	'in a terminal %s the screens are drawn as it can show them',
	CELLS,
	1,
	async ([_, options, isAscii]) => {
		await visit(options, async terminal => {
			await terminal.until(new RegExp(`asleep +${isAscii ? 'o' : '○'} offline`));
			expect(/^[\n -~]*$/.test(terminal.screen())).toBe(isAscii);
		});
	},
);

test('nothing is asked of the Linux console, which would draw it, and no title is put there', async () => {
	await visit({env: {TERM: 'linux'}}, async (terminal, drawn) => {
		expect(drawn()).not.toMatch(/\u001B\]|\u001B\[c|\u001B\[6n/);
		expect(terminal.title()).toBe('');
	});
});

test('the window is called as the server, with its state, and after the end as before', async () => {
	await visit({}, async terminal => {
		await terminal.untilTrue('the title', () => terminal.title() === 'calm ready · svc-tui');
		terminal.press('down');
		await terminal.untilTrue('the other title', () => terminal.title() === 'asleep offline · svc-tui');
	});
});

test('a server whose name would end the title does not', async () => {
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('a\u0007\u001B]2;mine\u001B\\\u009C')]}),
	});
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.untilTrue('the title', () => terminal.title().endsWith(' ready · svc-tui'));
	expect(terminal.title()).toMatch(/^a[\u0020-\u007E]+ ready · svc-tui$/);
});

const screen = findProgram('screen', process.env);
if (screen === undefined)
	console.warn('\n*** SKIPPED: nothing was tried in GNU screen: it is not installed ***\n');

test.skipIf(screen === undefined)(
	'in GNU screen, which has no second screen by default, nothing of ours stays on it',
	async () => {
		await using service = await startHostileService();
		await using home = await newHome();
		const sockets = join(home.folder, 'screens');
		await mkdir(sockets, {mode: 0o700});
		await using terminal = await openTerminal({
			command: [screen ?? '', '-U', '-c', '/dev/null', 'sh', '-c', `"${PROGRAM}"; echo over; read end`],
			env: {...home.env, ...service.env, SCREENDIR: sockets},
		});
		await terminal.until(/calm \S ready/);
		pressAction(terminal, 'global', 'quit');
		const left = await terminal.until('over');
		expect(left).not.toMatch(/Servers|Compute|offline|─/);
		terminal.press('enter');
		await terminal.exit;
	},
);
