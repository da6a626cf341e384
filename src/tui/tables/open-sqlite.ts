import {label} from '../../text/safe.ts';
import type {State} from '../core/program.ts';
import {route} from '../core/store/route.ts';
import {tableViewer} from './tables.ts';

/** True if the path names a SQLite file. */
export const isSqlitePath = (path: string): boolean => /\.(?:sqlite3?|db3?)$/i.test(path);

/** Opens a table of a SQLite file. `name`: null asks which one, unless there is only one. */
export const openSqlite = (
	get: () => State,
	path: string,
	bytes: Uint8Array,
	name: string | null = null,
): void =>
	tableViewer(get).openTableLater(name === null ? path : `${path}, ${label(name, 60)}`, async ({signal}) => {
		const {readSqliteFile} = await import('./read-sqlite-file.ts');
		const found = await readSqliteFile(path, bytes, name, signal);
		if (typeof found === 'string' || 'row' in found) return found;
		return () => route(get).openDialog({kind: 'tables-of-file', path, names: found, bytes});
	});
