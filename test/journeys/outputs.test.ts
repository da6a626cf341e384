import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {openRepl, readCells, runCode, startWelcome} from './steps.ts';

const SIZE = {columns: 90, rows: 42};

const flag = (): string => {
	const png = new PNG({width: 40, height: 20});
	for (let at = 0; at < 800; at++)
		png.data.set(at % 40 < 20 ? [250, 10, 20, 255] : [10, 20, 250, 255], at * 4);
	return PNG.sync.write(png).toString('base64');
};

test(
	'a progress bar is one line in its last state, and several are redrawn in place',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		runCode(
			terminal,
			String.raw`print("".join(f"\r{n}% |{'#' * (n // 10):10}|" for n in range(101)) + "\nafter")`,
		);
		expect(await terminal.until(/^ +after$/m)).toMatch(/^ +100% \|##########\|\n +after$/m);
		runCode(terminal, String.raw`print("".join(f"\router {n}\n\rinner {n * 2}\x1b[A" for n in range(50)))`);
		expect(await terminal.until(/\[2][^]*^ +outer 49$/m)).toMatch(
			/\[2].*\n(?: .*\n)? +outer 49\n +inner 98\n/,
		);
	},
);

test("a DataFrame's HTML is a table, a picture is drawn in its colours, and an unknown kind can be unfolded", async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE});
	const drawn: string[] = [];
	terminal.onOutput(chunk => drawn.push(chunk));
	await startWelcome(terminal);
	await openRepl(terminal);
	runCode(
		terminal,
		'display({"text/html": "<table><thead><tr><th></th><th>gpu</th><th>price</th></tr></thead><tr><th>0</th><td>A100</td><td>1.5</td></tr><tr><th>1</th><td>L4</td><td>10.25</td></tr></table>", "text/plain": "plain"}, raw=True)',
	);
	const table = await terminal.until(/^ +gpu +price$/m);
	expect(table).toMatch(/^ +gpu +price\n +0 +A100 +1\.5\n +1 +L4 +10\.25$/m);
	expect(table).not.toMatch(/^ +plain$/m);
	terminal.paste(`display({"image/png": "${flag()}", "text/plain": "<a flag>"}, raw=True)`);
	pressAction(terminal, 'repl', 'run');
	const picture = await terminal.until(/^ +▀{40}$/m);
	expect(picture.match(/^ +▀{40}$/gm)).toHaveLength(10);
	// A figure's name is redundant beside the figure.
	expect(picture).not.toMatch(/^ +<a flag>$/m);
	expect(drawn.join('')).toContain('38;2;250;10;20');
	runCode(terminal, 'display({"application/json": {"deep": list(range(30))}}, raw=True)');
	await terminal.until(/more lines folded/);
	await readCells(terminal);
	pressAction(terminal, 'cells', 'fold');
	await terminal.until(/^▌ +29$/m);
	pressAction(terminal, 'cells', 'fold');
	await terminal.until(/more lines folded/);
});

test('under NO_COLOR a picture is drawn in shades', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using terminal = await openProgram({home, ...SIZE, env: {NO_COLOR: '1'}});
	await startWelcome(terminal);
	await openRepl(terminal);
	terminal.paste(`display({"image/png": "${flag()}"}, raw=True)`);
	pressAction(terminal, 'repl', 'run');
	const picture = await terminal.until(/^ +░{20}$/m);
	expect(picture.match(/^ +░{20}$/gm)).toHaveLength(10);
});

test(
	'frames of libraries are folded in a traceback, and a frame leads to its cell',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, ...SIZE});
		await startWelcome(terminal);
		await openRepl(terminal);
		terminal.paste('def chosen(text):\n    import json\n    return json.loads(text)\n');
		pressAction(terminal, 'repl', 'run');
		await terminal.until('[1]');
		runCode(terminal, 'chosen("")');
		const folded = await terminal.until(/JSONDecodeError: Expecting value/);
		expect(folded).toMatch(/<cell 1>", line 3, in chosen\n.*\n.*\n {9}… 3 frames in json {2}F unfolds\n/);
		expect(folded).not.toContain('raw_decode');
		await readCells(terminal);
		pressAction(terminal, 'cells', 'fold');
		await terminal.until(/raw_decode[^]*JSONDecodeError: Expecting value/);
		pressAction(terminal, 'cells', 'fold');
		await terminal.until(/3 frames in json/);
		pressAction(terminal, 'cells', 'place');
		await terminal.until(/cell 1, line 3 +return json\.loads\(text\)/);
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(/^▌\[1\]/m);
	},
);
