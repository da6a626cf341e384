import http from 'node:http';
import https from 'node:https';
import {once} from 'node:events';
import {getCACertificates} from 'node:tls';
import {proxyFor} from '../../machine/proxy.ts';
import {jsonIn} from '../../text/record.ts';
import {textWithin} from './text-within.ts';

/** How a server is reached: `authority` in PEM, besides the usual ones; the proxies as HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY name them. */
export type ConnectionOptions = {
	readonly authority?: string | undefined;
	readonly proxyEnv: Readonly<Record<string, string | undefined>>;
};

/** Undefined: in the usual way. @throws {Error} with what to do about a proxy that cannot be used. */
export const agentFor = (url: URL, {authority, proxyEnv}: ConnectionOptions): https.Agent | undefined => {
	const proxy = proxyFor(url, proxyEnv);
	if (typeof proxy === 'string') throw new Error(proxy);
	if (proxy === undefined && (authority === undefined || url.protocol !== 'https:')) return undefined;
	const options = {keepAlive: true, ...(proxy && {proxyEnv: {...proxy.env}})};
	return url.protocol === 'https:'
		? new https.Agent({
				...options,
				...(authority !== undefined && {ca: [...getCACertificates('default'), authority]}),
			})
		: // Of its kind for what we use of it.
			(new http.Agent(options) as https.Agent);
};

type Request = {
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly signal: AbortSignal;
};

/** One call; no redirect is followed. @throws {Error} with the reason as its cause, as `fetch` does. */
export const callOver = async (
	agent: https.Agent,
	address: string,
	{method, headers, body, signal}: Request,
	most: number,
): Promise<{readonly status: number; readonly json: unknown}> => {
	const {request: send} = address.startsWith('https:') ? https : http;
	try {
		const request = send(address, {method, headers: {...headers}, agent, signal});
		request.end(body);
		const [response] = (await once(request, 'response', {signal})) as [http.IncomingMessage];
		return {status: response.statusCode ?? 0, json: jsonIn(await textWithin(response, most))};
	} catch (error) {
		throw new Error('It does not answer.', {cause: error});
	}
};

/** A WebSocket with the browser's interface. */
export const socketOver = async (
	agent: https.Agent,
	address: string,
	headers: Readonly<Record<string, string>>,
): Promise<WebSocket> => {
	const {default: Socket} = await import('ws');
	return new Socket(address, {
		headers: {...headers},
		agent,
		perMessageDeflate: false,
	}) as unknown as WebSocket;
};
