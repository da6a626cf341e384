import {LocalFileError} from '../state/local-file.ts';
import {CommandError} from './command-error.ts';

/** What goes wrong with a file of this machine, as commands tell it. @throws {CommandError} `local-file` */
export const localFailed = async <T>(work: Promise<T>): Promise<T> => {
	try {
		return await work;
	} catch (error) {
		if (error instanceof LocalFileError)
			throw new CommandError('local-file', error.message, 'Correct the path and try again.');
		throw error;
	}
};
