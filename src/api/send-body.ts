import http from 'node:http';
import https from 'node:https';
import type {RequestFunction} from 'got';

/** Bytes that are handed over at once: a larger body would hide a refusal that comes while it is being sent. */
const AT_ONCE = 1 << 20;
const PIECE = 1 << 16;

/** The rest of a large body, piece by piece; what a service refuses before it has read all is not sent to its end. */
const inPieces = (
	request: http.ClientRequest,
	end: (piece: Uint8Array, done?: () => void) => void,
	body: Uint8Array,
	done?: () => void,
): void => {
	let isRefused = false;
	request.once('response', response => {
		isRefused = (response.statusCode ?? 0) >= 400;
		if (isRefused && !request.writableEnded) response.once('end', () => request.destroy());
	});
	const next = (from: number): void => {
		if (isRefused || request.destroyed) return;
		const to = from + PIECE;
		if (to >= body.length) end(body.subarray(from), done);
		else request.write(body.subarray(from, to), () => setImmediate(next, to));
	};
	next(0);
};

/**
 * Hands a body over in one call of `end`. got writes it in pieces of 64 KiB with a pass of the event loop after each, and when the head of the
 * answer arrives in such a pass, it takes the request for a stale one and destroys it: of 60 questions of 70 KB from a busy program 50 were lost.
 */
export const withBody =
	(body: Uint8Array): RequestFunction =>
	(url, options, callback) => {
		const request = (url.protocol === 'https:' ? https : http).request(url, options, callback);
		const end = request.end.bind(request) as (piece: Uint8Array, done?: () => void) => void;
		// got ends the request of a stream that nothing was written to: the body goes along.
		request.end = ((done?: () => void) => {
			if (body.length <= AT_ONCE) end(body, done);
			else inPieces(request, end, body, done);
			return request;
		}) as typeof request.end;
		return request;
	};
