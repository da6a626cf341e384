// Reads sheets of an Excel workbook (.xlsx, .xlsm) according to ECMA-376.
import {decodeXml, elementsIn, type XmlElement} from './xml.ts';
import {MOST_COLUMNS, MOST_FIELDS} from './sheet.ts';
import {floatText} from './value-text.ts';
import {openZip, type Zip} from './zip.ts';

/** Maximum total size of the decompressed parts, in bytes. */
const MOST_BYTES = 400_000_000;
const MOST_ROWS = 1_048_576;
/** Maximum length of a field's text, in UTF-16 units. */
const MOST_TEXT = 4000;
const DAY = 86_400_000;
/** Day zero of Excel's two date systems. The first one treats 1900 as a leap year. */
const FROM_1900 = Date.UTC(1899, 11, 30);
const FROM_1904 = Date.UTC(1904, 0, 1);
/** Number ranges of the built-in date and time formats. */
const DATE_FORMATS = [
	[14, 22],
	[27, 36],
	[45, 47],
	[50, 58],
] as const;
const OLD_FILE = [0xd0, 0xcf, 0x11, 0xe0];

type Style = {readonly isDate: boolean};

/** Rows that were read. An empty row has no fields. */
export type XlsxSheet = {
	readonly rows: readonly (readonly string[])[];
	/** Number of rows and columns in the sheet, which may exceed those in `rows`. */
	readonly total: number;
	readonly columns: number;
};

const textOf = (zip: Zip, name: string): string | null => {
	const bytes = zip.read(name);
	return bytes && new TextDecoder().decode(bytes);
};

