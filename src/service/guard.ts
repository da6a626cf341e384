import type {IncomingMessage} from 'node:http';
import type {Params} from '../contract/endpoint.ts';
import {ServiceFault} from './fault.ts';
import type {Keyring} from './keyring.ts';
import type {Caller} from './servers.ts';
import {checkServerName, decodeFilePath, decodeSegment} from './params.ts';
import {createMatcher, type RoutePattern} from './route-pattern.ts';

/** What a request may do: who asks (empty on an open page), the route that it asks for, and the decoded parameters. */
export type Judgement = {readonly caller: Caller; readonly route: string; readonly params: Params};

export type GuardOptions = {
	readonly routes: readonly RoutePattern[];
	readonly userOf: Keyring;
	/** Values of `Host` that are ours, lower case, with the port. */
	readonly hosts: () => ReadonlySet<string>;
};

const longestTarget = 4096;

const checkTarget = (target: string): void => {
	if (!target.startsWith('/') || target.startsWith('//') || /[\\#]/.test(target)) throw new ServiceFault(400, 'The request target must be a plain path that begins with one slash.');
	if (target.length > longestTarget) throw new ServiceFault(414, `The address is longer than ${longestTarget} characters; use a shorter path.`);
};

// Node keeps the first of several Host headers in `headers`: only the raw list shows that there were two.
const checkHost = (request: IncomingMessage, hosts: ReadonlySet<string>): void => {
	const values = request.rawHeaders.filter((_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'host');
	if (values.length === 0 && request.httpVersion === '1.1') throw new ServiceFault(400, 'The request has no Host header.');
	const [host] = values;
	if (values.length !== 1 || host === undefined || !hosts.has(host.toLowerCase())) throw new ServiceFault(403, 'This service answers only to the address it printed when it started; use that one.');
};

const checkBrowser = (request: IncomingMessage): void => {
	if (request.headers.origin !== undefined) throw new ServiceFault(403, 'Web pages may not call this service.');
	const site = request.headers['sec-fetch-site'];
	if (site !== undefined && site !== 'none') throw new ServiceFault(403, 'Web pages may not call this service.');
};

const checkBodyHeaders = (request: IncomingMessage): void => {
	if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(request.headers['content-type'] ?? '')) throw new ServiceFault(415, 'Send the body as JSON, with the header Content-Type: application/json.');
	const encoding = request.headers['content-encoding'];
	if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new ServiceFault(415, 'Send the body without compression (no Content-Encoding).');
};

// On Windows a device name is dangerous to read as well: opening NUL or CON never ends well.
const portableNames = (method: string): boolean => method !== 'GET' || process.platform === 'win32';

const decodeParams = (method: string, raw: Params): Params =>
	Object.fromEntries(Object.entries(raw).map(([name, value]) => {
		if (name === 'path') return [name, decodeFilePath(value, portableNames(method))];
		return [name, name === 'server_name' ? checkServerName(decodeSegment(value)) : decodeSegment(value)];
	}));

/**
 * Judges a request by its head, before its body is read and before Hono sees it: target, Host, browser, key, route, method, names,
 * content type, in this order, so that whoever has no key learns nothing about routes and names.
 * Works on the raw target: never `new URL(request.url)`, which resolves `..` and turns `//evil` into another host.
 */
export const createGuard = ({routes, userOf, hosts}: GuardOptions): ((request: IncomingMessage) => Promise<Judgement>) => {
	const match = createMatcher(routes);
	return async request => {
		const target = request.url ?? '';
		const method = request.method ?? '';
		checkTarget(target);
		checkHost(request, hosts());
		checkBrowser(request);
		const matched = match(target.split('?', 1)[0] ?? '');
		const {apikey} = request.headers;
		const key = typeof apikey === 'string' ? apikey : '';
		const user = key === '' ? null : await userOf(key);
		if (user === null && matched?.open !== true) throw new ServiceFault(401, 'The apiKey header is missing or wrong; send the key of this service.', {'www-authenticate': 'apiKey'});
		if (matched === null) throw new ServiceFault(404, 'There is no such address here; the service\'s calls are below /api.');
		if (!matched.methods.includes(method)) throw new ServiceFault(405, `This address takes ${matched.methods.join(' and ')} only.`, {allow: matched.methods.join(', ')});
		const params = decodeParams(method, matched.params);
		if (method !== 'GET') checkBodyHeaders(request);
		return {caller: {user: user ?? '', key}, route: matched.path, params};
	};
};
