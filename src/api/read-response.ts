import http from 'node:http';
import type {Request} from 'got';
import {definedFields} from '../text/record.ts';
import {ERROR_BODY_CAP} from './limits.ts';
import type {ContentReader} from './read-content.ts';

/** `phrase`: the status text, if it is not the standard one. */
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
	/** False for an unexpected response: its first bytes are stored instead. */
	accepts(head: Head): boolean;
	/** False: stop reading. */
	take(bytes: Uint8Array): boolean;
};

export const headOf = ({response}: Request): Head => {
	// The library got sets the field before it emits `response`.
	if (!response) throw new Error('got announced a response that it does not have');
	const {'content-type': contentType = '', 'retry-after': retryAfter, location, etag} = response.headers;
	const beats = response.headers['x-svc-beats']?.toString();
	const {statusCode: status, statusMessage: phrase = ''} = response;
	// Only plain ASCII: anything else is garbled.
	const shown = phrase !== http.STATUS_CODES[status] && /^[\x20-\x7e]{1,200}$/.test(phrase) ? {phrase} : {};
	return {status, ...shown, contentType, ...definedFields({retryAfter, location, etag, beats})};
};

export const isSuccess = ({status}: Pick<Head, 'status'>): boolean => status >= 200 && status < 300;

/** Announced size of the body as sent, perhaps compressed, in bytes. 0 if not announced. */
export const lengthOf = ({response}: Request): number => Number(response?.headers['content-length']) || 0;

/** Rounded up, so that a size above the limit never reads like the limit. */
export const mebibytes = (bytes: number): string =>
	`${Math.ceil(bytes / (1 << 20)).toLocaleString('en')} MiB`;

/** Advice for a file that is too large to read. */
export const READ_A_PART =
	'Read a part of it in a cell: open(path).read(1_000_000), or read_csv(path, nrows=1000).';

/** Exception of a sink: a bug, not to be reported as a network failure. */
export class SinkError extends Error {}

const give = (sink: Sink, bytes: Uint8Array): boolean => {
	try {
		return sink.take(bytes);
	} catch (cause) {
		throw new SinkError('', {cause});
	}
};

/** Bytes from which a body is copied as it arrives: joining it at the end doubles the memory. */
export const LARGE_BODY = 4 << 20;

/** Bytes within which a file's content must start; otherwise the response is parsed as a whole. */
const CONTENT_HEAD = 64 << 10;

/** `parsed`: value parsed on arrival, undefined if not JSON. `body` is then its start. */
export type Body = {readonly body: Buffer; readonly parsed?: {readonly value: unknown}};

type ReadOptions = {
	readonly cap: number;
	readonly sink: Sink | undefined;
	/** Announced size in bytes. 0 if unknown. */
	readonly announced: number;
	/** Set for a file. `onBeginning` gets the response with the start of a long content. */
	readonly file: {readonly onBeginning?: (answer: Readonly<Record<string, unknown>>) => void} | undefined;
};

/** Reads a body. Undefined above `cap`, counted after decompression because of zip bombs. */
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
		// More than announced, since the announced size is the compressed one.
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
		// A broken body is ignored: the status matters, and the received part is shown.
	} finally {
		clearTimeout(timer);
	}
	return Buffer.concat(chunks);
};
