import {expect, test} from 'vitest';
import {createEditor, insert} from '../../../src/text/editor/editor.ts';
import {readNotebook} from '../../../src/text/notebook/notebook.ts';
import {withOutputs} from '../../../src/text/notebook/edit.ts';
import {openedNotebook, type OpenNotebook} from '../../../src/tui/notebook/open-notebook.ts';
import {windowOf} from '../../../src/tui/core/components/transcript.ts';
import {layoutNotebook, topAt, topShowing} from '../../../src/tui/notebook/rows.ts';

const CELLS = 1000;
const ROOM = {width: 80, height: 20, pictureStyle: {depth: 24, blocks: 'quadrants'}} as const;
const text = JSON.stringify({
	cells: Array.from({length: CELLS}, (_, index) => ({
		cell_type: index % 5 === 0 ? 'markdown' : 'code',
		id: `cell-${index}`,
		metadata: {},
		source: `value_${index} = ${index}`,
		...(index % 5 !== 0 && {
			execution_count: index,
			outputs: [{output_type: 'stream', name: 'stdout', text: `${'out '.repeat(200)}\n`}],
		}),
	})),
	metadata: {},
	nbformat: 4,
	nbformat_minor: 5,
});

const opened = (): OpenNotebook => {
	const notebook = readNotebook(text);
	if (typeof notebook === 'string') throw new Error(notebook);
	return openedNotebook(
		{server: 'a', path: 'long.ipynb'},
		{name: 'long.ipynb', path: 'long.ipynb', type: 'file', format: 'text', content: text},
		{saved: notebook, notebook},
	);
};

const isLaid = (block: readonly string[]): boolean => block.some(row => row !== '');

test('of a notebook of 1,000 cells only the visible ones and those around the chosen one are formatted', () => {
	const open = opened();
	const first = layoutNotebook(open, ROOM);
	expect(first.blocks.length).toBe(CELLS);
	expect(first.blocks.filter(isLaid).length).toBeLessThan(2 * ROOM.height);
	const at = open.notebook.cells[501]?.key ?? -1;
	const {blocks} = layoutNotebook({...open, at}, ROOM);
	expect(blocks.filter(isLaid).length).toBeLessThan(6 * ROOM.height);
	// A letter is typed into the cell.
	const typed = layoutNotebook({...open, at, editing: insert(createEditor('value'), '!')}, ROOM);
	expect(typed.blocks.flatMap((block, index) => (block === blocks[index] ? [] : [index]))).toEqual([501]);
	// Selects the cell below, which is already formatted.
	const next = layoutNotebook({...open, at: open.notebook.cells[502]?.key ?? -1}, ROOM);
	expect(next.blocks[502]).toBe(blocks[502]);
	// The cell has run.
	const ran = withOutputs(open.notebook, at, [{output_type: 'stream', name: 'stdout', text: 'new'}], 1);
	const after = layoutNotebook({...open, at, notebook: ran}, ROOM);
	expect(after.blocks[501]).not.toBe(blocks[501]);
	expect(after.blocks[502]).toBe(blocks[502]);
});

test('anywhere in a long notebook, the visible part is formatted, with the chosen cell in it', () => {
	const open = opened();
	for (const index of [0, 1, 499, 998, 999]) {
		const at = open.notebook.cells[index]?.key ?? -1;
		for (const top of [0, 500, 999]) {
			const place = {...open, at, top: {key: open.notebook.cells[top]?.key ?? -1, row: 0}};
			const laid = layoutNotebook(place, ROOM);
			const shown = layoutNotebook({...place, top: topAt(place, laid.blocks, topShowing(laid, ROOM))}, ROOM);
			const {lines, owners} = windowOf(shown.blocks, shown.top, ROOM.height);
			expect(owners).toContain(index);
			for (const owner of new Set(owners)) expect(isLaid(shown.blocks[owner] ?? [])).toBe(true);
			expect(lines.length).toBe(ROOM.height);
		}
	}
});

test('the cursor of a long cell that is edited is in view, and so is a chosen cell that outputs push down', () => {
	const open = opened();
	const at = open.notebook.cells[1]?.key ?? -1;
	const long = createEditor(Array.from({length: 60}, (_, index) => `line ${index}`).join('\n'));
	const {top, cursor} = layoutNotebook({...open, at, editing: long}, ROOM);
	expect(cursor).not.toBeNull();
	expect((cursor?.row ?? 0) - top).toBeGreaterThanOrEqual(0);
	expect((cursor?.row ?? 0) - top).toBeLessThan(ROOM.height);
	const many = Array.from({length: 30}, (_, index) => `${index}\n`).join('');
	const first = open.notebook.cells[1]?.key ?? -1;
	const pushed = {
		...open,
		at: open.notebook.cells[2]?.key ?? -1,
		notebook: withOutputs(open.notebook, first, [{output_type: 'stream', name: 'stdout', text: many}], 1),
	};
	const laid = layoutNotebook(pushed, ROOM);
	const before = laid.blocks.slice(0, laid.chosen).reduce((sum, block) => sum + block.length, 0);
	expect(before).toBeLessThan(laid.top + ROOM.height);
});
