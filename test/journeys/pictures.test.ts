// A full-screen picture: in terminals that draw pixels, in the system's viewer, and in a file.
import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import {
	inlineImageIn,
	kittyCommands,
	placeholdersOn,
	sixelIn,
	type DrawnPicture,
	type PlaceholderCell,
} from '../support/drawn-pictures.ts';
import {TERMINALS} from '../support/pictures.ts';
import {pressAction} from '../support/press-action.ts';
import {openJobShell, PROMPT} from '../support/job-shell.ts';
import {newHome, openProgram, PROGRAM, type Home} from '../support/program.ts';
import {testRows} from '../support/rows.ts';
import type {Terminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';
import {openRepl, readCells, startWelcome} from './steps.ts';

/** A picture, red above blue, of 300x200 pixels, in base64. */
const flag = (): string => {
	const png = new PNG({width: 300, height: 200});
	for (let at = 0; at < 300 * 200; at++)
		png.data.set(at < 300 * 100 ? [250, 10, 20, 255] : [10, 20, 250, 255], at * 4);
	// The program would encode the same pixels as other bytes.
	return PNG.sync.write(png, {colorType: 2}).toString('base64');
};

const near = (one: readonly number[], other: readonly number[]): boolean =>
	one.every((value, index) => Math.abs(value - (other[index] ?? 0)) <= 3);

const WAYS: readonly (readonly [
	name: 'kitty' | 'oldKitty' | 'iterm2' | 'sixel',
	drawn: (written: string) => DrawnPicture | null,
])[] = [
	['sixel', sixelIn],
	['oldKitty', written => kittyCommands(written).findLast(({keys}) => keys['a'] === 'T')?.picture ?? null],
	['iterm2', written => inlineImageIn(written)?.picture ?? null],
];

testRows(
	'in a terminal that is %s a picture is drawn in pixels over the whole screen, and nothing of it stays',
	WAYS,
	1,
	async ([name, drawnIn]) => {
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 90, rows: 30, replies: TERMINALS[name]});
		let written = '';
		terminal.onOutput(chunk => (written += chunk));
		await startWelcome(terminal);
		await openRepl(terminal);
		const base64 = flag();
		terminal.paste(`display({"image/png": "${base64}"}, raw=True)`);
		pressAction(terminal, 'repl', 'run');
		await terminal.until(/^ +▀{10,}$/m);
		await readCells(terminal);
		// The terminal is not queried before the first picture.
		expect(written).not.toContain('\u001B[>0q');
		written = '';
		pressAction(terminal, 'cells', 'picture');
		await terminal.until(/Out\[1\] · 300x200 ─/);
		await terminal.untilTrue('pixels', () => drawnIn(written) !== null);
		const picture = drawnIn(written);
		// Sixels have the size in which they are drawn; other pictures are enlarged by the
		// terminal.
		const [wide, high] = [picture?.width ?? 0, picture?.height ?? 1];
		expect([name === 'sixel' ? wide > 600 : wide === 300, Math.round((wide / high) * 10)]).toEqual([
			true,
			15,
		]);
		expect(near(picture?.pixel(5, 5) ?? [], [250, 10, 20, 255])).toBe(true);
		expect(near(picture?.pixel(5, (picture.height ?? 9) - 5) ?? [], [10, 20, 250, 255])).toBe(true);
		// The program encodes the picture itself, so the server's bytes never reach the terminal.
		expect(written).not.toContain(base64.slice(0, 200));
		// The picture's row is empty in the text, and the title is not covered.
		expect(terminal.line(3).trim()).toBe('');
		written = '';
		pressAction(terminal, 'picture', 'close');
		await terminal.until(/^▌ +▀{10,}$/m);
		for (let row = 4; row <= 28; row++) expect(written).toContain(`\u001B[${row};1H\u001B[2K`);
		if (name === 'oldKitty') expect(kittyCommands(written).at(-1)?.keys).toMatchObject({a: 'd', d: 'I'});
		terminal.press('ctrl+c', 'ctrl+c');
		await terminal.exit;
		expect(await terminal.leftovers()).toEqual([]);
	},
);

