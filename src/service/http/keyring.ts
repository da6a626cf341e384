import {createHash, timingSafeEqual} from 'node:crypto';
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

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

type Entry = Pick<UserKey, 'user' | 'expires'> & {readonly digest: Buffer};

/**
 * Compares all digests in constant time, so that timing reveals nothing about any key.
 * @throws {ServiceFault} 401 for an expired key.
 */
export const createKeyring = (keys: UserKeys): Keyring => {
	let known: readonly UserKey[] | undefined;
	let entries: readonly Entry[] = [];
	const find = (asked: Buffer, isUnknown: boolean): Entry | null => {
		const now = keys.refreshed({isUnknown});
		if (now !== known) entries = now.map(({user, expires, key}) => ({user, expires, digest: digest(key)}));
		known = now;
		let found: Entry | null = null;
		for (const entry of entries) if (timingSafeEqual(asked, entry.digest)) found = entry;
		return found;
	};
	return key => {
		const asked = digest(key);
		const found = find(asked, false) ?? find(asked, true);
		if (found === null) return null;
		if (found.expires === null || Date.now() < found.expires) return found.user;
		const day = new Date(found.expires).toISOString().slice(0, 10);
		throw new ServiceFault(
			401,
			`This API key expired on ${day}. Ask the operator of the service for a new one.`,
			{'www-authenticate': 'apiKey'},
		);
	};
};
