// Notebook in nbformat 4, stored as pieces of its text so that unedited parts are saved unchanged.
import {jsonProblem} from '../columns/json-fold.ts';
import {joinMultiline} from '../output/multiline.ts';
import {savedWidgets} from '../output/widget.ts';
import {pythonJsonIn} from '../python-json.ts';
import {isRecord} from '../record.ts';
import {fieldsIn, itemsIn} from '../json-scan.ts';
import {nbformatOf, upgradedNotebook} from './upgraded.ts';

export type CellKind = 'code' | 'markdown' | 'raw';

/** Output as nbformat 4 defines it. */
export type Output = {readonly output_type: string; readonly [field: string]: unknown};

/** Fields of a cell that were edited since its text was read. */
export type EditedFields = {readonly source?: true; readonly outputs?: true; readonly kind?: true};

export type NotebookCell = {
	/** Identifies the cell while the notebook is open. */
	readonly key: number;
	/** JSON of the cell without the edits in `touched`. */
	readonly text: string;
	/**
	 * Text between the previous cell and this one, including the comma. Null for the first cell and
	 * for new cells.
	 */
	readonly gap: string | null;
	readonly kind: CellKind;
	readonly source: string;
	readonly outputs: readonly Output[];
	readonly count: number | null;
	readonly touched: EditedFields;
};

/** JSON formatting of the file. */
export type Layout = {
	/** Indentation per level. Null if the whole JSON is on one line. */
	readonly indent: string | null;
	readonly eol: string;
	readonly colon: string;
};

export type Notebook = {
	/**
	 * File text up to and including the bracket that opens the list of cells, and from the closing
	 * bracket on.
	 */
	readonly head: string;
	readonly tail: string;
	/**
	 * Text between the opening bracket and the first cell, and between the last cell and the
	 * closing bracket.
	 */
	readonly lead: string;
	readonly trail: string;
	readonly layout: Layout;
	readonly cells: readonly NotebookCell[];
	/** True if the cells have ids, as from nbformat 4.5 on. */
	readonly hasIds: boolean;
	/** Name of the kernel. Null if the notebook does not name one. */
	readonly kernel: string | null;
	/** Programming language. Null if the notebook does not name one. */
	readonly language: string | null;
	/**
	 * Version of nbformat in the file if it is older than 4, else null. The notebook will be saved
	 * in nbformat 4.
	 */
	readonly upgradedFrom: number | null;
};

let lastKey = 0;
export const nextKey = (): number => ++lastKey;

const layoutOf = (text: string, firstKey: number): Layout => {
	const [, eol = null, indent = ''] = /(\r?\n)([ \t]*)$/.exec(text.slice(0, firstKey)) ?? [];
	const [, colon = ': '] = /^"[^"\\]*"(\s*:[ \t]*)/.exec(text.slice(firstKey, firstKey + 200)) ?? [];
	return {indent: eol === null ? null : indent, eol: eol ?? '\n', colon};
};

const kindOf = (kind: unknown): CellKind => (kind === 'code' || kind === 'markdown' ? kind : 'raw');

const cellOf = (
	fields: Readonly<Record<string, unknown>>,
	text: string,
	gap: string | null,
	withState: (output: Output) => Output,
): NotebookCell => {
	const {execution_count: count, outputs} = fields;
	return {
		key: nextKey(),
		text,
		gap,
		kind: kindOf(fields['cell_type']),
		source: joinMultiline(fields['source']),
		outputs: (Array.isArray(outputs) ? outputs : [])
			.filter((output): output is Output => isRecord(output) && typeof output['output_type'] === 'string')
			.map(withState),
		count: typeof count === 'number' ? count : null,
		touched: {},
	};
};

const nameIn = (metadata: unknown, what: string, field: string): string | null => {
	const about = isRecord(metadata) ? metadata[what] : undefined;
	const name = isRecord(about) ? about[field] : undefined;
	return typeof name === 'string' && name !== '' ? name : null;
};

/**
 * Parses a notebook. A string result is the reason why it cannot be edited, as the end of a
 * sentence.
 */
export const readNotebook = (text: string): Notebook | string => {
	const value = pythonJsonIn(text.replace(/^\uFEFF/, ''));
	if (value === undefined) {
		const problem = jsonProblem(text);
		return `it is not valid JSON${problem === null ? '' : `: ${problem}`}`;
	}
	if (!isRecord(value)) return 'it is not a notebook';
	const version = nbformatOf(value);
	const upgraded = upgradedNotebook(value);
	if (upgraded !== null) {
		const read = readNotebook(`${JSON.stringify(upgraded, null, 1)}\n`);
		return typeof read === 'string' ? read : {...read, upgradedFrom: version};
	}
	if (version === null) return 'it does not state its nbformat';
	if (version === 2 || version === 3) return 'it has no cells';
	if (version !== 4) return `it uses nbformat ${version}; only 4, 3 and 2 can be read`;
	const {cells, metadata} = value;
	if (!Array.isArray(cells)) return 'it has no cells';
	if (!cells.every(cell => isRecord(cell) && typeof cell['cell_type'] === 'string'))
		return 'one of its cells is damaged';
	const fields = fieldsIn(text);
	// Like JSON.parse, uses the last of duplicate fields.
	const list = fields.findLast(({name}) => name === 'cells');
	if (list === undefined) return 'it has no cells';
	const {from, to} = list.value;
	const spans = itemsIn(text, from);
	const minor = value['nbformat_minor'];
	const withState = savedWidgets(metadata);
	return {
		head: text.slice(0, from + 1),
		tail: text.slice(to - 1),
		lead: text.slice(from + 1, spans[0]?.from ?? from + 1),
		trail: text.slice(spans.at(-1)?.to ?? from + 1, to - 1),
		layout: layoutOf(text, fields[0]?.key ?? 1),
		cells: spans.map((span, index) =>
			cellOf(
				cells[index] as Readonly<Record<string, unknown>>,
				text.slice(span.from, span.to),
				index === 0 ? null : text.slice(spans[index - 1]?.to ?? 0, span.from),
				withState,
			),
		),
		hasIds: typeof minor === 'number' && minor >= 5,
		kernel: nameIn(metadata, 'kernelspec', 'name'),
		language: nameIn(metadata, 'language_info', 'name') ?? nameIn(metadata, 'kernelspec', 'language') ?? null,
		upgradedFrom: null,
	};
};
