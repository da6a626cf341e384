import {expect, test} from 'vitest';
import {firstCellsOf} from '../../../../src/tui/files/viewer/notebook-preview.ts';
import {notebookOf} from '../../../../src/tui/cells/rows/read-notebook.ts';
import {largeNotebook} from '../../../support/large-notebook.ts';

test('the first cells of a long notebook are those of the whole, and no more than a frame needs', () => {
	for (const text of [largeNotebook(250, 6000), JSON.stringify(JSON.parse(largeNotebook(2500, 500)))]) {
		const whole = notebookOf(JSON.parse(text));
		const part = firstCellsOf(`\uFEFF${text}`);
		expect(part?.isPart).toBe(true);
		expect(part?.cells).toEqual(whole.cells.slice(0, part?.cells.length));
		expect(part?.cells.length).toBeGreaterThan(20);
		expect(part?.cells.length).toBeLessThan(200);
	}
});

test('a short notebook, one that starts differently and a damaged one have no preview', () => {
	const long = largeNotebook(800, 2000);
	for (const text of [
		largeNotebook(3),
		long.replace('"cells"', '"cell\\q"'),
		long.replace('"cells": [', '"worksheets": ['),
		long.replace('"cells": [', '"cells": {'),
		long.replace('"cells": [', '"cells": [}'),
		long.replace('"cells": [', '"cells": [1,'),
		long.replace('"cell_type"', 'cell_type'),
		long.replace('{', ''),
		'x'.repeat(2_000_000),
		`{"${'x'.repeat(2_000_000)}`,
	])
		expect(firstCellsOf(text)).toBeNull();
});
