// `svc-tui info` in terminals that answer the questions for pictures, that do not, and that lie.
import {execFileSync} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findProgram} from '../../src/engines/jupyter/installation.ts';
import {TERMINALS, type Replies} from '../support/pictures.ts';
import {newHome, openProgram, PROGRAM, runCommand, type Home} from '../support/program.ts';
import {openTerminal} from '../support/terminal.ts';

const infoIn = async (
	replies: Replies,
	{env = {}, home: given}: {readonly env?: Readonly<Record<string, string>>; readonly home?: Home} = {},
): Promise<string> => {
	await using own = given ? null : await newHome();
	const home = given ?? own;
	if (!home) throw new Error('no home');
	await using terminal = await openProgram({home, args: ['info'], columns: 160, rows: 70, env, replies});
	expect((await terminal.exit).code).toBe(0);
	// Nothing of an answer is left to the shell, and the line is as it was.
	expect(await terminal.leftovers()).toEqual([]);
	return /^ *pictures +(\S.*: .*)$/m.exec(terminal.screen())?.[1] ?? terminal.screen();
};

const ANSWERS = [
	['kitty', "kitty's graphics: over the whole screen; half blocks in the pane"],
	['oldKitty', "kitty's graphics: over the whole screen; half blocks in the pane"],
	['iterm2', "iTerm2's inline images: over the whole screen; half blocks in the pane"],
	['sixel', 'sixel: over the whole screen; half blocks in the pane'],
	['xterm', 'sixel: over the whole screen; half blocks in the pane'],
	['smallXterm', 'half blocks: the terminal does not tell the size of its cells'],
	['plain', "half blocks: the terminal offers neither kitty's graphics nor inline images nor sixel"],
	['liar', 'half blocks: the terminal does not tell the size of its cells'],
	['silent', 'half blocks: the terminal has not answered'],
] as const satisfies readonly (readonly [keyof typeof TERMINALS, string])[];

test.each(ANSWERS)('info in a terminal that is %s says how pictures are drawn', async (name, says) => {
	expect(await infoIn(TERMINALS[name])).toBe(says);
});

test('a setting, no colours and a terminal that would draw the question say so, and nothing is asked', async () => {
	await using home = await newHome();
	const asked: Replies = new Proxy(TERMINALS.kitty, {});
	expect(await infoIn(asked, {home, env: {NO_COLOR: '1'}})).toBe('half blocks: colours are off');
	expect(await infoIn(asked, {home, env: {TERM: 'linux'}})).toBe(
		'half blocks: this terminal draws no others',
	);
	const folder = join(home.folder, '.config/svc-tui');
	await mkdir(folder, {recursive: true});
	await writeFile(join(folder, 'settings.json'), '{"pictures": "blocks"}');
	expect(await infoIn(asked, {home})).toBe('half blocks: the settings say so');
	const {stdout} = await runCommand(['info'], {home});
	expect(stdout).toContain('not asked: standard input and output are no terminal');
});

const tmux = findProgram('tmux', process.env);
if (tmux === undefined) console.warn('\n*** SKIPPED: nothing was tried in tmux: it is not installed ***\n');

const infoInTmux = async (settings: string, replies: Replies): Promise<string> => {
	await using home = await newHome();
	const socket = join(home.folder, 'tmux');
	const config = join(home.folder, 'tmux.conf');
	await writeFile(config, `${settings}\nset -g remain-on-exit on\n`);
	await using terminal = await openTerminal({
		command: [tmux ?? '', '-S', socket, '-f', config, 'new-session', `${PROGRAM} info`],
		env: home.env,
		columns: 160,
		rows: 70,
		replies,
	});
	try {
		const screen = await terminal.until(/^ *pictures +\S.*:.*$/m);
		return /^ *pictures +(\S.*: .*)$/m.exec(screen)?.[1] ?? screen;
	} finally {
		execFileSync(tmux ?? '', ['-S', socket, 'kill-server']);
	}
};

test.skipIf(tmux === undefined).each([
	[
		'lets none through',
		'set -g allow-passthrough off',
		TERMINALS.kitty,
		/^half blocks: tmux passes none through/,
	],
	[
		'stands in a terminal that draws no placeholders',
		'set -g allow-passthrough on',
		TERMINALS.oldKitty,
		/^half blocks: inside tmux they need kitty 0\.28/,
	],
] as const)('info in a tmux that %s says why', async (_, settings, replies, says) => {
	expect(await infoInTmux(settings, replies)).toMatch(says);
});
