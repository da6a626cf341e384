import type {Agent} from 'node:https';
import {textWithin} from './text-within.ts';
import {jsonIn} from '../../text/record.ts';
import {UnreachableSessionError} from '../engine.ts';

/** A Jupyter server: its address ends with a slash. `agent`: where it is reached in another way than others, over a proxy or with an authority of its own. */
export type JupyterAddress = {readonly url: string; readonly token: string; readonly agent?: Agent};

/** `json` is undefined where the answer is none. */
export type JupyterAnswer = {readonly status: number; readonly json: unknown};

export type RestOptions = {
	readonly body?: object;
	readonly signal?: AbortSignal;
	/** Milliseconds: 30 s by default. */ readonly limit?: number;
	/** Bytes of the answer: 16 MiB by default. */
	readonly most?: number;
};

const MOST_BYTES = 16 << 20;

/** One call of a Jupyter server's or a hub's REST interface. @throws when it cannot be reached; any status is an answer. */
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
	// Beyond a redirect somebody else would get the token.
	const response = await fetch(url + path, {...request, redirect: 'manual'});
	return {status: response.status, json: jsonIn(await textWithin(response.body ?? [], most))};
};

/**
 * As {@link callJupyter}, to a server that may have gone; a hub's proxy answers for such a one with a redirect, 424 or 503.
 * @throws {UnreachableSessionError}
 */
export const callServer = async (...call: Parameters<typeof callJupyter>): Promise<JupyterAnswer> => {
	const answer = await callJupyter(...call).catch((error: unknown) => {
		throw new UnreachableSessionError('It does not answer.', {cause: error});
	});
	if ((answer.status >= 300 && answer.status < 400) || [424, 502, 503, 504].includes(answer.status))
		throw new UnreachableSessionError(`It does not answer (status ${answer.status}).`);
	return answer;
};
