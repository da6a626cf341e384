import {expect, test} from 'vitest';
import {createEditor, insert} from '../../../src/text/editor/editor.ts';
import {readNotebook} from '../../../src/text/notebook/notebook.ts';
import {withOutputs} from '../../../src/text/notebook/worked.ts';
import type {OpenNotebook} from '../../../src/tui/files/notebook/open-notebook.ts';
import {layNotebook} from '../../../src/tui/files/notebook/rows.ts';

const CELLS = 1000;
const ROOM = {width: 80, height: 20, depth: 24} as const;
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
	const at = notebook.cells[0]?.key ?? -1;
	return {
		server: 'a',
		path: 'long.ipynb',
		base: {name: 'long.ipynb', path: 'long.ipynb', type: 'file', format: 'text', content: text},
		notebook,
		saved: notebook,
		sent: new Map(),
		at,
		editing: null,
		isOutside: false,
		top: {key: at, row: 0},
		runs: new Map(),
		asks: null,
		past: [],
		unfolded: new Set(),
		hidden: new Set(),
		find: null,
		pictures: 0,
		copy: null,
		isCopyBehind: false,
	};
};

test('in a notebook of 1,000 cells a key lays out at most the cell that it changes', () => {
	const open = opened();
	const {blocks} = layNotebook(open, ROOM);
	const at = open.notebook.cells[501]?.key ?? -1;
	// Another cell is chosen: nothing is gathered again.
	expect(layNotebook({...open, at}, ROOM).blocks).toBe(blocks);
	// A letter is typed in it.
	const typed = layNotebook({...open, at, editing: insert(createEditor('value'), '!')}, ROOM);
	expect(typed.blocks.flatMap((block, index) => (block === blocks[index] ? [] : [index]))).toEqual([501]);
	// It has run.
	const ran = withOutputs(open.notebook, at, [{output_type: 'stream', name: 'stdout', text: 'new'}], 1);
	const after = layNotebook({...open, at, notebook: ran}, ROOM);
	expect(after.blocks.flatMap((block, index) => (block === blocks[index] ? [] : [index]))).toEqual([501]);
});

test('the cursor of a long cell that is edited is in view, and so is a chosen cell that outputs push down', () => {
	const open = opened();
	const at = open.notebook.cells[1]?.key ?? -1;
	const long = createEditor(Array.from({length: 60}, (_, index) => `line ${index}`).join('\n'));
	const {top, cursor} = layNotebook({...open, at, editing: long}, ROOM);
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
	const laid = layNotebook(pushed, ROOM);
	const before = laid.blocks.slice(0, laid.chosen).reduce((sum, block) => sum + block.length, 0);
	expect(before).toBeLessThan(laid.top + ROOM.height);
});
