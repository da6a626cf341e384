import {chmodSync, lstatSync, mkdirSync, type Stats} from 'node:fs';
import {ServeError} from './serve-error.ts';

const owner = process.getuid?.();

const othersMayWrite = (stats: Stats): boolean => (stats.mode & 0o022) !== 0;

/**
 * Makes the data folder or checks that nobody else can put files into it, and closes it to readers.
 * @throws {ServeError} 77
 */
export const openDataFolder = (folder: string): void => {
	try {
		mkdirSync(folder, {recursive: true, mode: 0o700});
	} catch (error) {
		throw new ServeError(77, `The data folder ${folder} cannot be made (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}); name another one with --data.`);
	}
	const stats = lstatSync(folder);
	if (!stats.isDirectory()) throw new ServeError(77, `The data folder ${folder} is not a plain folder; name another one with --data.`);
	// Windows has neither owners nor modes of this kind.
	if (owner === undefined) return;
	if (stats.uid !== owner) throw new ServeError(77, `The data folder ${folder} belongs to another user; name one of your own with --data.`);
	if (othersMayWrite(stats)) throw new ServeError(77, `Others may write to the data folder ${folder}; run chmod 700 on it, or name another one with --data.`);
	if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
};
