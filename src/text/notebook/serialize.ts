// Converts a notebook to the text of its file, in the file's own JSON formatting.
import {joinMultiline, linesOf} from '../output/multiline.ts';
import {asWritten, isRawJSON} from '../exact-json.ts';
import {pythonJsonIn} from '../python-json.ts';
import {fieldsOf, jsonIn} from '../record.ts';
import type {Layout, Notebook, NotebookCell, Output} from './notebook.ts';
import {fieldsIn} from '../json-scan.ts';

/**
 * JSON text of a value. All lines except the first are indented to `depth`. Non-ASCII characters
 * are written as UTF-8, as Jupyter does, even if other programs wrote escapes into the file.
 */
export const jsonText = (value: unknown, {indent, eol, colon}: Layout, depth: number): string => {
	const margin = indent === null ? '' : indent.repeat(depth);
	// JSON strings contain no line ends, so every line end comes from the formatting.
	return indent === null
		? oneLine(value, colon)
		: (indent === ''
				? JSON.stringify(value, null, '\t').replaceAll(/\n\t*/g, '\n')
				: JSON.stringify(value, null, indent)
			).replaceAll('\n', `${eol}${margin}`);
};

const oneLine = (value: unknown, colon: string): string => {
	const comma = colon.endsWith(' ') ? ', ' : ',';
	const written = asWritten(value);
	if (Array.isArray(written)) return `[${written.map(each => oneLine(each, colon)).join(comma)}]`;
	if (typeof written !== 'object' || written === null || isRawJSON(written))
		return JSON.stringify(written) ?? 'null';
	return `{${Object.entries(written)
		.map(([name, each]) => `${JSON.stringify(name)}${colon}${oneLine(each, colon)}`)
		.join(comma)}}`;
};

const FIELD_DEPTH = 3;

const JSON_TYPE = /^application\/(?:.*\+)?json$/;
/** Media types whose text nbformat stores as a list of lines. */
const SPLIT_TYPE = /^(?:text\/.*|application\/javascript|image\/svg\+xml)$/;

const isLines = (value: unknown): boolean =>
	Array.isArray(value) && value.every(each => typeof each === 'string');

/**
 * Data of an output as nbformat stores it. A value that should be text but is not becomes JSON
 * text.
 */
const dataOnDisk = (data: unknown): Readonly<Record<string, unknown>> =>
	Object.fromEntries(
		Object.entries(fieldsOf(asWritten(data))).map(([type, value]) => [
			type,
			JSON_TYPE.test(type) || isLines(value)
				? value
				: typeof value !== 'string'
					? JSON.stringify(value)
					: SPLIT_TYPE.test(type)
						? linesOf(value)
						: value,
		]),
	);

const countOf = (count: unknown): number | null =>
	typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : null;

/**
 * Kernel output as nbformat 4 stores it. Contains only fields that nbformat defines, in its order.
 */
export const outputOnDisk = (output: Output): Readonly<Record<string, unknown>> => {
	const metadata = fieldsOf(output['metadata']);
	switch (output.output_type) {
		case 'stream':
			return {
				name: output['name'] === 'stderr' ? 'stderr' : 'stdout',
				output_type: 'stream',
				text: linesOf(joinMultiline(output['text'])),
			};
		case 'execute_result':
			return {
				data: dataOnDisk(output['data']),
				execution_count: countOf(output['execution_count']),
				metadata,
				output_type: 'execute_result',
			};
		case 'display_data':
			return {data: dataOnDisk(output['data']), metadata, output_type: 'display_data'};
		case 'error':
			return {
				ename: joinMultiline(output['ename']),
				evalue: joinMultiline(output['evalue']),
				output_type: 'error',
				traceback: Array.isArray(output['traceback'])
					? output['traceback'].map(line => joinMultiline(line))
					: [joinMultiline(output['traceback'])],
			};
		default:
			return {data: {'application/json': output}, metadata: {}, output_type: 'display_data'};
	}
};

/**
 * Sets a field in the JSON text of an object to a JSON value. Removes the field if the value is
 * null.
 */
