import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Cell} from '../../../src/tui/cells/cell.ts';
import {exported, type Session} from '../../../src/tui/repl/export-formats.ts';
import {cell, turn} from '../../support/factories.ts';
import {hasNbformat, nbformatSays} from '../../support/nbformat.ts';
import {notebookFaults} from '../../support/notebook-schema.ts';

const NO_TEXT = (): string => '';
const ran = (outputs: readonly Record<string, unknown>[], changes: Partial<Cell> = {}): Cell =>
	cell({
		result: {
			cell_type: 'code',
			execution_count: 3,
			metadata: {},
			source: '',
			outputs: outputs.map(output => ({output_type: 'stream', ...output})),
		},
		...changes,
	});
const notebookOf = (session: Partial<Session>): {cells: Record<string, unknown>[]} =>
	JSON.parse(exported({cells: [], turns: [], kernel: 'python3', ...session}, 'ipynb', NO_TEXT)) as {
		cells: Record<string, unknown>[];
	};

test('every kind of output is written as nbformat wants it', () => {
	const cells = [
		ran([
			{name: 'stdout', text: 'a\n'},
			{name: 'other', text: ['b', 'c']},
		]),
		ran([
			{
				output_type: 'execute_result',
				execution_count: 3,
				data: {
					'text/plain': '2',
					'application/json': {a: [1]},
					'image/png': 'AA==',
					'application/x-odd': {b: 1},
				},
				metadata: {},
				transient: {display_id: 'x'},
			},
		]),
		ran([
			{output_type: 'display_data', data: {'text/html': ['<b>', 'x']}},
			{output_type: 'error', ename: 'E', evalue: 'v', traceback: ['t']},
			{output_type: 'error'},
			{output_type: 'brand_new', value: 1},
		]),
		cell({state: 'queued', startedAt: null, endedAt: null}),
		cell({state: 'failed', failure: {kind: 'unreachable', method: 'POST', path: '/x', message: 'no answer'}}),
	];
	const notebook = notebookOf({cells});
	expect(notebookFaults(notebook)).toEqual([]);
	expect(notebook.cells.map(each => (each['outputs'] as unknown[]).length)).toEqual([2, 1, 4, 0, 1]);
	expect(notebookFaults({...notebook, cells: [{cell_type: 'code'}]})).not.toEqual([]);
});

test('a notebook is valid with any data from a service', () => {
	const anyOutput = fc.oneof(
		fc.record(
			{
				output_type: fc.constantFrom('stream', 'execute_result', 'display_data', 'error', 'odd'),
				name: fc.anything(),
				text: fc.anything(),
				data: fc.anything(),
				metadata: fc.anything(),
				execution_count: fc.anything(),
				ename: fc.anything(),
				evalue: fc.anything(),
				traceback: fc.anything(),
			},
			{requiredKeys: ['output_type']},
		),
		fc.record({
			output_type: fc.constant('display_data'),
			data: fc.dictionary(
				fc.constantFrom('text/plain', 'image/png', 'application/json', 'application/vnd.x+json', 'odd'),
				fc.jsonValue(),
			),
		}),
	);
	fc.assert(
		fc.property(
			fc.array(
				fc.array(
					anyOutput.map(
						output =>
							JSON.parse(
								JSON.stringify(output, (_, value: unknown) =>
									typeof value === 'bigint' ? String(value) : value,
								),
							) as Record<string, unknown>,
					),
				),
				{maxLength: 4},
			),
			outputs => {
				expect(notebookFaults(notebookOf({cells: outputs.map((each, id) => ran(each, {id}))}))).toEqual([]);
			},
		),
	);
});

test('cells and questions are in the order of their requests', () => {
	const cells = [
		cell({id: 1, source: 'first', startedAt: 1000}),
		cell({id: 2, source: 'third', startedAt: 3000}),
	];
	const turns = [
		turn({
			question: 'second?',
			answer: 'Yes.',
			askedAt: 2000,
			state: 'done',
			usage: {promptTokens: 5, completionTokens: null},
		}),
		turn({id: 2, question: 'gone', askedAt: 2500, replaced: true}),
	];
	const notebook = notebookOf({cells, turns});
	expect(notebookFaults(notebook)).toEqual([]);
	expect(notebook.cells.map(each => (each['source'] as readonly string[]).join(''))).toEqual([
		'first',
		'**Question**\n\nsecond?',
		'**Answer** of model_2, 5 tokens in, n/a out\n\nYes.',
		'third',
	]);
});

test('the Python file holds the code of every cell exactly; the Markdown file fences it safely', () => {
	const source = 'print("""\n```\n""")';
	const session = {cells: [cell({source}), cell({id: 2, source: 'x = 1'})], turns: [], kernel: 'python3'};
	expect(exported(session, 'py', NO_TEXT)).toBe(`# %%\n${source}\n\n# %%\nx = 1\n`);
	expect(exported(session, 'md', each => (each.id === 1 ? '```\n' : ''))).toBe(
		`\`\`\`\`python\n${source}\n\`\`\`\`\n\n\`\`\`\`\n\`\`\`\n\`\`\`\`\n\n\`\`\`python\nx = 1\n\`\`\`\n`,
	);
});

test.skipIf(!hasNbformat)("Jupyter's own nbformat takes the notebook", () => {
	const text = exported(
		{
			cells: [
				ran([{name: 'stdout', text: 'a\n'}]),
				ran([{output_type: 'error', ename: 'E', evalue: 'v', traceback: []}]),
			],
			turns: [turn({answer: 'x', state: 'stopped'})],
			kernel: 'python3',
		},
		'ipynb',
		NO_TEXT,
	);
	expect(nbformatSays([text])).toBe('valid');
});
