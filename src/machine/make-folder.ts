import {mkdirSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {codeOf} from '../text/errors.ts';

/** Creates one folder. Tolerates another program that creates it at the same time. */
const makeOne = (folder: string, mode: number): void => {
	try {
		mkdirSync(folder, {mode});
	} catch (error) {
		if (codeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
	}
};

/**
 * Creates a folder and its parents. Not `mkdirSync` with `recursive`, which never ends where the
 * system reports ENOENT, as below /proc.
 * @throws Node's error if that fails.
 */
export const makeFolder = (folder: string, mode = 0o700): void => {
	try {
		makeOne(folder, mode);
	} catch (error) {
		const parent = dirname(folder);
		if (codeOf(error) !== 'ENOENT' || parent === folder) throw error;
		makeFolder(parent, mode);
		makeOne(folder, mode);
	}
};
