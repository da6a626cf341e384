import {tableOfText} from '../text/table/open-text.ts';
import type {Table} from '../text/table/table.ts';
import {tableOfBytes, type TextChoice} from '../text/table/text-format.ts';
import {notShown} from './first-reply.ts';
import {readTableFile, TABLE_FILES, tableFileKind} from './read-table-file.ts';

/**
 * Opens a file of any supported format as a table. Resolves to a list of its tables or sheets if
 * `name` must choose one of them, or to a sentence that explains a failure. Never rejects.
 */
export const openFile = async (
	path: string,
	bytes: Uint8Array,
	{name, choice}: {readonly name: string | null; readonly choice: TextChoice},
	signal: AbortSignal,
): Promise<Table | readonly string[] | string> => {
	const kind = tableFileKind(path);
	if (kind === 'sqlite') {
		const {readSqliteFile} = await import('./read-sqlite-file.ts');
		return readSqliteFile(path, bytes, name, signal);
	}
	if (kind !== null) return readTableFile(path, {kind, bytes, name, choice}, signal);
	const isTable = tableOfText(path, '') !== null;
	if (!isTable) return `Only ${TABLE_FILES}`;
	return tableOfBytes(path, bytes, choice) ?? notShown(path, 'it contains no text');
};
