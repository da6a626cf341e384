import http from 'node:http';
import https from 'node:https';
import type {RequestFunction} from 'got';

/** Bytes that are handed over at once: a larger body would hide a refusal that comes while it is being sent. */
const AT_ONCE = 1 << 20;
/** UTF-16 units of a text that are made JSON at a time. */
const PIECE = 1 << 18;

/** A body as JSON, in pieces where its content is long: in one it would take as much room again. */
export const jsonBody = (body: object): readonly Buffer[] => {
	const {content, ...rest} = body as {readonly content?: unknown};
	if (typeof content !== 'string' || content.length <= PIECE) return [Buffer.from(JSON.stringify(body))];
	const pieces: Buffer[] = [];
	for (let at = 0, end = 0; at < content.length; at = end) {
		end = at + PIECE;
		// Not within a pair of surrogates.
		if ((content.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
		pieces.push(Buffer.from(JSON.stringify(content.slice(at, end))).subarray(1, -1));
	}
	const others = JSON.stringify(rest).slice(1, -1);
	return [Buffer.from('{"content":"'), ...pieces, Buffer.from(others === '' ? '"}' : `",${others}}`)];
};

/** Bytes of a body. */
export const lengthOfBody = (pieces: readonly Buffer[]): number =>
	pieces.reduce((sum, {length}) => sum + length, 0);

/** The rest of a large body, piece by piece; what a service refuses before it has read all is not sent to its end. */
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
 * Hands a body over in one call of `end`. got writes it in pieces of 64 KiB with a pass of the event loop after each, and when the head of the
 * answer arrives in such a pass, it takes the request for a stale one and destroys it: of 60 questions of 70 KB from a busy program 50 were lost.
 */
export const withBody =
	(body: readonly Buffer[]): RequestFunction =>
	(url, options, callback) => {
		const request = (url.protocol === 'https:' ? https : http).request(url, options, callback);
		const end = request.end.bind(request) as (piece: Uint8Array, done?: () => void) => void;
		// got ends the request of a stream that nothing was written to: the body goes along.
		request.end = ((done?: () => void) => {
			if (lengthOfBody(body) <= AT_ONCE) end(Buffer.concat(body), done);
			else inPieces(request, end, body, done);
			return request;
		}) as typeof request.end;
		return request;
	};
