import {expect, test} from 'vitest';
import {headingsOf} from '../../src/text/notebook/headings.ts';
import {readNotebook} from '../../src/text/notebook/notebook.ts';

test('headings of text cells are listed with their depth; code and fenced lines are none', () => {
	const source = ['# Prices', 'text', '## By region ##', '```sh', '# a comment', '```', '#no heading', '###'];
	const read = readNotebook(
		JSON.stringify({
			cells: [
				{cell_type: 'code', execution_count: null, id: 'a', metadata: {}, outputs: [], source: '# code'},
				{cell_type: 'markdown', id: 'b', metadata: {}, source: source.join('\n')},
				{cell_type: 'raw', id: 'c', metadata: {}, source: '# raw'},
				{cell_type: 'markdown', id: 'd', metadata: {}, source: '~~~\n# open fence\n```\n# still'},
				{cell_type: 'markdown', id: 'e', metadata: {}, source: '### End'},
			],
			metadata: {},
			nbformat: 4,
			nbformat_minor: 5,
		}),
	);
	if (typeof read === 'string') throw new Error(read);
	const [, second, , , last] = read.cells;
	expect(headingsOf(read)).toEqual([
		{key: second?.key, depth: 1, text: 'Prices'},
		{key: second?.key, depth: 2, text: 'By region'},
		{key: last?.key, depth: 3, text: 'End'},
	]);
});