/** True if the cells form one image, in which each shows its own row and column. */
const areOne = (cells: readonly PlaceholderCell[]): boolean => {
	const [first] = cells;
	return (
		first !== undefined &&
		cells.every(
			({x, y, id, row, column}) =>
				id === first.id && row - first.row === y - first.y && column - first.column === x - first.x,
		)
	);
};

test('in a terminal that draws placeholders a picture is in its cell once one was opened, scrolls as text, and is removed at the end', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 30, replies: TERMINALS.kitty});
	let written = '';
	terminal.onOutput(chunk => (written += chunk));
	const cells = (): readonly PlaceholderCell[] => placeholdersOn(terminal, 90, 30);
	const sent = (id: number | undefined) =>
		kittyCommands(written).findLast(({keys}) => keys['a'] === 'T' && keys['i'] === String(id));
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.paste(`display({"image/png": "${flag()}"}, raw=True)`);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/^ +▀{10,}$/m);
	await readCells(terminal);
	expect(kittyCommands(written)).toEqual([]);

	pressAction(terminal, 'cells', 'picture');
	await terminal.untilTrue('a picture over the whole screen', () => cells().length > 300);
	const whole = cells();
	expect(areOne(whole)).toBe(true);
	const large = sent(whole[0]?.id);
	expect(large?.keys).toMatchObject({U: '1', c: String((whole.at(-1)?.column ?? 0) + 1)});
	expect(Number(large?.keys['r'])).toBe((whole.at(-1)?.row ?? 0) + 1);

	const before = written.length;
	pressAction(terminal, 'picture', 'close');
	// A picture of 300x200 pixels covers 30x10 cells of 10x20 pixels.
	await terminal.untilTrue('a picture in its cell', () => cells().length === 30 * 10);
	const small = cells();
	expect(areOne(small)).toBe(true);
	const own = sent(small[0]?.id);
	expect(own?.keys).toMatchObject({U: '1', c: '30', r: '10', f: '100'});
	expect([own?.picture?.width, own?.picture?.height]).toEqual([300, 200]);
	expect(near(own?.picture?.pixel(5, 5) ?? [], [250, 10, 20, 255])).toBe(true);
	expect(near(own?.picture?.pixel(5, 195) ?? [], [10, 20, 250, 255])).toBe(true);
	// The full-screen image has been deleted.
	await terminal.untilTrue('deleted', () =>
		kittyCommands(written.slice(before)).some(
			({keys}) => keys['a'] === 'd' && keys['d'] === 'I' && keys['i'] === String(whole[0]?.id),
		),
	);

	pressAction(terminal, 'cells', 'edit');
	await terminal.until('>>>');
	terminal.paste('print("\\n".join(map(str, range(15))))');
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/^ +14$/m);
	await terminal.untilTrue('scrolled', () => cells().length < 300 && cells().length > 0);
	expect(areOne(cells())).toBe(true);
	expect(cells().at(-1)).toMatchObject({row: 9, column: 29});

	written = '';
	terminal.press('ctrl+c', 'ctrl+c');
	await terminal.exit;
	expect(kittyCommands(written).map(({keys}) => keys['a'])).toEqual(['d']);
	expect(kittyCommands(written)[0]?.keys).toMatchObject({d: 'I', i: String(small[0]?.id)});
	expect(await terminal.leftovers()).toEqual([]);
});

