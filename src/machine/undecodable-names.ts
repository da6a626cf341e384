import {isUtf8} from 'node:buffer';
import {readdirSync} from 'node:fs';

/** Node puts it where a name is not UTF-8: the file is not found again under such a name. */
const REPLACEMENT = '\uFFFD';

export const NOT_UTF8 = 'its name is not UTF-8, and only such a name can be sent; rename it.';

/** True if Node may have read a name wrongly. */
export const maybeUndecodable = (name: string): boolean => name.includes(REPLACEMENT);

/** A name as it can be read and typed in a shell's $'…'. */
const escaped = (name: Buffer): string =>
	[...name]
		.map(byte => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase()}`))
		.join('');

/** The names in a folder that are not UTF-8: as Node reads them, and with their bytes escaped. @throws Node's error */
export const undecodableNames = (folder: string): ReadonlyMap<string, string> =>
	new Map(
		readdirSync(folder, {encoding: 'buffer'})
			.filter(name => !isUtf8(name))
			.map(name => [name.toString(), escaped(name)]),
	);
