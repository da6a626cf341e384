import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readNotebook, type Notebook} from '../../src/text/notebook/notebook.ts';
import {
	cellsMissingFrom,
	newCellFromRun,
	undoEdits,
	insertCells,
	withKind,
	withMerged,
	withMoved,
	withNewCell,
	withoutCell,
	withoutOutputs,
	withOutputs,
	withSource,
	withSplit,
} from '../../src/text/notebook/edit.ts';
import {cellText, notebookText, withKernel} from '../../src/text/notebook/serialize.ts';
import {fieldsOf} from '../../src/text/record.ts';
import {hasNbformat, nbformatSays} from '../support/nbformat.ts';

const read = (text: string): Notebook => {
	const notebook = readNotebook(text);
	if (typeof notebook === 'string') throw new Error(notebook);
	return notebook;
};

/** Additional fields that programs write into notebooks. */
const CELL_METADATA = [
	{},
	{tags: ['parameters'], jupyter: {outputs_hidden: true}, 'a.b': 1},
	{vscode: {languageId: 'python'}, datalore: {x: [1, 2.5, null]}},
	{id: 'Zx9', colab: {base_uri: 'https://x/', height: 34}, outputId: 'q"\\'},
	{trusted: false, größe: '½ 𝔘 \u2028', '': {}},
];
const NOTEBOOK_METADATA = [
	{
		kernelspec: {display_name: 'Python 3', language: 'python', name: 'python3'},
		language_info: {name: 'python'},
	},
	{colab: {provenance: [], toc_visible: true}, kernelspec: {name: 'ir', display_name: 'R'}},
	{
		jupytext: {split_at_heading: true},
		kernelspec: {display_name: 'python3', language: 'python', name: 'python3'},
	},
	{orig_nbformat: 4, interpreter: {hash: 'a{b}[c],"d"'}},
];
const words = fc.string({
	unit: fc.constantFrom('a', ' ', '\n', '"', '\\', 'é', '{', ']', ',', '\u2028', '𝔘', '\t'),
	maxLength: 12,
});
const source = fc.oneof(
	words,
	words.map(text => text.match(/[^\n]*\n|[^\n]+$/g) ?? []),
);
const output = fc.constantFrom(
	{name: 'stdout', output_type: 'stream', text: ['a\n', 'b']},
	{
		data: {'text/plain': ['1'], 'image/png': 'AA==', 'application/json': {a: [1.5]}},
		execution_count: 2,
		metadata: {},
		output_type: 'execute_result',
	},
	{ename: 'E', evalue: 'v', output_type: 'error', traceback: ['\u001b[31mx', 'y']},
);
const cell = fc
	.record({
		kind: fc.constantFrom('code', 'markdown', 'raw'),
		source,
		metadata: fc.constantFrom(...CELL_METADATA),
		outputs: fc.array(output, {maxLength: 2}),
		isIdFirst: fc.boolean(),
	})
	.map(({kind, source: text, metadata, outputs, isIdFirst}) => (hasIds: boolean, index: number) => ({
		...(hasIds && isIdFirst && {id: `cell-${index}`}),
		cell_type: kind,
		...(kind === 'code' && {execution_count: index % 2 === 0 ? null : index, outputs}),
		metadata,
		...(hasIds && !isIdFirst && {id: `cell-${index}`}),
		source: text,
	}));
