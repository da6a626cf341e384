import {fork} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {sheetTable, type Sheet} from '../text/table/files/sheet.ts';
import {messageOf} from '../text/errors.ts';
import {pythonOfFile} from '../text/table/python.ts';
import type {Table} from '../text/table/table.ts';
import {firstReply, notShown} from './first-reply.ts';

/** Bytes 18 and 19 of the header: 2 needs a write-ahead log, which a copy of one file lacks. */
const VERSIONS = [18, 19];
const WITHOUT_LOG = 1;

/** `name`: a table. Null for the only table, or for the names if there are several. */
export type SqliteTask = {readonly path: string; readonly name: string | null};
export type SqliteReply =
	| {readonly sheet: Sheet; readonly name: string}
	| {readonly names: readonly string[]}
	| {readonly problem: string};

const inProcess = async (task: SqliteTask, signal: AbortSignal): Promise<SqliteReply> => {
	// The built screens are a script (`.cjs`), but this file is a module (`.js`).
	const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
	const child = fork(join(import.meta.dirname, `sqlite-process.${ending}`), {
		stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
		serialization: 'advanced',
		execArgv: ['--max-old-space-size=1024'],
		env: {},
	});
	try {
		return await firstReply<SqliteReply>(child, signal, failed =>
			child.send(task, error => {
				if (error) failed(error.message);
			}),
		);
	} finally {
		child.kill('SIGKILL');
	}
};

/**
 * Reads a table of a SQLite file. Resolves to the names of its tables if `name` must choose one of
 * them, or to a sentence that explains a failure. Never rejects.
 */
export const readSqliteFile = async (
	path: string,
	bytes: Uint8Array,
	name: string | null,
	signal: AbortSignal,
): Promise<Table | readonly string[] | string> => {
	const failed = (problem: string): string => notShown(path, problem);
	try {
		const folder = await mkdtemp(join(tmpdir(), 'svc-tui-table-'));
		try {
			const copy = join(folder, 'copy');
			const file = Uint8Array.from(bytes);
			for (const at of VERSIONS) if (at < file.length) file[at] = WITHOUT_LOG;
			await writeFile(copy, file, {mode: 0o600});
			const reply = await inProcess({path: copy, name}, signal);
			if ('problem' in reply) return failed(reply.problem);
			if ('sheet' in reply)
				return {...sheetTable(reply.sheet), python: () => pythonOfFile(path, 'sqlite', reply.name)};
			return reply.names.length === 0 ? failed('it has no tables') : reply.names;
		} finally {
			await rm(folder, {recursive: true, force: true});
		}
	} catch (error) {
		return failed(messageOf(error));
	}
};
