import type {IncomingMessage} from 'node:http';
import {ServiceFault} from './fault.ts';

/** GET and HEAD carry all their parameters in the address. */
export const takesBody = (method: string | undefined): boolean => method !== 'GET' && method !== 'HEAD';

/** Closes the connection, because an unclear end of a body could hide another request. */
const faulty = (message: string): ServiceFault => new ServiceFault(400, message, {connection: 'close'});

/** Headers that must not repeat, because programs disagree on which value counts. */
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

/** Fault that Node's parser misses, with status 400 or 505. `anyBody`: GET may have a body. */
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

/** Maximum number of requests of one connection that wait for their responses. */
const MOST_PIPELINED = 8;

/** Error for the request that is the `count`th of its connection to wait. Null if it may wait. */
export const pipelineFault = (count: number): ServiceFault | null =>
	count > MOST_PIPELINED
		? new ServiceFault(429, 'Too many requests at once on one connection. Wait for their responses.', {
				connection: 'close',
				'retry-after': '2',
			})
		: null;
