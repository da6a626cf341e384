import http from 'node:http';
import https from 'node:https';
import {once} from 'node:events';
import {getCACertificates} from 'node:tls';
import {proxyFor} from '../../machine/proxy.ts';
import {jsonIn} from '../../text/record.ts';
import {textWithin} from './text-within.ts';

/**
 * `authority`: an extra CA certificate in PEM format. `proxyEnv`: HTTPS_PROXY and similar
 * variables.
 */
export type ConnectionOptions = {
	readonly authority?: string | undefined;
	readonly proxyEnv: Readonly<Record<string, string | undefined>>;
};

/**
 * Agent for a proxy or an extra CA certificate. Undefined if neither is needed.
 * @throws {Error} with advice if the proxy cannot be used.
 */
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
		: // An `http.Agent` has all members used here.
			(new http.Agent(options) as https.Agent);
};

type Request = {
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly signal: AbortSignal;
};

/**
 * Sends a request through an agent. Follows no redirects.
 * @throws {Error} whose cause is the reason, like `fetch`.
 */
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
		throw new Error('It does not respond.', {cause: error});
	}
};

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
