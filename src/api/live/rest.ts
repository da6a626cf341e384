import type {LookupFunction} from 'node:net';
import {createConnections} from '../connections.ts';
import type {Target} from '../target.ts';
import type {Access} from './access.ts';
import {isRefusal} from './status.ts';

const CAP = 4 << 20;
const LIMIT_MS = 15_000;
/** Time limit in ms for starting a kernel. */
const START_MS = 60_000;

/** `json` is undefined if the body is not JSON. */
export type RestResponse = {readonly status: number; readonly json: unknown};

/** A call to a server's own API. `limit`: in ms. Null if there is no complete response. */
export type Rest = (
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
	path: string,
	body?: object,
	limit?: number,
) => Promise<RestResponse | null>;

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
};

export const createRest = (target: Target, access: Access, lookup: LookupFunction | undefined): Rest => {
	const connections = createConnections(target);
	const call = async (
		token: string,
		...[method, path, body, most]: Parameters<Rest>
	): Promise<RestResponse | null> => {
		const limit = most ?? (method === 'POST' ? START_MS : LIMIT_MS);
		try {
			const stream = (method === 'GET' ? connections.pooled : connections.fresh()).stream(path, {
				method,
				// Contains only the server's token, because the service's API key must be sent only
				// to the service.
				headers: {authorization: `token ${token}`, accept: 'application/json'},
				timeout: {lookup: 5000, connect: 5000, secureConnect: 5000, response: limit, request: limit},
				...(lookup && {dnsLookup: lookup as never}),
				// Always a body, because without one got would wait for it.
				...(method !== 'GET' && method !== 'DELETE' && {json: body ?? {}}),
			});
			if (method === 'DELETE') stream.end();
			const chunks: Buffer[] = [];
			let size = 0;
			for await (const chunk of stream as AsyncIterable<Buffer>) {
				size += chunk.length;
				if (size > CAP) return null;
				chunks.push(chunk);
			}
			return {status: stream.response?.statusCode ?? 0, json: parse(Buffer.concat(chunks).toString())};
		} catch {
			return null;
		}
	};
	return async (...asked) => {
		const token = access.token();
		const answer = await call(token, ...asked);
		// A rejected request had no effect, so it is repeated with the new token.
		if (answer === null || !isRefusal(answer.status) || (await access.renewed(token)) !== 'yes')
			return answer;
		return call(access.token(), ...asked);
	};
};
