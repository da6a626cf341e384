// Our own CSV parser, because csv-parse rejects a text whose last quote is missing, is not faster,
// and is 20 times as large (30 KB).

type CsvRow = {
	readonly fields: readonly string[];
	/** Offset after the row's line end. */
	readonly next: number;
};

const plainOf = (separator: string): RegExp =>
	new RegExp(`[^${separator.replace(/[\\\]^-]/, String.raw`\$&`)}\r\n]*`, 'y');

/** `plain`: matches an unquoted field. `quote`: empty if the text uses no quotes. */
type Form = {readonly separator: string; readonly plain: RegExp; readonly quote: string};

/**
 * Reads the row that starts at an offset, or only its first `most` fields. In that case `next` may
 * be within the row. A quoted field may contain the separator, line ends and doubled quotes. A
 * quote that is never closed is an ordinary character.
 */
const rowAt = (text: string, from: number, {separator, plain, quote}: Form, most = Infinity): CsvRow => {
	const fields: string[] = [];
	let at = from;
	while (at < text.length) {
		let field = '';
		const isQuoted = quote !== '' && text.charAt(at) === quote;
		const close = isQuoted ? closingQuote(text, at + 1, quote) : -1;
		if (close >= 0) {
			field = text.slice(at + 1, close).replaceAll(quote + quote, quote);
			at = close + 1;
		}
		plain.lastIndex = at;
		// Text between the closing quote and the separator is part of the field.
		const rest = plain.exec(text)?.[0] ?? '';
		fields.push(field + rest);
		at += rest.length;
		if (fields.length >= most) break;
		if (text.charAt(at) !== separator) break;
		at++;
		if (at === text.length) fields.push('');
	}
	return {fields, next: at + (text.startsWith('\r\n', at) ? 2 : 1)};
};

const rowsOf = (
	text: string,
	separator: string,
	{quote = '"', most = Infinity}: {readonly quote?: string; readonly most?: number} = {},
): readonly (readonly string[])[] => {
	const rows: (readonly string[])[] = [];
	const form = {separator, plain: plainOf(separator), quote};
	for (let at = 0; at < text.length && rows.length < most;) {
		const {fields, next} = rowAt(text, at, form);
		rows.push(fields);
		at = next;
	}
	return rows;
};

const closingQuote = (text: string, from: number, quote: string): number => {
	for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 2))
		if (text.charAt(at + 1) !== quote) return at;
	return -1;
};

const SINGLE = /(?:^|[,;\t|])'(?:[^'\r\n]|'')*'(?=$|[,;\t|\r])/gm;
/** Minimum number of fields in single quotes to treat the single quote as the text's quote. */
const LEAST_QUOTED = 2;

/**
 * Quote character of the fields. It is the single quote if enough fields are in single quotes, no
 * other field starts with one, and no field is in double quotes.
 */
const quoteOf = (text: string): '"' | "'" => {
	const first = text.slice(0, 10_000);
	// Drops the last line of a sample, which may be incomplete.
	const sample = first.length < text.length ? first.slice(0, first.lastIndexOf('\n') + 1) : first;
	if (/(?:^|[,;\t|])"/m.test(sample)) return '"';
	const quoted = sample.match(SINGLE)?.length ?? 0;
	const starts = sample.match(/(?:^|[,;\t|])'/gm)?.length ?? 0;
	return quoted >= LEAST_QUOTED && starts === quoted ? "'" : '"';
};

const SEPARATORS = [',', ';', '\t', '|'] as const;
const LOOKED_AT = 50;

/** First line that tells Excel the separator. Empty fields may follow it. */
const HINT = /^\uFEFF?"?sep=(\\t|[^\r\n"])\1*"?\1*(?:\r\n|\r|\n|$)/i;

/**
 * `start`: offset of the first row, after a byte order mark and a line that only names the
 * separator. `hinted`: the separator that the line names, or null if there is no such line.
 */
