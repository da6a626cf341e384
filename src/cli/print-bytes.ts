import {isUtf8} from 'node:buffer';
import {usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {terminalBlock} from './terminal-text.ts';

/** True for bytes that are unreadable on a terminal. */
const isBinary = (bytes: Buffer): boolean => !isUtf8(bytes) || bytes.includes(0);

/**
 * Prints bytes unchanged in a pipe, and as harmless text on a terminal. @throws {CommandError} with
 * the hint `instead` if the output is a terminal and the bytes are not text.
 */
export const printBytes = async (
	{stdout}: Pick<Context, 'stdout'>,
	bytes: Buffer,
	name: string,
	instead: string,
): Promise<void> => {
	if (!stdout.isTTY) return stdout.write(bytes);
	if (isBinary(bytes))
		throw usageError(`${name} is not text (${bytes.length} bytes) and would garble the terminal.`, instead);
	return stdout.write(terminalBlock(bytes.toString('utf8')));
};
