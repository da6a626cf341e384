import {randomBytes} from 'node:crypto';
import {existsSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync} from 'node:fs';
import * as z from 'zod';
import {keyFile, type Instance} from '../settings/instance.ts';
import {isPrivate} from '../settings/private-file.ts';
import {ServeError} from './serve-error.ts';

export const defaultUser = 'local@localhost';

export type UserKeys = {
	/** Keys by user. */
	readonly keys: ReadonlyMap<string, string>;
	readonly keyFrom: Instance['keyFrom'];
	/** File of the default user's key, when it is in one. */
	readonly file: string | null;
};

const keyPattern = /^[\u0021-\u007E]{1,512}$/;
const keyRule = 'a key has 1 to 512 printable ASCII characters and no blank';
const userPattern = /^[\w.+@-]{1,254}$/;

const readPrivate = (file: string, what: string): string => {
	try {
		if (isPrivate(statSync(file))) return readFileSync(file, 'utf8');
	} catch (error) {
		throw new ServeError(2, `The ${what} ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`);
	}
	throw new ServeError(77, `The ${what} ${file} must be yours and closed to others; run chmod 600 on it.`);
};

const readKeysFile = (file: string): ReadonlyMap<string, string> => {
	const form = `The keys file ${file} must be a JSON object such as {"ann@example.com": "KEY"}`;
	let value: unknown;
	try {
		value = JSON.parse(readPrivate(file, 'keys file'));
	} catch (error) {
		// The parser's message quotes the text, which holds keys.
		if (error instanceof SyntaxError) throw new ServeError(2, `${form}; it is not JSON.`);
		throw error;
	}
	const parsed = z.record(z.string().regex(userPattern), z.string().regex(keyPattern)).safeParse(value);
	if (!parsed.success) throw new ServeError(2, `${form}; a user has letters, digits and . _ + - @, ${keyRule}.`);
	const keys = new Map(Object.entries(parsed.data));
	if (keys.size === 0) throw new ServeError(2, `${form}; it names nobody.`);
	if (new Set(keys.values()).size !== keys.size) throw new ServeError(2, `The keys file ${file} gives two users the same key.`);
	return keys;
};

const readOrCreateKey = (file: string): string => {
	if (!existsSync(file)) {
		// Whole or not at all, also on a full disk. No other service can be doing the same: the folder is locked.
		const draft = `${file}.new`;
		try {
			writeFileSync(draft, randomBytes(24).toString('base64url'), {mode: 0o600});
			renameSync(draft, file);
		} catch (error) {
			if (existsSync(draft)) unlinkSync(draft);
			throw error;
		}
	}
	const key = readPrivate(file, 'key file').trim();
	if (!keyPattern.test(key)) throw new ServeError(2, `The key file ${file} holds no usable key (${keyRule}); delete it and a new one is made.`);
	return key;
};

/**
 * Who may call the service: the users of `keysFile`, else the default user with the given key, else with the key kept in the data folder,
 * which is made here at the first start (24 random bytes). A given key is written nowhere.
 * @throws {ServeError} 2 or 77
 */
export const loadUserKeys = ({dataFolder, keysFile, apiKey}: {
	readonly dataFolder: string;
	readonly keysFile?: string | undefined;
	readonly apiKey?: string | undefined;
}): UserKeys => {
	if (keysFile !== undefined) return {keys: readKeysFile(keysFile), keyFrom: 'keys', file: null};
	if (apiKey !== undefined) {
		if (!keyPattern.test(apiKey)) throw new ServeError(2, `The key given cannot be used: ${keyRule}.`);
		return {keys: new Map([[defaultUser, apiKey]]), keyFrom: 'environment', file: null};
	}
	const file = keyFile(dataFolder);
	return {keys: new Map([[defaultUser, readOrCreateKey(file)]]), keyFrom: 'file', file};
};
