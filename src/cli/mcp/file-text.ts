import {isUtf8} from 'node:buffer';
import {bytesOf} from '../../api/file-bytes.ts';
import {CommandError, usageError} from '../command-error.ts';

/** Bytes of a file. @throws {CommandError} if it is a folder, or its content cannot be decoded. */
export const fileBytes = (path: string, entry: Parameters<typeof bytesOf>[0]): Buffer => {
	if (entry.type === 'directory')
		throw usageError(`${JSON.stringify(path)} is a folder.`, 'list_files lists it.');
	const bytes = bytesOf(entry);
	if (typeof bytes !== 'string') return bytes;
	throw new CommandError(
		'off-contract',
		`The content of ${JSON.stringify(path)} cannot be read: ${bytes}.`,
		'',
	);
};

/** True for UTF-8 without byte 0. */
export const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0);

/** Text such as `1 line` or `1,234 lines`. */
export const sized = (value: number, one: string): string =>
	`${value.toLocaleString('en')} ${one}${value === 1 ? '' : 's'}`;
