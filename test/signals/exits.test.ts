// @module-tag long
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {openAssistant, openRepl, startWelcome} from '../journeys/steps.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {draftTexts} from './drafts-of.ts';
import {waitFor} from '../support/wait-for.ts';

const BREAK = fileURLToPath(new URL('../support/break-process.ts', import.meta.url));
const breaking = (way: string): Readonly<Record<string, string>> => ({
	NODE_OPTIONS: `--import=${BREAK}`,
	BREAK: way,
});

type ExitWay = {
	readonly how: string;
	readonly code: number;
	readonly end: (terminal: Terminal) => Promise<void> | void;
	readonly env?: Readonly<Record<string, string>>;
	readonly says?: string;
	readonly isDeaf?: true;
};

const BUG_WORDS = 'svc-tui hit an internal error: broken on purpose';
const ways: readonly ExitWay[] = [
	{how: 'q', code: 0, end: terminal => pressAction(terminal, 'global', 'quit')},
	{
		how: 'Ctrl-C twice',
		code: 0,
		async end(terminal) {
			pressAction(terminal, 'always', 'interrupt');
			await terminal.until('again to quit');
			pressAction(terminal, 'always', 'interrupt');
		},
	},
	{how: 'SIGTERM', code: 143, end: terminal => terminal.kill('SIGTERM')},
	{how: 'SIGHUP', code: 129, end: terminal => terminal.kill('SIGHUP')},
	{how: 'SIGINT', code: 130, end: terminal => terminal.kill('SIGINT')},
	{how: 'a closed terminal', code: 129, end: terminal => terminal.hangUp(), isDeaf: true},
	{
		how: 'a closed terminal of which nobody tells',
		code: 129,
		end: terminal => terminal.hangUp({signal: false}),
		isDeaf: true,
	},
	{
		how: 'an error that nobody caught',
		code: 70,
		end: terminal => terminal.kill('SIGUSR2'),
		env: breaking('error'),
		says: BUG_WORDS,
	},
	{
		how: 'a promise that nobody caught',
		code: 70,
		end: terminal => terminal.kill('SIGUSR2'),
		env: breaking('rejection'),
		says: BUG_WORDS,
	},
	{
		how: 'a view that throws',
		code: 70,
		end(terminal) {
			terminal.kill('SIGUSR2');
			terminal.resize(130, 40);
		},
		env: breaking('view'),
		says: BUG_WORDS,
	},
];

/**
 * A remote service with a running server. The program ends in the same way as with a local one, in
 * a third of the time.
 */
const openService = () => startHostileService({servers: () => success({servers: [serverItem('welcome')]})});
const READY = /welcome +\S ready/;

const typeDrafts = async (terminal: Terminal): Promise<void> => {
	await openRepl(terminal);
	terminal.type('half = "é日😀');
	await terminal.until('>>> half = "é日😀');
	await openAssistant(terminal);
	terminal.type('what does half');
	await terminal.until('› what does half');
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until('⏎ open');
};

const expectDrafts = async (terminal: Terminal): Promise<void> => {
	await terminal.until(READY);
	await openRepl(terminal);
	await terminal.until('>>> half = "é日😀');
	await openAssistant(terminal);
	await terminal.until('› what does half');
};

test.each(ways)(
	'after $how (exit code $code) the terminal is restored, and the next start has the typed text',
	async ({code, end, env, says, isDeaf}) => {
		await using service = await openService();
		await using home = await newHome();
		{
			await using terminal = await openProgram({home, env: {...service.env, ...env}});
			await terminal.until(READY);
			await typeDrafts(terminal);
			await end(terminal);
			await expect(terminal.exit).resolves.toMatchObject({code});
			if (!isDeaf) await expect(terminal.leftovers()).resolves.toEqual([]);
			if (says !== undefined) expect(terminal.screen()).toContain(says);
		}
		await using again = await openProgram({home, env: service.env});
		await expectDrafts(again);
	},
);

test.each([
	['a SIGKILL', 'SIGKILL', {}],
	// Node aborts the process, so no code of the program runs.
	[
		'running out of memory',
		'SIGUSR2',
		{...breaking('memory'), NODE_OPTIONS: `--import=${BREAK} --max-old-space-size=64`},
	],
] as const)('after %s the next start has the text typed a second before', async (_, signal, env) => {
	await using service = await openService();
	await using home = await newHome();
	{
		await using terminal = await openProgram({home, env: {...service.env, ...env}});
		await terminal.until(READY);
		await typeDrafts(terminal);
		await waitFor(() => expect(draftTexts(home)).toEqual(['half = "é日😀', 'what does half']));
		terminal.kill(signal);
		await terminal.exit;
	}
	await using again = await openProgram({home, env: service.env});
	await expectDrafts(again);
});

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
	'a %s that arrives during the start restores the terminal too',
	{tags: 'short'},
	async signal => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await terminal.untilTrue('the alternate screen', () => terminal.modes().alternateScreen);
		terminal.kill(signal);
		await expect(terminal.exit).resolves.toMatchObject({
			code: {SIGTERM: 143, SIGHUP: 129, SIGINT: 130}[signal],
		});
		await expect(terminal.leftovers()).resolves.toEqual([]);
	},
);

