import {digestOf} from '../../engines/files.ts';
import {HubError, type Hub, type HubServer} from '../../engines/jupyterhub/hub.ts';
import type {Caller} from '../servers.ts';

const LIFE_S = 24 * 3600;
/** Time before its expiry at which a token is renewed, in s. At most half of its lifetime. */
const RENEWED_S = 2 * 3600;
/** Pause after the hub rejected a request for a token, in ms. */
const REFUSED_MS = 60_000;
/**
 * Maximum number of tokens for all users. Beyond it, the oldest token is revoked even if it is in
 * use.
 */
const MOST = 20_000;
/**
 * Scopes that the hub adds to every token, with which a server can ask the hub who uses the token.
 */
const WHO = /^read:users:(?:name|groups)!user=/;

/** Token for a server. `missingReason`: reason why there is none. */
export type ServerToken = {readonly token: string} | {readonly token: null; readonly missingReason: string};

type Entry = {
	readonly caller: Caller;
	readonly minted: Promise<ServerToken & {readonly id?: string}>;
	/** Time at which a new token is requested, in ms since the epoch. */
	until: number;
};

const mintErrorText = (error: unknown): string => {
	if (!(error instanceof HubError)) throw error;
	if (error.status === 403)
		return 'your hub token lacks the scope "tokens": create one with it, or without selecting scopes';
	if (error.status >= 400 && error.status < 500)
		return `your hub token lacks the scope "access:servers" (${error.message})`;
	return 'the hub issued no token';
};

/**
 * Tokens that give access to a single server of a user. They are created with the user's key.
 * `life`: in seconds.
 */
export const createServerTokens = (hub: Hub, onFailure: (error: unknown) => void, life = LIFE_S) => {
	const renewedAfter = life - Math.min(RENEWED_S, life / 2);
	const entries = new Map<string, Entry>();

	const revoke = async ({caller, minted}: Entry): Promise<void> => {
		const {id} = await minted;
		if (id !== undefined) await hub.revoke(caller.key, caller.user, id);
	};
	const drop = (id: string): void => {
		const entry = entries.get(id);
		entries.delete(id);
		if (entry) void revoke(entry).catch(onFailure);
	};
	const mint = async (caller: Caller, name: string): Promise<ServerToken & {readonly id?: string}> => {
		const scope = `access:servers!server=${caller.user}/${name}`;
		try {
			const {token, id, scopes} = await hub.mint(caller.key, caller.user, {
				note: `svc-tui: ${name}`,
				expires_in: life,
				scopes: [scope],
			});
			// Checks the scopes, because older hubs ignore the requested scopes and the token would
			// have all permissions of its user.
			if (scopes?.includes(scope) && scopes.every(each => each === scope || WHO.test(each)))
				return {token, id};
			await hub.revoke(caller.key, caller.user, id);
			return {token: null, missingReason: 'the hub cannot create a token for one server; JupyterHub 3 can'};
		} catch (error) {
			return {token: null, missingReason: mintErrorText(error)};
		}
	};
	return {
		/**
		 * Returns the token for a server. Revokes it if the server is not ready. Rejects only for
		 * unexpected errors.
		 */
		async of(caller: Caller, {name}: HubServer, isReady: boolean): Promise<ServerToken> {
			const id = `${digestOf(caller.key)} ${name}`;
			if (!isReady) {
				drop(id);
				return {token: null, missingReason: 'it is not ready'};
			}
			const known = entries.get(id);
			if (known && Date.now() < known.until) return known.minted;
			const entry: Entry = {caller, minted: mint(caller, name), until: Infinity};
			// The previous token stays valid until it expires, because clients may still use it.
			entries.delete(id);
			entries.set(id, entry);
			for (const oldest of entries.keys()) if (entries.size > MOST) drop(oldest);
			const made = await entry.minted;
			entry.until = Date.now() + (made.token === null ? REFUSED_MS : renewedAfter * 1000);
			return made;
		},
		/** Revokes all tokens. Never rejects. */
		async close(): Promise<void> {
			const all = [...entries.values()];
			entries.clear();
			await Promise.all(all.map(entry => revoke(entry).catch(onFailure)));
		},
	};
};

export type ServerTokens = ReturnType<typeof createServerTokens>;
