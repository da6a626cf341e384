import {CommandError, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {readLocal} from '../machine/local-file.ts';

const decode = (bytes: Uint8Array, from: string, keepsMark = false): string => {
	try {
		// Python would not take a byte order mark.
		return new TextDecoder('utf-8', {fatal: true, ignoreBOM: keepsMark}).decode(bytes);
	} catch {
		throw new CommandError('local-file', `${from} is not UTF-8 text.`, 'Save it as UTF-8 and try again.');
	}
};

/** `keepsMark`: a byte order mark stays. @throws {CommandError} */
export const readText = async (
	file: string,
	{keepsMark = false}: {readonly keepsMark?: boolean} = {},
): Promise<string> => decode(await readLocal(file), file, keepsMark);

/**
 * Text of standard input. Without an explicit `-` a terminal is not waited on, and nothing at all is not an input: `missing` says what to give.
 * @throws {CommandError}
 */
export const readInput = async (context: Context, isExplicit: boolean, missing: string): Promise<string> => {
	if (!isExplicit && context.stdinIsTTY) throw usageError(missing);
	const text = decode(await context.readStdin(), 'Standard input');
	if (!isExplicit && text === '') throw usageError(`${missing} Standard input is empty.`);
	return text;
};
