import {digestOf} from '../../engines/files.ts';
import type {Hub, HubUser} from '../../engines/jupyterhub/hub.ts';

const MOST = 1000;

/** Caches the owners of keys for a few seconds, to reduce the number of requests to the hub. */
export const createHubAccounts = (hub: Hub) => {
	// Keys are stored as digests only.
	const known = new Map<string, {readonly at: number; readonly user: Promise<HubUser | null>}>();
	return {
		/**
		 * Owner of a key. `maxAge`: maximum age of cached information, in ms.
		 * @throws {HubError} if the hub does not respond.
		 */
		async of(key: string, maxAge: number): Promise<HubUser | null> {
			const digest = digestOf(key);
			const found = known.get(digest);
			if (found && performance.now() - found.at <= maxAge) return found.user;
			const user = hub.owner(key);
			known.delete(digest);
			known.set(digest, {at: performance.now(), user});
			for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest);
			try {
				return await user;
			} catch (error) {
				if (known.get(digest)?.user === user) known.delete(digest);
				throw error;
			}
		},
		forget: (key: string): void => void known.delete(digestOf(key)),
	};
};

export type HubAccounts = ReturnType<typeof createHubAccounts>;
