import {csvRows, separatorOf} from '../../text/columns/csv.ts';
import {isUnsureBeside, numberIn, readingOf} from '../../text/table/reading.ts';
import {isMissing} from '../../text/table/values.ts';
import {bytes, code, count, paragraphs, table} from './markdown.ts';

// Maximum number of UTF-16 units that are read, because parsing blocks the whole service. Of a
// larger file only the first part is read.
const MAX_CHARS = 4 * 2 ** 20;
const MAX_COLUMNS = 8;
const FIRST_ROWS = 5;

const plainNumber = (value: number): string => String(Number(value.toPrecision(6)));

type Column = {
	readonly name: string;
	readonly filled: number;
	readonly numbers: {min: number; max: number; mean: number} | null;
};

const columnOf = (
	rows: readonly (readonly string[])[],
	at: number,
	name: string,
	isUnsure: boolean,
): Column => {
	let [filled, sum, min, max] = [0, 0, Infinity, -Infinity];
	let numeric = true;
	const cells = rows.map(row => row[at] ?? '').filter(cell => !isMissing(cell));
	const reading = readingOf(cells, isUnsure);
	for (const cell of cells) {
		filled++;
		const value = numberIn(cell, reading) ?? Number.NaN;
		numeric &&= !Number.isNaN(value);
		sum += value;
		min = Math.min(min, value);
		max = Math.max(max, value);
	}
	return {name, filled, numbers: numeric && filled > 0 ? {min, max, mean: sum / filled} : null};
};

/** Describes a table: its size, its first rows, and the range and mean of its numeric columns. */
export const describeCsv = (path: string, text: string, size: number): string => {
	const whole = text.length <= MAX_CHARS;
	const read = whole ? text : text.slice(0, text.lastIndexOf('\n', MAX_CHARS) + 1);
	const separator = separatorOf(read);
	const [names = [], ...rows] = csvRows(read, separator).filter(row => row.length > 1 || row[0] !== '');
	if (names.length === 0) return `${code(path)} is a table without any rows (${bytes(size)}).`;
	const columns = names.map((name, at) => columnOf(rows, at, name, isUnsureBeside(separator)));
	const numbers = columns.flatMap(({name, filled, numbers}) =>
		numbers
			? [
					[
						name,
						String(filled),
						plainNumber(numbers.min),
						plainNumber(numbers.max),
						plainNumber(numbers.mean),
					],
				]
			: [],
	);
	const shown = [names, ...rows.slice(0, FIRST_ROWS)].map(row =>
		names.slice(0, MAX_COLUMNS).map((_, at) => row[at] ?? ''),
	);
	const hidden = names.length > MAX_COLUMNS ? ` (the first ${MAX_COLUMNS} of ${names.length} columns)` : '';
	const ragged = rows.filter(row => row.length !== names.length).length;
	return paragraphs(
		`${code(path)} is a table of ${count(rows.length, 'row')} and ${count(names.length, 'column')} (${bytes(size)}${whole ? '' : '; counted in its first 4 MiB'}): ${names.slice(0, 30).map(code).join(', ')}.`,
		ragged > 0 &&
			`${count(ragged, 'row')} ${ragged === 1 ? 'has' : 'have'} more or fewer fields than the heading.`,
		rows.length > 0 && `First rows${hidden}:\n\n${table(shown)}`,
		numbers.length > 0 &&
			`Columns of numbers:\n\n${table([['column', 'filled', 'min', 'max', 'mean'], ...numbers.slice(0, 20)])}`,
	);
};
