import {hash, randomBytes} from 'node:crypto';
import {ServiceFault} from './fault.ts';

/**
 * API key of a user. `expires`: in ms since the epoch, null if never. `mcp`: permissions of MCP
 * clients with this key; undefined if those of the service apply.
 */
export type UserKey = {
	readonly user: string;
	readonly key: string;
	readonly expires: number | null;
	readonly mcp?: string | undefined;
};

export type UserKeys = {
	current(): readonly UserKey[];
	/**
	 * Current keys. Reads their file again if it may have changed. `isUnknown`: true if a client
	 * sent an unknown key.
	 */
	refreshed(how: {readonly isUnknown: boolean}): readonly UserKey[];
};

/** Returns the user of a key. Null for a wrong key. */
export type Keyring = (key: string) => string | null | Promise<string | null>;

type Entry = Pick<UserKey, 'user' | 'expires'>;

/**
 * Finds keys by their digests with a secret salt, so that response times reveal nothing about the
 * keys. A search takes the same time for one key as for thousands.
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
