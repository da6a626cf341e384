import * as z from 'zod';
import {jsonIn} from '../../text/record.ts';
import {callJupyter, type JupyterAnswer} from '../jupyter/rest.ts';
import {withoutEnd} from '../../text/ends.ts';

/**
 * Failed request to a hub. The message is the hub's own for a rejected request (4xx), else a
 * sentence. `status` is 0 if there was no response.
 */
export class HubError extends Error {
	readonly status: number;
	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

const server = z.object({
	name: z.string(),
	ready: z.boolean(),
	pending: z.string().nullable(),
	/**
	 * Path on the hub's origin. The `@` of a user name is not percent-encoded, and the path must be
	 * sent unchanged.
	 */
	url: z.string(),
	user_options: z.record(z.string(), z.unknown()).nullable().catch(null),
	/** ISO 8601 in UTC. */
	last_activity: z.string().nullable().catch(null),
});
export type HubServer = z.infer<typeof server>;

/** `servers` is absent if the token may not list them. `scopes` is absent on older hubs. */
const user = z.object({
	name: z.string(),
	kind: z.literal('user'),
	servers: z.record(z.string(), server).optional(),
	scopes: z.array(z.string()).optional(),
});
const service = z.object({kind: z.literal('service')});
export type HubUser = {
	readonly name: string;
	/** Named servers, including stopped ones. */
	readonly servers: readonly HubServer[];
	/** Scopes of the token. Null if unknown. */
	readonly scopes: readonly string[] | null;
};

/** `scopes` is absent on hubs before version 3. */
const minted = z.object({id: z.string(), token: z.string(), scopes: z.array(z.string()).optional()});
export type MintedToken = z.infer<typeof minted>;

const granted = z.object({access_token: z.string().min(1)});
/** Code from the page on which a user authorises the service, and the service's registration. */
type OAuthCode = Readonly<Record<'client_id' | 'client_secret' | 'code' | 'redirect_uri', string>>;
/** Time limit for exchanging the code for a token, in ms. */
const OAUTH_MS = 10_000;

const reason = z.object({message: z.string()});
const progress = z.object({failed: z.literal(true).optional().catch(undefined), message: z.string()});

const segment = encodeURIComponent;
/** Maximum length of a progress event, in UTF-16 units. */
const MOST_OF_EVENT = 65_536;

/**
 * Client of a JupyterHub (1.4 or newer) that uses the tokens of the hub's users. All methods throw
 * {@link HubError}. `publicOrigin`: origin of the servers, if it differs from the API's.
 */
export const createHub = (address: string, publicOrigin?: string) => {
	const {origin: own, pathname} = new URL(address);
	const origin = publicOrigin ?? own;
	const base = withoutEnd(pathname, '/').replace(/\/hub(\/api)?$/, '');
	const url = `${own}${base}/hub/api/`;
	const {host} = new URL(own);

	const call = async (token: string, method: string, path: string, body?: object): Promise<JupyterAnswer> => {
		try {
			return await callJupyter({url, token}, method, path, body && {body});
		} catch {
			throw new HubError(0, `The JupyterHub at ${host} does not respond. Try again soon.`);
		}
	};
	const startOf = (token: string, userName: string, name: string, signal: AbortSignal): Promise<Response> =>
		fetch(`${url}users/${segment(userName)}/servers/${segment(name)}/progress`, {
			headers: {authorization: `token ${token}`},
			signal,
		});
	const eventIn = (line: string) =>
		line.startsWith('data:') ? progress.safeParse(jsonIn(line.slice('data:'.length))).data : undefined;
	const refused = ({status, json}: JupyterAnswer): HubError => {
		const said = reason.safeParse(json).data?.message;
		if (status >= 400 && status < 500) return new HubError(status, said ?? `it answered ${status}`);
		return new HubError(
			status,
			`The JupyterHub at ${host} cannot respond now (${said ?? `status ${status}`}). Try again soon.`,
		);
	};

	return {
		/** Scheme and host, without a slash. */
		origin,
		tokenPage: `${origin}${base}/hub/token`,
		oauth: {
			/** Page on which users authorise the service. */
			authorizePage: `${origin}${base}/hub/api/oauth2/authorize`,
			/**
			 * Exchanges the code from that page for a token. Null if the hub rejects the code or
			 * does not respond.
			 */
			async exchange(form: OAuthCode): Promise<string | null> {
				const response = await fetch(`${url}oauth2/token`, {
					method: 'POST',
					body: new URLSearchParams({...form, grant_type: 'authorization_code'}),
					signal: AbortSignal.timeout(OAUTH_MS),
				}).catch(() => null);
				if (response?.ok !== true) return null;
				return granted.safeParse(jsonIn(await response.text())).data?.access_token ?? null;
			},
		},
		/** Owner of a token, with the owner's servers. Null if the token is invalid. */
		async owner(token: string): Promise<HubUser | null> {
			const answer = await call(token, 'GET', 'user?include_stopped_servers');
			if (answer.status === 401 || answer.status === 403) return null;
			const {data} = user.safeParse(answer.json);
			if (service.safeParse(answer.json).success)
				throw new HubError(403, 'it belongs to a service, and only users have servers');
			if (answer.status !== 200 || !data) throw refused(answer);
			const {name, servers, scopes = null} = data;
			if (!servers) throw new HubError(403, 'it lacks the scope "servers"');
			return {name, servers: Object.values(servers).filter(each => each.name !== ''), scopes};
		},
		/** Starts a named server, which may be new. The hub responds before the server is ready. */
		async start(token: string, userName: string, name: string, options: object): Promise<void> {
			const answer = await call(
				token,
				'POST',
				`users/${segment(userName)}/servers/${segment(name)}`,
				options,
			);
			if (answer.status !== 201 && answer.status !== 202) throw refused(answer);
		},
		/** Creates a token for the user. `expires_in` is in seconds. */
		async mint(
			token: string,
			userName: string,
			wish: {readonly note: string; readonly expires_in: number; readonly scopes: readonly string[]},
		): Promise<MintedToken> {
			const answer = await call(token, 'POST', `users/${segment(userName)}/tokens`, wish);
			const {data} = minted.safeParse(answer.json);
			if (answer.status >= 300 || !data) throw refused(answer);
			return data;
		},
		/** Revokes a token of the user. Succeeds even if the token no longer exists. */
		async revoke(token: string, userName: string, id: string): Promise<void> {
			const answer = await call(token, 'DELETE', `users/${segment(userName)}/tokens/${segment(id)}`);
			if (answer.status !== 204 && answer.status !== 404) throw refused(answer);
		},
		/**
		 * Progress messages of a starting server, until the start has ended. Rejects if the
		 * connection breaks.
		 */
		async *progress(
			token: string,
			userName: string,
			name: string,
			signal: AbortSignal,
		): AsyncGenerator<string> {
			const response = await startOf(token, userName, name, signal);
			if (!response.ok || !response.body) return;
			let rest = '';
			for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
				const lines = (rest + part).split('\n');
				rest = (lines.pop() ?? '').slice(-MOST_OF_EVENT);
				for (const line of lines) {
					const said = eventIn(line)?.message;
					if (said !== undefined) yield said;
				}
			}
		},
		/**
		 * Message of a failed start. Null if the last start did not fail, undefined if unknown.
		 * Never rejects.
		 */
		async failure(token: string, userName: string, name: string): Promise<string | null | undefined> {
			// The hub sends a single event for a stopped server and then ends the response.
			const response = await startOf(token, userName, name, AbortSignal.timeout(3000)).catch(() => null);
			// The hub responds with 400 for a server that has not failed, because that server is
			// "not starting".
			if (response?.status === 400) return null;
			const text = response?.ok === true ? await response.text().catch(() => '') : '';
			for (const line of text.split('\n')) {
				const event = eventIn(line);
				if (event?.failed) return event.message;
			}
			return undefined;
		},
	};
};

export type Hub = ReturnType<typeof createHub>;
