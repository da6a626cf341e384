import {isUtf8} from 'node:buffer';
import {usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {terminalBlock} from './terminal-text.ts';

/** Bytes that mean nothing on a terminal. */
const isBinary = (bytes: Buffer): boolean => !isUtf8(bytes) || bytes.includes(0);

/** Bytes as they are in a pipe; on a terminal as text that cannot act on it. @throws {CommandError} for what is not text there; `instead` says where it can go. */
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
