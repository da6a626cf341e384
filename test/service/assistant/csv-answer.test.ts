import {expect, test} from 'vitest';
import {describeCsv} from '../../../src/service/assistant/csv-answer.ts';

test('semicolons and tabs separate too, and rows of another length are counted', () => {
	expect(describeCsv('a.csv', 'x;y\n1;2,5\n3\n', 12)).toMatch(
		/2 rows and 2 columns.*`x`, `y`[^]*1 row has more or fewer fields[^]*\| x \| 2 \| 1 \| 3 \| 2 \|\n\| y \| 1 \| 2\.5 \| 2\.5 \| 2\.5 \|$/,
	);
	expect(describeCsv('a.tsv', 'x\ty\n1\t2\n', 8)).toContain('1 row and 2 columns');
	expect(describeCsv('a.csv', '', 0)).toContain('without any rows');
});

test('empty lines are not rows, and a quote that is never closed hides none', () => {
	expect(describeCsv('a.csv', 'x,y\n\n1,2\n"3,4\n5,6\n', 20)).toContain('3 rows and 2 columns');
});
