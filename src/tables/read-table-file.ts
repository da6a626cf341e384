import {join} from 'node:path';
import {sheetTable} from '../text/table/files/sheet.ts';
import {xlsxTable} from '../text/table/files/xlsx-table.ts';
import {pythonOfFile} from '../text/table/python.ts';
import type {Table} from '../text/table/table.ts';
import {DETECTED, textTable, type TextChoice} from '../text/table/text-format.ts';
import {firstReply, notShown} from './first-reply.ts';
import type {TableReply, TableTask} from './table-worker.ts';

/** Files that open as tables, as a phrase. */
export const TABLE_FILES =
	'CSV, TSV and JSON lines, also with .gz, Parquet, Arrow, SQLite, Excel (.xlsx) and .npy open as a table';

const NOT_A_TABLE = 'This file is not a table';

/** Form of a file that opens as a table although it is not text. */
export type TableFileKind = TableTask['kind'] | 'sqlite';

export type TableFile = {
	readonly kind: TableTask['kind'];
	readonly bytes: Uint8Array;
	/** Name of a sheet. Null for the only sheet, or for the names if there are several. */
	readonly name?: string | null;
	/** Options for parsing a compressed text. */
	readonly choice?: TextChoice;
};

/** Format of a file, by its name. Null if it does not open as a table, or is plain text. */
export const tableFileKind = (path: string): TableFileKind | null => {
	if (/\.(?:csv|tsv|tab|jsonl|ndjson)\.gz$/i.test(path)) return 'gz';
	if (/\.npy$/i.test(path)) return 'npy';
	if (/\.xls[xm]$/i.test(path)) return 'xlsx';
	if (/\.(?:arrow|arrows|feather|ipc)$/i.test(path)) return 'arrow';
	if (/\.(?:sqlite3?|db3?)$/i.test(path)) return 'sqlite';
	return /\.(?:parquet|pq)$/i.test(path) ? 'parquet' : null;
};

const inThread = async (task: TableTask, signal: AbortSignal): Promise<TableReply> => {
	const {Worker} = await import('node:worker_threads');
	// The built screens are a script (`.cjs`), but the worker is a module (`.js`).
	const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
	const worker = new Worker(join(import.meta.dirname, `table-worker.${ending}`), {
		resourceLimits: {maxOldGenerationSizeMb: 1024},
	});
	worker.unref();
	try {
		return await firstReply<TableReply>(worker, signal, () => worker.postMessage(task));
	} finally {
		void worker.terminate();
	}
};

/**
 * Reads a file as a table in its own thread. Resolves to a list of a workbook's sheets if `name`
 * must choose one of them, or to a sentence that explains a failure. Never rejects.
 */
export const readTableFile = async (
	path: string,
	{kind, bytes, name = null, choice = DETECTED}: TableFile,
	signal: AbortSignal,
): Promise<Table | readonly string[] | string> => {
	const task =
		kind === 'gz'
			? {kind, bytes, encoding: choice.encoding}
			: kind === 'xlsx'
				? {kind, bytes, name}
				: {kind, bytes};
	const reply = await inThread(task, signal);
	if ('problem' in reply) return notShown(path, reply.problem);
	if ('names' in reply) return reply.names.length === 0 ? notShown(path, 'it has no sheets') : reply.names;
	if ('book' in reply) return xlsxTable(path, reply.name, reply.book);
	if ('sheet' in reply)
		return {...sheetTable(reply.sheet), ...(kind !== 'gz' && {python: () => pythonOfFile(path, kind, null)})};
	const reopen = async (next: TextChoice): Promise<Table | string> => {
		const again = await readTableFile(path, {kind, bytes, choice: next}, new AbortController().signal);
		return typeof again === 'string' || 'row' in again ? again : NOT_A_TABLE;
	};
	return textTable(path, reply, choice, reopen) ?? NOT_A_TABLE;
};
