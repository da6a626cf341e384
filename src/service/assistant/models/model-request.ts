import http, {type IncomingMessage} from 'node:http';
import https from 'node:https';
import type {AssistantModel} from './assistant-models.ts';
import {ModelFault} from './model-fault.ts';
import {detailIn, refusalOf, silent, unreachable, unreadable, whoIs} from './model-words.ts';
import {codeOf} from '../../../text/errors.ts';
import {proxyFor} from '../../../machine/proxy.ts';
import {fieldsOf} from '../../../text/record.ts';

/** Time limits in ms. */
const MODEL_LIMITS = {
	/**
	 * Limit until the response starts. Long, because the server may first have to load a large
	 * model.
	 */
	firstByte: 300_000,
	/** Limit between two pieces of data. Comments that keep the connection open count as data. */
	silence: 300_000,
	/**
	 * Limit from the finish reason to the end of the response. The token counts arrive in this
	 * time.
	 */
	afterFinish: 3000,
};
export type ModelLimits = Readonly<typeof MODEL_LIMITS>;

export const limitsOf = ({silence}: Pick<AssistantModel, 'silence'>): ModelLimits =>
	silence === undefined
		? MODEL_LIMITS
		: {...MODEL_LIMITS, firstByte: silence * 1000, silence: silence * 1000};

/** Limits for reading an error response: length in UTF-16 units, and time in ms. */
const ERROR_TEXT = 16_384;
const ERROR_TIME = 3000;

export type Question = {readonly messages: readonly {readonly role: string; readonly content: string}[]};

const keyHeader = ({key, keyHeader: name}: AssistantModel): Readonly<Record<string, string>> => {
	if (key === null) return {};
	return name === undefined ? {authorization: `Bearer ${key}`} : {[name]: key};
};

/**
 * True if a Node error names an address other than the model server's, which must be the proxy's.
 */
const hasFailedAtProxy = (error: unknown, url: URL): boolean => {
	const {port, hostname} = fieldsOf(error);
	return (
		(typeof port === 'number' && String(port) !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) ||
		(typeof hostname === 'string' && hostname !== url.hostname.replaceAll(/^\[|\]$/g, ''))
	);
};

const send = async (
	model: AssistantModel,
	body: string,
	{signal, limits}: {readonly signal: AbortSignal; readonly limits: ModelLimits},
): Promise<IncomingMessage> => {
	const url = new URL(`${model.baseUrl}/chat/completions`);
	const proxy = proxyFor(url, model.proxies);
	if (typeof proxy === 'string') throw new ModelFault(`${whoIs(model)} cannot be reached: ${proxy}`);
	const {Agent, request: ask} = url.protocol === 'https:' ? https : http;
	const request = ask(url, {
		method: 'POST',
		// Opens a new connection for each answer, because closing the connection is how an answer
		// is stopped.
		agent: new Agent({keepAlive: false, ...(proxy && {proxyEnv: {...proxy.env}})}),
		signal,
		headers: {
			...model.headers,
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			accept: 'text/event-stream',
			...keyHeader(model),
		},
	});
	const answered = Promise.withResolvers<IncomingMessage>();
	const timer = setTimeout(() => request.destroy(silent(model, limits.firstByte)), limits.firstByte);
	// Errors after the start of the response are passed to the code that reads the response.
	request.on('error', answered.reject).on('response', answered.resolve).end(body);
	try {
		return await answered.promise;
	} catch (error) {
		if (error instanceof ModelFault || signal.aborted) throw error;
		throw unreachable(model, codeOf(error) || 'unknown error', hasFailedAtProxy(error, url));
	} finally {
		clearTimeout(timer);
	}
};

const errorIn = async (response: IncomingMessage, model: AssistantModel): Promise<string> => {
	const timer = setTimeout(() => response.destroy(), ERROR_TIME);
	let text = '';
	try {
		for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) {
			text += piece;
			if (text.length > ERROR_TEXT) return '';
		}
		return detailIn(JSON.parse(text), model);
	} catch {
		return '';
	} finally {
		clearTimeout(timer);
		response.destroy();
	}
};

/**
 * Requests a streamed answer. Resolves when the response starts. The caller must read or destroy
 * the response.
 * @throws {ModelFault} if the model server rejects the request or fails. Throws an abort error
 * after the signal is aborted.
 */
export const askModel = async (
	model: AssistantModel,
	{messages}: Question,
	options: {readonly signal: AbortSignal; readonly limits: ModelLimits},
): Promise<IncomingMessage> => {
	const {temperature} = model;
	const body = {model: model.model, messages, stream: true, ...(temperature !== undefined && {temperature})};
	let response = await send(model, JSON.stringify({...body, stream_options: {include_usage: true}}), options);
	let detail = response.statusCode === 200 ? '' : await errorIn(response, model);
	// Some servers reject unknown fields. Repeats the request without them, because an answer
	// without token counts is better than none.
	if (response.statusCode !== 200 && /stream_options|include_usage/.test(detail)) {
		response = await send(model, JSON.stringify(body), options);
		detail = response.statusCode === 200 ? '' : await errorIn(response, model);
	}
	if (response.statusCode !== 200) throw refusalOf(model, response.statusCode ?? 0, detail);
	if (/\bhtml\b/i.test(response.headers['content-type'] ?? '')) {
		response.destroy();
		throw unreadable(model);
	}
	return response;
};
