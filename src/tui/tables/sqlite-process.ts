// Reads one SQLite file in a process of its own, which can be killed: see sqlite.ts.
import {messageOf} from '../../text/errors.ts';
import {readSqlite, sqliteTables} from '../../text/table/files/sqlite.ts';
import type {SqliteReply, SqliteTask} from './read-sqlite-file.ts';

const read = ({path, name}: SqliteTask): SqliteReply => {
	try {
		if (name !== null) return {sheet: readSqlite(path, name)};
		const names = sqliteTables(path);
		const only = names.length === 1 ? names[0] : undefined;
		return only === undefined ? {names} : {sheet: readSqlite(path, only)};
	} catch (error) {
		return {problem: messageOf(error)};
	}
};

process.once('message', (task: SqliteTask) => {
	process.send?.(read(task), () => process.disconnect());
});
