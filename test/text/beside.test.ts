import {expect, test} from 'vitest';
import {blankColumns} from '../../src/text/width/blank-columns.ts';

const blank = (cells: number): string => ' '.repeat(cells);

test.each([
	['what ends before it stays', 'a box     hidden text here', `a box     ${blank(16)}`],
	['a sentence that it would cut is left out', '   hardly a sentence', blank(20)],
	[
		'of a table the whole cells stay',
		' A10   lambdalabs  0.75  1/3',
		` A10   ${blank(10)}  ${blank(4)}  1/3`,
	],
	['a character may have two cells', ' 表   データ分析', ` 表   ${blank(10)}`],
	['a line between panes parts them', 'pane │ another pane', `pane │ ${blank(12)}`],
	['a hidden column has no effect', 'x          1234  behind it    y', `x          1234  ${blank(9)}    y`],
	[
		'colours stay',
		' \u001B[1mbold name\u001B[22m          \u001B[32mok\u001B[39m',
		`${' '.repeat(10)}          \u001B[32mok\u001B[39m\u001B[0m`,
	],
])('%s', (_, text, left) => {
	expect(blankColumns(text, 9, 20)).toBe(left);
});
