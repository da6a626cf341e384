import {expect, test} from 'vitest';
import {titleRule} from '../../../src/tui/core/components/pane-title.ts';
import {cellWidth, withoutColours} from '../../../src/text/width/width.ts';

const rule = (left: string, right: string, width: number): string =>
	withoutColours(titleRule({left, right, focused: true, width}));

test('a title has a blank on both sides, also if it is cut', () => {
	for (let width = 16; width <= 40; width++) {
		const row = rule(' prices.csv  27 columns ', '1/321', width);
		expect(row).toMatch(/^─ \S.*\S ─+ 1\/321 ─$/);
		expect(cellWidth(row)).toBe(width);
	}
	expect(rule(' prices.csv ', '', 20)).toBe('─ prices.csv ───────');
});
