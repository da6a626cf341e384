import {once} from 'node:events';
import {RequestError} from 'got';
import type {Delays} from 'got';
import {pathFromRoot} from '../contract/paths.ts';
import {THINKING_HEADER} from '../contract/stream.ts';
import {classify, type Fault, type CallTarget} from './classify.ts';
import {curlOf} from './curl.ts';
import type {Failure, Reply} from './failure.ts';
import {LIMITS, type CallKind, type Limits} from './limits.ts';
import type {ClientSettings} from './client-types.ts';
import {createConnections} from './connections.ts';
import {
	headOf,
	isSuccess,
	lengthOf,
	mebibytes,
	READ_A_PART,
	readBody,
	readStart,
	SinkError,
	type Body,
	type Head,
	type Sink,
} from './read-response.ts';
import type {Proxy} from '../machine/proxy.ts';
import {createRedactor, type Redactor} from './redact.ts';
import {jsonBody, lengthOfBody, withBody} from './send-body.ts';
import type {Method} from './methods.ts';
import {targetOf} from './target.ts';
import {isUntrusted, trustSystem} from '../machine/trust.ts';
import {fieldsOf, definedFields} from '../text/record.ts';
import {codeOf} from '../text/errors.ts';

export type Call = {
	readonly kind: CallKind;
	readonly method: Method;
	/**
	 * Encoded path below `{base_url}/api/`. `../` leads to our extensions, which are outside
	 * `/api/`.
	 */
	readonly path: string;
	readonly body?: object;
	/** Tag of the content that the request replaces. */
	readonly ifMatch?: string | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Receives the response with the start of a long file content. */
	readonly onBeginning?: ((answer: unknown) => void) | undefined;
};

/** `body` is empty if a sink has taken it, and only its start if the status is not 2xx. */
export type RawResponse = Head & Body;

/** Sends the call and reads its response, even if its status is an error. */
export type Send = (sink?: Sink) => Promise<Reply<RawResponse>>;

export type Transport = Redactor & {
	/** Base URL of the API: `{base_url}/api/`. */
	readonly base: URL;
	readonly host: string;
	/** Proxy for all calls. Undefined for direct connections. */
	readonly proxy: Proxy | undefined;
	readonly limits: Limits;
	fail(
		call: Call,
		fault: Fault & Pick<Failure, 'status' | 'reason' | 'body' | 'advice' | 'retryAfter'>,
	): Failure;
	/** Makes one call, observed by `watch`. `problemOf` finds the failure in a successful value. */
	make<T>(
		call: Call,
		ask: (call: Call, send: Send) => Promise<Reply<T>>,
		problemOf?: (value: T) => Failure | null,
	): Promise<Reply<T>>;
};

/**
 * True if the call can be repeated safely. This includes questions to the assistant, because they
 * change nothing.
 */
const isSafe = ({method, kind}: Call): boolean => method === 'GET' || kind === 'chat';

const isReset = (error: unknown): boolean => ['ECONNRESET', 'EPIPE'].includes(codeOf(error));

/** Transport for invalid settings. It sends nothing. */
const closed = (limits: Limits, message: string): Transport => {
	const fail: Transport['fail'] = ({method, path}) => ({
		kind: 'config',
		method,
		path: pathFromRoot(path),
		message,
	});
	return {
		base: new URL('about:blank'),
		host: '',
		proxy: undefined,
		limits,
		redact: text => text,
		keyless: text => text,
		learn: () => {},
		fail,
		make: (call, ask) => ask(call, async () => ({ok: false, failure: fail(call, {kind: 'config', message})})),
	};
};

