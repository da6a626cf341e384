import {createHash, timingSafeEqual} from 'node:crypto';

/** Returns the user of a key, or null for a wrong key. */
export type Keyring = (key: string) => string | null | Promise<string | null>;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares all digests in constant time, so that timing reveals nothing about any key. */
export const createKeyring = (keys: ReadonlyMap<string, string>): Keyring => {
	const digests = [...keys].map(([user, key]) => ({user, digest: digest(key)}));
	return key => {
		const asked = digest(key);
		let found: string | null = null;
		for (const entry of digests) if (timingSafeEqual(asked, entry.digest)) found = entry.user;
		return found;
	};
};
