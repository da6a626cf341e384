// @module-tag long
// Pictures inside a real tmux, in a terminal that draws kitty's placeholders. They are passed
// through if tmux allows it; otherwise there are none.
import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import {
	kittyCommands,
	placeholdersOn,
	type KittyImage,
	type PlaceholderCell,
} from '../support/drawn-pictures.ts';
import {TERMINALS} from '../support/pictures.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, PROGRAM} from '../support/program.ts';
import {hasTmux, openInTmux} from '../support/tmux.ts';
import {openRepl, readCells, startWelcome} from './steps.ts';

const COLUMNS = 90;
const ROWS = 30;
// This is the form in which tmux sends the query for the terminal's name.
const KITTY = {...TERMINALS.kitty, '\u001B[>q': TERMINALS.kitty['\u001B[>0q']};

const red = (): string => {
	const png = new PNG({width: 300, height: 200});
	for (let at = 0; at < 300 * 200; at++) png.data.set([250, 10, 20, 255], at * 4);
	return PNG.sync.write(png, {colorType: 2}).toString('base64');
};

/** True if the cells show the whole image, each with its own row and column. */
const isWhole = (image: KittyImage | undefined, cells: readonly PlaceholderCell[]): boolean => {
	const [first] = cells;
	return (
		first !== undefined &&
		cells.length === Number(image?.keys['c']) * Number(image?.keys['r']) &&
		cells.every(
			({x, y, id, row, column}) =>
				String(id) === image?.keys['i'] && row === y - first.y && column === x - first.x,
		)
	);
};

test.skipIf(!hasTmux).each([
	['passes them through', 'set -g allow-passthrough on\nset -as terminal-features ",*:RGB"', true],
	['passes none through', 'set -g allow-passthrough off', false],
])('where tmux %s', async (_, settings, isPassed) => {
	await using home = await newHome();
	await using inTmux = await openInTmux({
		home,
		settings: `${settings}\nset -g escape-time 0\nset -g status off`,
		replies: KITTY,
		command: `${PROGRAM}; echo IT HAS ENDED; cat`,
		columns: COLUMNS,
		rows: ROWS,
	});
	const {terminal} = inTmux;
	const cells = () => placeholdersOn(terminal, COLUMNS, ROWS);
	// The transcript behind the picture may also get an image, earlier or later.
	const sent = () =>
		kittyCommands(inTmux.written()).findLast(
			({keys}) => keys['a'] === 'T' && keys['i'] === String(cells()[0]?.id),
		);
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.paste(`display({"image/png": "${red()}"}, raw=True)`);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/^ +▀{10,}$/m);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'picture');
	await terminal.until(
		isPassed ? /Out\[1\] · 300x200 ─/ : /Out\[1\] · 300x200, in block characters: tmux blocks them/,
	);
	if (isPassed) {
		// Tmux writes a placeholder first and its marks afterwards; a partial one does not count.
		await terminal.untilTrue('one picture of placeholders', () => isWhole(sent(), cells()));
		expect(sent()?.keys).toMatchObject({U: '1', q: '2'});
		expect(sent()?.picture?.pixel(5, 5)).toEqual([250, 10, 20, 255]);
	} else await terminal.until(/▀{60,}/);
	pressAction(terminal, 'picture', 'close');
	await terminal.gone('Out[1] · 300x200');
	terminal.press('ctrl+c', 'ctrl+c');
	await terminal.until('IT HAS ENDED');
	expect(cells()).toEqual([]);
	const alive = new Set<string>();
	for (const {keys} of kittyCommands(inTmux.written())) {
		if (keys['a'] === 'T') alive.add(keys['i'] ?? '');
		if (keys['a'] === 'd') alive.delete(keys['i'] ?? '');
	}
	expect([...alive]).toEqual([]);
	// A terminal that must not get kitty's graphics receives no byte of them, and none of their
	// wrapping.
	if (!isPassed) expect(inTmux.written()).not.toMatch(/\u001B_G|Ptmux;|Gi=31|\u{10EEEE}/u);
	expect(terminal.screen()).not.toMatch(/Gi=|a=T|AAAA|tmux;/);
});
