import {ServeError} from './serve-error.ts';

const reasons: Readonly<Record<string, string>> = {
	ENOSPC: 'its disk is full; free some space',
	EDQUOT: 'the disk quota is used up; free some space',
	EROFS: 'it is on a read-only file system; name another one with --data',
	EACCES: 'this user may not write there; name another one with --data',
	EPERM: 'this user may not write there; name another one with --data',
};
/** SQLite's primary result codes. */
const sqliteReasons: Readonly<Record<number, string>> = {
	8: reasons['EACCES'] ?? '',
	11: 'its registry is damaged; put registry.sqlite back from a copy, or move it away to begin anew',
	13: reasons['ENOSPC'] ?? '',
	26: 'its registry is damaged; put registry.sqlite back from a copy, or move it away to begin anew',
};

/** What the disk said while the service started, as a sentence; any other error is a bug and comes back as it is. */
export const startFault = (error: unknown, dataFolder: string): unknown => {
	if (error instanceof ServeError || !(error instanceof Error)) return error;
	const system = 'code' in error && typeof error.code === 'string' ? error.code : '';
	const sqlite = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
	const reason = reasons[system] ?? sqliteReasons[sqlite] ?? (sqlite > 0 || (/^E[A-Z0-9]+$/.test(system) && 'syscall' in error) ? `${system}${sqlite > 0 ? ` ${sqlite}` : ''}` : undefined);
	return reason === undefined ? error : new ServeError(77, `The data folder ${dataFolder} cannot be used: ${reason}.`);
};
