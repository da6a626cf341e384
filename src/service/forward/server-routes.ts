// Servers' own Jupyter, at the address of the service: `/user/USER/NAME/api/…`. Programs only: no page is ever passed on, since all servers
// have the one origin there.
import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {tokenInRequest} from '../jupyter-emulator/gate.ts';
import {checkCaller} from '../http/guard.ts';
import type {ServiceHosts} from '../http/host-check.ts';
import {withoutBase} from '../http/public-url.ts';
import {openRelay, type Relay} from '../http/relay.ts';
import type {Verdict} from './gate.ts';

/** Where one request goes on to: what it is in the log, whose it is, and how. */
export type ProxyRoute = Pick<Relay, 'pass' | 'upgrade'> & {
	readonly user: string;
	readonly route: string;
	/** @throws {ServiceFault} */ judge(request: IncomingMessage): Verdict;
};

/** The server's own address on this machine, while it is ready. */
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

/** What a target asks for of a server's Jupyter; null for any other. `rest` is as it came. */
export const serverPath = (
	target: string,
): {readonly user: string; readonly name: string; readonly rest: string} | null => {
	const [, rawUser = '', rawName = '', rest = ''] =
		/^\/user\/([^/?#\\]+)\/([^/?#\\]+)\/((?:api|terminals\/websocket)(?:[/?][^#\\]*)?)$/.exec(target) ?? [];
	const [user, name] = [decoded(rawUser), decoded(rawName)];
	const segments = (rest.split('?')[0] ?? '').split('/').map(decoded);
	// A proxy, or Jupyter itself, might resolve them.
	const isPlain = segments.every(
		each => each !== null && each !== '.' && each !== '..' && !/[/\\]/.test(each),
	);
	return rest !== '' && user !== null && name !== null && isPlain ? {user, name, rest} : null;
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const REFUSED =
	'The token of this server is missing or wrong, or the server is not ready: send its token as the header "Authorization: token …"; it changes at each start, and svc-tui server open NAME --with-token prints it.';

/** Finds the way of a request to a server's own Jupyter; undefined for a request to the service itself. */
export const createServerRoutes =
	(addressOf: ServerEndpoint, names: () => ServiceHosts) =>
	(request: IncomingMessage): ProxyRoute | undefined => {
		const own = names();
		const asked = serverPath(withoutBase(request.url ?? '', own.publicUrl ?? {path: ''}));
		if (!asked) return undefined;
		const {user, name, rest} = asked;
		const found = addressOf(user, name);
		// Whoever has no token does not learn whether there is such a server.
		const token = found?.token ?? '';
		const place = new URL(found?.url ?? 'http://127.0.0.1:9/');
		const relay = openRelay({
			host: place.hostname,
			port: Number(place.port),
			path: () => place.pathname + rest,
			more: ['Authorization', `token ${token}`],
			why: ({code, message}) => `The server ${name} did not answer (${code ?? message}).`,
		});
		return {
			...relay,
			user,
			route: 'jupyter',
			judge() {
				checkCaller(request, own);
				if (!found || !timingSafeEqual(digest(tokenInRequest(request)), digest(token)))
					return {refused: REFUSED};
				return {origin: own.publicUrl?.origin ?? '', inner: place.host, isOwnHost: false, token};
			},
		};
	};
