// Tables that may have a million rows: where each row begins is kept, and a row is read when it is needed.
import type {HtmlTable} from '../output/html-text.ts';
import {csvReader} from '../columns/csv.ts';
import type {Decimal} from './values.ts';

/** Rows are counted from 0, the head is none of them. What is read comes as it stands: nothing is safe for the screen. */
export type Table = {
	/** Of the columns found so far; a row further down may have more. */
	readonly names: readonly string[];
	/** The first columns that name the rows. */
	readonly index: number;
	/** Rows found so far. */
	readonly count: number;
	readonly complete: boolean;
	/** How much of it was looked through, from 0 to 1. */
	readonly share: number;
	readonly decimal: Decimal;
	/** Looks through so many more UTF-16 units. */
	advance(units: number): void;
	row(at: number): readonly string[];
	/** `''` where the row has no such column. */
	cell(at: number, column: number): string;
	/** Text of a row in which every field stands as it is; null where there is none. */
	raw(at: number): string | null;
};

/** Rows whose columns are looked at before any is shown. */
const LOOKED_AT = 200;

/** Offsets of rows: four bytes each. */
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
		/** The last ends where looking has come to. */
		range: (at: number, end: number): readonly [from: number, to: number] => [
			offsets[at] ?? end,
			at + 1 < count ? (offsets[at + 1] ?? end) : end,
		],
	};
};

const isLineEnd = (unit: number): boolean => unit === 0x0a || unit === 0x0d;

/** A CSV: its first row is the head. Empty lines are rows only where there is one column. */
export const csvTable = (text: string, separator?: string): Table => {
	const reader = csvReader(text, separator);
	const starts = createStarts();
	const isEmpty = text.slice(reader.start, reader.start + 1000).trim() === '' && text.trim() === '';
	let head = reader.start;
	while (!isEmpty && isLineEnd(text.charCodeAt(head))) head++;
	let names: readonly string[] = isEmpty ? [] : reader.fields(head);
	let at = isEmpty ? text.length : reader.behind(head);
	const widen = (columns: number): void => {
		if (columns > names.length) names = [...names, ...Array.from({length: columns - names.length}, () => '')];
	};
	const row = (index: number): readonly string[] => {
		if (index >= starts.count) return [];
		const fields = reader.fields(starts.range(index, at)[0]);
		widen(fields.length);
		return fields;
	};
	return {
		get names() {
			return names;
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
		decimal: reader.separator === ';' ? ',' : '.',
		advance(units) {
			const until = Math.min(text.length, at + units);
			while (at < until) {
				const from = at;
				at = reader.behind(from);
				if (names.length > 1 && isLineEnd(text.charCodeAt(from))) continue;
				starts.add(from);
				if (starts.count <= LOOKED_AT) row(starts.count - 1);
			}
		},
		row,
		cell(index, column) {
			if (index >= starts.count) return '';
			const [from, to] = starts.range(index, at);
			const line = text.slice(from, to);
			if (line.includes('"')) return reader.fields(from, column + 1)[column] ?? '';
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
		raw(index) {
			const line = text.slice(...starts.range(index, at));
			return line.includes('""') ? null : line;
		},
	};
};

const textOf = (value: unknown): string =>
	value === null || value === undefined
		? ''
		: typeof value === 'string'
			? value
			: typeof value === 'object'
				? JSON.stringify(value)
				: String(value);

/** The name of the column of what has none: a line that is no object. */
const VALUE = 'value';

/** A text of one JSON object a line: its columns are the names, in the order in which they come. A line that is no JSON stands as it is. */
export const jsonLinesTable = (text: string): Table => {
	const starts = createStarts();
	const columns = new Map<string, number>();
	let names: readonly string[] = [];
	let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
	const fieldsIn = (index: number): ReadonlyMap<string, unknown> => {
		const line = text.slice(...starts.range(index, at)).trim();
		let value: unknown = line;
		try {
			value = JSON.parse(line);
		} catch {
			// It is shown as it is.
		}
		if (Array.isArray(value)) return new Map(value.map((each, place) => [String(place), each]));
		return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [[VALUE, value]]);
	};
	const row = (index: number): readonly string[] => {
		if (index >= starts.count) return [];
		const fields = fieldsIn(index);
		for (const name of fields.keys()) if (!columns.has(name)) columns.set(name, columns.size);
		if (columns.size > names.length) names = [...columns.keys()];
		return names.map(name => textOf(fields.get(name)));
	};
	return {
		get names() {
			return names;
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
		decimal: '.',
		advance(units) {
			const until = Math.min(text.length, at + units);
			while (at < until) {
				const from = at;
				const end = text.indexOf('\n', from);
				at = end === -1 ? text.length : end + 1;
				if (/^\s*$/.test(text.slice(from, Math.min(at, from + 100))) && text.slice(from, at).trim() === '')
					continue;
				starts.add(from);
				if (starts.count <= LOOKED_AT) row(starts.count - 1);
			}
		},
		row,
		cell(index, column) {
			const name = names[column];
			return name === undefined || index >= starts.count ? '' : textOf(fieldsIn(index).get(name));
		},
		raw: () => null,
	};
};

/** Each place of an HTML table with the text of the cell that covers it. */
export const gridOf = ({rows, columns}: HtmlTable): readonly (readonly string[])[] => {
	const grid = rows.map(() => Array.from({length: columns}, () => ''));
	for (const [at, row] of rows.entries())
		for (const {text, column, span, rowSpan} of row)
			for (let to = at; to < at + rowSpan; to++) grid[to]?.fill(text, column, column + span);
	return grid;
};

/** The columns at the left whose cells are all heads: a data frame's index. */
const indexColumns = ({rows, headRows}: HtmlTable): number => {
	const body = rows.slice(headRows);
	const heads = body.map(row => row.find(({isHead}) => !isHead)?.column ?? 0);
	return body.length === 0 ? 0 : Math.min(...heads);
};

/** A table of HTML: a cell over several rows or columns stands in each of them, heads over several rows are one name. */
export const htmlTable = (html: HtmlTable): Table => {
	const isHeadFirst = html.headRows === 0 && html.rows[0]?.every(({isHead}) => isHead) === true;
	const headRows = isHeadFirst ? 1 : html.headRows;
	const grid = gridOf(html);
	const head = grid.slice(0, headRows);
	const names = Array.from({length: html.columns}, (_, column) =>
		[...new Set(head.map(row => row[column] ?? ''))].filter(text => text !== '').join(' / '),
	);
	const body = grid.slice(headRows);
	const index = indexColumns({...html, headRows});
	return {
		names,
		index: index < html.columns ? index : 0,
		count: body.length,
		complete: true,
		share: 1,
		decimal: '.',
		advance() {},
		row: at => body[at] ?? [],
		cell: (at, column) => body[at]?.[column] ?? '',
		raw: () => null,
	};
};
