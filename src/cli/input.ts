import {CommandError, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {readLocal} from '../machine/local-file.ts';

const decode = (bytes: Uint8Array, from: string, keepsMark = false): string => {
	try {
		// Python rejects a byte order mark.
		return new TextDecoder('utf-8', {fatal: true, ignoreBOM: keepsMark}).decode(bytes);
	} catch {
		throw new CommandError('local-file', `${from} is not UTF-8 text.`, 'Save it as UTF-8 and try again.');
	}
};

/**
 * `keepsMark`: keep a byte order mark. @throws {CommandError} if the file cannot be read or is not
 * UTF-8.
 */
export const readText = async (
	file: string,
	{keepsMark = false}: {readonly keepsMark?: boolean} = {},
): Promise<string> => decode(await readLocal(file), file, keepsMark);

/**
 * Text of standard input. Unless `-` is explicit, a terminal or empty input is an error with the
 * message `missing`.
 * @throws {CommandError} if there is no input, or it is not UTF-8.
 */
export const readInput = async (context: Context, isExplicit: boolean, missing: string): Promise<string> => {
	if (!isExplicit && context.stdinIsTTY) throw usageError(missing);
	const text = decode(await context.readStdin(), 'Standard input');
	if (!isExplicit && text === '') throw usageError(`${missing} Standard input is empty.`);
	return text;
};
