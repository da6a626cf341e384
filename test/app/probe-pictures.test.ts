// `svc-tui info` in terminals that answer the queries about pictures, do not answer, or answer
// wrongly.
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {TERMINALS, type Replies} from '../support/pictures.ts';
import {testRows} from '../support/rows.ts';
import {newHome, openProgram, PROGRAM, runCommand, type Home} from '../support/program.ts';
import {hasTmux, openInTmux} from '../support/tmux.ts';

const infoIn = async (
	replies: Replies,
	{env = {}, home: given}: {readonly env?: Readonly<Record<string, string>>; readonly home?: Home} = {},
): Promise<string> => {
	await using own = given ? null : await newHome();
	const home = given ?? own;
	if (!home) throw new Error('no home');
	await using terminal = await openProgram({home, args: ['info'], columns: 160, rows: 70, env, replies});
	expect((await terminal.exit).code).toBe(0);
	// No part of a reply reaches the shell, and the prompt line is unchanged.
	expect(await terminal.leftovers()).toEqual([]);
	return /^ *pictures +(\S.*: .*)$/m.exec(terminal.screen())?.[1] ?? terminal.screen();
};

const ANSWERS = [
	['kitty', "kitty's graphics: full screen, and within cells once a picture was opened"],
	['oldKitty', "kitty's graphics: full screen; block characters in panes"],
	['iterm2', "iTerm2's inline images: full screen; block characters in panes"],
	['sixel', 'sixel: full screen; block characters in panes'],
	['xterm', 'sixel: full screen; block characters in panes'],
	['smallXterm', 'block characters: the terminal does not report its cell size'],
	['plain', 'block characters: the terminal supports neither kitty graphics, inline images nor sixel'],
	['liar', 'block characters: the terminal does not report its cell size'],
	['silent', 'block characters: the terminal has not responded'],
] as const satisfies readonly (readonly [keyof typeof TERMINALS, string])[];

testRows('info in a terminal that is %s reports how pictures are drawn', ANSWERS, 2, async ([name, says]) => {
	expect(await infoIn(TERMINALS[name])).toBe(says);
});

test('a setting, no colours and a terminal that would draw the query are reported, and no query is sent', async () => {
	await using home = await newHome();
	const asked: Replies = new Proxy(TERMINALS.kitty, {});
	expect(await infoIn(asked, {home, env: {NO_COLOR: '1'}})).toBe('block characters: colours are off');
	expect(await infoIn(asked, {home, env: {TERM: 'linux'}})).toBe(
		'block characters: this terminal supports nothing better',
	);
	const folder = join(home.folder, '.config/svc-tui');
	await mkdir(folder, {recursive: true});
	await writeFile(join(folder, 'settings.json'), '{"pictures": "blocks"}');
	expect(await infoIn(asked, {home})).toBe('block characters: turned off in the settings');
	const {stdout} = await runCommand(['info'], {home});
	expect(stdout).toContain('not checked: standard input or output is not a terminal');
});

const infoInTmux = async (settings: string, replies: Replies): Promise<string> => {
	await using home = await newHome();
	await using inTmux = await openInTmux({
		home,
		settings,
		replies,
		command: `${PROGRAM} info`,
		columns: 160,
		rows: 70,
	});
	const screen = await inTmux.terminal.until(/^ *pictures +\S.*:.*$/m);
	return /^ *pictures +(\S.*: .*)$/m.exec(screen)?.[1] ?? screen;
};

const IN_TMUX = [
	[
		'lets none through',
		'set -g allow-passthrough off',
		TERMINALS.kitty,
		/^block characters: tmux blocks them/,
	],
	[
		'lets them through to a terminal that draws placeholders',
		'set -g allow-passthrough on\nset -as terminal-features ",*:RGB"',
		// This is the form in which tmux sends the query for the terminal's name.
		{...TERMINALS.kitty, '\u001B[>q': TERMINALS.kitty['\u001B[>0q']},
		/^kitty's graphics: full screen, and within cells once a picture was opened$/,
	],
	[
		'stands in a terminal that draws no placeholders',
		'set -g allow-passthrough on',
		TERMINALS.oldKitty,
		/^block characters: inside tmux they need kitty 0\.28/,
	],
] as const;
if (hasTmux)
	testRows('info in a tmux that %s gives the reason', IN_TMUX, 1, async ([_, settings, replies, says]) => {
		expect(await infoInTmux(settings, replies)).toMatch(says);
	});
