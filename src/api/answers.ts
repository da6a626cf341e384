import * as z from 'zod';
import type {Fault} from './classify.ts';
import type {Failure, FailureKind, Reply} from './failure.ts';
import {isSuccess, type Answer, type Call, type Transport} from './transport.ts';

const SNIPPET = 2048;
const SENTENCE = 300;

/** The first 2 KB of a body as text, without the key. */
export const snippetOf = (transport: Transport, body: Uint8Array): {readonly body?: string} => {
	const text = transport.redact(new TextDecoder().decode(body.subarray(0, 4 * SNIPPET)));
	return text === '' ? {} : {body: text.slice(0, SNIPPET)};
};

// Errors are not specified: these are the fields in which services of this kind put their sentence.
const sentence = z.union([
	z.object({message: z.string().min(1)}).transform((found) => found.message),
	z.object({error: z.string().min(1)}).transform((found) => found.error),
	z.object({error: z.object({message: z.string().min(1)})}).transform((found) => found.error.message),
	z.object({detail: z.string().min(1)}).transform((found) => found.detail),
]);

const jsonOf = (body: Uint8Array): {readonly value: unknown} | undefined => {
	try {
		return {value: JSON.parse(new TextDecoder().decode(body))};
	} catch {
		return undefined;
	}
};

/** The service's own words, to follow a sentence of ours. */
const wordsOf = (transport: Transport, value: unknown): string => {
	const found = sentence.safeParse(value);
	return found.success ? `: ${transport.redact(found.data).split(/[\r\n]/, 1)[0]?.slice(0, SENTENCE)}` : '.';
};

/** Seconds of a Retry-After header, given as such or as a date. */
const secondsOf = (header: string | undefined): {readonly retryAfter?: number} => {
	if (header === undefined) return {};
	if (/^\s*\d{1,9}\s*$/.test(header)) return {retryAfter: Number(header)};
	const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
	return Number.isNaN(date) ? {} : {retryAfter: Math.max(0, Math.ceil((date - Date.now()) / 1000))};
};

const kindOf = (status: number, call: Call): FailureKind => {
	switch (status) {
		case 401:
			return 'auth';
		case 403:
			// Of a single file it says that this file is out of bounds, not that the key is wrong.
			return call.kind === 'file' || call.kind === 'upload' ? 'refused' : 'auth';
		case 404:
			return 'not-found';
		case 407:
			return 'unreachable';
		case 409:
			return 'conflict';
		case 413:
			return 'upload-too-large';
		case 429:
			return 'rate-limited';
		default:
			return status >= 500 ? 'server' : 'refused';
	}
};

const OPENING: {readonly [kind in FailureKind]?: string} = {
	auth: 'rejects the key',
	'not-found': 'has nothing of that name',
	unreachable: 'is behind a proxy that asks for a password',
	conflict: 'cannot do that now',
	'upload-too-large': 'does not take that much',
	'rate-limited': 'asks for fewer requests',
	refused: 'refuses the request',
};

const redirected = (transport: Transport, {location = '', status}: Answer): Fault => {
	// Only the origin: the rest of the address may hold a token.
	const origin = URL.parse(location, transport.base.href)?.origin;
	return {
		kind: 'redirect',
		message: `${transport.host} redirects${origin ? ` to ${origin}` : ''} (${status}): not followed, since the key would go along.`,
		// 303 is the answer to a request that was carried out.
		nothingDone: status !== 303,
	};
};

/** The failure that a status other than 2xx means. */
export const refusal = (transport: Transport, call: Call, answer: Answer): Failure => {
	const {status} = answer;
	if (status >= 300 && status < 400) return transport.fail(call, {...redirected(transport, answer), status});
	const kind = kindOf(status, call);
	const opening = OPENING[kind] ?? ([502, 503, 504].includes(status) ? 'is unavailable' : 'failed');
	return transport.fail(call, {
		kind,
		status,
		message: `${transport.host} ${opening} (${status})${wordsOf(transport, jsonOf(answer.body)?.value)}`,
		nothingDone: status < 500,
		...snippetOf(transport, answer.body),
		...secondsOf(answer.retryAfter),
	});
};

/** A 2xx answer that is not what the interface states. `why` follows the host's name. */
export const offContract = (transport: Transport, call: Call, answer: Pick<Answer, 'status' | 'body'>, why: string): Failure =>
	transport.fail(call, {kind: 'off-contract', status: answer.status, message: `${transport.host} ${why}`, ...snippetOf(transport, answer.body)});

/** What an answer is that is not the text expected. */
export const strangeness = ({contentType, body}: Answer, expected: string): string => {
	if (body.length === 0) return 'sent an empty answer.';
	const start = new TextDecoder().decode(body.subarray(0, 200)).trimStart();
	if (/\bhtml\b/i.test(contentType) || start.startsWith('<')) return `sent a web page instead of ${expected}.`;
	return `sent something that is not ${expected}.`;
};

const envelope = z.looseObject({status: z.string()});

/** An answer parsed whole by its row's shape; the first three fields that do not fit are named, never their values. */
export const parseAnswer = <Shape extends z.ZodType>(transport: Transport, call: Call, answer: Answer, shape: Shape): Reply<z.output<Shape>> => {
	const no = (failure: Failure) => ({ok: false, failure}) as const;
	if (!isSuccess(answer)) return no(refusal(transport, call, answer));
	const json = jsonOf(answer.body);
	if (json === undefined) return no(offContract(transport, call, answer, strangeness(answer, 'JSON')));
	const state = envelope.safeParse(json.value);
	if (state.success && state.data.status !== 'success') {
		const said = transport.redact(state.data.status).slice(0, SENTENCE);
		return no(offContract(transport, call, answer, `answered with status ${JSON.stringify(said)} instead of "success"${wordsOf(transport, json.value)}`));
	}
	const parsed = shape.safeParse(json.value);
	if (parsed.success) return {ok: true, value: parsed.data};
	const fields = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.') || 'the whole'} (${issue.message})`);
	return no(offContract(transport, call, answer, `sent an unexpected answer: ${fields.join(', ')}.`));
};
