import {mkdirSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {codeOf} from '../text/errors.ts';

/** As `mkdirSync` with `recursive`, which tries for ever where the system makes nothing and says ENOENT, as below /proc. @throws Node's error */
export const makeFolder = (folder: string, mode = 0o700): void => {
	try {
		mkdirSync(folder, {mode});
	} catch (error) {
		const code = codeOf(error);
		if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
		const parent = dirname(folder);
		if (code !== 'ENOENT' || parent === folder) throw error;
		makeFolder(parent, mode);
		mkdirSync(folder, {mode});
	}
};
