import type {IncomingMessage} from 'node:http';
import {ServiceFault} from './fault.ts';

/**
 * True if requests with this method may have a body. GET and HEAD have all their parameters in the
 * address.
 */
export const takesBody = (method: string | undefined): boolean => method !== 'GET' && method !== 'HEAD';

/**
 * Fault that also closes the connection, because an ambiguous end of the body could hide another
 * request.
 */
const faulty = (message: string): ServiceFault => new ServiceFault(400, message, {connection: 'close'});

/** Headers that must not occur more than once, because programs differ in which value they use. */
const SINGLE = [
	'content-type',
	'content-length',
	'transfer-encoding',
	'apikey',
	'content-encoding',
	'expect',
];

const hasTwo = ({rawHeaders}: IncomingMessage): string | undefined => {
	const names = rawHeaders.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase());
	return SINGLE.find(single => names.indexOf(single) !== names.lastIndexOf(single));
};

/**
 * Fault with status 400 or 505 for errors in the framing of a request that Node's parser accepts.
 * Null if there are none. `anyBody`: true if GET may have a body.
 */
export const framingFault = (request: IncomingMessage, {anyBody = false} = {}): ServiceFault | null => {
	const {httpVersion, method, headers} = request;
	if (httpVersion !== '1.1' && httpVersion !== '1.0')
		return new ServiceFault(505, 'This service speaks HTTP/1.1 only.', {connection: 'close'});
	const twice = hasTwo(request);
	if (twice !== undefined) return faulty(`The header ${twice} must not occur twice.`);
	const encoding = headers['transfer-encoding'];
	if (encoding !== undefined && httpVersion === '1.0')
		return faulty('HTTP/1.0 has no Transfer-Encoding; send a Content-Length.');
	if (encoding !== undefined && encoding.trim().toLowerCase() !== 'chunked')
		return faulty('The only Transfer-Encoding is chunked.');
	if (
		!anyBody &&
		!takesBody(method) &&
		(encoding !== undefined || Number(headers['content-length'] ?? 0) !== 0)
	)
		return faulty(`A ${method} has no body; send it without.`);
	return null;
};

/** Maximum number of requests on a connection that have no response yet. */
const MOST_PIPELINED = 8;

/**
 * Fault for a request if it is the `count`th on its connection without a response. Null if it is
 * accepted.
 */
export const pipelineFault = (count: number): ServiceFault | null =>
	count > MOST_PIPELINED
		? new ServiceFault(429, 'Too many requests at once on one connection. Wait for their responses.', {
				connection: 'close',
				'retry-after': '2',
			})
		: null;
