import {once} from 'node:events';
import http from 'node:http';
import https from 'node:https';
import got, {type Delays, type Got, type Request} from 'got';
import {classify, type Fault, type Place} from './classify.ts';
import type {Failure, Reply} from './failure.ts';
import {ERROR_BODY_CAP, LIMITS, type CallKind, type Limits} from './limits.ts';
import type {ClientSettings} from './client-types.ts';
import {targetOf, type Target} from './target.ts';

export type Call = {
	readonly kind: CallKind;
	readonly method: 'GET' | 'POST' | 'PUT';
	/** Below `{base_url}/api/`, filled and encoded. */
	readonly path: string;
	readonly body?: object;
	/** Tag of the content that is to be replaced. */
	readonly ifMatch?: string | undefined;
	readonly signal?: AbortSignal | undefined;
};

export type Head = {readonly status: number; readonly contentType: string; readonly retryAfter?: string; readonly location?: string; readonly etag?: string};
/** `body` is empty when a sink took it, and only a part where `status` is not 2xx. */
export type Answer = Head & {readonly body: Buffer};

/** Takes the body of a 2xx answer piece by piece. */
export type Sink = {
	/** False: not what is expected; the beginning of the body is kept instead. */
	accepts(head: Head): boolean;
	/** False: enough. */
	take(bytes: Uint8Array): boolean;
};

export type Transport = {
	/** `{base_url}/api/`. */
	readonly base: URL;
	readonly host: string;
	readonly limits: Limits;
	/** Removes the key from a text of the service, also one that has been cut. */
	redact(text: string): string;
	fail(call: Call, fault: Fault & Pick<Failure, 'status' | 'body' | 'retryAfter'>): Failure;
	/** Sends one call, once, and reads its answer, whatever the status. */
	send(call: Call, sink?: Sink): Promise<Reply<Answer>>;
};

const connectTo = ({url, loopback, authorities}: Target, {proxyEnv}: ClientSettings, idle: {readonly timeout?: number}): Got => {
	// An agent of our own: Node's default one would send loopback calls, key included, to HTTP_PROXY under NODE_USE_ENV_PROXY.
	const agent = {keepAlive: true, maxSockets: 16, ...idle, ...(loopback || !proxyEnv ? {} : {proxyEnv: {...proxyEnv}})};
	return got.extend({
		prefixUrl: url,
		allowAbsoluteUrls: false,
		// got forwards the key to any origin that a redirect names.
		followRedirect: false,
		throwHttpErrors: false,
		// By default got sends a PUT again whose answer was lost, and waits a day for `Retry-After: 86400`.
		retry: {limit: 0},
		http2: false,
		headers: {'user-agent': 'svc-tui'},
		agent: {http: new http.Agent(agent), https: new https.Agent(agent)},
		https: authorities ? {certificateAuthority: [...authorities]} : {},
	});
};

const headOf = ({response}: Request): Head => {
	// got emits `response` after it has set the field.
	if (!response) throw new Error('got announced a response that it does not have');
	const {'content-type': contentType = '', 'retry-after': retryAfter, location, etag} = response.headers;
	return {status: response.statusCode, contentType, ...(retryAfter === undefined ? {} : {retryAfter}), ...(location === undefined ? {} : {location}), ...(etag === undefined ? {} : {etag})};
};

/** What a sink threw: a bug of ours, which must not pass for a fault of the network. */
class SinkError extends Error {}

const give = (sink: Sink, bytes: Uint8Array): boolean => {
	try {
		return sink.take(bytes);
	} catch (cause) {
		throw new SinkError('', {cause});
	}
};

/** The whole body, or undefined when it exceeds the cap. The chunks are decompressed ones, so that a small bomb stops here too. */
const readBody = async (stream: Request, cap: number, sink: Sink | undefined): Promise<Buffer | undefined> => {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream as AsyncIterable<Buffer>) {
		if (sink) {
			if (!give(sink, chunk)) break;
			continue;
		}
		size += chunk.length;
		if (size > cap) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
};

/** The beginning of a body that is only shown: it may be endless, or break off. */
const readStart = async (stream: Request, milliseconds: number): Promise<Buffer> => {
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

export const isSuccess = ({status}: Pick<Head, 'status'>): boolean => status >= 200 && status < 300;

/** Beginnings of the key shorter than this are not taken for a part of it. */
const PART = 6;

/** Removes the key from a text, and a beginning of the key from its end: the text may have been cut there. */
const withoutKey = (apiKey: string) => {
	const forms = [...new Set([apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)])];
	const partAtEnd = (text: string, form: string): string => {
		for (let length = form.length - 1; length >= PART; length--) {
			if (text.endsWith(form.slice(0, length))) return `${text.slice(0, -length)}[API key]`;
		}
		return text;
	};
	return (text: string): string => forms.reduce((rest, form) => partAtEnd(rest.replaceAll(form, '[API key]'), form), text);
};

