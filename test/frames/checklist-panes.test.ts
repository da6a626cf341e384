// Rules for the lines of a screen, and for the left edge of cells.
import {expect, test} from 'vitest';
import {shownText, withScene} from './draw.tsx';
import {sceneName, type Scene, type Size} from './scene.ts';
import {scenes} from './scenes/index.ts';

const sceneOf = (name: string): Scene => scenes.find(scene => sceneName(scene) === name)!;

const drawn = async (name: string, size: Size): Promise<readonly string[]> => {
	let lines: readonly string[] = [];
	await withScene(sceneOf(name), size, async ({frame}) => {
		lines = (await shownText(frame, size)).split('\n');
	});
	return lines;
};

const SIZES = [
	{columns: 80, rows: 24},
	{columns: 120, rows: 40},
	{columns: 140, rows: 40},
	{columns: 200, rows: 50},
];
const PANES = [
	'files full',
	'files code',
	'files notebook-outputs',
	'repl full',
	'assistant full',
	'panes full-files',
	'panes full-repl',
	'panes full-assistant',
];

test.each(SIZES)(
	'one rule under the header carries the titles, none is above the footer, and no two lines touch: %j',
	async size => {
		for (const name of PANES) {
			const lines = await drawn(name, size);
			expect([name, lines[1]]).toEqual([name, expect.stringMatching(/^─ \S/)]);
			expect([name, lines[2]]).not.toEqual([name, expect.stringMatching(/^[─┬┴┼]+$/)]);
			// A dock may be above the footer and the row of notices: it names panes.
			for (const row of [size.rows - 3, size.rows - 2])
				expect([name, lines[row] ?? '']).not.toEqual([name, expect.stringMatching(/^[─┴]+$/)]);
			expect([name, lines.filter(line => /[│┃][│┃├┤]|[├┤][│┃]/.test(line))]).toEqual([name, []]);
		}
	},
);

/** Column at which code starts, and all other rows of a cell. */
const EDGE = 7;

// No tree is beside the notebook at these sizes.
test.each([SIZES[0], SIZES[2]] as const)(
	'code, printed text, values and tracebacks share one left edge, with marks beside them: %j',
	async size => {
		for (const name of ['files notebook-outputs', 'repl full']) {
			const rows = (await drawn(name, size!))
				.slice(2, -4)
				.map(line => line.split(/[│┃]/)[0]!.trimEnd())
				.filter(row => row !== '' && !/^─| >>>/.test(row));
			expect(rows.length).toBeGreaterThan(6);
			const beside = rows.map(row => row.slice(0, EDGE));
			for (const gutter of beside)
				expect([name, gutter]).toEqual([name, expect.stringMatching(/^[ ▌] ?(?:\[.{1,3}\]|\d+|→|✗)? +$/)]);
			const edges = rows.map(row => row.slice(EDGE).search(/\S/));
			// Frames of a traceback are indented below its head, like rows that continue a line.
			for (const [index, edge] of edges.entries())
				expect([rows[index], edge]).toEqual([rows[index], / {2}File |^ +'data/.test(rows[index]!) ? 2 : 0]);
			const text = rows.join('\n');
			expect(text).toMatch(/✗ +Traceback/);
			if (name.startsWith('files')) expect(text).toMatch(/^ {2}→ {4}365$/m);
		}
	},
);
