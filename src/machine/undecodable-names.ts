import {isUtf8} from 'node:buffer';
import {readdirSync} from 'node:fs';

/**
 * Character with which Node replaces invalid UTF-8 in a name. A file cannot be opened by such a
 * name.
 */
const REPLACEMENT = '\uFFFD';

export const NOT_UTF8 = 'its name is not UTF-8, and cannot be sent; rename it.';

/** True if Node may have misread the name. */
export const maybeUndecodable = (name: string): boolean => name.includes(REPLACEMENT);

/** Readable form of a name, valid in a shell's $'…'. */
const escaped = (name: Buffer): string =>
	[...name]
		.map(byte => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase()}`))
		.join('');

/**
 * Names in a folder that are not UTF-8. Maps Node's form of each name to an escaped form.
 * @throws Node's error if listing fails.
 */
export const undecodableNames = (folder: string): ReadonlyMap<string, string> =>
	new Map(
		readdirSync(folder, {encoding: 'buffer'})
			.filter(name => !isUtf8(name))
			.map(name => [name.toString(), escaped(name)]),
	);
