import {expect, test} from 'vitest';
import {keyBytes} from '../support/key-bytes.ts';
import {keysOf, pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Modes} from '../support/terminal.ts';

test.each([
	['before the first frame', (): boolean => true],
	['while the screen is being set up', (modes: Modes): boolean => modes.alternateScreen],
])('keys typed ahead, %s, are executed, and the header is in its place', {tags: 'long'}, async (_, when) => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.untilTrue('the moment to type', () => when(terminal.modes()));
	pressAction(terminal, 'servers', 'create');
	terminal.type('typed-ahead');
	pressAction(terminal, 'form', 'accept');
	await terminal.until(/Name +typed-ahead/);
	expect(terminal.line(0)).toMatch(/^ svc-tui .*1 Servers .*6 Assistant/);
	pressAction(terminal, 'review', 'cancel');
	await terminal.until(/welcome\s.*offline/);
});

test('keys of one burst act one after the other', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await terminal.until(/welcome\s.*offline/);
	const presses = [
		...keysOf('servers', 'create'),
		'wrong',
		...keysOf('form', 'killToStart'),
		'right',
		...keysOf('form', 'accept'),
	];
	terminal.type(
		presses
			.map(press => (press.length > 1 && /^(right|wrong)$/.test(press) ? press : keyBytes(press)))
			.join(''),
	);
	await terminal.until(/Name +right /);
});

test(
	'a character outside the keyboard, typed where no text is taken, does nothing',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home});
		await terminal.until(/welcome\s.*offline/);
		terminal.type('😀👩‍👩‍👧');
		pressAction(terminal, 'global', 'compute');
		await terminal.until('Price /h');
	},
);

test('with TERM=dumb one line says that the commands work without a screen, and the exit code is 64', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, env: {TERM: 'dumb'}});
	await expect(terminal.exit).resolves.toEqual({code: 64, signal: null});
	expect(terminal.screen().trim()).toMatch(
		/^This terminal \(TERM=dumb\) cannot show a full-screen program\. [^\n]*svc-tui --help$/,
	);
	expect(terminal.events.modes).toEqual([]);
	await expect(terminal.leftovers()).resolves.toEqual([]);
});

test('an option that does not exist is named after the terminal was given back', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, args: ['--no-such-option']});
	await expect(terminal.exit).resolves.toEqual({code: 2, signal: null});
	await terminal.until('--no-such-option');
	await expect(terminal.leftovers()).resolves.toEqual([]);
});

/** Opens the program, a form and a list. Returns the colours that it sent to the terminal. */
const coloursOf = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
	await using home = await newHome();
	let drawn = '';
	await using terminal = await openProgram({home, env});
	terminal.onOutput(chunk => {
		drawn += chunk;
	});
	await terminal.until(/welcome\s.*offline/);
	pressAction(terminal, 'servers', 'create');
	await terminal.until('Rent a server');
	pressAction(terminal, 'review', 'environment');
	await terminal.until(/▸ environment/);
	// Parameters of colours: 30–38, 40–48, 90–97 and 100–107, alone or among others.
	return [...drawn.matchAll(/\u001B\[([\d;:]*)m/g)]
		.flatMap(([, parameters = '']) => parameters.split(/[;:]/))
		.filter(each => /^(3[0-8]|4[0-8]|9[0-7]|10[0-7])$/.test(each));
};

test('NO_COLOR removes all colours, which are present without it', {tags: 'long'}, async () => {
	expect(await coloursOf({NO_COLOR: '1'})).toEqual([]);
	expect(await coloursOf({})).not.toEqual([]);
});
