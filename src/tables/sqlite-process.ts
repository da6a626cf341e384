// Reads one SQLite file in its own process, which can be killed: see sqlite.ts.
import {Worker} from 'node:worker_threads';
import {messageOf} from '../text/errors.ts';
import {readSqlite, sqliteTables} from '../text/table/files/sqlite.ts';
import {LIMIT_MS} from './first-reply.ts';
import type {SqliteReply, SqliteTask} from './read-sqlite-file.ts';

const read = ({path, name}: SqliteTask): SqliteReply => {
	try {
		if (name !== null) return {sheet: readSqlite(path, name), name};
		const names = sqliteTables(path);
		const only = names.length === 1 ? names[0] : undefined;
		return only === undefined ? {names} : {sheet: readSqlite(path, only), name: only};
	} catch (error) {
		return {problem: messageOf(error)};
	}
};

// The main thread cannot interrupt a query. This thread ends the process if the parent, which
// usually does so, has ended.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${LIMIT_MS + 5000})`, {
	eval: true,
}).unref();

process.once('message', (task: SqliteTask) => {
	process.send?.(read(task), () => process.disconnect());
});
