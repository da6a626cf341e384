import type {IncomingMessage} from 'node:http';
import type {Params} from '../../contract/endpoint.ts';
import {hostsOf} from '../forward/gate.ts';
import {ServiceFault} from './fault.ts';
import {takesBody} from './framing.ts';
import {isServiceHost, isAllowedOrigin, type ServiceHosts} from './host-check.ts';
import type {Keyring} from './keyring.ts';
import type {ProxyUser} from './proxy-user.ts';
import type {Caller} from '../servers.ts';
import {withoutBase, type PublicUrl} from './public-url.ts';
import {checkServerName, decodeFilePath, decodeSegment} from './params.ts';
import {createMatcher, type Route} from './route.ts';

/**
 * Result of the guard: the caller (empty on a page without a key), the route and the decoded
 * parameters.
 */
export type GuardResult = {readonly caller: Caller; readonly route: Route; readonly params: Params};

const longestTarget = 4096;

const checkTarget = (target: string): void => {
	if (!target.startsWith('/') || target.startsWith('//') || /[\\#]/.test(target))
		throw new ServiceFault(400, 'The request target must be a plain path that begins with one slash.');
	if (target.length > longestTarget)
		throw new ServiceFault(
			414,
			`The address is longer than ${longestTarget} characters; use a shorter path.`,
		);
};

const checkHost = (request: IncomingMessage, names: ServiceHosts): void => {
	const values = hostsOf(request);
	if (values.length === 0 && request.httpVersion === '1.1')
		throw new ServiceFault(400, 'The request has no Host header.');
	const [host] = values;
	if (values.length !== 1 || host === undefined || !isServiceHost(host, names))
		throw new ServiceFault(
			403,
			'Unknown host name. Use the address the service printed at startup; behind a proxy, set --public-url.',
		);
};

const checkBrowser = ({headers}: IncomingMessage, publicUrl: PublicUrl | null): void => {
	const site = headers['sec-fetch-site'];
	if (
		!isAllowedOrigin({origin: headers.origin, site: typeof site === 'string' ? site : undefined}, publicUrl)
	)
		throw new ServiceFault(403, 'Requests from web pages are not allowed.');
};

/**
 * Checks host name and calling page.
 * @throws {ServiceFault} 400 without a Host header, 403 for another host name or a page of another
 * origin.
 */
export const checkCaller = (request: IncomingMessage, names: ServiceHosts): void => {
	checkHost(request, names);
	checkBrowser(request, names.publicUrl);
};

const checkBodyHeaders = (request: IncomingMessage): void => {
	if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(request.headers['content-type'] ?? ''))
		throw new ServiceFault(415, 'Send the body as JSON, with the header Content-Type: application/json.');
	const encoding = request.headers['content-encoding'];
	if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
		throw new ServiceFault(415, 'Send the body without compression (no Content-Encoding).');
};

const decodeParams = (raw: Params): Params =>
	Object.fromEntries(
		Object.entries(raw).map(([name, value]) => {
			if (name === 'path') return [name, decodeFilePath(value)];
			return [name, name === 'server_name' ? checkServerName(decodeSegment(value)) : decodeSegment(value)];
		}),
	);

/**
 * Checks target, Host, browser, key, route, method, names and content type, in this order and
 * before the body is read. Clients without a key therefore learn nothing about routes and names.
 * Parses the raw target. `new URL(request.url)` must not be used, because it resolves `..` and
 * treats `//evil` as another host.
 */
export const createGuard = (
	routes: readonly Route[],
	{userOf, proxyUser}: {readonly userOf: Keyring; readonly proxyUser: ProxyUser},
	names: () => ServiceHosts,
) => {
	const match = createMatcher(routes);
	return async (request: IncomingMessage): Promise<GuardResult> => {
		const since = performance.now();
		const own = names();
		const method = request.method ?? '';
		checkTarget(request.url ?? '');
		const target = withoutBase(request.url ?? '', own.publicUrl ?? {path: ''});
		const matched = match(target.split('?', 1)[0] ?? '');
		// All methods of a path have the same requirements, so any route will do.
		const [any] = matched?.found ?? [];
		if (any?.probe !== true) checkHost(request, own);
		if (any?.probe !== true && any?.page !== true) checkBrowser(request, own.publicUrl);
		const {apikey} = request.headers;
		const signedIn = proxyUser(request);
		// If a proxy has signed the user in, the header may contain a credential for that proxy.
		const key = signedIn === null && typeof apikey === 'string' ? apikey : '';
		const user = signedIn ?? (key === '' ? null : await userOf(key));
		if (user === null && any?.open !== true)
			throw new ServiceFault(401, 'The apiKey header is missing or wrong. Send the key of this service.', {
				'www-authenticate': 'apiKey',
			});
		if (matched === null) throw new ServiceFault(404, "Unknown path. The service's API is below /api.");
		const methods = matched.found.map(route => route.method);
		const route = matched.found.find(found => found.method === method);
		if (!route)
			throw new ServiceFault(405, `This path only accepts ${methods.join(' and ')}.`, {
				allow: methods.join(', '),
			});
		const params = decodeParams(matched.params);
		if (takesBody(method)) checkBodyHeaders(request);
		return {caller: {user: user ?? '', key, since}, route, params};
	};
};
