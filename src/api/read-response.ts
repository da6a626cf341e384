import http from 'node:http';
import type {Request} from 'got';
import {definedFields} from '../text/record.ts';
import {ERROR_BODY_CAP} from './limits.ts';
import type {ContentReader} from './read-content.ts';

/** Status and headers of a response. `phrase`: the status text, if it is not the standard one. */
export type Head = {
	readonly status: number;
	readonly phrase?: string;
	readonly contentType: string;
	readonly retryAfter?: string;
	readonly location?: string;
	readonly etag?: string;
	/** Set if the service sends empty lines as heartbeats. */
	readonly beats?: string;
};
/** Receives the body of a 2xx response in chunks. */
export type Sink = {
	/**
	 * Called first. Returns false for an unexpected response, whose first bytes are then stored
	 * instead.
	 */
	accepts(head: Head): boolean;
	/** Receives a chunk. Returns false to stop reading. */
	take(bytes: Uint8Array): boolean;
};

export const headOf = ({response}: Request): Head => {
	// Never happens, because got sets the field before it emits `response`.
	if (!response) throw new Error('got announced a response that it does not have');
	const {'content-type': contentType = '', 'retry-after': retryAfter, location, etag} = response.headers;
	const beats = response.headers['x-svc-beats']?.toString();
	const {statusCode: status, statusMessage: phrase = ''} = response;
	// Only plain ASCII, because Node decodes other characters wrongly.
	const shown = phrase !== http.STATUS_CODES[status] && /^[\x20-\x7e]{1,200}$/.test(phrase) ? {phrase} : {};
	return {status, ...shown, contentType, ...definedFields({retryAfter, location, etag, beats})};
};

export const isSuccess = ({status}: Pick<Head, 'status'>): boolean => status >= 200 && status < 300;

/**
 * Size of the body that the header announces, in bytes, perhaps compressed. 0 if it announces none.
 */
export const lengthOf = ({response}: Request): number => Number(response?.headers['content-length']) || 0;

/** Size in MiB, rounded up so that a size above a limit differs from the limit. */
export const mebibytes = (bytes: number): string =>
	`${Math.ceil(bytes / (1 << 20)).toLocaleString('en')} MiB`;

/** Advice for a file that is too large to read. */
export const READ_A_PART =
	'Read a part of it in a cell: open(path).read(1_000_000), or read_csv(path, nrows=1000).';

/** Wraps an exception of a sink. It is a bug, and must not be reported as a network failure. */
export class SinkError extends Error {}

const give = (sink: Sink, bytes: Uint8Array): boolean => {
	try {
		return sink.take(bytes);
	} catch (cause) {
		throw new SinkError('', {cause});
	}
};

/**
 * Size in bytes from which a body is collected in one buffer as it arrives. Joining chunks at the
 * end would take twice the memory.
 */
export const LARGE_BODY = 4 << 20;

/**
 * First bytes of a response in which a file's content must start. Otherwise the response is parsed
 * as a whole.
 */
const CONTENT_HEAD = 64 << 10;

/**
 * `parsed`: value that was parsed while it arrived, undefined if it was not JSON. `body`: only the
 * start of the body if it was parsed.
 */
export type Body = {readonly body: Buffer; readonly parsed?: {readonly value: unknown}};

type ReadOptions = {
	readonly cap: number;
	readonly sink: Sink | undefined;
	/** Announced size in bytes. 0 if unknown. */
	readonly announced: number;
	/**
	 * Present if the response contains a file. `onBeginning`: receives the response with the start
	 * of a long content.
	 */
	readonly file: {readonly onBeginning?: (answer: Readonly<Record<string, unknown>>) => void} | undefined;
};

/**
 * Reads a body. Undefined if it is larger than `cap`. The decompressed size counts, because of zip
 * bombs.
 */
export const readBody = async (
	stream: Request,
	{cap, sink, announced, file}: ReadOptions,
): Promise<Body | undefined> => {
	const chunks: Buffer[] = [];
	let whole: Buffer | null = announced < LARGE_BODY ? null : Buffer.allocUnsafeSlow(announced);
	let size = 0;
	let content: ContentReader | null = null;
	let isLookedAt = file === undefined;
	const read = (): Buffer => (whole === null ? Buffer.concat(chunks) : whole.subarray(0, size));
	for await (const chunk of stream as AsyncIterable<Buffer>) {
		if (sink) {
			if (!give(sink, chunk)) break;
			continue;
		}
		if (size + chunk.length > cap) return undefined;
		if (content !== null) {
			size += chunk.length;
			content.take(chunk);
			continue;
		}
		// May exceed the announced size, which is that of the compressed body.
		if (whole !== null && size + chunk.length > whole.length) {
			chunks.push(whole.subarray(0, size));
			whole = null;
		}
		if (whole === null) chunks.push(chunk);
		else whole.set(chunk, size);
		size += chunk.length;
		if (!isLookedAt && size >= CONTENT_HEAD) {
			isLookedAt = true;
			const head = Buffer.concat([read()]);
			const {readContent} = await import('./read-content.ts');
			content = readContent(head, file?.onBeginning);
			if (content === null) continue;
			whole = null;
			chunks.splice(0, Infinity, head);
		}
	}
	return content === null ? {body: read()} : {body: read(), parsed: {value: content.value()}};
};

/** Reads the start of a body for display only. The body may be endless, or break off. */
export const readStart = async (stream: Request, milliseconds: number): Promise<Buffer> => {
	const chunks: Buffer[] = [];
	let size = 0;
	const timer = setTimeout(() => stream.destroy(), milliseconds);
	try {
		for await (const chunk of stream as AsyncIterable<Buffer>) {
			chunks.push(chunk);
			size += chunk.length;
			if (size >= ERROR_BODY_CAP) break;
		}
	} catch {
		// An error is ignored, because the status matters more and the received part is still
		// shown.
	} finally {
		clearTimeout(timer);
	}
	return Buffer.concat(chunks);
};
