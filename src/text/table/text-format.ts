// Encoding, separator, quote and decimal mark of a table's text, detected or chosen by the user.
import {decodeAs, ENCODINGS, readText, type Decoded} from '../encoding.ts';
import {columnFormatOf} from './column-format.ts';
import {tableOfText} from './open-text.ts';
import {pythonOfText} from './python.ts';
import type {Table} from './table.ts';
import type {Decimal} from './values.ts';

/**
 * The user's choice of encoding (a label), separator, quote and decimal mark. A null or missing one
 * is detected.
 */
export type TextChoice = {
	readonly encoding: string | null;
	readonly separator: string | null;
	/** Empty for no quotes. */
	readonly quote?: string;
	readonly decimal?: Decimal;
};
export const DETECTED: TextChoice = {encoding: null, separator: null};

export type TextFormat = {
	/** Name of the encoding. */
	readonly encoding: string;
	/** Field separator. Null for JSON lines. */
	readonly separator: string | null;
	/** Quote character of the fields. Empty if there are no quotes. Null for JSON lines. */
	readonly quote: string | null;
	readonly choice: TextChoice;
	/**
	 * Reads the file again with other settings. A string result is the reason why that is not
	 * possible.
	 */
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

/** Separators and encodings that the user can choose, with their names. */
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

/** Number of leading columns that are checked for decimal commas and dates. */
const LOOKED_AT = 20;

/**
 * Descriptions of the encoding, separator, quotes, decimal mark and order of dates. Empty if the
 * table is not from a text.
 */
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
	// Changes the table itself: its names and counts are getters, whose values would be frozen in a
	// copy.
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

/** Decodes a file in an encoding, or in the detected one if null. Null if the file is not text. */
export const textAs = (bytes: Uint8Array, encoding: string | null): Decoded | null =>
	encoding === null ? readText(bytes) : decodeAs(bytes, encoding);

/**
 * Table of a text that can be read again with other settings. Null if the path's ending is not that
 * of a table. An ending `.gz` is ignored.
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

/**
 * Table of a file that was decoded as UTF-8. The text is encoded to bytes again only if the user
 * chooses other settings.
 */
export const tableOfUtf8 = (path: string, text: string): TextTable | null =>
	textTable(
		path,
		{text, encoding: text.startsWith('\uFEFF') ? 'UTF-8 with BOM' : 'UTF-8'},
		DETECTED,
		async next => tableOfBytes(path, Buffer.from(text, 'utf8'), next) ?? 'It contains no text',
	);

/**
 * Table of a text file's bytes. Null if the path's ending is not that of a table, or the bytes are
 * not text.
 */
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
