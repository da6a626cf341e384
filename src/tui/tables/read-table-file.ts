import {join} from 'node:path';
import {sheetTable} from '../../text/table/files/sheet.ts';
import {tableOfText} from '../../text/table/open-text.ts';
import type {Table} from '../../text/table/table.ts';
import {label} from '../../text/safe.ts';
import type {TableReply, TableTask} from './table-worker.ts';

const LIMIT_MS = 30_000;

/** Form of a file that opens as a table although it is not text. Null for other files. */
export const tableFileKind = (path: string): TableTask['kind'] | null => {
	if (/\.(?:csv|tsv|tab|jsonl|ndjson)\.gz$/i.test(path)) return 'gz';
	if (/\.npy$/i.test(path)) return 'npy';
	if (/\.(?:arrow|arrows|feather|ipc)$/i.test(path)) return 'arrow';
	return /\.(?:parquet|pq)$/i.test(path) ? 'parquet' : null;
};

const inThread = async (task: TableTask, signal: AbortSignal): Promise<TableReply> => {
	const {Worker} = await import('node:worker_threads');
	// The built screens are a script (`.cjs`), but the worker is a module (`.js`).
	const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
	const worker = new Worker(join(import.meta.dirname, `table-worker.${ending}`), {
		resourceLimits: {maxOldGenerationSizeMb: 1024},
	});
	let timer: NodeJS.Timeout | undefined;
	try {
		return await new Promise<TableReply>(resolve => {
			const end = (problem: string): void => resolve({problem});
			timer = setTimeout(() => end('reading it took too long'), LIMIT_MS).unref();
			signal.addEventListener('abort', () => end('stopped'), {once: true});
			worker.once('message', resolve);
			worker.once('error', error => end(error.message));
			worker.once('exit', () => end('it could not be read'));
			worker.unref();
			worker.postMessage(task);
		});
	} finally {
		clearTimeout(timer);
		void worker.terminate();
	}
};

/** Reads a file as a table in a thread of its own. A sentence says why it cannot. Never rejects. */
export const readTableFile = async (
	path: string,
	task: TableTask,
	signal: AbortSignal,
): Promise<Table | string> => {
	const reply = await inThread(task, signal);
	if ('problem' in reply)
		return `${label(path, 60)} cannot be shown as a table: ${label(reply.problem, 200)}`;
	if ('sheet' in reply) return sheetTable(reply.sheet);
	return tableOfText(path.replace(/\.gz$/i, ''), reply.text) ?? 'This file is not a table';
};
