import {closeSync, constants, fstatSync, openSync, readFileSync, type Stats} from 'node:fs';
import {codeOf} from '../text/errors.ts';

/** True if the file is ours and closed to others. Always on Windows, which has no modes. */
export const isPrivate = ({uid, mode}: Stats): boolean =>
	process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);

// Non-blocking, since a pipe would wait for a writer. Windows has no such flag.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * `no-file`: a folder, pipe or device. `open`: other users can read the file. Otherwise Node's
 * error code.
 */
export type PrivateText = {readonly text: string} | {readonly fault: string};

/** Text of a file that only its owner can read. */
export const readPrivate = (file: string): PrivateText => {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(file, READ);
		// Checks the open file, because its name may refer to another file by now.
		const stats = fstatSync(descriptor);
		if (!stats.isFile()) return {fault: 'no-file'};
		if (!isPrivate(stats)) return {fault: 'open'};
		return {text: readFileSync(descriptor, 'utf8').trim()};
	} catch (error) {
		return {fault: codeOf(error) || 'unknown error'};
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
};