const withField = (text: string, name: string, value: string | null, layout: Layout): string => {
	const fields = fieldsIn(text);
	const at = fields.findLastIndex(field => field.name === name);
	const found = fields[at];
	if (found !== undefined && value !== null)
		return text.slice(0, found.value.from) + value + text.slice(found.value.to);
	if (found !== undefined) {
		const next = fields[at + 1];
		if (next !== undefined) return text.slice(0, found.key) + text.slice(next.key);
		return text.slice(0, fields[at - 1]?.value.to ?? found.key) + text.slice(found.value.to);
	}
	if (value === null) return text;
	const field = `${JSON.stringify(name)}${layout.colon}${value}`;
	// Fields are in alphabetical order as in nbformat: inserts before the first later name, or at
	// the end.
	const after = fields.find(field => field.name > name);
	const first = fields[0];
	const open = text.indexOf('{') + 1;
	if (first === undefined) return `${text.slice(0, open)}${field}}`;
	const space = text.slice(open, first.key);
	const comma = space === '' && layout.colon.endsWith(' ') ? ', ' : `,${space}`;
	if (after !== undefined) return `${text.slice(0, after.key)}${field}${comma}${text.slice(after.key)}`;
	const end = fields.at(-1)?.value.to ?? open;
	return `${text.slice(0, end)}${comma}${field}${text.slice(end)}`;
};

export type NotebookKernel = {
	readonly name: string;
	readonly displayName: string;
	readonly language: string | null;
};

/**
 * Changes the kernel in the metadata. Keeps the language details if the language stays the same.
 */
export const withKernel = (notebook: Notebook, {name, displayName, language}: NotebookKernel): Notebook => {
	const {layout} = notebook;
	// A notebook without its cells is small, and still valid JSON.
	const bare = notebook.head + notebook.tail;
	const {from, to} = fieldsIn(bare).findLast(each => each.name === 'metadata')?.value ?? {from: 0, to: 0};
	const metadata = bare.slice(from, to);
	const old = fieldsOf(fieldsOf(jsonIn(metadata))['kernelspec']);
	// Drops the other properties of the previous kernel, which do not apply to another kernel.
	const isNamed = old['name'] === name;
	const spec = {...(isNamed && old), display_name: displayName, ...(language && {language}), name};
	const isSame = language === null ? isNamed : notebook.language === null || notebook.language === language;
	let next = jsonText({kernelspec: spec}, layout, 1);
	if (fieldsIn(metadata).length > 0) {
		next = withField(metadata, 'kernelspec', jsonText(spec, layout, 2), layout);
		if (!isSame) next = withField(next, 'language_info', null, layout);
	}
	const text = withField(bare, 'metadata', next, layout);
	const cells = fieldsIn(text).findLast(each => each.name === 'cells')?.value.from ?? 0;
	return {
		...notebook,
		head: text.slice(0, cells + 1),
		tail: text.slice(cells + 1),
		kernel: name,
		language: language ?? (isNamed ? notebook.language : null),
	};
};

const written = new WeakMap<NotebookCell, string>();

/** JSON text of a cell. Only edited fields differ from the text that was read. */
export const cellText = (cell: NotebookCell, layout: Layout): string => {
	const {touched, kind} = cell;
	if (!touched.kind && !touched.outputs && !touched.source) return cell.text;
	const known = written.get(cell);
	if (known !== undefined) return known;
	const json = (value: unknown): string => jsonText(value, layout, FIELD_DEPTH);
	let {text} = cell;
	const put = (name: string, value: string | null): void => {
		text = withField(text, name, value, layout);
	};
	if (touched.kind) {
		put('cell_type', json(kind));
		if (kind === 'code') put('attachments', null);
	}
	if (kind === 'code') {
		if (touched.outputs || touched.kind) {
			put('execution_count', json(countOf(cell.count)));
			put('outputs', json(cell.outputs.map(outputOnDisk)));
		}
	} else if (touched.kind) {
		put('execution_count', null);
		put('outputs', null);
	}
	if (touched.source) {
		const isString = typeof fieldsOf(pythonJsonIn(text))['source'] === 'string';
		put('source', json(isString ? cell.source : linesOf(cell.source)));
	}
	written.set(cell, text);
	return text;
};

export function* notebookPieces({head, tail, lead, trail, layout, cells}: Notebook): Generator<string> {
	const {indent, eol} = layout;
	const margin = indent === null ? '' : eol + indent.repeat(2);
	const usual = cells.find(({gap}) => gap !== null)?.gap ?? (indent === null ? ', ' : `,${margin}`);
	yield head;
	if (cells.length > 0) yield lead === '' ? margin : lead;
	for (const [index, cell] of cells.entries()) {
		if (index > 0) yield cell.gap ?? usual;
		yield cellText(cell, layout);
	}
	if (cells.length > 0) yield trail === '' && indent !== null ? eol + indent : trail;
	yield tail;
}

export const notebookText = (notebook: Notebook): string => [...notebookPieces(notebook)].join('');