test.each([
	['that has Meta as ESC already', {on: [1036, 1039]}],
	['of the VTE kind, whose wheel sends arrows', {on: [1007, 1036]}],
	['that cannot note modes', {on: [1007], isForgetful: true}],
] as const)(
	'a terminal %s has its own modes of keys and wheel again in the editor and at the end',
	async (_, keyModes) => {
		await using home = await newHome();
		await using terminal = await openProgram({
			home,
			keyModes,
			env: {EDITOR: `sh -c 'echo begun; read line' sh`},
		});
		const before = keyModes.on.map(String);
		const isForgetful = 'isForgetful' in keyModes;
		await startWelcome(terminal);
		// A list does not change the terminal's mode for the wheel.
		expect(terminal.modes().keys).toEqual([
			...(before.includes('1007') ? ['1007'] : []),
			'1036',
			'1039',
			'modifyOtherKeys',
		]);
		await openRepl(terminal);
		await terminal.untilTrue('the wheel to send no keys', () => !terminal.modes().keys.includes('1007'));
		expect(terminal.modes().keys).toEqual(['1036', '1039', 'modifyOtherKeys']);
		pressAction(terminal, 'repl', 'editor');
		await terminal.untilTrue(
			'the editor on the main screen',
			() => !terminal.modes().alternateScreen && terminal.screen().includes('begun'),
		);
		expect(terminal.modes().keys).toEqual(isForgetful ? ['1007', '1036', '1039'] : before);
		terminal.type('\r');
		await openRepl(terminal);
		await terminal.untilTrue(
			'the modes of the program',
			() =>
				terminal.modes().alternateScreen &&
				terminal.modes().keys.includes('modifyOtherKeys') &&
				!terminal.modes().keys.includes('1007'),
		);
		expect(terminal.modes().keys).toEqual(['1036', '1039', 'modifyOtherKeys']);
		terminal.kill('SIGTERM');
		await terminal.exit;
		expect(terminal.modes().keys).toEqual(isForgetful ? ['1007', '1036', '1039'] : before);
	},
);

test(
	"in kitty, whose wheel always sends keys else, the wheel edits no field, and the mouse is the terminal's again elsewhere and at the end",
	{tags: 'short'},
	async () => {
		await using service = await openService();
		await using home = await newHome();
		await using terminal = await openProgram({home, env: {...service.env, TERM: 'xterm-kitty'}});
		await terminal.until(READY);
		expect(terminal.modes()).toMatchObject({mouse: false});
		await openRepl(terminal);
		await terminal.untilTrue('reports of the mouse', () => terminal.modes().mouse);
		terminal.type('kept\u001B[<64;10;12M\u001B[<65;10;12M');
		await terminal.until('>>> kept');
		pressAction(terminal, 'repl', 'leave');
		await terminal.untilTrue("a mouse of the terminal's own", () => !terminal.modes().mouse);
		pressAction(terminal, 'cells', 'edit');
		await terminal.untilTrue('reports of the mouse', () => terminal.modes().mouse);
		terminal.kill('SIGTERM');
		await expect(terminal.leftovers()).resolves.toEqual([]);
	},
);

test('quitting while code runs does not wait for it, and says that it was stopped', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.type('import time; time.sleep(600)');
	pressAction(terminal, 'repl', 'run');
	await terminal.until('esc stop waiting');
	pressAction(terminal, 'anywhere', 'servers');
	await terminal.until('⏎ open');
	pressAction(terminal, 'global', 'quit');
	await expect(terminal.exit).resolves.toMatchObject({code: 0});
	await terminal.until('Running code on welcome was stopped.');
	expect(draftTexts(home)).toEqual([]);
});

test('the program behaves the same with CI set', {tags: 'short'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, env: {CI: '1'}});
	await terminal.until(/welcome\s.*offline/);
	expect(terminal.modes()).toMatchObject({alternateScreen: true});
	pressAction(terminal, 'global', 'quit');
	await expect(terminal.exit).resolves.toMatchObject({code: 0});
	await expect(terminal.leftovers()).resolves.toEqual([]);
});
