import {hash, randomBytes} from 'node:crypto';
import {ServiceFault} from './fault.ts';

/**
 * `expires`: in ms since the epoch; null if never. `mcp`: permissions of MCP clients with this key;
 * undefined: those of the service.
 */
export type UserKey = {
	readonly user: string;
	readonly key: string;
	readonly expires: number | null;
	readonly mcp?: string | undefined;
};

export type UserKeys = {
	current(): readonly UserKey[];
	/** Current keys, read again if their file may have changed. `isUnknown`: a key is missing. */
	refreshed(how: {readonly isUnknown: boolean}): readonly UserKey[];
};

/** Returns the user of a key, or null for a wrong key. */
export type Keyring = (key: string) => string | null | Promise<string | null>;

type Entry = Pick<UserKey, 'user' | 'expires'>;

/**
 * Finds keys by digests with a secret salt, so that timing reveals nothing about any key. The time
 * is the same for one key and for thousands.
 * @throws {ServiceFault} 401 for an expired key.
 */
export const createKeyring = (keys: UserKeys): Keyring => {
	let known: readonly UserKey[] | undefined;
	let entries: ReadonlyMap<string, Entry> = new Map();
	const salt = randomBytes(32).toString('hex');
	const digest = (key: string): string => hash('sha256', salt + key);
	const find = (asked: string, isUnknown: boolean): Entry | undefined => {
		const now = keys.refreshed({isUnknown});
		if (now !== known) entries = new Map(now.map(entry => [digest(entry.key), entry]));
		known = now;
		return entries.get(asked);
	};
	return key => {
		const asked = digest(key);
		const found = find(asked, false) ?? find(asked, true);
		if (found === undefined) return null;
		if (found.expires === null || Date.now() < found.expires) return found.user;
		const day = new Date(found.expires).toISOString().slice(0, 10);
		throw new ServiceFault(
			401,
			`This API key expired on ${day}. Ask the operator of the service for a new one.`,
			{'www-authenticate': 'apiKey'},
		);
	};
};
