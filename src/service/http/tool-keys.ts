import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';

/**
 * Keys of users whom a proxy signs in, with which the tools of MCP call the service. They are valid
 * in this process only, and no client receives one.
 */
export const createToolKeys = () => {
	const secret = randomBytes(32);
	/** Users who have such a key: the keys of all others need no computation. */
	const users = new Set<string>();
	const keyOf = (user: string): string =>
		`${user}:${createHmac('sha256', secret).update(user).digest('base64url')}`;
	return {
		keyOf(user: string): string {
			users.add(user);
			return keyOf(user);
		},
		/** User of a tool's key. Null for any other key. */
		userOf(key: string): string | null {
			const user = key.slice(0, Math.max(0, key.lastIndexOf(':')));
			if (!users.has(user)) return null;
			const [given, wanted] = [Buffer.from(key), Buffer.from(keyOf(user))];
			return given.length === wanted.length && timingSafeEqual(given, wanted) ? user : null;
		},
	};
};
