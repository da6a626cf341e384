import type {Agent} from 'node:https';
import {textWithin} from './text-within.ts';
import {jsonIn} from '../../text/record.ts';
import {UnreachableSessionError} from '../engine.ts';

/**
 * Address of a Jupyter server. `url` ends with a slash. `agent`: set for a proxy or an extra CA
 * certificate.
 */
export type JupyterAddress = {
	readonly url: string;
	readonly token: string;
	readonly agent?: Agent;
	/**
	 * True if the connection may be broken for a long time while the server keeps running. Such a
	 * server buffers the messages of a broken channel.
	 */
	readonly mayBreak?: boolean;
};

/** Response of a Jupyter server. `json` is undefined if the body is not JSON. */
export type JupyterAnswer = {readonly status: number; readonly json: unknown};

export type RestOptions = {
	readonly body?: object;
	readonly signal?: AbortSignal;
	/** Time limit in ms. Default: 30 s. */
	readonly limit?: number;
	/** Maximum size of the response in bytes. Default: 16 MiB. */
	readonly most?: number;
};

const MOST_BYTES = 16 << 20;

/**
 * Sends a request to a Jupyter server. Resolves with any status.
 * @throws {Error} if the server is unreachable.
 */
export const callJupyter = async (
	{url, token, agent}: JupyterAddress,
	method: string,
	path: string,
	{body, signal, limit = 30_000, most = MOST_BYTES}: RestOptions = {},
): Promise<JupyterAnswer> => {
	const timeout = AbortSignal.timeout(limit);
	const request = {
		method,
		headers: {authorization: `token ${token}`, ...(body && {'content-type': 'application/json'})},
		...(body && {body: JSON.stringify(body)}),
		signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
	};
	if (agent) return (await import('./agent-call.ts')).callOver(agent, url + path, request, most);
	// A redirect would send the token to another server.
	const response = await fetch(url + path, {...request, redirect: 'manual'});
	return {status: response.status, json: jsonIn(await textWithin(response.body ?? [], most))};
};

/**
 * Same as {@link callJupyter}, for a server that may no longer exist. In that case a hub's proxy
 * redirects or responds with 424 or 503.
 * @throws {UnreachableSessionError} if the server does not respond.
 */
export const callServer = async (...call: Parameters<typeof callJupyter>): Promise<JupyterAnswer> => {
	const answer = await callJupyter(...call).catch((error: unknown) => {
		throw new UnreachableSessionError('It does not respond.', {cause: error});
	});
	if ((answer.status >= 300 && answer.status < 400) || [424, 502, 503, 504].includes(answer.status))
		throw new UnreachableSessionError(`It does not respond (status ${answer.status}).`);
	return answer;
};
