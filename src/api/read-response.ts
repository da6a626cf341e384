import http from 'node:http';
import type {Request} from 'got';
import {definedFields} from '../text/record.ts';
import {ERROR_BODY_CAP} from './limits.ts';
import type {ContentReader} from './read-content.ts';

/** `phrase` is what stands beside the status where it is not the usual one. */
export type Head = {
	readonly status: number;
	readonly phrase?: string;
	readonly contentType: string;
	readonly retryAfter?: string;
	readonly location?: string;
	readonly etag?: string;
	/** It sends an empty line now and then while there is nothing to say. */
	readonly beats?: string;
};
/** Takes the body of a 2xx answer piece by piece. */
export type Sink = {
	/** False: not what is expected; the beginning of the body is kept instead. */
	accepts(head: Head): boolean;
	/** False: enough. */
	take(bytes: Uint8Array): boolean;
};

export const headOf = ({response}: Request): Head => {
	// got emits `response` after it has set the field.
	if (!response) throw new Error('got announced a response that it does not have');
	const {'content-type': contentType = '', 'retry-after': retryAfter, location, etag} = response.headers;
	const beats = response.headers['x-svc-beats']?.toString();
	const {statusCode: status, statusMessage: phrase = ''} = response;
	// Everything but plain letters is left out: it would not be what the service meant.
	const shown = phrase !== http.STATUS_CODES[status] && /^[\x20-\x7e]{1,200}$/.test(phrase) ? {phrase} : {};
	return {status, ...shown, contentType, ...definedFields({retryAfter, location, etag, beats})};
};

export const isSuccess = ({status}: Pick<Head, 'status'>): boolean => status >= 200 && status < 300;

/** Bytes that an answer is said to have, still packed where it is; 0 where it is not said. */
export const lengthOf = ({response}: Request): number => Number(response?.headers['content-length']) || 0;

/** Rounded up: what is above a limit does not read as if it were the limit. */
export const mebibytes = (bytes: number): string =>
	`${Math.ceil(bytes / (1 << 20)).toLocaleString('en')} MiB`;

/** Of a file that is too large to be read. */
export const READ_A_PART =
	'Read a part of it in a cell: open(path).read(1_000_000), or read_csv(path, nrows=1000).';

/** What a sink threw: a bug of ours, which must not pass for a fault of the network. */
export class SinkError extends Error {}

const give = (sink: Sink, bytes: Uint8Array): boolean => {
	try {
		return sink.take(bytes);
	} catch (cause) {
		throw new SinkError('', {cause});
	}
};

/** Bytes. A body that is no smaller is put together as it comes: to do so at its end would hold two of it. */
export const LARGE_BODY = 4 << 20;

/** Bytes of a file's answer within which its content begins; else it is parsed as a whole. */
const CONTENT_HEAD = 64 << 10;

/** `value`: of an answer that was parsed as it came; undefined where it is not JSON. `body` is its beginning then. */
export type Body = {readonly body: Buffer; readonly parsed?: {readonly value: unknown}};

type ReadOptions = {
	readonly cap: number;
	readonly sink: Sink | undefined;
	/** Bytes that it is said to have, 0 where it is not said. */ readonly announced: number;
	/** Of a file: gets the answer with the beginning of a long content. */
	readonly file: {readonly onBeginning?: (answer: Readonly<Record<string, unknown>>) => void} | undefined;
};

/** The whole body, or undefined when it exceeds the cap. The chunks are decompressed ones, so that a small bomb stops here too. */
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
		// More than was said: it was packed.
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

/** The beginning of a body that is only shown: it may be endless, or break off. */
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
		// The status says enough; what came of the body is shown.
	} finally {
		clearTimeout(timer);
	}
	return Buffer.concat(chunks);
};
