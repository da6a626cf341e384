// Encoding and separator of a table's text, detected or chosen.
import {decodeAs, ENCODINGS, readText, type Decoded} from '../encoding.ts';
import {columnFormatOf} from './column-format.ts';
import {tableOfText} from './open-text.ts';
import {pythonOfText} from './python.ts';
import type {Table} from './table.ts';
import type {Decimal} from './values.ts';

/** Encoding (its label), separator, quote and decimal mark. A null or missing one is detected. */
export type TextChoice = {
	readonly encoding: string | null;
	readonly separator: string | null;
	/** Empty if the fields have none. */
	readonly quote?: string;
	readonly decimal?: Decimal;
};
export const DETECTED: TextChoice = {encoding: null, separator: null};

export type TextFormat = {
	/** Name of the encoding. */
	readonly encoding: string;
	/** Null for JSON lines. */
	readonly separator: string | null;
	/** Quote around fields, empty if there is none; null for JSON lines. */
	readonly quote: string | null;
	readonly choice: TextChoice;
	/** Reads the file in another way. A sentence says why it cannot. */
	reopen(choice: TextChoice): Promise<Table | string>;
};

export type TextTable = Table & {readonly format: TextFormat};

export const formatIn = (table: Table): TextFormat | null =>
	'format' in table ? (table as TextTable).format : null;

const SEPARATORS: ReadonlyMap<string, string> = new Map([
	[',', 'comma'],
	[';', 'semicolon'],
	['\t', 'tab'],
	['|', 'pipe'],
]);

export const separatorName = (separator: string): string =>
	SEPARATORS.get(separator) ?? JSON.stringify(separator);

/** Choices of a separator and of an encoding, by their names. */
export const SEPARATOR_CHOICES: readonly (readonly [separator: string, name: string])[] = [...SEPARATORS];
export const ENCODING_CHOICES: readonly (readonly [label: string, name: string])[] = [...ENCODINGS];

export const QUOTE_CHOICES: readonly (readonly [quote: string, name: string])[] = [
	['"', 'double'],
	["'", 'single'],
	['', 'none'],
];

export const DECIMAL_CHOICES: readonly (readonly [decimal: Decimal, name: string])[] = [
	['.', 'point'],
	[',', 'comma'],
];

/** Number of columns that are checked for a decimal comma and for dates. */
const LOOKED_AT = 20;

/** Encoding, separator, quotes, decimal comma and order of dates. Empty if it is not a text. */
export const formatWords = (table: Table): readonly string[] => {
	const format = formatIn(table);
	if (format === null) return [];
	const hasComma = table.names.slice(0, LOOKED_AT).some((_, column) => {
		const {isNumber, reading} = columnFormatOf(table, column);
		return isNumber && reading.kind === 'numbers' && reading.decimal === ',';
	});
	const order = table.names
		.slice(0, LOOKED_AT)
		.map((_, column) => columnFormatOf(table, column).reading)
		.find(reading => reading.kind === 'dates')?.order;
	return [
		format.encoding,
		...(format.separator === null ? [] : [separatorName(format.separator)]),
		...(format.quote === "'" ? ['single quotes'] : format.quote === '' ? ['no quotes'] : []),
		...(hasComma ? ['decimal comma'] : table.decimal === '.' ? ['decimal point'] : []),
		...(order === undefined ? [] : [`dates ${order}`]),
	];
};

const withFormat = (
	table: Table,
	path: string,
	format: Omit<TextFormat, 'separator' | 'quote'>,
): TextTable => {
	const {otherHead, separator = null, quote = null} = table;
	// The names and counts of a text's table are getters; a copy would freeze their values.
	return Object.assign(table, {
		format: {...format, separator, quote},
		...(format.choice.decimal !== undefined && {decimal: format.choice.decimal}),
		otherHead: otherHead && (() => withFormat(otherHead(), path, format)),
		python: () =>
			pythonOfText(path, {
				encoding: format.encoding,
				separator,
				quote,
				isHeadless: table.names.every(name => name === ''),
			}),
	});
};

/** Text of a file in an encoding; null if it is not text. */
export const textAs = (bytes: Uint8Array, encoding: string | null): Decoded | null =>
	encoding === null ? readText(bytes) : decodeAs(bytes, encoding);

/**
 * Table of a text that can be read in another way. Null if the path is not one of a table. A
 * compressed file is read as the one without `.gz`.
 */
export const textTable = (
	path: string,
	{text, encoding}: Decoded,
	choice: TextChoice,
	reopen: TextFormat['reopen'],
): TextTable | null => {
	const table = tableOfText(path.replace(/\.gz$/i, ''), text, choice.separator, choice.quote);
	return table && withFormat(table, path, {encoding, choice, reopen});
};

/** Table of a file that is UTF-8. Its bytes are encoded only if it is read in another way. */
export const tableOfUtf8 = (path: string, text: string): TextTable | null =>
	textTable(
		path,
		{text, encoding: text.startsWith('\uFEFF') ? 'UTF-8 with BOM' : 'UTF-8'},
		DETECTED,
		async next => tableOfBytes(path, Buffer.from(text, 'utf8'), next) ?? 'It contains no text',
	);

/** Table of a text's bytes. Null if the path is not one of a table, or the bytes are not text. */
export const tableOfBytes = (
	path: string,
	bytes: Uint8Array,
	choice: TextChoice = DETECTED,
): TextTable | null => {
	const decoded = textAs(bytes, choice.encoding);
	return (
		decoded &&
		textTable(path, decoded, choice, async next => tableOfBytes(path, bytes, next) ?? 'It contains no text')
	);
};
