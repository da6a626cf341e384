// Python code that reads a file into the data frame `data`, with the same options as the table on
// screen.

/** Text as a Python string literal. Python understands all escapes of JSON. */
const literal = (text: string): string => JSON.stringify(text);

type TextForm = {
	/** Label of the encoding, as for `TextDecoder`. */
	readonly encoding: string;
	readonly separator: string | null;
	readonly quote: string | null;
	readonly isHeadless: boolean;
};

/** Python's names for encodings whose labels differ. */
const PYTHON_NAMES: ReadonlyMap<string, string> = new Map([
	['windows-1252', 'cp1252'],
	['utf-8', ''],
	['utf-8 with bom', 'utf-8-sig'],
]);

/** Code lines that read a text file: CSV, or JSON lines if there is no separator. */
export const pythonOfText = (
	path: string,
	{encoding, separator, quote, isHeadless}: TextForm,
): readonly string[] => {
	const name = encoding.toLowerCase();
	const known = PYTHON_NAMES.get(name) ?? name.replaceAll(' ', '');
	const more = known === '' ? '' : `, encoding=${literal(known)}`;
	if (separator === null) return [`data = pandas.read_json(${literal(path)}, lines=True${more})`];
	const quotes = quote === '' ? ', quoting=3' : quote === "'" ? `, quotechar="'"` : '';
	const options = `${separator === ',' ? '' : `, sep=${literal(separator)}`}${quotes}${isHeadless ? ', header=None' : ''}`;
	return [`data = pandas.read_csv(${literal(path)}${options}${more})`];
};

/** `skipped`: number of empty rows at the start of a sheet. */
type SheetForm = {readonly skipped: number; readonly isHeadless: boolean};

/** Code lines that read a binary file. `name`: a table or sheet in the file. */
export const pythonOfFile = (
	path: string,
	kind: 'npy' | 'parquet' | 'arrow' | 'sqlite' | 'xlsx',
	name: string | null = null,
	{skipped, isHeadless}: SheetForm = {skipped: 0, isHeadless: false},
): readonly string[] => {
	const file = literal(path);
	switch (kind) {
		case 'npy':
			return [
				'import numpy',
				`data = numpy.load(${file})`,
				'data = pandas.DataFrame(data.reshape(len(data), -1))',
			];
		case 'parquet':
			return [`data = pandas.read_parquet(${file})`];
		case 'arrow':
			return [`data = pandas.read_feather(${file})`];
		case 'sqlite':
			return [
				'import sqlite3',
				`data = pandas.read_sql(${literal(`SELECT * FROM "${(name ?? '').replaceAll('"', '""')}"`)}, sqlite3.connect(${file}))`,
			];
		case 'xlsx':
			return [
				`data = pandas.read_excel(${file}, sheet_name=${literal(name ?? '')}${skipped === 0 ? '' : `, skiprows=${skipped}`}${isHeadless ? ', header=None' : ''})`,
			];
	}
};
