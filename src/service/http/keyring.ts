import {createHash, timingSafeEqual} from 'node:crypto';

/** Says whose key it is: null for a wrong one. */
export type Keyring = (key: string) => string | null | Promise<string | null>;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Keys by user. Digests are compared in constant time, and all of them, so that the time tells nothing about any key. */
export const createKeyring = (keys: ReadonlyMap<string, string>): Keyring => {
	const digests = [...keys].map(([user, key]) => ({user, digest: digest(key)}));
	return key => {
		const asked = digest(key);
		let found: string | null = null;
		for (const entry of digests) if (timingSafeEqual(asked, entry.digest)) found = entry.user;
		return found;
	};
};
