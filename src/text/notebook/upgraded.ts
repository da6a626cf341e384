// Converts nbformat 2 and 3 to 4 like nbformat's own `v3/convert.py` and `v4/convert.py`.
import {joinMultiline, linesOf} from '../output/multiline.ts';
import {fieldsOf, isRecord, jsonIn} from '../record.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Names of media types before nbformat 4. */
const MEDIA: Readonly<Record<string, string>> = {
	text: 'text/plain',
	html: 'text/html',
	svg: 'image/svg+xml',
	png: 'image/png',
	jpeg: 'image/jpeg',
	latex: 'text/latex',
	json: 'application/json',
	javascript: 'application/javascript',
};

const withMediaTypes = (fields: Fields): Fields =>
	Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [Object.hasOwn(MEDIA, name) ? MEDIA[name] : name, value]),
	);

/** Sorts the fields by name, as nbformat writes them. */
const sorted = (fields: Fields): Fields =>
	Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));

const without = (fields: Fields, ...names: readonly string[]): Fields =>
	Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const countOf = (count: unknown): number | null => (typeof count === 'number' ? count : null);

/** Text of a list of lines. Old programs stored the lines without line ends. */
const textOf = (value: unknown): string => {
	if (!Array.isArray(value)) return joinMultiline(value);
	return joinMultiline(value, /[\n\r]$/.test(joinMultiline(value[0])) ? '' : '\n');
};

const TEXTS: ReadonlySet<string> = new Set(['text', 'html', 'svg', 'latex', 'javascript']);

/**
 * Data of an output in nbformat 4: text as a list of lines, and JSON as a value instead of text.
 */
const dataOf = (fields: Fields): Fields => {
	const read = Object.entries(fields).map(([name, value]): readonly [string, unknown] => {
		if (TEXTS.has(name)) return [name, linesOf(textOf(value))];
		const isText = name === 'json' && (typeof value === 'string' || Array.isArray(value));
		return [name, (isText ? jsonIn(textOf(value)) : undefined) ?? value];
	});
	return withMediaTypes(Object.fromEntries(read));
};

const upgradedOutput = (output: Fields): Fields => {
	const {output_type: type, metadata} = output;
	switch (type) {
		case 'pyout':
		case 'display_data': {
			const rest = without(output, 'output_type', 'prompt_number', 'execution_count', 'metadata', 'data');
			return sorted({
				...(type === 'pyout' && {execution_count: countOf(output['prompt_number'])}),
				output_type: type === 'pyout' ? 'execute_result' : type,
				metadata: withMediaTypes(fieldsOf(metadata)),
				data: {...dataOf(rest), ...fieldsOf(output['data'])},
			});
		}
		case 'pyerr':
			return sorted({...output, output_type: 'error'});
		case 'stream':
			return sorted({
				...without(output, 'stream', 'metadata'),
				name: output['stream'] ?? output['name'] ?? 'stdout',
				text: linesOf(textOf(output['text'])),
			});
		default:
			return output;
	}
};

/** Derives the id from the position, so that reading a file twice gives the same cells. */
const idAt = (index: number): string => `cell-${index + 1}`;

const upgradedCell = (cell: Fields, index: number): Fields => {
	const {cell_type: type, level, outputs, collapsed} = cell;
	const metadata = fieldsOf(cell['metadata']);
	const source = textOf(cell['input'] ?? cell['source']);
	if (type === 'code')
		return sorted({
			...without(cell, 'language', 'collapsed', 'input', 'prompt_number'),
			id: idAt(index),
			metadata: collapsed === undefined ? metadata : sorted({...metadata, collapsed}),
			source: linesOf(source),
			execution_count: countOf(cell['prompt_number']),
			outputs: (Array.isArray(outputs) ? outputs : []).filter(isRecord).map(upgradedOutput),
		});
	const rest = {...without(cell, 'level'), id: idAt(index), metadata, source: linesOf(source)};
	if (type === 'heading') {
		const depth = typeof level === 'number' && level >= 1 ? Math.min(6, Math.floor(level)) : 1;
		const title = joinMultiline(source)
			.split(/\r\n|\r|\n/)
			.join(' ')
			.trimEnd();
		return sorted({...rest, cell_type: 'markdown', source: [`${'#'.repeat(depth)} ${title}`]});
	}
	return sorted({...rest, cell_type: type === 'html' ? 'markdown' : type === 'markdown' ? type : 'raw'});
};

/**
 * Version of nbformat. Null if the notebook states none. A notebook with worksheets counts as
 * version 3.
 */
export const nbformatOf = (notebook: Fields): number | null => {
	const {nbformat, worksheets} = notebook;
	if (typeof nbformat === 'number') return nbformat;
	return nbformat === undefined && Array.isArray(worksheets) ? 3 : null;
};

/**
 * Converts a notebook from nbformat 2 or 3 to 4.5 and joins its worksheets. Null for other
 * versions.
 */
export const upgradedNotebook = (notebook: Fields): Fields | null => {
	const version = nbformatOf(notebook);
	const {worksheets} = notebook;
	if ((version !== 2 && version !== 3) || !Array.isArray(worksheets)) return null;
	const cells = worksheets.flatMap((sheet: unknown): readonly unknown[] => {
		const list = fieldsOf(sheet)['cells'];
		return Array.isArray(list) ? list : [];
	});
	return sorted({
		...without(notebook, 'worksheets', 'orig_nbformat', 'orig_nbformat_minor'),
		cells: cells.map((cell, index) => (isRecord(cell) ? upgradedCell(cell, index) : cell)),
		metadata: without(
			fieldsOf(notebook['metadata']),
			'name',
			'signature',
			'orig_nbformat',
			'orig_nbformat_minor',
		),
		nbformat: 4,
		nbformat_minor: 5,
	});
};
