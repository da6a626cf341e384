import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startHostileService} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {openRepl, runCode, startWelcome} from './steps.ts';

const DARK = 0x6cb6ff;
const LIGHT = 0x0059b3;

const settingsOf = ({folder}: Home): string => join(folder, '.config/svc-tui/settings.json');
const writeSettings = async (home: Home, text: string): Promise<void> => {
	await mkdir(join(home.folder, '.config/svc-tui'), {recursive: true});
	await writeFile(settingsOf(home), text);
};

/** The colour of the first cell of a text. Null if the text has the default colour. */
const colourOf = (terminal: Terminal, text: string): number | null | undefined => {
	const row = terminal
		.screen()
		.split('\n')
		.findIndex(line => line.includes(text));
	return row < 0 ? undefined : terminal.colour(terminal.line(row).indexOf(text), row);
};
const untilColour = async (terminal: Terminal, text: string, colour: number | null): Promise<void> => {
	await terminal.untilTrue(`${text} in ${colour?.toString(16)}`, () => colourOf(terminal, text) === colour);
};

test('a theme is seen on the screen behind before it is chosen, and chosen it stays', async () => {
	await using service = await startHostileService();
	await using home = await newHome();
	await writeSettings(home, '{\n\t// mine\n\t"ascii": false\n}\n');
	{
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until(/calm \S ready/);
		const footer = '⏎ open';
		await untilColour(terminal, footer, null);
		terminal.type(':theme\r');
		await terminal.until('Theme');
		terminal.press('down');
		// Checks the screen behind the dialog, by its tabs.
		await untilColour(terminal, 'Environment ', 0xa0a7b2);
		terminal.press('down');
		await untilColour(terminal, 'Environment ', 0x565d66);
		terminal.press('esc');
		await terminal.gone('high-contrast');
		await untilColour(terminal, footer, null);
		await untilColour(terminal, 'Environment ', null);
		expect(await readFile(settingsOf(home), 'utf8')).not.toContain('theme');
		terminal.type(':theme\r');
		await terminal.until('high-contrast');
		terminal.type('light\r');
		await terminal.until('Theme set to light and saved');
		await untilColour(terminal, footer, LIGHT);
		expect(await readFile(settingsOf(home), 'utf8')).toMatch(/\/\/ mine[^]*"theme": "light"/);
		terminal.type(':theme dark\r');
		await terminal.until('Theme set to dark and saved');
		await untilColour(terminal, footer, DARK);
		terminal.type(':theme pink');
		await terminal.until('theme pink');
		terminal.press('enter');
		await terminal.until('The themes are terminal, dark, light, high-contrast');
	}
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/calm \S ready/);
	await untilColour(terminal, '⏎ open', DARK);
});

test('settings that cannot be read keep no theme, and it holds until the end', async () => {
	await using service = await startHostileService();
	await using home = await newHome();
	await writeSettings(home, '{"theme": "dark"');
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/calm \S ready/);
	terminal.type(':theme light\r');
	await terminal.until(/Theme light until you quit: .*settings\.json/);
	await untilColour(terminal, '⏎ open', LIGHT);
	expect(await readFile(settingsOf(home), 'utf8')).toBe('{"theme": "dark"');
});

test('the colours of a transcript change too', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(terminal, "'abc' + 'def'");
	await terminal.until("'abcdef'");
	await terminal.until(/\[1\] [^]*→ /);
	terminal.press('ctrl+x');
	terminal.type(':theme dark\r');
	await untilColour(terminal, "'abc'", 0x63c98f);
	terminal.press('ctrl+x');
	terminal.type(':theme light\r');
	await untilColour(terminal, "'abc'", 0x17663a);
});

test(
	"colours of one's own are drawn in place of the theme's, as near as the terminal can",
	{tags: 'long'},
	async () => {
		await using service = await startHostileService();
		await using home = await newHome();
		await writeSettings(home, '{"colours": {"accent": "#ff8800"}}');
		{
			await using terminal = await openProgram({home, env: service.env});
			await terminal.until(/calm \S ready/);
			await untilColour(terminal, '⏎ open', 0xff8800);
			terminal.type(':theme dark\r');
			await untilColour(terminal, 'Environment ', 0xa0a7b2);
			await untilColour(terminal, '⏎ open', 0xff8800);
		}
		let drawn = '';
		await using terminal = await openProgram({home, env: {...service.env, COLORTERM: ''}});
		terminal.onOutput(chunk => (drawn += chunk));
		await terminal.until(/calm \S ready/);
		pressAction(terminal, 'global', 'compute');
		await terminal.until(/A100/);
		expect(drawn).toContain('\u001B[38;5;208m');
	},
);
