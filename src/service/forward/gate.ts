import type {IncomingMessage} from 'node:http';
import {hasTokenIn, withoutTokenIn, type Ends} from './headers.ts';

/** A name of a forward address. */
export type ForwardName = {
	/** As a browser sends it. */
	readonly origin: string;
	/** No other address has this host: what cookies it has are the program's. */
	readonly isOwnHost: boolean;
	/** The name holds the token, so that requests need not. */
	readonly holdsToken: boolean;
};

/** Where a forward address is. */
export type ForwardPlace = {
	/** The name that a `Host` (lower case) is; undefined for one that is none of it. */
	nameOf(host: string): ForwardName | undefined;
	/** Origin of the name that holds the token. */
	readonly home: string;
};

/** What is to be done with a request. */
export type Verdict = {readonly refused: string} | {readonly moved: string} | Ends;

/** Values of `Host`, lower case: Node keeps the first of several in `headers`. */
export const hostsOf = ({rawHeaders}: Pick<IncomingMessage, 'rawHeaders'>): readonly string[] =>
	rawHeaders
		.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host')
		.map(host => host.toLowerCase());

/**
 * A client shows the token as the parameter `token`. A browser that opens a page so is sent on to the name that holds the token, since its
 * later requests carry no parameter.
 */
export const judgeForward = (
	request: Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'method' | 'url'>,
	{
		place,
		token,
		inner,
		name,
	}: {
		readonly place: ForwardPlace;
		readonly token: string;
		/** As the program knows its own address. */
		readonly inner: string;
		/** Of the server, for people. */
		readonly name: string;
	},
): Verdict => {
	const {headers, method, url: target = ''} = request;
	const [host = '', ...others] = hostsOf(request);
	const found = place.nameOf(host);
	if (others.length > 0 || !found) return {refused: 'This address answers to its own name only.'};
	const {origin, isOwnHost, holdsToken} = found;
	if (!target.startsWith('/')) return {refused: 'The request target must be a path.'};
	if (!holdsToken && !hasTokenIn(target, token))
		return {
			refused: `The token is missing or wrong: open the forward address of ${name} as the service tells it.`,
		};
	if (headers.origin !== undefined && headers.origin !== origin)
		return {refused: 'Pages of other origins may not call this address.'};
	if (!holdsToken && method === 'GET' && headers['sec-fetch-dest'] === 'document')
		return {moved: place.home + withoutTokenIn(target, token)};
	return {origin, inner, isOwnHost, token};
};
