import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';

/**
 * Keys with which MCP tools call this service for users whom a proxy has signed in. The keys are
 * valid only in this process, and no client receives one.
 */
export const createToolKeys = () => {
	const secret = randomBytes(32);
	/** Users for whom a key was created. For all other keys, no digest needs to be computed. */
	const users = new Set<string>();
	const keyOf = (user: string): string =>
		`${user}:${createHmac('sha256', secret).update(user).digest('base64url')}`;
	return {
		keyOf(user: string): string {
			users.add(user);
			return keyOf(user);
		},
		/** User of a tool key. Null for any other key. */
		userOf(key: string): string | null {
			const user = key.slice(0, Math.max(0, key.lastIndexOf(':')));
			if (!users.has(user)) return null;
			const [given, wanted] = [Buffer.from(key), Buffer.from(keyOf(user))];
			return given.length === wanted.length && timingSafeEqual(given, wanted) ? user : null;
		},
	};
};
