import {mkdir, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {dirname, join, resolve} from 'node:path';

/** Writes a file that is not there yet, and answers its whole path. `~/` is the home folder. @throws {Error} with a sentence for the user. */
export const writeNewFile = async (path: string, text: string): Promise<string> => {
	const whole = resolve(path.startsWith('~/') ? join(homedir(), path.slice(2)) : path);
	try {
		await mkdir(dirname(whole), {recursive: true});
		await writeFile(whole, text, {flag: 'wx'});
		return whole;
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		if (code === 'EEXIST') throw new Error(`${whole} is there already and stays as it is: give another name.`);
		throw new Error(`${whole} cannot be written (${code ?? String(error)}).`);
	}
};
