import http, {type IncomingMessage} from 'node:http';
import https from 'node:https';
import type {AssistantModel} from './assistant-models.ts';
import {ModelFault} from './model-fault.ts';
import {detailIn, refusalOf, silent, unreachable, unreadable, whoIs} from './model-words.ts';
import {codeOf} from '../../../text/errors.ts';
import {proxyFor} from '../../../machine/proxy.ts';
import {fieldsOf} from '../../../text/record.ts';

/** In milliseconds. */
const MODEL_LIMITS = {
	/** Until the answer begins: a large model may be loaded first. */
	firstByte: 300_000,
	/** Without a byte; comments that only keep the connection alive count. */
	silence: 300_000,
	/** How long what follows the last token may take: usage, and the end. */
	afterFinish: 3000,
};
export type ModelLimits = Readonly<typeof MODEL_LIMITS>;

/** The limits of a model, by its settings. */
export const limitsOf = ({silence}: Pick<AssistantModel, 'silence'>): ModelLimits =>
	silence === undefined
		? MODEL_LIMITS
		: {...MODEL_LIMITS, firstByte: silence * 1000, silence: silence * 1000};

/** Characters read of an error, and milliseconds that they may take. */
const ERROR_TEXT = 16_384;
const ERROR_TIME = 3000;

export type Question = {readonly messages: readonly {readonly role: string; readonly content: string}[]};

const keyHeader = ({key, keyHeader: name}: AssistantModel): Readonly<Record<string, string>> => {
	if (key === null) return {};
	return name === undefined ? {authorization: `Bearer ${key}`} : {[name]: key};
};

/** Node's error names where it tried to connect to. */
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
		// One connection for one answer: going away closes it, and the model stops.
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
	// Errors that come later are the answer's, which its reader gets.
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

/** What an error answer says, as far as it can be had soon. */
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
 * Asks a model for a streamed answer, and answers when the stream begins. Whoever gets it has to read or destroy it.
 * @throws {ModelFault} or an abort error once the signal is aborted.
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
	// Some servers refuse every field that they do not know: better an answer without usage than none.
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
