import {FileFault} from './files.ts';
import {codeOf} from '../text/errors.ts';

const reasons: Readonly<Record<string, readonly [FileFault['status'], string]>> = {
	ENOENT: [404, 'does not exist'],
	EACCES: [403, 'cannot be accessed: permission denied'],
	EPERM: [403, 'cannot be accessed: permission denied'],
	EROFS: [403, 'is on a read-only file system'],
	ELOOP: [403, 'is a link, and links are not followed'],
	ENOTDIR: [409, 'cannot be written: its path leads through a file'],
	EISDIR: [409, 'is a folder, not a file'],
	EEXIST: [409, 'already exists'],
	ENAMETOOLONG: [400, 'has a name that is too long for this file system'],
	EILSEQ: [400, 'has a name that this file system cannot store'],
	ENXIO: [400, 'is not a regular file'],
	ENOSPC: [507, 'was not saved: the disk is full'],
	EDQUOT: [507, 'was not saved: the disk quota is used up'],
	EFBIG: [507, 'was not saved: it is larger than this file system or user may store'],
};

/** The user's path as the subject of a sentence. */
export const subject = (path: string): string => (path === '' ? 'The root folder' : JSON.stringify(path));

/** Fault for a file system error code, with a message about the user's path. */
export const faultOfCode = (code: string, path: string): FileFault => {
	const [status, reason] = reasons[code] ?? [500, `failed with an input/output error (${code})`];
	return new FileFault(status, `${subject(path)} ${reason}.`);
};

/** Fault for a file whose content is not the expected one. */
export const changed = (path: string): FileFault =>
	new FileFault(
		412,
		`${subject(path)} was not saved: it was changed or deleted since you opened it. Reload it first.`,
	);

/**
 * Converts a file system error into a fault. Its message names the user's path but no paths of the
 * host.
 */
export const asFault = (error: unknown, path: string, use: 'read' | 'write'): FileFault => {
	if (error instanceof FileFault) return error;
	const code = codeOf(error);
	// File system error codes have this form. Other errors are bugs and are rethrown.
	if (!/^E[A-Z0-9]+$/.test(code)) throw error;
	// ENOTDIR while reading means that a parent is a file, so the path does not exist.
	return faultOfCode(code === 'ENOTDIR' && use === 'read' ? 'ENOENT' : code, path);
};
