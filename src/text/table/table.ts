// Tables of up to millions of rows. Only the offsets of rows are stored. Rows are parsed on demand.
import {csvReader} from '../columns/csv.ts';
import {fieldsIn, itemsIn} from '../json-scan.ts';
import {pythonJsonIn} from '../python-json.ts';
import {jsonIn} from '../record.ts';
import {isUnsureBeside} from './reading.ts';
import type {Decimal} from './values.ts';

/** Size of the complete table (null if unknown), and of the part that is shown. */
export type Whole = {
	readonly rows: number | null;
	readonly columns: number | null;
	readonly shownRows: number;
	readonly shownColumns: number;
};

/** Rows count from 0 and do not include the header. Fields may contain control characters. */
export type Table = {
	/** Names of the columns found so far. A later row may add columns. */
	readonly names: readonly string[];
	/** Number of leading columns that form the index, which names the rows. */
	readonly index: number;
	readonly count: number;
	readonly complete: boolean;
	/** Fraction of the text that was scanned, from 0 to 1. */
	readonly share: number;
	/** True if a single point or comma before three digits may mark decimals or thousands. */
	readonly isUnsure: boolean;
	/**
	 * Returns the same table with its first row as data instead of the header, or vice versa. Null
	 * if the header is certain.
	 */
	readonly otherHead: (() => Table) | null;
	/** True if a row, or a column, indicates omitted ones, as in a truncated data frame. */
	readonly isGap?: (at: number) => boolean;
	readonly isGapColumn?: (column: number) => boolean;
	/** Size of the complete table if this table is a part of it, else null. */
	readonly whole?: Whole | null;
	/**
	 * Number of leading rows that are loaded. Set if later rows may be loaded only when they are
	 * drawn.
	 */
	readonly firstRows?: number;
	/** Type of a column as its source names it, and whether it contains numbers. */
	readonly typeOf?: (column: number) => {readonly name: string; readonly isNumber: boolean};
	/** Decimal mark chosen by the user. If undefined, it is detected for each column. */
	readonly decimal?: Decimal;
	/** Character between the fields of a text with separated columns. */
	readonly separator?: string;
	/** Quote character of the fields. Empty if the text uses no quotes. */
	readonly quote?: string;
	/** Python code lines that read the table as `data` with pandas. */
	readonly python?: () => readonly string[];
	/** Scans up to `units` more UTF-16 units. */
	advance(units: number): void;
	row(at: number): readonly string[];
	/** Field of a row. Empty if the row has no such column. */
	cell(at: number, column: number): string;
	/**
	 * Source text of a row, in which every field occurs unchanged. Null if there is no such text.
	 */
	raw(at: number): string | null;
};

/** Number of rows that are read before the first frame, to find the columns. */
const LOOKED_AT = 200;

/** Row offsets, stored in four bytes each. */
const createStarts = () => {
	let offsets = new Uint32Array(1024);
	let count = 0;
	return {
		get count() {
			return count;
		},
		add(offset: number): void {
			if (count === offsets.length) {
				const more = new Uint32Array(count * 2);
				more.set(offsets);
				offsets = more;
			}
			offsets[count++] = offset;
		},
		/** The last row ends where scanning stopped. */
		range: (at: number, end: number): readonly [from: number, to: number] => [
			offsets[at] ?? end,
			at + 1 < count ? (offsets[at + 1] ?? end) : end,
		],
	};
};

const isLineEnd = (unit: number): boolean => unit === 0x0a || unit === 0x0d;

type Range = readonly [from: number, to: number];

/** Format of the rows in a text. `names`: columns found so far. */
type Format = Pick<Table, 'isUnsure' | 'otherHead' | 'separator' | 'quote'> & {
	readonly start: number;
	names(): readonly string[];
	/** Offset after the row that starts at `at`. */
	behind(at: number): number;
	/** False for white space between two rows. */
	isRow(from: number, to: number): boolean;
	fields(range: Range): readonly string[];
	field(range: Range, column: number): string;
	raw(range: Range): string | null;
};

const textTable = (text: string, format: Format): Table => {
	const starts = createStarts();
	let at = format.start;
	const rangeOf = (index: number): Range | null => (index < starts.count ? starts.range(index, at) : null);
	const row = (index: number): readonly string[] => {
		const range = rangeOf(index);
		return range === null ? [] : format.fields(range);
	};
	return {
		get names() {
			return format.names();
		},
		index: 0,
		get count() {
			return starts.count;
		},
		get complete() {
			return at >= text.length;
		},
		get share() {
			return text.length === 0 ? 1 : at / text.length;
		},
		isUnsure: format.isUnsure,
		otherHead: format.otherHead,
		...(format.separator !== undefined && {separator: format.separator}),
		...(format.quote !== undefined && {quote: format.quote}),
		advance(units) {
			const until = Math.min(text.length, at + units);
			while (at < until) {
				const from = at;
				at = format.behind(from);
				if (!format.isRow(from, at)) continue;
				starts.add(from);
				if (starts.count <= LOOKED_AT) row(starts.count - 1);
			}
		},
		row,
		cell(index, column) {
			const range = rangeOf(index);
			return range === null ? '' : format.field(range, column);
		},
		raw(index) {
			const range = rangeOf(index);
			return range === null ? null : format.raw(range);
		},
	};
};