/** Connection to the service. Every call goes through `make`. */
export const createTransport = (settings: ClientSettings, limits: Limits = LIMITS): Transport => {
	const target = targetOf(settings);
	if (typeof target === 'string') return closed(limits, target);
	const {url, proxy} = target;
	let connections = createConnections(target, limits.tunnel);
	const place = (delays: Readonly<Delays>): CallTarget => ({
		host: url.host,
		hostname: url.hostname,
		delays,
		proxy,
	});

	const redactor = createRedactor(settings.apiKey);
	// Leaves out code, files and questions, because failures are shown, stored and shared.
	const curl = ({method, path, body, kind}: Call): string =>
		redactor.redact(
			curlOf({
				method,
				url: new URL(path, url).href,
				...(body !== undefined && kind === 'change' && {body: JSON.stringify(body)}),
			}),
		);
	const fail: Transport['fail'] = (call, {nothingDone, ...fault}) => ({
		method: call.method,
		path: pathFromRoot(call.path),
		...fault,
		...(!isSafe(call) && !nothingDone ? {ambiguous: true} : {}),
		curl: curl(call),
	});

	const send = async (call: Call, sink?: Sink): Promise<Reply<RawResponse>> => {
		let head: Head | undefined;
		const stopped = (nothingDone: boolean): Reply<RawResponse> => ({
			ok: false,
			failure: fail(call, {
				kind: 'cancelled',
				message: 'Stopped before the response was complete.',
				nothingDone,
			}),
		});
		const tooLarge = (why: string): Reply<RawResponse> => ({
			ok: false,
			failure: fail(call, {
				kind: 'too-large',
				...(head && {status: head.status}),
				message: `The response from ${url.host} ${why}`,
				...(call.kind === 'file' && {advice: READ_A_PART}),
			}),
		});
		if (call.signal?.aborted) return stopped(true);
		const {timeout, cap} = limits[call.kind];
		const body = call.body && jsonBody(call.body);
		const stream = (isSafe(call) ? connections.pooled : connections.fresh()).stream(call.path, {
			method: call.method,
			timeout: {...timeout},
			headers: {
				...(settings.apiKey !== null && {apiKey: settings.apiKey}),
				accept: sink ? 'text/plain' : 'application/json',
				...(call.kind === 'chat' && {[THINKING_HEADER]: '1'}),
				...(call.ifMatch !== undefined && {'if-match': call.ifMatch}),
				...(body && {'content-type': 'application/json', 'content-length': String(lengthOfBody(body))}),
			},
			...(body && {request: withBody(body)}),
			...definedFields({signal: call.signal}),
		});
		// Ignores late errors. A caller that is still waiting gets them from the promise.
		stream.on('error', () => {});
		// Ends the request here, because got waits for a body unless the method is GET.
		if (body || call.method !== 'GET') stream.end();
		try {
			await once(stream, 'response');
			head = headOf(stream);
			const expected = isSuccess(head) && (sink?.accepts(head) ?? true);
			const announced = sink || !expected ? 0 : lengthOf(stream);
			if (announced > cap) {
				stream.destroy();
				return tooLarge(`has ${mebibytes(announced)}; the limit is ${mebibytes(cap)}. Nothing was read.`);
			}
			const body = expected
				? await readBody(stream, {
						cap,
						sink,
						announced,
						file: call.kind === 'file' ? definedFields({onBeginning: call.onBeginning}) : undefined,
					})
				: {body: await readStart(stream, limits.errorBody)};
			if (body !== undefined) return {ok: true, value: {...head, ...body}};
			return tooLarge(`is larger than ${mebibytes(cap)}; stopped reading.`);
		} catch (error) {
			if (error instanceof SinkError) throw error.cause;
			if (call.signal?.aborted) return stopped(false);
			// The service had closed this idle connection, so the request did not arrive. Retries
			// end at the latest with a new connection.
			if (isSafe(call) && head === undefined && stream.reusedSocket && isReset(error))
				return send(call, sink);
			// Retries with the system's authorities. The untrusted connection has sent nothing.
			if (
				head === undefined &&
				error instanceof RequestError &&
				[codeOf(error), fieldsOf(error.cause)['inner']].some(isUntrusted) &&
				trustSystem()
			) {
				const known = targetOf(settings);
				if (typeof known !== 'string') connections = createConnections(known, limits.tunnel);
				return send(call, sink);
			}
			return {
				ok: false,
				failure: fail(call, {...classify(error, place(timeout)), ...(head && {status: head.status})}),
			};
		}
	};

	const {watch} = settings;
	const make: Transport['make'] = async (call, ask, problemOf = () => null) => {
		if (watch === undefined) return ask(call, sink => send(call, sink));
		const cancelled = new AbortController();
		const watched = {
			...call,
			signal: call.signal === undefined ? cancelled.signal : AbortSignal.any([call.signal, cancelled.signal]),
		};
		const ended = watch({
			method: call.method,
			path: pathFromRoot(call.path),
			cancel: () => cancelled.abort(),
			...(call.body !== undefined && call.kind !== 'upload' && {body: call.body}),
		});
		let status: number | undefined;
		const reply = await ask(watched, async sink => {
			const answer = await send(watched, sink);
			status = answer.ok ? answer.value.status : answer.failure.status;
			return answer;
		});
		const failure = reply.ok ? problemOf(reply.value) : reply.failure;
		ended({...(status !== undefined && {status}), ...(failure && {problem: failure.kind, failure})});
		return reply;
	};

	return {...redactor, base: url, host: url.host, proxy, limits, fail, make};
};
