// Forwards requests for servers' Jupyter APIs at `/user/USER/NAME/api/…`. Pages are never
// forwarded, because all servers would share the service's origin.
import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {tokenInRequest} from '../jupyter-emulator/gate.ts';
import {checkCaller} from '../http/guard.ts';
import type {ServiceHosts} from '../http/host-check.ts';
import {withoutBase} from '../http/public-url.ts';
import {openRelay, type Relay} from '../http/relay.ts';
import type {Verdict} from './gate.ts';

/** Target of a proxied request, with the user and the names that are logged. */
export type ProxyRoute = Pick<Relay, 'pass' | 'upgrade'> & {
	readonly user: string;
	/** Name of the server. */
	readonly server: string;
	readonly route: string;
	/**
	 * Decides whether to forward a request.
	 * @throws {ServiceFault} if its host or page is not accepted.
	 */
	judge(request: IncomingMessage): Verdict;
};

/** Returns a server's own address on this machine. Undefined if the server is not ready. */
export type ServerEndpoint = (
	user: string,
	name: string,
) => {readonly url: string; readonly token: string} | undefined;

const decoded = (text: string): string | null => {
	try {
		return decodeURIComponent(text);
	} catch {
		return null;
	}
};

/**
 * Parts of a request target for a server's Jupyter API. Null for other targets. `rest` is not
 * decoded.
 */
export const serverPath = (
	target: string,
): {readonly user: string; readonly name: string; readonly rest: string} | null => {
	const [, rawUser = '', rawName = '', rest = ''] =
		/^\/user\/([^/?#\\]+)\/([^/?#\\]+)\/((?:api|terminals\/websocket)(?:[/?][^#\\]*)?)$/.exec(target) ?? [];
	const [user, name] = [decoded(rawUser), decoded(rawName)];
	const segments = (rest.split('?')[0] ?? '').split('/').map(decoded);
	// Rejects dot segments and encoded slashes, because a proxy or Jupyter itself might resolve
	// them.
	const isPlain = segments.every(
		each => each !== null && each !== '.' && each !== '..' && !/[/\\]/.test(each),
	);
	return rest !== '' && user !== null && name !== null && isPlain ? {user, name, rest} : null;
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const REFUSED =
	'The token of this server is missing or wrong, or the server is not ready: send its token as the header "Authorization: token …"; it changes at each start, and svc-tui server open NAME --with-token prints it.';

/**
 * Creates a function that finds the route of a request. It returns undefined for requests to the
 * service itself.
 */
export const createServerRoutes =
	(addressOf: ServerEndpoint, names: () => ServiceHosts) =>
	(request: IncomingMessage): ProxyRoute | undefined => {
		const own = names();
		const asked = serverPath(withoutBase(request.url ?? '', own.publicUrl ?? {path: ''}));
		if (!asked) return undefined;
		const {user, name, rest} = asked;
		const found = addressOf(user, name);
		// Responds to an unknown server as to a wrong token, so that server names are not
		// disclosed.
		const token = found?.token ?? '';
		const place = new URL(found?.url ?? 'http://127.0.0.1:9/');
		const relay = openRelay({
			host: place.hostname,
			port: Number(place.port),
			path: () => place.pathname + rest,
			more: ['Authorization', `token ${token}`],
			why: ({code, message}) => `The server ${name} did not respond (${code ?? message}).`,
		});
		return {
			...relay,
			user,
			server: name,
			route: 'jupyter',
			judge() {
				checkCaller(request, own);
				if (!found || !timingSafeEqual(digest(tokenInRequest(request)), digest(token)))
					return {refused: REFUSED};
				return {origin: own.publicUrl?.origin ?? '', inner: place.host, isOwnHost: false, token};
			},
		};
	};
