import {mkdirSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {codeOf} from '../text/errors.ts';

/** Another program may make it at the same moment. */
const makeOne = (folder: string, mode: number): void => {
	try {
		mkdirSync(folder, {mode});
	} catch (error) {
		if (codeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
	}
};

/** As `mkdirSync` with `recursive`, which tries for ever where the system makes nothing and says ENOENT, as below /proc. @throws Node's error */
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
