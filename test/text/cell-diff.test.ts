import {expect, test} from 'vitest';
import {cellDiff} from '../../src/text/notebook/cell-diff.ts';
import {readNotebook, type Notebook} from '../../src/text/notebook/notebook.ts';
import {
	withKind,
	withMoved,
	withNewCell,
	withOutputs,
	withoutCell,
	withoutOutputs,
	withSource,
} from '../../src/text/notebook/edit.ts';
import {notebookText} from '../../src/text/notebook/serialize.ts';

const printed = (text: string) => ({name: 'stdout', output_type: 'stream', text: [text]});
const textOf = (hasIds: boolean): string =>
	`${JSON.stringify(
		{
			cells: ['# Title', 'a = 1\nb = 2', 'print(a)', 'last'].map((source, index) => ({
				cell_type: index === 0 ? 'markdown' : 'code',
				...(index > 0 && {execution_count: index, outputs: [printed(`${index}\n`)]}),
				...(hasIds && {id: `cell-${index}`}),
				metadata: {},
				source: source.match(/[^\n]*\n|[^\n]+$/g),
			})),
			metadata: {kernelspec: {name: 'python3'}},
			nbformat: 4,
			nbformat_minor: hasIds ? 5 : 4,
		},
		null,
		1,
	)}\n`;
const read = (text: string): Notebook => {
	const notebook = readNotebook(text);
	if (typeof notebook === 'string') throw new Error(notebook);
	return notebook;
};
const keyAt = ({cells}: Notebook, index: number): number => cells[index]?.key ?? -1;
const MARKS = {same: ' ', added: '+', removed: '-', at: '@', note: '#'};
/** The lines that the diff shows for a change. */
const told = (hasIds: boolean, change: (notebook: Notebook) => Notebook): readonly string[] => {
	const text = textOf(hasIds);
	const lines = cellDiff(text, notebookText(change(read(text))));
	return (lines ?? []).map(({kind, text: line}) => `${MARKS[kind]} ${line}`);
};

for (const hasIds of [true, false]) {
	const about = hasIds ? 'cells with ids' : 'cells without ids';
	test(`${about}: of a changed cell its lines and the change of its outputs are reported, of others nothing`, () => {
		expect(told(hasIds, now => withSource(now, keyAt(now, 1), 'a = 1\nb = 3'))).toEqual([
			'@ cell 2, code',
			'  a = 1',
			'- b = 2',
			'+ b = 3',
		]);
		expect(told(hasIds, now => withOutputs(now, keyAt(now, 2), [printed('x'), printed('y')], 9))).toEqual([
			'@ cell 3, code',
			'# outputs changed: 1 before, 2 after',
		]);
		expect(told(hasIds, now => withOutputs(now, keyAt(now, 2), [printed('2\n')], 9))).toEqual([
			'@ cell 3, code',
			'# execution count changed: 2 before, 9 after',
		]);
		expect(told(hasIds, now => withoutOutputs(now, keyAt(now, 2)))).toEqual([
			'@ cell 3, code',
			'# outputs cleared (1 before)',
		]);
	});

	test(`${about}: new, deleted and moved cells are reported`, () => {
		expect(
			told(hasIds, now => {
				const made = withNewCell(now, 2);
				return withSource(made.notebook, made.key, 'new = 1');
			}),
		).toEqual(['@ cell 3, code, new', '+ new = 1']);
		expect(told(hasIds, now => withoutCell(now, keyAt(now, 1)))).toEqual([
			'@ cell 2, code, deleted',
			'- a = 1',
			'- b = 2',
		]);
		expect(told(hasIds, now => withMoved(now, keyAt(now, 3), -1))).toEqual([
			expect.stringMatching(/^@ cell \d, code, moved: it was cell \d$/),
		]);
	});
}

test('another kind, odd metadata and the metadata of the notebook are reported', () => {
	expect(told(true, now => withKind(now, keyAt(now, 3), 'markdown'))).toEqual([
		'@ cell 4, markdown',
		'# code before, markdown after',
		'# outputs cleared (1 before)',
	]);
	const text = textOf(true);
	const tagged = text.replace('"metadata": {}', '"metadata": {"tags": ["x"]}');
	expect(cellDiff(text, tagged)).toEqual([
		{kind: 'at', text: 'cell 1, markdown'},
		{kind: 'note', text: 'cell metadata changed'},
	]);
	expect(cellDiff(text, text.replace('python3', 'ir'))).toEqual([
		{kind: 'at', text: 'notebook metadata'},
		{kind: 'removed', text: '   "name": "python3"'},
		{kind: 'added', text: '   "name": "ir"'},
	]);
});

test('a change outside of cells is reported as such, and an invalid notebook is not compared by cells', () => {
	const text = textOf(true);
	expect(cellDiff(text, `${text}\n`)).toEqual([
		{kind: 'note', text: 'Cells are identical; only the formatting of the file differs.'},
	]);
	expect(cellDiff(text, '{}')).toBeNull();
	expect(cellDiff('', text)).toBeNull();
});
