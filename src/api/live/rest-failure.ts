import type {Failure, FailureKind, Reply} from '../failure.ts';
import {reasonIn} from '../reason.ts';
import type {RestResponse, Rest} from './rest.ts';

type Method = Parameters<Rest>[0];

const KINDS: Readonly<Record<number, FailureKind>> = {
	401: 'refused',
	403: 'refused',
	404: 'not-found',
	409: 'conflict',
	413: 'upload-too-large',
	429: 'rate-limited',
};
const kindOf = (status: number): FailureKind => {
	if (status >= 300 && status < 400) return 'redirect';
	return KINDS[status] ?? (status >= 500 ? 'server' : 'refused');
};

/** Failure for a missing or unreadable response, or a status other than 2xx. */
export const failureOf = (method: Method, path: string, answer: RestResponse | null): Failure => {
	const call = {method, path};
	const isOrder = method !== 'GET';
	if (answer === null)
		return {
			...call,
			kind: 'connection-lost',
			message: "The server's own address sent no complete response.",
			...(isOrder && {ambiguous: true}),
		};
	const {status, json} = answer;
	if (status >= 200 && status < 300)
		return {...call, status, kind: 'off-contract', message: 'The server sent an unexpected response.'};
	const reason = reasonIn(json);
	return {
		...call,
		status,
		kind: kindOf(status),
		message: `The server rejected the request (${status})${reason === '' ? '' : `: ${reason}`}`,
		...(reason !== '' && {reason}),
	};
};

/** Result of a request. The body of a successful response is ignored. */
export const resultOrFailure = (method: Method, path: string, answer: RestResponse | null): Reply<null> =>
	answer !== null && answer.status >= 200 && answer.status < 300
		? {ok: true, value: null}
		: {ok: false, failure: failureOf(method, path, answer)};
