import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {withAscii} from '../../src/tui/core/theme/ascii.ts';
import {glyph} from '../../src/tui/core/theme/glyphs.ts';
import {serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {testRows} from '../support/rows.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

/**
 * Opens several screens of the program, and returns the parameters of each SGR sequence that it
 * sent.
 */
const drawnWith = async (
	env: Readonly<Record<string, string>>,
	args: readonly string[] = [],
	settings?: object,
): Promise<ReadonlySet<string>> => {
	await using service = await startHostileService();
	await using home = await newHome();
	if (settings) {
		await mkdir(join(home.folder, '.config/svc-tui'), {recursive: true});
		await writeFile(join(home.folder, '.config/svc-tui/settings.json'), JSON.stringify(settings));
	}
	let drawn = '';
	await using terminal = await openProgram({home, args, env: {...service.env, ...env}});
	terminal.onOutput(chunk => {
		drawn += chunk;
	});
	await terminal.until(/calm \S ready/);
	pressAction(terminal, 'global', 'compute');
	await terminal.until(/A100/);
	pressAction(terminal, 'global', 'help');
	await terminal.until('Type to search all');
	return new Set([...drawn.matchAll(/\u001B\[([\d;]*)m/g)].map(([, parameters = '']) => parameters));
};
const some = (codes: ReadonlySet<string>, pattern: RegExp): boolean =>
	[...codes].some(each => pattern.test(each));
const COLOUR = /^(3[0-7]|9[0-7]|4[0-7]|10[0-7])$/;

test("by default the colours are the terminal's own sixteen, and a grey where it may not draw faint letters", async () => {
	const codes = await drawnWith({VTE_VERSION: '7006'});
	expect(some(codes, COLOUR)).toBe(true);
	expect(codes).toContain('2');
	expect(some(codes, /^38;/)).toBe(false);
	const unknown = await drawnWith({});
	expect(unknown).not.toContain('2');
	expect([...unknown].filter(each => each.startsWith('38;'))).toEqual(['38;5;243']);
});

test(
	'a theme of the settings has exact colours, or the nearest of 256 or 16 that the terminal can show',
	{tags: 'long'},
	async () => {
		const settings = {theme: 'dark'};
		expect(some(await drawnWith({}, [], settings), /^38;2;/)).toBe(true);
		const of256 = await drawnWith({COLORTERM: ''}, [], settings);
		expect([some(of256, /^38;5;/), some(of256, /^38;2;/)]).toEqual([true, false]);
		const of16 = await drawnWith({FORCE_COLOR: '1'}, [], settings);
		expect([some(of16, COLOUR), some(of16, /^38;/)]).toEqual([true, false]);
		expect(some(await drawnWith({NO_COLOR: '1'}, [], settings), /^(38;|3[0-7]$|9[0-7]$)/)).toBe(false);
	},
);

test('--theme comes before the settings; high contrast has neither colours nor anything dim', async () => {
	const codes = await drawnWith({}, ['--theme', 'high-contrast'], {theme: 'dark'});
	expect([...codes].filter(each => /^(38;|3[0-7]$|9[0-7]$|2$)/.test(each))).toEqual([]);
	expect(codes).toContain('1');
});

test('a theme that is not there is reported before the screen is taken', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, args: ['--theme', 'pink']});
	await expect(terminal.exit).resolves.toEqual({code: 2, signal: null});
	await terminal.until('--theme "pink" is not a theme: choose one of terminal, dark, light, high-contrast.');
});

test('every mark of ours has one of ASCII', () => {
	expect(Object.values(glyph).map(withAscii).join('')).toMatch(/^[ -~]*$/);
});

const LOCALES = [
	[{LANG: 'C'}, 'o'],
	[{LC_ALL: 'de_DE.ISO-8859-1'}, 'o'],
	[{LC_CTYPE: 'en_GB.utf8', LANG: 'C'}, '○'],
	[{LANG: ''}, '○'],
] as const;
testRows('under the locale %j an offline server has the mark %s', LOCALES, 1, async ([env, mark]) => {
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('asleep', {status: 'offline'})]}),
	});
	await using home = await newHome();
	await using terminal = await openProgram({home, env: {...service.env, ...env}});
	await terminal.until(new RegExp(`asleep +${mark} offline`));
	expect(/^[\n -~]*$/.test(terminal.screen())).toBe(mark === 'o');
});

test(
	'--ascii draws every screen, dialog and state in ASCII, and states stay apart',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, args: ['--ascii'], columns: 140});
		const ascii = (): void => expect(terminal.screen()).toMatch(/^[\n -~]*$/);
		await terminal.until(/welcome +o offline/);
		ascii();
		pressAction(terminal, 'servers', 'start');
		await terminal.until('Start welcome?');
		ascii();
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(/welcome \* ready/);
		for (const [screen, shown] of [
			['compute', 'Price /h'],
			['environments', 'Used by'],
			['files', /[+-] data/],
			['repl', '>>>'],
			['assistant', /Assistant \. welcome/],
		] as const) {
			pressAction(terminal, 'anywhere', screen);
			await terminal.until(shown);
			ascii();
		}
		pressAction(terminal, 'anywhere', 'help');
		await terminal.until('Type to search all');
		ascii();
	},
);

test(
	'the divider stays in its column where the terminal counts the cells of emoji otherwise',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, unicode: '6', columns: 140});
		await startWelcome(terminal);
		await openRepl(terminal);
		await terminal.until(/REPL · welcome[^]*┬─ *Assistant · welcome/);
		const column = terminal.line(2).indexOf('│');
		const dividers = (): readonly string[] =>
			Array.from({length: 36}, (_, row) => terminal.cell(column, row + 2));
		const whole = dividers();
		expect(whole.slice(0, 30)).toEqual(Array.from({length: 30}, () => '│'));
		runCode(terminal, 's = "⚠️ ❤️ 👩‍💻 👍🏽 🇩🇪"; s');
		await terminal.until(/\[1\] [^]*→ /);
		terminal.type('t = "⚠️ ❤️ 👩‍💻 👍🏽 🇩🇪 ok"');
		await terminal.until(/>>> t = .* ok"/);
		expect(dividers()).toEqual(whole);
		// The row is redrawn from its middle to its end.
		terminal.press('home', ...Array.from({length: 5}, () => 'right'));
		terminal.type('❤️👍🏽');
		await terminal.until(/>>> t = "❤️ *👍/);
		expect(dividers()).toEqual(whole);
	},
);
