import {label} from '../../text/safe.ts';
import type {State} from '../core/program.ts';
import {route} from '../core/store/route.ts';
import {readTableFile, type TableFileKind} from '../../tables/read-table-file.ts';
import {tableViewer} from './tables.ts';

/** Opens a table of a SQLite file. `name`: null asks which one, unless there is only one. */
export const openSqlite = (
	get: () => State,
	path: string,
	bytes: Uint8Array,
	name: string | null = null,
): void =>
	tableViewer(get).openTableLater(name === null ? path : `${path}, ${label(name, 60)}`, async ({signal}) => {
		const {readSqliteFile} = await import('../../tables/read-sqlite-file.ts');
		const found = await readSqliteFile(path, bytes, name, signal);
		if (typeof found === 'string' || 'row' in found) return found;
		return () => route(get).openDialog({kind: 'tables-of-file', path, names: found, bytes});
	});

/** Opens a file of one of these forms over the whole screen. */
export const openTableFile = (
	get: () => State,
	path: string,
	kind: TableFileKind,
	bytes: Uint8Array,
): void =>
	kind === 'sqlite'
		? openSqlite(get, path, bytes)
		: tableViewer(get).openTableLater(path, async ({signal}) => readTableFile(path, {kind, bytes}, signal));
