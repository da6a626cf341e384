import {expect, test} from 'vitest';
import type {Cell} from '../../../src/tui/cells/cell.ts';
import {cellLines} from '../../../src/tui/cells/rows/cell-lines.ts';
import {paint} from '../../../src/tui/core/theme/theme.ts';
import {cell} from '../../support/factories.ts';

const plain = (row: string): string => row.replaceAll(/\u001B\[[\d;]*m/g, '').trim();
const look = {
	width: 40,
	open: false,
	pictureStyle: {depth: 24, blocks: 'quadrants'},
	pictureRows: 20,
} as const;
const withOutputs = (...outputs: NonNullable<Cell['result']>['outputs']): Cell =>
	cell({result: {cell_type: 'code', execution_count: 1, metadata: {}, source: '', outputs: [...outputs]}});

test('an error that takes two rows is in the colour of errors on both', () => {
	const traceback = [
		'Traceback (most recent call last):',
		'  File "<cell 1>", line 1, in <module>',
		"FileNotFoundError: [Errno 44] No such file or directory: 'there-is-no-such-file.csv'",
	];
	const rows = cellLines(
		withOutputs({output_type: 'error', ename: 'FileNotFoundError', evalue: '', traceback}),
		look,
	).filter(row => plain(row) !== '');
	const error = rows.slice(rows.findIndex(row => plain(row).startsWith('FileNotFoundError')));
	expect(error.map(plain).join(' ')).toBe(traceback[2]);
	expect(error.length).toBeGreaterThan(1);
	const [red = ''] = paint('bad', 'x').split('x');
	for (const row of error) expect(row).toContain(red);
});

test('code that is too long for its row hangs below its indentation behind a mark; only the first row makes room for the time', () => {
	const source = 'def rate(prices):\n    return [price * hours for price in prices if price is not None]';
	const rows = (took: number): readonly string[] =>
		cellLines(cell({source, startedAt: 0, endedAt: took, result: withOutputs().result}), look)
			.map(row => row.replaceAll(/\u001B\[[\d;]*m/g, '').trimEnd())
			.filter(row => row !== '');
	expect(rows(1200)).toEqual([
		'  [1]  def rate(prices):          1.2 s',
		'           return [price * hours for',
		'           ↪ price in prices if price',
		'           ↪ is not None]',
	]);
	expect(rows(20)[0]).toBe('  [1]  def rate(prices):');
	for (const width of [4, 9, 16, 30])
		expect(
			cellLines(cell({source}), {...look, width})
				.join('')
				.replaceAll(/\u001B\[[\d;]*m|[\s↪]/g, ''),
		).toContain(source.replaceAll(/\s/g, ''));
});

test('of a figure only the picture is drawn; its name is shown if the picture cannot be read', () => {
	const figure = {
		output_type: 'display_data',
		metadata: {},
		data: {'image/png': 'AA==', 'text/plain': '<Figure size 640x480 with 1 Axes>'},
	};
	const drawn = {
		...withOutputs(figure),
		pictures: new Map([
			[0, {bitmap: {width: 2, height: 2, pixels: new Uint8Array(16).fill(255)}, size: '2x2'}],
		]),
	} satisfies Cell;
	expect(cellLines(drawn, look).map(plain).join('\n')).not.toContain('Figure');
	const failed: Cell = {...withOutputs(figure), pictures: new Map([[0, {problem: 'it is cut off'}]])};
	const rows = cellLines(failed, look);
	const told = rows.map(plain).join(' ');
	// The reason why a picture is missing is not cut.
	for (const row of rows) expect(plain(row).length).toBeLessThan(look.width);
	expect(told).toContain('<Figure size 640x480 with 1 Axes>');
	expect(told).toContain('it is cut off');
});

test('a table is shown as its own text only where its cells claim the same place, not where it does not fit', () => {
	const html =
		'<table><tr><th colspan="2">price of a GPU</th><th colspan="2">number of offers</th></tr><tr><td>1.25</td><td>2.50</td><td>7</td><td>8</td></tr></table>';
	const overlapping = html
		.replace('<td>7</td>', '<td rowspan="2">7</td>')
		.replace('</table>', '<tr><td colspan="4">x</td></tr></table>');
	const told = (width: number, source = html, left = 0): string =>
		cellLines(
			withOutputs({
				output_type: 'execute_result',
				execution_count: 1,
				metadata: {},
				data: {'text/html': source, 'text/plain': 'the own text'},
			}),
			{...look, width, left},
		)
			.map(plain)
			.join('\n');
	expect(told(80, overlapping)).toContain('the own text');
	expect(told(80, overlapping)).not.toContain('price');
	expect(told(30)).toMatch(/price of a GPU[^]*1 more column »[^]*1\.25 +2\.50 +7\n/);
	expect(told(30, html, 9)).toMatch(/« \d more columns?[^]* 8\n/);
	expect(told(80)).toContain('price of a GPU  number of offers');
	expect(told(80)).not.toContain('the own text');
});

test('the own text of a table whose HTML is not exact goes sideways by columns, its index and head in place', () => {
	const head = Array.from({length: 6}, (_, at) => `  name${at}`).join('');
	const body = (row: number): string => Array.from({length: 6}, (_, at) => `   ${row}.${at}0`).join('');
	const own = `     ${head}\nfirst${body(1)}\nlast ${body(2)}\n\n[2 rows x 6 columns]`;
	const html = '<table><tr><td>1</td><td rowspan="2">2</td></tr><tr><td colspan="2">x</td></tr></table>';
	const told = (width: number, left = 0, text = own): readonly string[] =>
		cellLines(
			withOutputs({
				output_type: 'execute_result',
				execution_count: 1,
				metadata: {},
				data: {'text/html': html, 'text/plain': text},
			}),
			{...look, width, left},
		)
			.map(row => row.replaceAll(/\u001B\[[\d;]*m/g, '').trimEnd())
			.filter(row => row !== '');
	expect(told(38).slice(1)).toEqual([
		'  →           name0  name1  name2',
		'       ─────────── 3 more columns »',
		'       first   1.00   1.10   1.20',
		'       last    2.00   2.10   2.20',
		'       [2 rows x 6 columns]',
		'       also as text/html',
	]);
	expect(told(38, 9).slice(1, 4)).toEqual([
		'  →           name3  name4  name5',
		'        « 3 more columns ───────────',
		'       first   1.30   1.40   1.50',
	]);
	expect(told(80)[1]).toBe(`  →    ${own.split('\n')[0]}`);
	// Text that is not a table of columns wraps as before.
	expect(told(38, 0, 'of-one-word-that-is-longer-than-the-pane-and-goes-on').join('')).not.toContain(
		'more column',
	);
});

test('a cell is formatted again only for its own pictures in the text, and sideways only with a table', () => {
	const picture = () => ({bitmap: {width: 2, height: 2, pixels: new Uint8Array(16).fill(255)}, size: '2x2'});
	const [own, other] = [picture(), picture()];
	const figure = {output_type: 'display_data', metadata: {}, data: {'image/png': 'AA=='}};
	const drawn = {...withOutputs(figure), pictures: new Map([[0, own]])} satisfies Cell;
	const kitty = {
		how: 'kitty',
		cell: {width: 1, height: 2},
		colours: Infinity,
		isInText: true,
		why: '',
	} as const;
	const holding = (...keys: readonly object[]) => ({
		...look,
		inText: {
			look: kitty,
			placed: new Map(keys.map(key => [key, key === own ? ownPlaced : {...ownPlaced, id: 2}])),
		},
	});
	const ownPlaced = {id: 1, cells: {width: 2, height: 1}};
	const blocks = cellLines(drawn, look);
	expect(cellLines(drawn, holding(other))).toBe(blocks);
	const pixels = cellLines(drawn, holding(own));
	expect(pixels).not.toEqual(blocks);
	expect(cellLines(drawn, holding(own, other))).toBe(pixels);
	expect(cellLines(drawn, {...holding(own), left: 1})).toBe(pixels);
	expect(cellLines(drawn, look)).toEqual(blocks);
});