/** Shorter than any service keeps an idle connection; Node's own is 5 s. */
const FRESH_MS = 3000;

/** A question to the assistant changes nothing either, so that it is safe to ask again. */
const isSafe = ({method, kind}: Call): boolean => method === 'GET' || kind === 'chat';

const isReset = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** Of settings that cannot be used: nothing is ever sent. */
const closed = (limits: Limits, message: string): Transport => {
	const fail: Transport['fail'] = ({method, path}) => ({kind: 'config', method, path: `/api/${path}`, message});
	return {base: new URL('about:blank'), host: '', limits, redact: (text) => text, fail, send: async (call) => ({ok: false, failure: fail(call, {kind: 'config', message})})};
};

/** The way to the service. Every call goes through its `send`. */
export const createTransport = (settings: ClientSettings, limits: Limits = LIMITS): Transport => {
	const target = targetOf(settings);
	if (typeof target === 'string') return closed(limits, target);
	const {url} = target;
	const connection = connectTo(target, settings, {});
	// What changes something takes a connection that was used a moment ago, or a new one: were it lost on one that the service has given
	// up, as when a laptop wakes, nobody could say whether it was carried out.
	const freshConnection = connectTo(target, settings, {timeout: FRESH_MS});
	const place = (delays: Readonly<Delays>): Place =>
		({host: url.host, hostname: url.hostname, port: url.port || (url.protocol === 'https:' ? '443' : '80'), delays});

	const fail: Transport['fail'] = (call, {nothingDone, ...fault}) => ({
		method: call.method,
		path: `/api/${call.path}`,
		...fault,
		...(!isSafe(call) && !nothingDone ? {ambiguous: true} : {}),
	});

	const sendOnce: Transport['send'] = async (call, sink) => {
		const stopped = (nothingDone: boolean): Reply<Answer> =>
			({ok: false, failure: fail(call, {kind: 'cancelled', message: 'Stopped before the answer was complete.', nothingDone})});
		if (call.signal?.aborted) return stopped(true);
		const {timeout, cap} = limits[call.kind];
		const stream = (isSafe(call) ? connection : freshConnection).stream(call.path, {
			method: call.method,
			timeout: {...timeout},
			headers: {apiKey: settings.apiKey, accept: sink ? 'text/plain' : 'application/json', ...(call.ifMatch !== undefined && {'if-match': call.ifMatch})},
			...(call.body === undefined ? {} : {json: call.body}),
			...(call.signal === undefined ? {} : {signal: call.signal}),
		});
		// Whoever waits sees an error by itself; this is for one that comes when nobody waits any more.
		stream.on('error', () => {});
		let head: Head | undefined;
		try {
			await once(stream, 'response');
			head = headOf(stream);
			const expected = isSuccess(head) && (sink?.accepts(head) ?? true);
			const body = expected ? await readBody(stream, cap, sink) : await readStart(stream, limits.errorBody);
			if (body !== undefined) return {ok: true, value: {...head, body}};
			const message = `The answer of ${url.host} is larger than ${cap / (1 << 20)} MiB: reading stopped.`;
			return {ok: false, failure: fail(call, {kind: 'too-large', status: head.status, message})};
		} catch (error) {
			if (error instanceof SinkError) throw error.cause;
			if (call.signal?.aborted) return stopped(false);
			// The service had closed this idle connection while we were busy or the machine slept: the question never arrived. Ends with a fresh one.
			if (isSafe(call) && head === undefined && stream.reusedSocket && isReset(error)) return sendOnce(call, sink);
			return {ok: false, failure: fail(call, {...classify(error, place(timeout)), ...(head && {status: head.status})})};
		}
	};

	const {watch} = settings;
	const send: Transport['send'] = watch === undefined ? sendOnce : async (call, sink) => {
		const cancelled = new AbortController();
		const ended = watch({
			method: call.method, path: `/api/${call.path}`, cancel: () => cancelled.abort(),
			...(call.body !== undefined && call.kind !== 'upload' && {body: call.body}),
		});
		const reply = await sendOnce({...call, signal: call.signal === undefined ? cancelled.signal : AbortSignal.any([call.signal, cancelled.signal])}, sink);
		ended(reply.ok ? {status: reply.value.status} : {problem: reply.failure.kind, ...(reply.failure.status !== undefined && {status: reply.failure.status})});
		return reply;
	};

	return {base: url, host: url.host, limits, redact: withoutKey(settings.apiKey), fail, send};
};
