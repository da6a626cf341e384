import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import {setTimeout as sleep} from 'node:timers/promises';
import {FileFault} from '../../engines/files.ts';
import {answerHeaders, faultBody, jsonType, ServiceFault} from './fault.ts';
import type {Log} from '../log.ts';
import {storageFault} from '../local/storage-fault.ts';
import {respondRaw} from './raw-response.ts';

/** Message for the user about an unexpected error. The details are in the log. */
export const unexpected = (log: Log, error: unknown): string =>
	`Internal error; see ${log.failure(error)} in the service log.`;

export const faultOf = (error: unknown, log: Log): ServiceFault => {
	if (error instanceof ServiceFault) return error;
	if (error instanceof FileFault) return new ServiceFault(error.status, error.message);
	if (error instanceof RangeError && error.message.includes('call stack'))
		return new ServiceFault(400, 'The body is nested too deeply.');
	const storage = storageFault(error);
	if (storage === null) return new ServiceFault(500, unexpected(log, error));
	log.failure(error);
	return storage;
};

/**
 * Delay before a response that rejects a request because of too many requests, in ms. Some clients
 * repeat rejected requests immediately, and thousands of responses per second would delay other
 * users.
 */
const REFUSED_AFTER = 250;

/** Resolves when the error response may be sent. */
export const beforeError = async ({status}: ServiceFault): Promise<void> => {
	if (status === 429) await sleep(REFUSED_AFTER, undefined, {ref: false});
};

const hasBody = ({headers}: IncomingMessage): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const respondError = (
	request: IncomingMessage,
	response: ServerResponse,
	{status, message, headers}: ServiceFault,
): void => {
	if (response.headersSent || response.destroyed) return;
	const body = faultBody(status, message);
	const unread = hasBody(request) && !request.complete;
	response.writeHead(status, {
		...answerHeaders,
		'content-type': jsonType,
		'content-length': Buffer.byteLength(body),
		...headers,
		...(unread ? {connection: 'close'} : {}),
	});
	if (!unread) {
		response.end(body);
		return;
	}
	// Reads the rest of the request first, because closing the connection with unread bytes resets
	// it, and the client may lose the response.
	response.write(body);
	const timer = setTimeout(() => response.end(), 500);
	request.once('close', () => clearTimeout(timer));
	request.once('end', () => response.end()).resume();
};

/** Same as {@link respondError}, for a socket that has no Node response object. */
export const respondErrorRaw = (socket: Duplex, {status, message, headers}: ServiceFault): void =>
	respondRaw(
		socket,
		status,
		{...answerHeaders, 'content-type': jsonType, ...headers},
		faultBody(status, message),
	);

/** Responds to bytes that are not a valid request, or to a request that arrived too slowly. */
export const respondParseError = (
	log: Log,
	error: NodeJS.ErrnoException,
	socket: Duplex & {readonly _httpMessage?: ServerResponse | null},
): void => {
	// Must not write into another response that has already started on this connection.
	if (!socket.writable || socket._httpMessage?.headersSent === true) {
		socket.destroy();
		return;
	}
	const fault =
		error.code === 'HPE_HEADER_OVERFLOW'
			? new ServiceFault(431, 'The request headers are larger than 16 KiB; send fewer.')
			: error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
				? new ServiceFault(408, 'The request took too long to arrive; send it again.')
				: new ServiceFault(400, 'This is not a well-formed HTTP request.');
	respondErrorRaw(socket, fault);
	log.line(`- - ${fault.status} 0ms 0b`);
};
