import {decodeText} from '../text/encoding.ts';
import {tableOfText} from '../text/table/open-text.ts';
import type {Table} from '../text/table/table.ts';
import {notShown} from './first-reply.ts';
import {readTableFile, tableFileKind} from './read-table-file.ts';

/** Names of the files that open as tables. */
export const TABLE_FILES =
	'CSV, TSV and JSON lines, also with .gz, Parquet, Arrow, SQLite and .npy open as a table';

const utf8 = (bytes: Uint8Array): string | null => {
	try {
		return new TextDecoder('utf8', {fatal: true}).decode(bytes);
	} catch {
		return null;
	}
};

/**
 * Opens a file of any form as a table. A list: names of the tables of a SQLite file, of which
 * `name` must be one. A sentence says why it cannot. Never rejects.
 */
export const openFile = async (
	path: string,
	bytes: Uint8Array,
	name: string | null,
	signal: AbortSignal,
): Promise<Table | readonly string[] | string> => {
	const kind = tableFileKind(path);
	if (kind === 'sqlite') {
		const {readSqliteFile} = await import('./read-sqlite-file.ts');
		return readSqliteFile(path, bytes, name, signal);
	}
	if (kind !== null) return readTableFile(path, {kind, bytes}, signal);
	const text = utf8(bytes) ?? decodeText(bytes)?.text ?? null;
	if (text === null) return notShown(path, 'it contains no text');
	return tableOfText(path, text) ?? `Only ${TABLE_FILES}`;
};