/** Path of a part in the archive, from the target in a relationship. */
const partPath = (target: string): string =>
	target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`;

const cut = (text: string): string => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text);

/** Text of a string's runs. Omits phonetic readings of East Asian characters. */
const runsText = (inner: string): string => {
	let text = '';
	const plain = inner.includes('rPh') ? inner.replaceAll(/<(?:\w+:)?rPh\b[^]*?<\/(?:\w+:)?rPh>/g, '') : inner;
	for (const {inner: part} of elementsIn(plain, 't')) text += decodeXml(part);
	return cut(text);
};

const isDateFormat = (code: string): boolean =>
	/[dmyhs]/i.test(
		code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]/gi, '').replaceAll(/General/gi, ''),
	);

const stylesOf = (text: string | null): readonly Style[] => {
	if (text === null) return [];
	const own = new Map<number, boolean>();
	for (const {attribute} of elementsIn(text, 'numFmt'))
		own.set(Number(attribute('numFmtId')), isDateFormat(attribute('formatCode') ?? ''));
	const [formats] = elementsIn(text, 'cellXfs');
	return Array.from(elementsIn(formats?.inner ?? '', 'xf'), ({attribute}) => {
		const id = Number(attribute('numFmtId'));
		const isBuiltIn = DATE_FORMATS.some(([from, to]) => id >= from && id <= to);
		return {isDate: own.get(id) ?? isBuiltIn};
	});
};

const dateText = (value: number, start: number): string => {
	const date = new Date(start + Math.round(value * DAY));
	if (Number.isNaN(date.getTime()) || value < 0) return floatText(value);
	const text = date
		.toISOString()
		.replace(/\.000Z$|Z$/, '')
		.replace('T', ' ');
	// A value below 1 is a time without a date.
	if (value < 1) return text.slice(11);
	return text.replace(/ 00:00:00$/, '');
};

/** Column number for a reference such as `AB12`, from 0. Null if there are no letters. */
const columnOf = (reference: string): number | null => {
	let column = 0;
	let at = 0;
	for (; at < reference.length && at < 4; at++) {
		const letter = reference.charCodeAt(at) - 64;
		if (letter < 1 || letter > 26) break;
		column = column * 26 + letter;
	}
	return at === 0 ? null : column - 1;
};

type Book = {
	readonly zip: Zip;
	readonly sheets: readonly {readonly name: string; readonly path: string}[];
	readonly start: number;
};

const openBook = (bytes: Uint8Array): Book => {
	if (OLD_FILE.every((byte, at) => bytes[at] === byte))
		throw new Error('it is protected by a password, or an Excel file of before 2007');
	const zip = openZip(bytes, MOST_BYTES);
	const book = textOf(zip, 'xl/workbook.xml');
	if (book === null) throw new Error('it has no sheets that can be read');
	const paths = new Map<string, string>();
	for (const {attribute} of elementsIn(textOf(zip, 'xl/_rels/workbook.xml.rels') ?? '', 'Relationship'))
		paths.set(attribute('Id') ?? '', partPath(attribute('Target') ?? ''));
	const sheets = Array.from(elementsIn(book, 'sheet'), ({attribute}, at) => ({
		name: attribute('name') ?? `Sheet ${at + 1}`,
		path: paths.get(attribute('id') ?? '') ?? `xl/worksheets/sheet${at + 1}.xml`,
	})).filter(({path}) => path.startsWith('xl/worksheets/'));
	const [about] = elementsIn(book, 'workbookPr');
	const is1904 = /^(?:1|true)$/.test(about?.attribute('date1904') ?? '');
	return {zip, sheets, start: is1904 ? FROM_1904 : FROM_1900};
};

/** Names of the sheets. @throws {Error} if the file is broken. */
export const xlsxSheets = (bytes: Uint8Array): readonly string[] =>
	openBook(bytes).sheets.map(({name}) => name);

/** Rows of a sheet. @throws {Error} if the file is broken. */
export const readXlsx = (bytes: Uint8Array, name: string): XlsxSheet => {
	const {zip, sheets, start} = openBook(bytes);
	const path = sheets.find(each => each.name === name)?.path;
	const text = path === undefined ? null : textOf(zip, path);
	if (text === null) throw new Error('it has no such sheet');
	const shared = Array.from(elementsIn(textOf(zip, 'xl/sharedStrings.xml') ?? '', 'si'), ({inner}) => inner);
	/** Strings shared by several cells, each decoded only once. */
	const strings = new Map<number, string>();
	const stringAt = (at: number): string => {
		const known = strings.get(at);
		if (known !== undefined) return known;
		const found = runsText(shared[at] ?? '');
		strings.set(at, found);
		return found;
	};
	const styles = stylesOf(textOf(zip, 'xl/styles.xml'));
	const valueOf = ({attribute, inner}: XmlElement): string => {
		const type = attribute('t') ?? 'n';
		if (type === 'inlineStr') return runsText(inner);
		const [value] = elementsIn(inner, 'v');
		if (value === undefined || value.inner === '') return '';
		const plain = decodeXml(value.inner);
		if (type === 's') return stringAt(Number(plain));
		if (type === 'b') return plain === '1' ? 'True' : 'False';
		if (type !== 'n') return cut(plain);
		const number = Number(plain);
		if (Number.isNaN(number)) return cut(plain);
		const style = attribute('s');
		return style !== null && styles[Number(style)]?.isDate === true
			? dateText(number, start)
			: floatText(number);
	};
	const rows: string[][] = [];
	let [fields, columns, total] = [0, 0, 0];
	for (const row of elementsIn(text, 'row')) {
		const named = Number(row.attribute('r') ?? '');
		const at = Number.isInteger(named) && named > total && named <= MOST_ROWS ? named - 1 : total;
		total = at + 1;
		if (fields >= MOST_FIELDS) continue;
		const found: string[] = [];
		let next = 0;
		for (const cell of elementsIn(row.inner, 'c')) {
			const column = columnOf(cell.attribute('r') ?? '') ?? next;
			next = column + 1;
			const value = valueOf(cell);
			if (value === '') continue;
			columns = Math.max(columns, next);
			if (column >= MOST_COLUMNS) continue;
			while (found.length < column) found.push('');
			found[column] = value;
		}
		// Empty rows and columns before this row also count against the limit.
		fields += found.length + 1 + (at - rows.length);
		while (rows.length < at) rows.push([]);
		rows.push(found);
	}
	while (rows.length > 0 && rows.at(-1)?.length === 0) {
		if (rows.length === total) total--;
		rows.pop();
	}
	return {rows, total, columns};
};
