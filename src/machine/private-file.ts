import {closeSync, constants, fstatSync, openSync, readFileSync, type Stats} from 'node:fs';
import {codeOf} from '../text/errors.ts';

/** Ours, and closed to every other user; on Windows, where modes say nothing, every file is. */
export const isPrivate = ({uid, mode}: Stats): boolean =>
	process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);

// A pipe would wait for a writer; Windows has no such flag.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** `no-file`: a folder, pipe or device. `open`: others may read it. Else Node's code, as `ENOENT`. */
export type PrivateText = {readonly text: string} | {readonly fault: string};

/** The text of a file that only its owner may read. */
export const readPrivate = (file: string): PrivateText => {
	let descriptor: number | undefined;
	try {
		descriptor = openSync(file, READ);
		// Asked of what is open: the name may come to mean another file.
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