type CsvHow = {
	readonly isHeadless?: boolean;
	readonly isChosen?: boolean;
	readonly quote?: string | undefined;
};

/**
 * Table of a CSV text. The first row is the header, unless `isHeadless`. Empty lines count as rows
 * only if the table has one column. `isChosen`: the user chose the separator. `quote`: undefined to
 * detect it.
 */
export const csvTable = (
	text: string,
	separator?: string,
	{isHeadless = false, isChosen = false, quote: chosenQuote}: CsvHow = {},
): Table => {
	const reader = csvReader(text, separator, isChosen, chosenQuote);
	const {quote} = reader;
	const isEmpty = text.slice(reader.start, reader.start + 1000).trim() === '' && text.trim() === '';
	let head = reader.start;
	while (!isEmpty && isLineEnd(text.charCodeAt(head))) head++;
	let names: readonly string[] = isEmpty ? [] : reader.fields(head);
	if (isHeadless) names = names.map(() => '');
	return textTable(text, {
		start: isEmpty ? text.length : isHeadless ? head : reader.behind(head),
		names: () => names,
		isUnsure: isUnsureBeside(reader.separator),
		otherHead: () => csvTable(text, reader.separator, {isHeadless: !isHeadless, isChosen: true, quote}),
		separator: reader.separator,
		quote,
		behind: at => reader.behind(at),
		isRow: from => names.length < 2 || !isLineEnd(text.charCodeAt(from)),
		fields([from]) {
			const fields = reader.fields(from);
			const more = fields.length - names.length;
			if (more > 0) names = [...names, ...Array.from({length: more}, () => '')];
			return fields;
		},
		field([from, to], column) {
			const line = text.slice(from, to);
			if (quote !== '' && line.includes(quote)) return reader.fields(from, column + 1)[column] ?? '';
			let end = line.length;
			while (end > 0 && isLineEnd(line.charCodeAt(end - 1))) end--;
			let start = 0;
			for (let skipped = 0; skipped < column; skipped++) {
				start = line.indexOf(reader.separator, start) + 1;
				if (start === 0) return '';
			}
			const next = line.indexOf(reader.separator, start);
			return line.slice(start, next === -1 ? end : next);
		},
		raw(range) {
			const line = text.slice(...range);
			return quote !== '' && line.includes(quote + quote) ? null : line;
		},
	});
};

const textOf = (value: unknown): string =>
	value === null || value === undefined
		? ''
		: typeof value === 'string'
			? value
			: typeof value === 'object'
				? JSON.stringify(value)
				: String(value);

/**
 * Matches a line whose fields JSON.stringify might write differently: numbers, key order, nested
 * values.
 */
const IS_OTHERWISE = /\d{16}|\.\d*0(?!\d)|\d[eE][-+\d]|-0|NaN|Infinity|"\d+"\s*:|.[[{]/;

/** Text of a JSON value: the content of a string, empty for null, else the source text. */
const tokenText = (token: string): string =>
	token === 'null' ? '' : token.startsWith('"') ? textOf(jsonIn(token)) : token;

/**
 * Texts of the fields in a JSON line, by name. Null if the line is neither an object nor a list.
 */
const textsIn = (line: string): ReadonlyMap<string, string> | null => {
	const isList = line.startsWith('[');
	if (!isList && !line.startsWith('{')) return null;
	const value = pythonJsonIn(line);
	if (value === undefined) return null;
	if (!IS_OTHERWISE.test(line))
		return new Map(Object.entries(value as object).map(([name, each]) => [name, textOf(each)]));
	return new Map(
		isList
			? itemsIn(line, 0).map(({from, to}, at) => [String(at), tokenText(line.slice(from, to))])
			: fieldsIn(line).map(({name, value: {from, to}}) => [name, tokenText(line.slice(from, to))]),
	);
};

/** Column name for the value of a line that is not an object. */
const VALUE = 'value';

/**
 * Table of a text with one JSON object per line. The columns are the field names in order of
 * appearance. A line that is not JSON becomes a value as it is.
 */
export const jsonLinesTable = (text: string): Table => {
	const columns = new Map<string, number>();
	let names: readonly string[] = [];
	const fieldsOfRow = (range: Range): ReadonlyMap<string, string> => {
		const line = text.slice(...range).trim();
		const found = textsIn(line);
		if (found !== null) return found;
		return new Map([[VALUE, pythonJsonIn(line) === undefined ? line : tokenText(line)]]);
	};
	return textTable(text, {
		start: text.charCodeAt(0) === 0xfeff ? 1 : 0,
		names: () => names,
		isUnsure: false,
		otherHead: null,
		behind(at) {
			const end = text.indexOf('\n', at);
			return end === -1 ? text.length : end + 1;
		},
		isRow: (from, to) =>
			!/^\s*$/.test(text.slice(from, Math.min(to, from + 100))) || text.slice(from, to).trim() !== '',
		fields(range) {
			const fields = fieldsOfRow(range);
			for (const name of fields.keys()) if (!columns.has(name)) columns.set(name, columns.size);
			if (columns.size > names.length) names = [...columns.keys()];
			return names.map(name => fields.get(name) ?? '');
		},
		field(range, column) {
			const name = names[column];
			return name === undefined ? '' : (fieldsOfRow(range).get(name) ?? '');
		},
		raw: () => null,
	});
};
