import * as z from 'zod';
import {jsonIn} from '../../text/record.ts';
import {bytes, code, count, cut, paragraphs} from './markdown.ts';

const text = z.union([z.string(), z.array(z.string()).transform(lines => lines.join(''))]);
const notebook = z.looseObject({
	metadata: z.looseObject({kernelspec: z.looseObject({name: z.string()}).optional()}).optional(),
	cells: z.array(
		z.looseObject({
			cell_type: z.string(),
			source: text.default(''),
			outputs: z.array(z.looseObject({output_type: z.string()})).default([]),
		}),
	),
});

const SHOWN = 30;

/**
 * Lists the cells of a notebook with the first line of each. Null if the text is not a notebook.
 */
export const describeNotebook = (path: string, content: string, size: number): string | null => {
	const {data: book} = notebook.safeParse(jsonIn(content));
	if (!book) return null;
	const kinds = Map.groupBy(book.cells, cell => cell.cell_type);
	const kernel = book.metadata?.kernelspec?.name;
	const rows = book.cells.slice(0, SHOWN).map((cell, at) => {
		const line = cell.source.split('\n').find(candidate => candidate.trim() !== '') ?? '';
		const failed = cell.outputs.some(output => output.output_type === 'error') ? ', ends in an error' : '';
		const outputs = cell.outputs.length > 0 ? ` (${count(cell.outputs.length, 'output')}${failed})` : '';
		return `${at + 1}. ${cell.cell_type}: ${line === '' ? 'empty' : code(cut(line.trim(), 70))}${outputs}`;
	});
	const summary = [...kinds].map(([kind, cells]) => `${cells.length} ${kind}`).join(', ');
	return paragraphs(
		`${code(path)} is a notebook of ${count(book.cells.length, 'cell')}${summary === '' ? '' : ` (${summary})`}, ${bytes(size)}${kernel === undefined ? '' : `, for the kernel ${code(kernel)}`}.`,
		rows.join('\n'),
		book.cells.length > SHOWN && `… and ${count(book.cells.length - SHOWN, 'more cell')}.`,
	);
};
