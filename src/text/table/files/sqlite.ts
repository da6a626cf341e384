// Reads the tables of a SQLite file with Node's SQLite. A query of a malicious file may never end
// and JavaScript cannot interrupt it, so call these functions in a process that can be killed.
import {valueText} from './value-text.ts';
import {MOST_COLUMNS, rowsToRead, type Sheet} from './sheet.ts';

/** Maximum total length of all fields, in UTF-16 units. */
const MOST_UNITS = 200_000_000;
const MOST_TABLES = 10_000;

const sqlite = (): typeof import('node:sqlite') => {
	const found = process.getBuiltinModule('node:sqlite') as typeof import('node:sqlite') | undefined;
	if (!found) throw new Error(`Node ${process.versions.node} has no SQLite: it needs Node 22.13 or newer`);
	return found;
};

const open = (path: string) => {
	const {DatabaseSync} = sqlite();
	const database = new DatabaseSync(path, {readOnly: true, allowExtension: false});
	// The schema comes from an untrusted file, so its views must not call functions with side
	// effects.
	database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;');
	return database;
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Names of the tables and views of a SQLite file.
 * @throws {Error} if the file is broken or this Node has no SQLite.
 */
export const sqliteTables = (path: string): readonly string[] => {
	using database = open(path);
	return database
		.prepare(
			`SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name LIMIT ${MOST_TABLES}`,
		)
		.all()
		.map(row => String(row['name']));
};

/**
 * First rows of a table or view.
 * @throws {Error} if the file is broken or this Node has no SQLite.
 */
export const readSqlite = (path: string, name: string): Sheet => {
	using database = open(path);
	const statement = database.prepare(`SELECT * FROM ${quoted(name)}`);
	statement.setReadBigInts(true);
	statement.setReturnArrays(true);
	const columns = statement.columns();
	const shown = columns.slice(0, MOST_COLUMNS);
	const most = rowsToRead(Number.MAX_SAFE_INTEGER, shown.length);
	const numbers = shown.map(() => false);
	const others = shown.map(() => false);
	const rows: string[][] = [];
	let units = 0;
	for (const values of statement.iterate() as Iterable<unknown>) {
		if (rows.length >= most || units >= MOST_UNITS) break;
		const row = shown.map((_, column) => {
			const value = (values as readonly unknown[])[column];
			if (typeof value === 'bigint' || typeof value === 'number') numbers[column] = true;
			else if (value !== null) others[column] = true;
			const text = valueText(value);
			units += text.length;
			return text;
		});
		rows.push(row);
	}
	const counted = database.prepare(`SELECT count(*) AS count FROM ${quoted(name)}`).get();
	return {
		names: shown.map(column => column.name),
		types: shown.map(({type}) => (type ?? '').toLowerCase()),
		numbers: numbers.map((isNumber, column) => isNumber && others[column] !== true),
		rows,
		total: Number(counted?.['count'] ?? rows.length),
		columns: columns.length,
	};
};
