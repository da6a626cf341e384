import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {openJobShell} from '../support/job-shell.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, PROGRAM, runCommand, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {openPricesFile, openRepl, readCells, runCode, startWelcome} from './steps.ts';

const withMouse = async (home: Home, settings: object = {mouse: true}): Promise<void> => {
	const folder = join(home.folder, '.config/svc-tui');
	await mkdir(folder, {recursive: true});
	await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
};

type Place = {readonly column: number; readonly row: number};
const placeOf = (terminal: Terminal, text: string): Place => {
	const rows = terminal.screen().split('\n');
	const row = rows.findIndex(line => line.includes(text));
	expect(row, text).toBeGreaterThanOrEqual(0);
	return {column: rows[row]!.indexOf(text), row};
};
const report = (button: number, {column, row}: Place, end = 'M'): string =>
	`\u001B[<${button};${column + 1};${row + 1}${end}`;
const click = (terminal: Terminal, text: string): void => {
	const at = placeOf(terminal, text);
	terminal.type(report(0, at) + report(0, at, 'm'));
};
const wheel = (terminal: Terminal, text: string, way: 'up' | 'down'): void =>
	terminal.type(report(way === 'up' ? 64 : 65, placeOf(terminal, text)));

const names = Array.from({length: 9}, (_, at) => `machine-${at}`);
const service = async () =>
	startHostileService({servers: () => success({servers: names.map(name => serverItem(name))})});
const onCursor = (name: string): RegExp => new RegExp(`▸ ${name} `);

test('by default the mouse is the terminal’s own', {tags: 'long'}, async () => {
	await using running = await service();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: running.env});
	await terminal.until(onCursor('machine-0'));
	expect(terminal.modes().mouse).toBe(false);
	click(terminal, 'machine-3');
	terminal.press('down');
	await terminal.until(onCursor('machine-1'));
});

test('a click on a tab or a row opens it, and the wheel scrolls the pane below it', async () => {
	await using running = await service();
	await using home = await newHome();
	await withMouse(home);
	await using terminal = await openProgram({home, env: running.env});
	await terminal.until(onCursor('machine-0'));
	expect(terminal.modes().mouse).toBe(true);
	click(terminal, 'machine-5');
	await terminal.until(onCursor('machine-5'));
	click(terminal, 'machine-2');
	await terminal.until(onCursor('machine-2'));
	wheel(terminal, 'machine-4', 'down');
	await terminal.until(onCursor('machine-5'));
	wheel(terminal, 'machine-4', 'up');
	await terminal.until(onCursor('machine-2'));
	click(terminal, '2 C');
	await terminal.until(/A100/);
	click(terminal, '1 S');
	await terminal.until(onCursor('machine-2'));
	// The wheel scrolls the same rows as the keys in a dialog.
	pressAction(terminal, 'global', 'help');
	await terminal.until('Type to search all');
	click(terminal, '2 C');
	wheel(terminal, 'Type to search all', 'down');
	terminal.press('esc');
	await terminal.gone('Type to search all');
	await terminal.until(onCursor('machine-2'));
	pressAction(terminal, 'global', 'quit');
	await terminal.exit;
	expect(await terminal.leftovers()).toEqual([]);
});

test('no report is ever typed, at any cut', async () => {
	await using running = await service();
	await using home = await newHome();
	await withMouse(home);
	await using terminal = await openProgram({home, env: running.env});
	await terminal.until(onCursor('machine-0'));
	pressAction(terminal, 'servers', 'filter');
	terminal.type('mach');
	await terminal.until(/\/ ?mach\b/);
	const whole = report(35, {column: 40, row: 20});
	for (let cut = 3; cut < whole.length; cut++) {
		terminal.type(whole.slice(0, cut));
		terminal.type(`${whole.slice(cut)}\u001B[<0;100;40M`);
	}
	terminal.type('ine-7');
	await terminal.until(/\/ ?machine-7\b/);
	await terminal.until(onCursor('machine-7'));
});

