// Causes and remedies for errors of the system or SQLite. Shared by program, commands and service.

import {statSync} from 'node:fs';
import {codeOf, messageOf} from '../text/errors.ts';

export type FaultContext = {
	/** Advice that names another location, as in `name another folder with --data`. */
	readonly elsewhere: string;
	/** Affected file, if the error names none. */
	readonly file?: string;
};

const REASONS: Readonly<Record<string, (place: Required<FaultContext>) => string>> = {
	EACCES: ({file, elsewhere}) =>
		`you do not have permission for ${file}; give yourself access, or ${elsewhere}`,
	EPERM: ({file, elsewhere}) => `the system does not permit access to ${file}; ${elsewhere}`,
	EROFS: ({elsewhere}) => `it is on a read-only file system; ${elsewhere}`,
	ENOSPC: () => 'its disk is full; free some space',
	EDQUOT: () => 'your disk quota is used up; free some space',
	ENOTDIR: ({file, elsewhere}) =>
		`a part of the path ${file} is a file, not a folder; move that file away, or ${elsewhere}`,
	EISDIR: ({file, elsewhere}) => `${file} is a folder where a file belongs; move it away, or ${elsewhere}`,
	EEXIST: ({file, elsewhere}) => `${file} is a file where a folder belongs; move it away, or ${elsewhere}`,
	ENOENT: ({file, elsewhere}) => `${file} cannot be created there; ${elsewhere}`,
	ELOOP: ({file, elsewhere}) => `the links of ${file} form a loop; correct them, or ${elsewhere}`,
	ENAMETOOLONG: ({elsewhere}) => `its path is too long; ${elsewhere}`,
	EIO: ({file, elsewhere}) => `disk error at ${file}; back up your data and ${elsewhere}`,
	EMFILE: () => 'too many files are open; close some programs, or raise ulimit -n',
	ENFILE: () => 'too many files are open on this machine; close some programs',
};
/** SQLite's primary result codes. */
const SQLITE: Readonly<Record<number, string>> = {3: 'EACCES', 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC'};
const [CANNOT_OPEN, CORRUPT, NO_DATABASE] = [14, 11, 26];

/** Error of SQLite with its file, which SQLite does not report. */
export class DatabaseFault extends Error {
	readonly file: string;
	/** Kind of file, as in `lock file`. */
	readonly what: string;
	/** Remedy if the file is damaged. */
	readonly cure: string;
	constructor(cause: unknown, about: {readonly file: string; readonly what: string; readonly cure: string}) {
		super(messageOf(cause), {cause});
		this.file = about.file;
		this.what = about.what;
		this.cure = about.cure;
	}
}

const sqliteCode = (error: unknown): number =>
	error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
		? error.errcode & 0xff
		: 0;

/** System code of an error, also of SQLite's. Empty for other errors. */
export const diskCode = (error: unknown): string => SQLITE[sqliteCode(error)] ?? codeOf(error);

const reasonOfDatabase = (fault: DatabaseFault, place: FaultContext): string | null => {
	const code = sqliteCode(fault.cause);
	const {file, what, cure} = fault;
	// SQLite reports a folder as a disk error, or as a file that cannot be opened.
	if (statSync(file, {throwIfNoEntry: false})?.isDirectory())
		return `its ${what} ${REASONS['EISDIR']?.({...place, file})}`;
	if (code === 0) return diskReason(fault.cause, {...place, file});
	if (code === CORRUPT || code === NO_DATABASE) return `its ${what} ${file} is damaged; ${cure}`;
	const known = REASONS[SQLITE[code] ?? ''];
	if (known) return known({...place, file});
	return code === CANNOT_OPEN
		? `its ${what} ${file} cannot be opened; see that it is a file of yours, or ${place.elsewhere}`
		: `its ${what} ${file} cannot be used (SQLite ${code}); ${cure}`;
};

/** Cause and remedy. Null if the error does not come from the disk. */
export const diskReason = (error: unknown, place: FaultContext): string | null => {
	if (error instanceof DatabaseFault) return reasonOfDatabase(error, place);
	const code = codeOf(error);
	if (!(error instanceof Error) || code === '') return null;
	const file = 'path' in error && typeof error.path === 'string' ? error.path : (place.file ?? 'it');
	// The error of a failed rename concerns the destination.
	const goal = 'dest' in error && typeof error.dest === 'string' ? error.dest : file;
	const known = REASONS[code];
	if (known) return known({...place, file: goal});
	return /^E[A-Z0-9]+$/.test(code) && 'syscall' in error
		? `system error ${code} for ${goal}; ${place.elsewhere}`
		: null;
};

/** Cause and remedy for an error in the state folder, else the error's own message. */
export const storageErrorText = (error: unknown): string =>
	diskReason(error, {elsewhere: 'set XDG_STATE_HOME to a folder you own'}) ?? messageOf(error);
