import {expect, test} from 'vitest';
import {readNotebook, type Notebook} from '../../src/text/notebook/notebook.ts';
import {withSource} from '../../src/text/notebook/edit.ts';
import {notebookText} from '../../src/text/notebook/serialize.ts';
import {notebookFaults} from '../support/notebook-schema.ts';

const OLD = {
	metadata: {
		name: 'old',
		signature: 'sha256:1',
		kernelspec: {name: 'python3', display_name: 'Python 3'},
		odd: [1.5, '½'],
	},
	nbformat: 3,
	nbformat_minor: 0,
	worksheets: [
		{
			metadata: {},
			cells: [
				{cell_type: 'heading', level: 3, metadata: {a: 1}, source: ['Two\n', 'lines']},
				{cell_type: 'markdown', source: ['*x*\n', 'é']},
				{cell_type: 'html', metadata: {}, source: '<b>x</b>'},
				{cell_type: 'raw', metadata: {}, source: ['raw']},
				{
					cell_type: 'code',
					collapsed: true,
					language: 'python',
					metadata: {},
					input: ['1+1\n', 'print(2)'],
					prompt_number: 4,
					outputs: [
						{output_type: 'stream', stream: 'stderr', text: ['a\n', 'b']},
						{output_type: 'stream', text: 'no name'},
						{
							output_type: 'pyout',
							prompt_number: 4,
							metadata: {png: {width: 1}},
							text: ['2'],
							html: ['<b>\n', '2'],
							json: ['{"a":\n', ' 1}'],
							png: 'AAAA',
						},
						{output_type: 'display_data', svg: ['<svg/>'], metadata: {}},
						{output_type: 'pyerr', ename: 'E', evalue: 'v', traceback: ['t1', 't2']},
					],
				},
			],
		},
		{cells: [{cell_type: 'code', input: 'x', outputs: [], language: 'python'}]},
	],
} as const;

/**
 * The result of `nbformat.write(nbformat.read(…, as_version=4))` of nbformat 5.5, except the ids,
 * which are random.
 */
const NEW = {
	cells: [
		{cell_type: 'markdown', id: 'cell-1', metadata: {a: 1}, source: ['### Two lines']},
		{cell_type: 'markdown', id: 'cell-2', metadata: {}, source: ['*x*\n', 'é']},
		{cell_type: 'markdown', id: 'cell-3', metadata: {}, source: ['<b>x</b>']},
		{cell_type: 'raw', id: 'cell-4', metadata: {}, source: ['raw']},
		{
			cell_type: 'code',
			execution_count: 4,
			id: 'cell-5',
			metadata: {collapsed: true},
			outputs: [
				{name: 'stderr', output_type: 'stream', text: ['a\n', 'b']},
				{name: 'stdout', output_type: 'stream', text: ['no name']},
				{
					data: {
						'text/plain': ['2'],
						'text/html': ['<b>\n', '2'],
						'application/json': {a: 1},
						'image/png': 'AAAA',
					},
					execution_count: 4,
					metadata: {'image/png': {width: 1}},
					output_type: 'execute_result',
				},
				{data: {'image/svg+xml': ['<svg/>']}, metadata: {}, output_type: 'display_data'},
				{ename: 'E', evalue: 'v', output_type: 'error', traceback: ['t1', 't2']},
			],
			source: ['1+1\n', 'print(2)'],
		},
		{cell_type: 'code', execution_count: null, id: 'cell-6', metadata: {}, outputs: [], source: ['x']},
	],
	metadata: {kernelspec: {name: 'python3', display_name: 'Python 3'}, odd: [1.5, '½']},
	nbformat: 4,
	nbformat_minor: 5,
};

const read = (value: unknown): Notebook => {
	const notebook = readNotebook(typeof value === 'string' ? value : JSON.stringify(value));
	if (typeof notebook === 'string') throw new TypeError(notebook);
	return notebook;
};
const jsonOf = (notebook: Notebook): unknown => JSON.parse(notebookText(notebook));

test('a notebook of nbformat 3 is upgraded as nbformat does it: worksheets, headings, outputs, counts, metadata', () => {
	const notebook = read(OLD);
	expect(notebook).toMatchObject({upgradedFrom: 3, kernel: 'python3', hasIds: true});
	expect(jsonOf(notebook)).toEqual(NEW);
	expect(notebookFaults(jsonOf(notebook))).toEqual([]);
	expect(notebook.cells.map(({kind}) => kind)).toEqual([
		'markdown',
		'markdown',
		'markdown',
		'raw',
		'code',
		'code',
	]);
});

test('it is edited and written as nbformat 4, and read twice it has the same cells', () => {
	const notebook = read(OLD);
	const edited = withSource(notebook, notebook.cells[4]?.key ?? -1, '1+2');
	const text = notebookText(edited);
	expect(notebookFaults(JSON.parse(text))).toEqual([]);
	expect(read(text)).toMatchObject({upgradedFrom: null});
	expect(read(text).cells[4]?.source).toBe('1+2');
	expect(notebookText(read(OLD))).toBe(notebookText(notebook));
});

test('nbformat 2 has lines without their ends; no minor version, no metadata and no nbformat beside worksheets are read', () => {
	const cells = [
		{cell_type: 'markdown', source: ['a', '', 'b']},
		{
			cell_type: 'code',
			input: ['def f():', '    pass'],
			outputs: [{output_type: 'pyout', prompt_number: 1, text: ['2', '3']}],
		},
	];
	for (const nbformat of [2, 3, undefined]) {
		const notebook = read({...(nbformat && {nbformat}), worksheets: [{cells}]});
		expect(notebook.upgradedFrom).toBe(nbformat ?? 3);
		expect(notebook.cells.map(({source}) => source)).toEqual(['a\n\nb', 'def f():\n    pass']);
		expect(notebook.cells[1]?.outputs).toMatchObject([{data: {'text/plain': ['2\n', '3']}}]);
		expect(notebookFaults(jsonOf(notebook))).toEqual([]);
	}
});

test('odd parts of an old notebook end up as something valid', () => {
	const notebook = read({
		nbformat: 3,
		nbformat_minor: 0,
		metadata: null,
		worksheets: [
			7,
			{},
			{
				cells: [
					{cell_type: 'heading', level: 99, source: ''},
					{cell_type: 'heading', source: 'No level'},
					{cell_type: 'plaintext', source: null},
					{cell_type: 'code', input: null, outputs: null, prompt_number: 'x', metadata: []},
					{cell_type: 'code', input: '', outputs: [7, {output_type: 'pyout', json: '{broken', text: 7}]},
				],
			},
		],
	});
	expect(notebook.cells.map(({source}) => source)).toEqual(['###### ', '# No level', '', '', '']);
	expect(notebookFaults(jsonOf(notebook))).toEqual([]);
	expect(read({nbformat: 3, worksheets: []}).cells).toEqual([]);
});
