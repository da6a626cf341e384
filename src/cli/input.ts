import {CommandError, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {readLocal} from '../machine/local-file.ts';

const decode = (bytes: Uint8Array, from: string, keepsMark = false): string => {
	try {
		// The mark is removed unless the caller keeps it, because Python rejects it.
		return new TextDecoder('utf-8', {fatal: true, ignoreBOM: keepsMark}).decode(bytes);
	} catch {
		throw new CommandError('local-file', `${from} is not UTF-8 text.`, 'Save it as UTF-8 and try again.');
	}
};

/**
 * Text of a local file. `keepsMark`: true to keep a byte order mark.
 * @throws {CommandError} if the file cannot be read or is not UTF-8.
 */
export const readText = async (
	file: string,
	{keepsMark = false}: {readonly keepsMark?: boolean} = {},
): Promise<string> => decode(await readLocal(file), file, keepsMark);

/**
 * Text of standard input. If the user did not pass `-`, a terminal or an empty input is an error.
 * `missing`: message of that error.
 * @throws {CommandError} if there is no input, or if it is not UTF-8.
 */
export const readInput = async (context: Context, isExplicit: boolean, missing: string): Promise<string> => {
	if (!isExplicit && context.stdinIsTTY) throw usageError(missing);
	const text = decode(await context.readStdin(), 'Standard input');
	if (!isExplicit && text === '') throw usageError(`${missing} Standard input is empty.`);
	return text;
};