const file = fc
	.record({
		cells: fc.array(cell, {maxLength: 6}),
		metadata: fc.constantFrom(...NOTEBOOK_METADATA),
		indent: fc.constantFrom<string | number | undefined>(1, 2, 4, '\t', undefined),
		end: fc.constantFrom('', '\n', '\r\n'),
		minor: fc.constantFrom(2, 4, 5),
		isCellsLast: fc.boolean(),
		isAscii: fc.boolean(),
		isWindows: fc.boolean(),
	})
	.map(({cells, metadata, indent, end, minor, isCellsLast, isAscii, isWindows}) => {
		const list = cells.map((make, index) => make(minor >= 5, index));
		const rest = {metadata, nbformat: 4, nbformat_minor: minor};
		const text = JSON.stringify(isCellsLast ? {...rest, cells: list} : {cells: list, ...rest}, null, indent);
		const lines = isWindows ? text.replaceAll('\n', '\r\n') : text;
		return (
			(isAscii
				? lines.replaceAll(
						/[^\u0000-\u007F]/g,
						unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
					)
				: lines) + end
		);
	});

type Step = {readonly what: string; readonly at: number; readonly text: string};
const step = fc.record({
	what: fc.constantFrom(
		'source',
		'run',
		'add',
		'remove',
		'up',
		'down',
		'kind',
		'split',
		'merge',
		'clear',
		'undo',
	),
	at: fc.nat(6),
	text: words,
});

const KINDS = ['code', 'markdown', 'raw'] as const;
const worked = (notebook: Notebook, {what, at, text}: Step, before: Notebook): Notebook => {
	const key = notebook.cells[at % Math.max(1, notebook.cells.length)]?.key ?? -1;
	switch (what) {
		case 'source':
			return withSource(notebook, key, text);
		case 'run':
			return withOutputs(
				notebook,
				key,
				[
					{output_type: 'stream', name: 'stdout', text},
					{
						output_type: 'display_data',
						data: {'text/html': text, 'application/x+json': {text}},
						metadata: {},
						transient: {},
					},
					{output_type: 'error', ename: 'E', evalue: text, traceback: [text]},
				],
				at,
			);
		case 'add':
			return withNewCell(notebook, at % (notebook.cells.length + 1), KINDS[at % 3]).notebook;
		case 'remove':
			return withoutCell(notebook, key);
		case 'up':
			return withMoved(notebook, key, -1);
		case 'down':
			return withMoved(notebook, key, 1);
		case 'kind':
			return withKind(notebook, key, KINDS[at % 3] ?? 'code');
		case 'split':
			return withSplit(notebook, key, 1)?.notebook ?? notebook;
		case 'merge':
			return withMerged(notebook, key) ?? notebook;
		case 'clear':
			return withoutOutputs(notebook, key);
		default:
			return undoEdits(notebook, before);
	}
};

type Json = {readonly cells: readonly Readonly<Record<string, unknown>>[]} & Readonly<
	Record<string, unknown>
>;
const joined = (text: unknown): string => (Array.isArray(text) ? text.join('') : String(text));

test('an untouched notebook is written as it was read, byte for byte', () => {
	fc.assert(
		fc.property(file, text => {
			expect(notebookText(read(text))).toBe(text);
			expect(notebookText(read(`\uFEFF${text}`))).toBe(`\uFEFF${text}`);
		}),
	);
});

test('after any change to some cells, the others keep every byte, and so does the text around them, and the result has the changes', () => {
	fc.assert(
		fc.property(file, fc.array(step, {maxLength: 8}), (text, steps) => {
			const first = read(text);
			const originals = new Map(first.cells.map(each => [each.key, each]));
			let before = first;
			let now = first;
			for (const each of steps) [before, now] = [now, worked(now, each, before)];
			const written = notebookText(now);
			const json = JSON.parse(written.replace(/^\uFEFF/, '')) as Json;
			expect({...json, cells: []}).toEqual({...(JSON.parse(text) as Json), cells: []});
			expect(written.startsWith(first.head)).toBe(true);
			expect(written.endsWith(first.tail)).toBe(true);
			expect(json.cells.map(each => [each['cell_type'], joined(each['source'])])).toEqual(
				now.cells.map(each => [each.kind, each.source]),
			);
			for (const each of now.cells)
				if (originals.get(each.key) === each) expect(cellText(each, now.layout)).toBe(each.text);
			// Serializing and parsing again returns the same notebook.
			const again = read(written);
			expect(again.cells.map(({kind, source: of, outputs}) => [kind, of, outputs.length])).toEqual(
				now.cells.map(({kind, source: of, outputs}) => [kind, of, outputs.length]),
			);
			expect(notebookText(again)).toBe(written);
		}),
	);
});

