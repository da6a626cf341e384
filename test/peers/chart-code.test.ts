// @module-tag long
// Python with pandas and matplotlib runs the code that a chart copies.
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempDisposable, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {codeOf, tableOf} from '../support/charts.ts';

const PYTHON = '/usr/bin/python3';
const hasMatplotlib = spawnSync(PYTHON, ['-c', 'import matplotlib, pandas']).status === 0;

describe.skipIf(!hasMatplotlib)('with matplotlib', () => {
	test('the code of each chart runs, with the numbers of the table', async () => {
		await using folder = await mkdtempDisposable(join(tmpdir(), 'svc-tui-chart-'));
		const text = 'day;price;region;n\n2026-01-03;1.000,50 €;eu;3\n2026-01-01;2,5 €;us;1\n2026-01-02;;eu;2\n';
		await writeFile(join(folder.path, 'a.csv'), text);
		const table = tableOf(text);
		const run = (code: string): string =>
			execFileSync(PYTHON, ['-c', `${code}\nfor a in plt.gca().lines: print(a.get_xdata(), a.get_ydata())`], {
				cwd: folder.path,
				env: {MPLBACKEND: 'agg', HOME: folder.path},
				encoding: 'utf8',
			});
		const codes = [
			codeOf(table, 'histogram', 1),
			codeOf(table, 'histogram', 2),
			codeOf(table, 'histogram', 0),
			codeOf(table, 'scatter', 1, 0),
			codeOf(table, 'scatter', 3),
			codeOf(table, 'line', 1),
			codeOf(table, 'line', 1, 3),
		];
		expect(run(codes.join('plt.figure()\n'))).toBe('[1 2 3] [   2.5    nan 1000.5]\n');
	}, 60_000);
});