test('a click on a pane gives it the keys, and the wheel scrolls a pane that has them not', async () => {
	await using home = await newHome();
	await withMouse(home);
	await using terminal = await openProgram({home});
	await startWelcome(terminal);
	await openRepl(terminal);
	// Two cells, because a single folded cell would fit into the pane.
	for (const name of ['first', 'line']) {
		runCode(terminal, `[print("${name}", at) for at in range(60)] and None`);
		await terminal.until(`${name} 59`);
	}
	// A click on a companion's name in the dock opens it.
	click(terminal, '6 Assistant ─');
	await terminal.until(/REPL · welcome[^]*Assistant · welcome/);
	terminal.type('to the assistant');
	await terminal.until('› to the assistant');
	const first = terminal.line(3);
	wheel(terminal, 'line 59', 'up');
	await terminal.untilTrue('other cells', () => terminal.line(3) !== first);
	terminal.type(' still');
	await terminal.until('› to the assistant still');
	click(terminal, 'REPL · welcome');
	await terminal.until('esc read the cells');
	click(terminal, 'Assistant · welcome');
	await terminal.until('esc read the answers');
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until(/▸ ▹ data/);
	click(terminal, '▹ src');
	await terminal.until(/▸ ▹ src/);
	click(terminal, '▹ data');
	await terminal.until(/▸ ▹ data/);
});

test('the mouse drags the divider, as far as code keeps its room, and the place stays', async () => {
	await using home = await newHome();
	await withMouse(home);
	const size = {columns: 200, rows: 30};
	/** Columns of the two dividers: right of the tree, and right of the file. */
	const dividers = (terminal: Terminal): readonly number[] =>
		[...terminal.line(10).matchAll(/[│┃]/g)].map(({index}) => index);
	const drag = async (terminal: Terminal, ...columns: readonly number[]): Promise<void> => {
		for (const [at, column] of columns.entries()) terminal.type(report(at === 0 ? 0 : 32, {column, row: 10}));
		terminal.type(report(0, {column: columns.at(-1)!, row: 10}, 'm'));
	};
	{
		await using terminal = await openProgram({home, ...size});
		await startWelcome(terminal);
		await openPricesFile(terminal);
		expect(dividers(terminal)).toEqual([24, 125]);
		await drag(terminal, 125, 122, 119);
		await terminal.untilTrue('a narrower file', () => dividers(terminal)[1] === 119);
		await drag(terminal, 24, 30);
		await terminal.untilTrue('a wider tree', () => dividers(terminal)[0] === 30);
		// The pane with code keeps at least 88 columns.
		await drag(terminal, dividers(terminal)[1]!, 60);
		await terminal.untilTrue('the end', () => dividers(terminal)[1] === 31 + 88);
		// A drag that starts beside the divider moves nothing.
		await drag(terminal, 70, 90);
		pressAction(terminal, 'anywhere', 'repl');
		await terminal.until('>>>');
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until('/ find');
		expect(dividers(terminal)).toEqual([30, 119]);
		pressAction(terminal, 'global', 'quit');
		await terminal.exit;
	}
	await using terminal = await openProgram({home, ...size});
	await openPricesFile(terminal);
	expect(dividers(terminal)).toEqual([30, 119]);
});

test('modes of the mouse are off while another program has the terminal, and after a signal', async () => {
	await using home = await newHome();
	await withMouse(home);
	await using shell = await openJobShell(home, ['bash', '--norc', '--noprofile', '-i']);
	const {terminal} = shell;
	await shell.run(PROGRAM, /welcome\s.*offline/);
	expect(terminal.modes().mouse).toBe(true);
	pressAction(terminal, 'always', 'suspend');
	await terminal.untilTrue('the shell', () => !terminal.modes().alternateScreen);
	await shell.answers();
	expect(terminal.modes().mouse).toBe(false);
	terminal.type('fg\r');
	await terminal.untilTrue('the mouse', () => terminal.modes().mouse);
	await terminal.until(/welcome\s[^]*⏎ open/);
	process.kill(await shell.programPid(), 'SIGTERM');
	await terminal.untilTrue('the shell', () => !terminal.modes().alternateScreen);
	await shell.answers();
	expect(terminal.modes()).toMatchObject({mouse: false, keys: []});
	await shell.run('exit', /exit/);
});

test('the wheel scrolls the saved content of an offline server', {tags: 'long'}, async () => {
	await using home = await newHome();
	await withMouse(home);
	{
		await using terminal = await openProgram({home, columns: 100, rows: 30});
		await startWelcome(terminal);
		await openRepl(terminal);
		runCode(terminal, 'print(*(f"line {i}" for i in range(40)), sep="\\n")');
		await terminal.until('line 39');
		await readCells(terminal);
		pressAction(terminal, 'global', 'quit');
		await terminal.exit;
	}
	await runCommand(['local', 'stop'], {home});
	await using terminal = await openProgram({home, columns: 100, rows: 30});
	await terminal.until(/saved here: 1 cell[^]*line 39/);
	wheel(terminal, 'line 39', 'up');
	await terminal.gone('line 39');
	wheel(terminal, 'line 30', 'down');
	await terminal.until('line 39');
});
