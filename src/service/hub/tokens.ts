import {digestOf} from '../../engines/files.ts';
import {HubError, type Hub, type HubServer} from '../../engines/jupyterhub/hub.ts';
import type {Caller} from '../servers.ts';

const LIFE_S = 24 * 3600;
/** A new one is made this long before, or at half of the life of the last. */
const RENEWED_S = 2 * 3600;
/** For which a hub that refused is not asked again. */
const REFUSED_MS = 60_000;
/** Beyond these the oldest is revoked, in use or not: ready servers of all users in one copy. */
const MOST = 20_000;
/** What lets a server ask the hub who has come: each token may. */
const WHO = /^read:users:(?:name|groups)!user=/;

/** `says` tells why there is none. */
export type ServerToken = {readonly token: string} | {readonly token: null; readonly says: string};

type Entry = {
	readonly caller: Caller;
	readonly minted: Promise<ServerToken & {readonly id?: string}>;
	/** Milliseconds since the epoch; until then it is not asked for anew. */
	until: number;
};

const whyNot = (error: unknown): string => {
	if (!(error instanceof HubError)) throw error;
	if (error.status === 403)
		return 'your token of the hub lacks the scope "tokens": make one with it, or without a choice of scopes';
	if (error.status >= 400 && error.status < 500)
		return `your token of the hub lacks the scope "access:servers" (${error.message})`;
	return 'the hub gave no token for it now';
};

/** Tokens that open one server of one user and nothing else, made with the user's own key. They are kept in memory only. `life`: seconds. */
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
			// An older hub passes over the scopes: such a token would open all that its user has.
			if (scopes?.includes(scope) && scopes.every(each => each === scope || WHO.test(each)))
				return {token, id};
			await hub.revoke(caller.key, caller.user, id);
			return {token: null, says: 'the hub cannot make a token for one server: JupyterHub 3 can'};
		} catch (error) {
			return {token: null, says: whyNot(error)};
		}
	};
	return {
		/** Of a server that is ready; one that is not has none, and its last one is revoked. Never rejects for what the hub says. */
		async of(caller: Caller, {name}: HubServer, isReady: boolean): Promise<ServerToken> {
			const id = `${digestOf(caller.key)} ${name}`;
			if (!isReady) {
				drop(id);
				return {token: null, says: 'it is not ready'};
			}
			const known = entries.get(id);
			if (known && Date.now() < known.until) return known.minted;
			const entry: Entry = {caller, minted: mint(caller, name), until: Infinity};
			// The last one is good for a while: whoever has it now still works with it.
			entries.delete(id);
			entries.set(id, entry);
			for (const oldest of entries.keys()) if (entries.size > MOST) drop(oldest);
			const made = await entry.minted;
			entry.until = Date.now() + (made.token === null ? REFUSED_MS : renewedAfter * 1000);
			return made;
		},
		/** Revokes them all. Never rejects. */
		async close(): Promise<void> {
			const all = [...entries.values()];
			entries.clear();
			await Promise.all(all.map(entry => revoke(entry).catch(onFailure)));
		},
	};
};

export type ServerTokens = ReturnType<typeof createServerTokens>;