test.each(['kitty', 'oldKitty', 'iterm2', 'sixel'] as const)(
	"in a terminal that is %s a killed program's picture is gone once the next program has started",
	{tags: 'long'},
	async name => {
		// The kernel continues after the program, as it does for a user.
		await using home = await newHome({keeps: true});
		await using shell = await openJobShell(
			home,
			['bash', '--norc', '--noprofile', '-i'],
			home.folder,
			TERMINALS[name],
		);
		const {terminal} = shell;
		let written = '';
		terminal.onOutput(chunk => (written += chunk));
		const picture = (): boolean =>
			name === 'kitty'
				? placeholdersOn(terminal, 120, 40).length > 300
				: WAYS.some(([, drawn]) => drawn(written) !== null);
		const openPicture = async (): Promise<void> => {
			await terminal.until(/▀{10,}/);
			await readCells(terminal);
			pressAction(terminal, 'cells', 'picture');
			await terminal.untilTrue('pixels', picture);
		};
		terminal.type(`${PROGRAM}\r`);
		await startWelcome(terminal);
		await openRepl(terminal);
		terminal.paste(`display({"image/png": "${flag()}"}, raw=True)`);
		pressAction(terminal, 'repl', 'run');
		await openPicture();
		const [id] = placeholdersOn(terminal, 120, 40).map(cell => cell.id);
		process.kill(await shell.programPid(), 'SIGKILL');
		await terminal.until(PROMPT.trim());

		written = '';
		terminal.type(`${PROGRAM} --fresh\r`);
		await terminal.until(/welcome\s[^]*⏎ open/);
		// Erasing the screen also erases its pictures in all of these terminals, including the
		// picture in the text.
		expect(written.slice(written.indexOf('\u001B[?1049h'))).toMatch(/^\u001B\[\?1049h\u001B\[2J/);
		expect(placeholdersOn(terminal, 120, 40)).toEqual([]);
		expect([kittyCommands(written), inlineImageIn(written), sixelIn(written)]).toEqual([[], null, null]);
		// The REPL shows the cell of the previous program.
		await openRepl(terminal);
		await openPicture();
		// Images of the previous program are replaced, so they do not accumulate. A picture that
		// was drawn in two sizes has the second of the fixed ids.
		if (name === 'kitty') {
			const commands = kittyCommands(written);
			const firstSent = commands.findIndex(({keys}) => keys['a'] === 'T');
			const deleted = commands.slice(0, firstSent).map(({keys}) => [keys['a'], keys['i']]);
			expect(deleted).toContainEqual(['d', String(id)]);
			expect(deleted).toContainEqual(['d', String(placeholdersOn(terminal, 120, 40)[0]?.id)]);
		}
		pressAction(terminal, 'picture', 'close');
		await terminal.gone(/Out\[1\] · 300x200 ─/);
		pressAction(terminal, 'global', 'quit');
		await terminal.untilTrue('the main screen', () => !terminal.modes().alternateScreen);
		await shell.answers();
		expect(placeholdersOn(terminal, 120, 40)).toEqual([]);
	},
);

const SVG =
	'<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><script>alert(1)</script><rect width="30" height="20" fill="red"/></svg>';
const BROKEN = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect></svg>';

/**
 * Opens the REPL of a program. Its picture viewer copies its input, and records that it was
 * started.
 */
const openWithViewer = async (home: Home): Promise<Terminal> => {
	const [bin, log] = [join(home.folder, 'bin'), join(home.folder, 'log')];
	mkdirSync(bin);
	writeFileSync(
		join(bin, 'xdg-open'),
		`#!/bin/sh\nprintf '%s\\n' "$@" >> '${log}'\ncp "$1" '${home.folder}/.taken' && mv '${home.folder}/.taken' '${home.folder}/taken.png'\n`,
	);
	chmodSync(join(bin, 'xdg-open'), 0o755);
	const terminal = await openProgram({
		home,
		columns: 90,
		rows: 30,
		env: {DISPLAY: ':9', PATH: `${bin}${delimiter}${home.env['PATH']}`},
	});
	await startWelcome(terminal);
	await openRepl(terminal);
	return terminal;
};

test("o opens a picture in the system's viewer as a PNG of our own, S saves the original and overwrites nothing", async () => {
	await using home = await newHome();
	await using terminal = await openWithViewer(home);
	const base64 = flag();
	terminal.paste(`display({"image/png": "${base64}"}, raw=True)`);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/^ +▀{10,}$/m);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'place');
	await terminal.until('Out[1] opened in your picture viewer');
	// The screen does not show when the viewer has received the file, so this polls for it.
	const taken = await waitFor(() => readFileSync(join(home.folder, 'taken.png')));
	expect(taken.toString('base64')).not.toBe(base64);
	const {width, height, data} = PNG.sync.read(taken);
	expect([width, height, ...data.subarray(0, 4)]).toEqual([300, 200, 250, 10, 20, 255]);
	expect(readFileSync(join(home.folder, 'log'), 'utf8')).toMatch(/^\/\S+\/svc-tui-open-[\da-f]{32}\.png\n$/);

	pressAction(terminal, 'cells', 'savePicture');
	await terminal.until(/Save Out\[1][^]*\.\/Out-1\.png/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('Saved the picture to ');
	const saved = join(home.folder, 'Out-1.png');
	expect(readFileSync(saved).toString('base64')).toBe(base64);
	writeFileSync(saved, 'somebody else');
	pressAction(terminal, 'cells', 'savePicture');
	await terminal.until(/Save Out\[1]/);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('already exists. Choose another name');
	expect(readFileSync(saved, 'utf8')).toBe('somebody else');
});

test('SVG is drawn, given to the viewer as a PNG, and saved as it was sent', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openWithViewer(home);
	const drawn = join(home.folder, 'Out-1.svg');
	terminal.paste(`display({"image/svg+xml": ${JSON.stringify(SVG)}}, raw=True)`);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/^ +▀{30}$/m);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'place');
	await terminal.until('Out[1] opened in your picture viewer');
	// The screen does not show when the viewer has received the file, so this polls for it.
	const png = PNG.sync.read(await waitFor(() => readFileSync(join(home.folder, 'taken.png'))));
	expect([png.width, png.height, ...png.data.subarray(0, 3)]).toEqual([30, 20, 255, 0, 0]);
	pressAction(terminal, 'cells', 'picture');
	await terminal.until(/Out\[1] · 30x20/);
	pressAction(terminal, 'picture', 'save');
	await terminal.until(/\.\/Out-1\.svg/);
	pressAction(terminal, 'chooser', 'accept');
	await waitFor(() => expect(readFileSync(drawn, 'utf8')).toBe(SVG));
	expect(readFileSync(join(home.folder, 'log'), 'utf8')).toMatch(/^\/\S+\/svc-tui-open-[\da-f]{32}\.png\n$/);
	pressAction(terminal, 'picture', 'close');
	await terminal.gone(/Out\[1] · 30x20/);

	pressAction(terminal, 'cells', 'edit');
	await terminal.until('^R earlier code');
	terminal.paste(`display({"image/svg+xml": ${JSON.stringify(BROKEN)}}, raw=True)`);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/picture not drawn: the SVG cannot be read: [^]*,\s+S\s+saves it/);
});

test('without pixels a picture is enlarged, moved to its edges and shown whole again', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 90, rows: 30});
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.paste(`display({"image/png": "${flag()}"}, raw=True)`);
	pressAction(terminal, 'repl', 'run');
	await terminal.until(/^ +▀{10,}$/m);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'picture');
	await terminal.until(/300x200, in block characters[^]*^ +▀{60,80}$/m);
	pressAction(terminal, 'picture', 'reduce');
	await terminal.until('The whole picture is in view');
	pressAction(terminal, 'picture', 'enlarge');
	await terminal.until(/300x200, 2×[^]*^ +▀{88}$/m);
	pressAction(terminal, 'picture', 'left');
	pressAction(terminal, 'picture', 'left');
	await terminal.until('The left edge is in view');
	pressAction(terminal, 'picture', 'whole');
	await terminal.until(/300x200, in block characters[^]*^ +▀{60,80}$/m);
});
