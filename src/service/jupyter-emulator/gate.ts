import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {hostsOf} from '../forward/gate.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Token of a request, in either of the forms that Jupyter accepts. Empty if there is none. */
export const tokenInRequest = ({headers, url = ''}: Pick<IncomingMessage, 'headers' | 'url'>): string => {
	const [, fromHeader] = /^(?:token|bearer)\s+(\S+)\s*$/i.exec(headers.authorization ?? '') ?? [];
	return fromHeader ?? new URLSearchParams(url.split('?').slice(1).join('?')).get('token') ?? '';
};

/**
 * Checks `Host` (against DNS rebinding), the calling page and the token. Null if the request is
 * accepted.
 */
export const refusal = (
	request: Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'url' | 'method'>,
	{hosts, token}: {readonly hosts: ReadonlySet<string>; readonly token: string},
): {readonly status: 400 | 403; readonly sentence: string} | null => {
	const [host = '', ...others] = hostsOf(request);
	if (others.length > 0 || !hosts.has(host))
		return {status: 403, sentence: 'This address only accepts its own host name.'};
	const {origin, 'sec-fetch-site': site, 'sec-fetch-dest': kind} = request.headers;
	if (origin !== undefined && origin !== `http://${host}`)
		return {status: 403, sentence: 'Requests from pages of other origins are not allowed.'};
	// A link on another site may open a page. Other requests from other sites are rejected.
	const isVisit = request.method === 'GET' && kind === 'document';
	if (site !== undefined && site !== 'none' && site !== 'same-origin' && !isVisit)
		return {status: 403, sentence: 'Requests from pages of other sites are not allowed.'};
	if (!(request.url ?? '').startsWith('/'))
		return {status: 400, sentence: 'The request target must be a path.'};
	if (!timingSafeEqual(digest(tokenInRequest(request)), digest(token)))
		return {
			status: 403,
			sentence:
				'The token of this server is missing or wrong: send it as the header "Authorization: token …" or as the parameter token. It changes at each start; svc-tui server open NAME --with-token prints it.',
		};
	return null;
};
