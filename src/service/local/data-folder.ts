import {chmodSync, lstatSync, type Stats} from 'node:fs';
import {diskReason} from '../../machine/disk-fault.ts';
import {makeFolder} from '../../machine/make-folder.ts';
import {ServeError} from '../serve-error.ts';

const owner = process.getuid?.();

const othersMayWrite = (stats: Stats): boolean => (stats.mode & 0o022) !== 0;

/**
 * Creates the data folder with access for its owner only. If it exists, checks that no other user
 * can write to it, and restricts its mode.
 * @throws {ServeError} 77 if the folder cannot be used.
 */
export const openDataFolder = (folder: string, elsewhere: string): void => {
	try {
		makeFolder(folder);
	} catch (error) {
		throw new ServeError(
			77,
			`The data folder ${folder} cannot be created: ${diskReason(error, {elsewhere, file: folder}) ?? elsewhere}.`,
		);
	}
	const stats = lstatSync(folder);
	if (!stats.isDirectory())
		throw new ServeError(77, `The data folder ${folder} is not a plain folder; ${elsewhere}.`);
	// Windows has no numeric owners and no modes.
	if (owner === undefined) return;
	if (stats.uid !== owner)
		throw new ServeError(77, `The data folder ${folder} belongs to another user; ${elsewhere}.`);
	if (othersMayWrite(stats))
		throw new ServeError(
			77,
			`Others may write to the data folder ${folder}; run chmod 700 on it, or ${elsewhere}.`,
		);
	if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
};