test('only the edited field of a cell is rewritten, in the indentation of the notebook', () => {
	const text = `{
  "metadata": {"odd":   [1.0, 1e3]},
  "nbformat": 4, "nbformat_minor": 5,
  "cells": [
    {"cell_type": "code", "id": "one", "metadata": {"x": 1.0,  "big": 12345678901234567890}, "source": ["a\\n", "b"],
     "outputs": [], "execution_count": null},
    {"cell_type": "markdown", "id": "two", "metadata": {}, "source": "as one text"}
  ]
}
`;
	const notebook = read(text);
	const [one, two] = notebook.cells;
	const changed = withSource(withSource(notebook, one?.key ?? 0, 'c\nd'), two?.key ?? 0, 'another');
	expect(notebookText(changed)).toBe(
		text
			.replace('["a\\n", "b"]', '[\n        "c\\n",\n        "d"\n      ]')
			.replace('as one text', 'another'),
	);
});

test.skipIf(!hasNbformat)(
	"every written notebook is valid by nbformat's own validator",
	{tags: 'long'},
	() => {
		const texts: string[] = [];
		for (const [text, steps] of fc.sample(fc.tuple(file, fc.array(step, {maxLength: 8})), {
			numRuns: 150,
			seed: 13,
		})) {
			let before = read(text);
			let now = before;
			for (const each of steps) [before, now] = [now, worked(now, each, before)];
			texts.push(notebookText(now));
		}
		expect(nbformatSays(texts)).toBe('valid');
	},
);

test('an unreadable notebook gives the reason why it cannot be edited', () => {
	expect([
		readNotebook('{"cells": ['),
		readNotebook('[]'),
		readNotebook('{"nbformat": 5, "cells": []}'),
		readNotebook('{"nbformat": 1, "cells": []}'),
		readNotebook('{"nbformat": 3, "cells": []}'),
		readNotebook('{"nbformat": 3, "worksheets": [{"cells": [1]}]}'),
		readNotebook('{"cells": []}'),
		readNotebook('{"nbformat": 4}'),
		readNotebook('{"nbformat": 4, "cells": [1]}'),
	]).toEqual([
		'it is not valid JSON: it ends in line 1, before its last bracket',
		'it is not a notebook',
		'it uses nbformat 5; only 4, 3 and 2 can be read',
		'it uses nbformat 1; only 4, 3 and 2 can be read',
		'it has no cells',
		'one of its cells is damaged',
		'it does not state its nbformat',
		'it has no cells',
		'one of its cells is damaged',
	]);
});

test('each part of a split cell keeps the pictures that it shows', () => {
	const attachments = {'x.png': {'image/png': 'AA=='}};
	const notebook = read(
		JSON.stringify({
			cells: [
				{attachments, cell_type: 'markdown', id: 'one', metadata: {}, source: 'a\n![x](attachment:x.png)'},
			],
			metadata: {},
			nbformat: 4,
			nbformat_minor: 5,
		}),
	);
	const parted = withSplit(notebook, notebook.cells[0]?.key ?? 0, 1)?.notebook ?? notebook;
	const json = JSON.parse(notebookText(parted)) as Json;
	expect(json.cells.map(each => each['attachments'])).toEqual([attachments, attachments]);
});

