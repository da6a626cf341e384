import {randomBytes} from 'node:crypto';
import {existsSync, readFileSync, statSync} from 'node:fs';
import * as z from 'zod';
import {writeDurably} from '../machine/atomic-write.ts';
import {keyFile, type Instance} from '../settings/instance.ts';
import {diskReason} from '../machine/disk-fault.ts';
import {isPrivate} from '../machine/private-file.ts';
import type {BackendOptions} from './backend.ts';
import {ServeError, usageError} from './serve-error.ts';

export const defaultUser = 'local@localhost';

const keyPattern = /^[\u0021-\u007E]{1,512}$/;
const keyRule = 'a key has 1 to 512 printable ASCII characters and no spaces';
const userPattern = /^[\w.+@-]{1,254}$/;

const readPrivate = (file: string, what: string): string => {
	try {
		const stats = statSync(file);
		if (isPrivate(stats) || stats.isDirectory()) return readFileSync(file, 'utf8');
	} catch (error) {
		const reason = diskReason(error, {elsewhere: 'name another one', file}) ?? 'unknown error';
		throw usageError(`The ${what} ${file} cannot be read: ${reason}.`);
	}
	throw new ServeError(
		77,
		`The ${what} ${file} must be yours and not accessible to others; run chmod 600 on it.`,
	);
};

const readKeysFile = (file: string): ReadonlyMap<string, string> => {
	const form = `The keys file ${file} must be a JSON object such as {"ann@example.com": "KEY"}`;
	let value: unknown;
	try {
		value = JSON.parse(readPrivate(file, 'keys file'));
	} catch (error) {
		// The parser's message quotes the text, which holds keys.
		if (error instanceof SyntaxError) throw usageError(`${form}; it is not JSON.`);
		throw error;
	}
	const parsed = z.record(z.string().regex(userPattern), z.string().regex(keyPattern)).safeParse(value);
	if (!parsed.success) throw usageError(`${form}; a user has letters, digits and . _ + - @, ${keyRule}.`);
	const keys = new Map(Object.entries(parsed.data));
	if (keys.size === 0) throw usageError(`${form}; it has no users.`);
	if (new Set(keys.values()).size !== keys.size)
		throw usageError(`The keys file ${file} gives two users the same key.`);
	return keys;
};

const readOrCreateKey = (file: string): string => {
	// Older versions could leave an empty file, whose key no client holds. The lock excludes other
	// services.
	if (!existsSync(file) || statSync(file).size === 0)
		writeDurably(file, randomBytes(24).toString('base64url'));
	const key = readPrivate(file, 'key file').trim();
	if (!keyPattern.test(key))
		throw usageError(`The key file ${file} has no usable key (${keyRule}). Delete it to create a new one.`);
	return key;
};

/**
 * Keys of `keysFile`, else the given key, which is never written to disk, else the key in the data
 * folder, which the first start creates from 24 random bytes.
 * @throws {ServeError} 2 or 77 if a file or key cannot be used.
 */
export const loadUserKeys = ({
	dataFolder,
	keysFile,
	apiKey,
}: Pick<BackendOptions, 'keysFile' | 'apiKey'> & {readonly dataFolder: string}): {
	readonly keys: ReadonlyMap<string, string>;
	readonly keyFrom: Instance['keyFrom'];
	/** File with the default user's key, or null. */
	readonly file: string | null;
} => {
	if (keysFile !== undefined) return {keys: readKeysFile(keysFile), keyFrom: 'keys', file: null};
	if (apiKey !== undefined) {
		if (!keyPattern.test(apiKey)) throw usageError(`The key given cannot be used: ${keyRule}.`);
		return {keys: new Map([[defaultUser, apiKey]]), keyFrom: 'environment', file: null};
	}
	const file = keyFile(dataFolder);
	return {keys: new Map([[defaultUser, readOrCreateKey(file)]]), keyFrom: 'file', file};
};
