import {randomBytes} from 'node:crypto';
import {existsSync, readFileSync, statSync} from 'node:fs';
import * as z from 'zod';
import {writeDurably} from '../machine/atomic-write.ts';
import {keyFile, type Instance} from '../settings/instance.ts';
import {diskReason} from '../machine/disk-fault.ts';
import {isPrivate} from '../machine/private-file.ts';
import type {BackendOptions} from './backend.ts';
import {messageOf} from '../text/errors.ts';
import type {UserKeys, UserKey} from './http/keyring.ts';
import {ServeError, usageError} from './serve-error.ts';
import {userPattern} from './user-name.ts';

export const defaultUser = 'local@localhost';

const keyPattern = /^[\u0021-\u007E]{1,512}$/;
const keyRule = 'a key has 1 to 512 printable ASCII characters and no spaces';

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

const keyField = z.string().regex(keyPattern);
const expiresField = z
	.string()
	.regex(/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/)
	.refine(text => !Number.isNaN(Date.parse(text)));
const mcpField = z.string().regex(/^(?:(?:run|write)(?:,(?:run|write))?)?$/);
const entryField = z.union([
	keyField,
	z.strictObject({key: keyField, expires: expiresField.optional(), mcp: mcpField.optional()}),
]);
/** Schema of the keys file. A user has one key, or several while a key is being replaced. */
export const keysFile = z.record(
	z.string().regex(userPattern),
	z.union([entryField, z.array(entryField).min(1).max(10)]),
);

const readKeysFile = (file: string): readonly UserKey[] => {
	const form = `The keys file ${file} must be a JSON object such as {"ann@example.com": "KEY"}`;
	let value: unknown;
	try {
		value = JSON.parse(readPrivate(file, 'keys file'));
	} catch (error) {
		// Not shown, because the parser's message quotes the text, which contains keys.
		if (error instanceof SyntaxError) throw usageError(`${form}; it is not JSON.`);
		throw error;
	}
	const parsed = keysFile.safeParse(value);
	if (!parsed.success)
		throw usageError(
			`${form}; a user has letters, digits and . _ + - @, ${keyRule}, and several keys are a list such as ["KEY", {"key": "OLD", "expires": "2030-12-31"}].`,
		);
	const keys = Object.entries(parsed.data).flatMap(([user, given]) =>
		[given].flat().map(entry => {
			const {key, expires, mcp} = typeof entry === 'string' ? {key: entry} : entry;
			return {user, key, mcp, expires: expires === undefined ? null : Date.parse(expires)};
		}),
	);
	if (keys.length === 0) throw usageError(`${form}; it has no users.`);
	if (new Set(keys.map(({key}) => key)).size !== keys.length)
		throw usageError(`The keys file ${file} gives two users the same key.`);
	return keys;
};

/** Time for which the file is not checked for changes again, in ms. */
const KEYS_FRESH_MS = 1000;

/**
 * Reads the keys file again when it has changed. If it is invalid, logs that and keeps the previous
 * keys.
 */
const watchKeysFile = (file: string, log: (text: string) => void): UserKeys => {
	const versionOf = (): string => {
		const {mtimeMs, ino, size} = statSync(file);
		return `${mtimeMs} ${ino} ${size}`;
	};
	let keys = readKeysFile(file);
	let version = versionOf();
	let checked = performance.now();
	return {
		current: () => keys,
		refreshed({isUnknown}) {
			if (!isUnknown && performance.now() - checked < KEYS_FRESH_MS) return keys;
			checked = performance.now();
			try {
				const now = versionOf();
				if (now === version) return keys;
				version = now;
				keys = readKeysFile(file);
				log('the keys file was read again');
			} catch (error) {
				if (version !== '') log(`the keys file was not read again: ${messageOf(error)}`);
				if (!existsSync(file)) version = '';
			}
			return keys;
		},
	};
};

const readOrCreateKey = (file: string): string => {
	// Earlier versions could leave an empty key file, whose key no client has. The lock on the data
	// folder prevents other services from writing it at the same time.
	if (!existsSync(file) || statSync(file).size === 0)
		writeDurably(file, randomBytes(24).toString('base64url'));
	const key = readPrivate(file, 'key file').trim();
	if (!keyPattern.test(key))
		throw usageError(`The key file ${file} has no usable key (${keyRule}). Delete it to create a new one.`);
	return key;
};

const fixed = (key: string): UserKeys => {
	const keys = [{user: defaultUser, key, expires: null}];
	return {current: () => keys, refreshed: () => keys};
};

/**
 * Loads the keys: those of `keysFile`, or else the given key, which is never written to disk, or
 * else the key in the data folder. The first start creates that key from 24 random bytes.
 * @throws {ServeError} 2 or 77 if a file or key is invalid.
 */
export const loadUserKeys = ({
	dataFolder,
	keysFile: named,
	apiKey,
	log,
}: Pick<BackendOptions, 'keysFile' | 'apiKey'> & {
	readonly dataFolder: string;
	/** Logs a line about a changed keys file. */
	readonly log: (text: string) => void;
}): {
	readonly keys: UserKeys;
	readonly keyFrom: Instance['keyFrom'];
	/** File that contains the default user's key. Null if there is none. */
	readonly file: string | null;
} => {
	if (named !== undefined) return {keys: watchKeysFile(named, log), keyFrom: 'keys', file: null};
	if (apiKey !== undefined) {
		if (!keyPattern.test(apiKey)) throw usageError(`The API key cannot be used: ${keyRule}.`);
		return {keys: fixed(apiKey), keyFrom: 'environment', file: null};
	}
	const file = keyFile(dataFolder);
	return {keys: fixed(readOrCreateKey(file)), keyFrom: 'file', file};
};