const R = {name: 'ir', displayName: 'R', language: 'R'};
const METADATA_TEXTS = [
	[
		'none of a kernel',
		'"metadata": {\n  "colab": {"a":   1}\n },',
		'"metadata": {\n  "colab": {"a":   1},\n  "kernelspec": {\n   "display_name": "R",\n   "language": "R",\n   "name": "ir"\n  }\n },',
	],
	[
		'nothing',
		'"metadata": {},',
		'"metadata": {\n  "kernelspec": {\n   "display_name": "R",\n   "language": "R",\n   "name": "ir"\n  }\n },',
	],
	[
		'another',
		'"metadata": {\n  "kernelspec": {"name": "base", "odd": 1, "display_name": "Base"},\n  "language_info": {"name": "python"},\n  "z":  1\n },',
		'"metadata": {\n  "kernelspec": {\n   "display_name": "R",\n   "language": "R",\n   "name": "ir"\n  },\n  "z":  1\n },',
	],
] as const;
test.each(METADATA_TEXTS)(
	'a chosen kernel is written if the metadata have %s; nothing else changes',
	(_, before, after) => {
		const around = (metadata: string): readonly string[] => [
			`{\n "cells": [\n  {"cell_type": "raw", "metadata": {},  "source": "x"}\n ],\n ${metadata}\n "nbformat": 4,\n "nbformat_minor": 4\n}\n`,
			`{\n ${metadata}\n "nbformat": 4,\n "nbformat_minor": 4,\n "cells": [\n  {"cell_type": "raw", "metadata": {},  "source": "x"}\n ]\n}`,
		];
		const written = around(before).map(text => notebookText(withKernel(read(text), R)));
		expect(written).toEqual(around(after));
		expect(written.map(text => read(text).kernel)).toEqual(['ir', 'ir']);
	},
);

test('a kernel of an unknown language is written without the language of another, and with that of its own name', () => {
	const of = (name: string): unknown => {
		const metadata = {
			kernelspec: {display_name: 'Python 3', language: 'python', name: 'python3'},
			language_info: {name: 'python'},
		};
		const text = JSON.stringify({cells: [], metadata, nbformat: 4, nbformat_minor: 5});
		const chosen = withKernel(read(text), {name, displayName: name, language: null});
		const {metadata: written} = JSON.parse(notebookText(chosen)) as {readonly metadata: unknown};
		return {language: chosen.language, ...fieldsOf(written)};
	};
	expect(of('ir')).toEqual({language: null, kernelspec: {display_name: 'ir', name: 'ir'}});
	expect(of('python3')).toEqual({
		language: 'python',
		kernelspec: {display_name: 'python3', language: 'python', name: 'python3'},
		language_info: {name: 'python'},
	});
});

test('of cells run elsewhere a notebook lacks those that it does not contain, by their times, with any result', () => {
	const ran = (source: string, startedAt: number | null) =>
		newCellFromRun({source, outputs: [], count: 1, startedAt, endedAt: null});
	const [first, second, third] = [ran('x = 1', 1000), ran('x = 1', 2000), ran('x = 1', null)] as const;
	const empty = read('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}');
	const {notebook, key} = insertCells(empty, 0, [first]);
	expect(cellsMissingFrom(empty, [first, second])).toEqual([first, second]);
	for (const held of [notebook, withSource(notebook, key, 'x = 2')]) {
		expect(cellsMissingFrom(held, [first, second, third])).toEqual([second, third]);
		expect(cellsMissingFrom(read(notebookText(held)), [first])).toEqual([]);
	}
	expect(cellsMissingFrom(withoutCell(notebook, key), [first])).toEqual([first]);
});

test.for(['"\\u001b[0m"', '"\\\\u00e9"', '"\\u00e9"', '"\\ud83d"'])(
	'text written into a notebook is UTF-8 beside %s in its text',
	escape => {
		const text = `{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {"x": ${escape}}, "outputs": [], "source": []}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}`;
		const before = read(text);
		const output = {output_type: 'stream', name: 'stdout', text: 'é 😀\n'};
		const after = notebookText(withOutputs(before, before.cells[0]!.key, [output], 1));
		expect(after).toContain('é 😀');
		expect(after).toContain(escape);
	},
);
