// What the system or SQLite says of a file, as a cause and its cure: one table for the program, the commands and the service.

import {statSync} from 'node:fs';
import {codeOf, messageOf} from '../text/errors.ts';

export type FaultContext = {
	/** What to do where nothing can be kept there, as `name another folder with --data`. */
	readonly elsewhere: string;
	/** The file that was meant, where the error names none. */
	readonly file?: string;
};

const REASONS: Readonly<Record<string, (place: Required<FaultContext>) => string>> = {
	EACCES: ({file, elsewhere}) =>
		`you do not have permission for ${file}; give yourself access, or ${elsewhere}`,
	EPERM: ({file, elsewhere}) => `the system does not permit it for ${file}; ${elsewhere}`,
	EROFS: ({elsewhere}) => `it is on a read-only file system; ${elsewhere}`,
	ENOSPC: () => 'its disk is full; free some space',
	EDQUOT: () => 'your disk quota is used up; free some space',
	ENOTDIR: ({file, elsewhere}) =>
		`a part of the path ${file} is a file, not a folder; move that file away, or ${elsewhere}`,
	EISDIR: ({file, elsewhere}) => `${file} is a folder where a file belongs; move it away, or ${elsewhere}`,
	EEXIST: ({file, elsewhere}) => `${file} is a file where a folder belongs; move it away, or ${elsewhere}`,
	ENOENT: ({file, elsewhere}) => `${file} cannot be made there; ${elsewhere}`,
	ELOOP: ({file, elsewhere}) => `the links of ${file} form a loop; correct them, or ${elsewhere}`,
	ENAMETOOLONG: ({elsewhere}) => `its path is too long; ${elsewhere}`,
	EIO: ({file, elsewhere}) => `the disk fails at ${file}; save what is on it, and ${elsewhere}`,
	EMFILE: () => 'too many files are open; close some programs, or raise ulimit -n',
	ENFILE: () => 'too many files are open on this machine; close some programs',
};
/** SQLite's primary result codes. */
const SQLITE: Readonly<Record<number, string>> = {3: 'EACCES', 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC'};
const [CANNOT_OPEN, CORRUPT, NO_DATABASE] = [14, 11, 26];

/** An error of SQLite says nothing of the file that it is about. */
export class DatabaseFault extends Error {
	readonly file: string;
	/** What the file is, as `lock file`. */
	readonly what: string;
	/** What to do when it is damaged. */
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

/** The system's code of an error, also of one of SQLite's; empty for any other. */
export const diskCode = (error: unknown): string => SQLITE[sqliteCode(error)] ?? codeOf(error);

const reasonOfDatabase = (fault: DatabaseFault, place: FaultContext): string | null => {
	const code = sqliteCode(fault.cause);
	const {file, what, cure} = fault;
	// SQLite calls it an error of the disk, or a file that cannot be opened.
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

/** A cause and its cure; null for an error that is none of the disk's. */
export const diskReason = (error: unknown, place: FaultContext): string | null => {
	if (error instanceof DatabaseFault) return reasonOfDatabase(error, place);
	const code = codeOf(error);
	if (!(error instanceof Error) || code === '') return null;
	const file = 'path' in error && typeof error.path === 'string' ? error.path : (place.file ?? 'it');
	// A rename fails at its goal.
	const goal = 'dest' in error && typeof error.dest === 'string' ? error.dest : file;
	const known = REASONS[code];
	if (known) return known({...place, file: goal});
	return /^E[A-Z0-9]+$/.test(code) && 'syscall' in error
		? `the system says ${code} of ${goal}; ${place.elsewhere}`
		: null;
};

/** Why something of the state folder cannot be kept or read, and what to do; of an error that is none of the disk's what it says. */
export const storageErrorText = (error: unknown): string =>
	diskReason(error, {elsewhere: 'set XDG_STATE_HOME to a folder of yours'}) ?? messageOf(error);
