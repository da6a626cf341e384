import http from 'node:http';
import https from 'node:https';
import type {RequestFunction} from 'got';

/**
 * Largest body in bytes that is written in one call. For a larger body, an early rejection would
 * otherwise not be noticed.
 */
const AT_ONCE = 1 << 20;
/** UTF-16 units of text that are encoded at a time. */
const PIECE = 1 << 18;

/** JSON of a body. Long content is encoded in pieces, which saves memory. */
export const jsonBody = (body: object): readonly Buffer[] => {
	const {content, ...rest} = body as {readonly content?: unknown};
	if (typeof content !== 'string' || content.length <= PIECE) return [Buffer.from(JSON.stringify(body))];
	const pieces: Buffer[] = [];
	for (let at = 0, end = 0; at < content.length; at = end) {
		end = at + PIECE;
		// Keeps a surrogate pair together.
		if ((content.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
		pieces.push(Buffer.from(JSON.stringify(content.slice(at, end))).subarray(1, -1));
	}
	const others = JSON.stringify(rest).slice(1, -1);
	return [Buffer.from('{"content":"'), ...pieces, Buffer.from(others === '' ? '"}' : `",${others}}`)];
};

export const lengthOfBody = (pieces: readonly Buffer[]): number =>
	pieces.reduce((sum, {length}) => sum + length, 0);

/** Writes a large body piece by piece, and stops if the service rejects it early. */
const inPieces = (
	request: http.ClientRequest,
	end: (piece: Uint8Array, done?: () => void) => void,
	body: readonly Buffer[],
	done?: () => void,
): void => {
	let isRefused = false;
	request.once('response', response => {
		isRefused = (response.statusCode ?? 0) >= 400;
		if (isRefused && !request.writableEnded) response.once('end', () => request.destroy());
	});
	const next = (index: number): void => {
		const piece = body[index];
		if (isRefused || request.destroyed || piece === undefined) return;
		if (index === body.length - 1) end(piece, done);
		else request.write(piece, () => setImmediate(next, index + 1));
	};
	next(0);
};

/**
 * Writes the body in one call of `end`. The library got would write pieces of 64 KiB, with a turn
 * of the event loop after each. If the response headers arrive in such a turn, got considers the
 * request stale and destroys it. From a busy program, 50 of 60 questions of 70 KB were lost.
 */
export const withBody =
	(body: readonly Buffer[]): RequestFunction =>
	(url, options, callback) => {
		const request = (url.protocol === 'https:' ? https : http).request(url, options, callback);
		const end = request.end.bind(request) as (piece: Uint8Array, done?: () => void) => void;
		// Adds the body here, because got ends a stream request without a body.
		request.end = ((done?: () => void) => {
			if (lengthOfBody(body) <= AT_ONCE) end(Buffer.concat(body), done);
			else inPieces(request, end, body, done);
			return request;
		}) as typeof request.end;
		return request;
	};