const beginOf = (text: string): {readonly start: number; readonly hinted: string | null} => {
	const [line, hinted] = HINT.exec(text.slice(0, 1000)) ?? [];
	return line === undefined || hinted === undefined
		? {start: text.charCodeAt(0) === 0xfeff ? 1 : 0, hinted: null}
		: {start: line.length, hinted: hinted === String.raw`\t` ? '\t' : hinted};
};

/**
 * Field separator: named by the first line, or else the candidate that occurs in most rows, equally
 * often in each.
 */
export const separatorOf = (text: string): string => {
	const {start, hinted} = beginOf(text);
	return hinted ?? mostEven(start === 0 ? text : text.slice(start), '"');
};

/** Amount in English notation. Its commas separate thousands, even if it is not quoted. */
const AMOUNT = /^[^\d,]{0,5}\d{1,3}(?:,\d{3})+(?:\.\d*)?[^\d,]{0,6}$/;

/** True if the text is a single column whose only commas are thousands separators. */
const isOneOfAmounts = (text: string): boolean => {
	const [head = '', ...lines] = text.slice(0, 10_000).split(/\r\n|\r|\n/, LOOKED_AT);
	const withComma = lines.filter(line => line.includes(','));
	return !head.includes(',') && withComma.length > 0 && withComma.every(line => AMOUNT.test(line));
};

const mostEven = (text: string, quote: string): string => {
	const score = (separator: string): number => {
		const counts = rowsOf(text, separator, {quote, most: LOOKED_AT})
			.filter(row => row.length > 1 || row[0] !== '')
			.map(row => row.length);
		const [first = 1] = counts;
		return first < 2 ? 0 : counts.filter(count => count === first).length * first;
	};
	const best = SEPARATORS.reduce<string>((found, each) => (score(each) > score(found) ? each : found), ',');
	return score(best) === 0 && isOneOfAmounts(text) ? '\t' : best;
};

/**
 * Rows of a text with separated columns. Rows may differ in length. An empty line is one empty
 * field.
 */
export const csvRows = (text: string, separator?: string): readonly (readonly string[])[] => {
	const {start, hinted} = beginOf(text);
	const rows = start === 0 ? text : text.slice(start);
	return rowsOf(rows, hinted ?? separator ?? mostEven(rows, '"'));
};

/** Reads a text with separated columns row by row, because long texts cannot be parsed at once. */
export type CsvReader = {
	readonly separator: string;
	/** Empty if the text uses no quotes. */
	readonly quote: string;
	readonly start: number;
	/** First `most` fields of the row that starts at an offset. */
	fields(at: number, most?: number): readonly string[];
	/** Offset after the row that starts at `at`. Fast if the row has no quote. */
	behind(at: number): number;
};

/**
 * `isChosen`: `given` takes precedence over the separator named in the first line. `chosenQuote`:
 * empty for no quotes, undefined to detect the quote.
 */
export const csvReader = (
	text: string,
	given?: string,
	isChosen = false,
	chosenQuote?: string,
): CsvReader => {
	const {start, hinted} = beginOf(text);
	const quote = chosenQuote ?? quoteOf(start === 0 ? text : text.slice(start, start + 20_000));
	const separator =
		(isChosen ? given : hinted) ?? given ?? mostEven(start === 0 ? text : text.slice(start), quote);
	const form = {separator, plain: plainOf(separator), quote};
	const found = (what: string, at: number): number => {
		const offset = text.indexOf(what, at);
		return offset === -1 ? Infinity : offset;
	};
	// Offsets of the next quote and carriage return. Cached because rows are read in order.
	let [quoted, carriage] = [quote === '' ? Infinity : -1, -1];
	return {
		separator,
		quote,
		start,
		fields: (at, most) => rowAt(text, at, form, most).fields,
		behind(at) {
			if (quoted < at) quoted = found(quote, at);
			if (carriage < at) carriage = found('\r', at);
			const line = found('\n', at);
			const end = Math.min(line, carriage);
			if (quoted < end) return Math.min(text.length, rowAt(text, at, form).next);
			if (end === Infinity) return text.length;
			return end + (carriage === end && line === end + 1 ? 2 : 1);
		},
	};
};
