import type * as z from 'zod';
import {keepSent} from '../text/as-sent.ts';
import {keepWritten} from '../text/exact-json.ts';
import {exactPythonJsonIn} from '../text/python-json.ts';
import {definedFields, isRecord} from '../text/record.ts';
import {actionOf, isListOfServers} from './action.ts';
import {askPassword, type Fault} from './classify.ts';
import type {Failure, FailureKind, Reply} from './failure.ts';
import {reasonIn, reasonOf} from './reason.ts';
import {isSuccess, LARGE_BODY, READ_A_PART} from './read-response.ts';
import type {RawResponse, Call, Transport} from './transport.ts';
import {withoutEnd} from '../text/ends.ts';
import {isStartedState} from '../text/server-states.ts';

const SNIPPET = 2048;
const SENTENCE = 300;

const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

/** First 2 KB of a body as text, without keys and tokens. */
export const snippetOf = (transport: Transport, body: Uint8Array): {readonly body?: string} => {
	const text = transport.redact(textOf(body.subarray(0, 4 * SNIPPET)));
	return text === '' ? {} : {body: text.slice(0, SNIPPET)};
};

/** Parses JSON, including the NaN and Infinity that Python writes. Undefined if it is not JSON. */
const jsonOf = (text: string): {readonly value: unknown} | undefined => {
	const value = exactPythonJsonIn(text);
	return value === undefined ? undefined : {value};
};

/**
 * Parses a body. Then only the start of a large body is retained, because the whole would double
 * the memory.
 */
const read = (
	answer: RawResponse,
): {readonly json: {readonly value: unknown} | undefined; readonly answer: RawResponse} => {
	const {body, parsed} = answer;
	if (parsed !== undefined) return {json: parsed.value === undefined ? undefined : parsed, answer};
	const text = textOf(body);
	if (body.length < LARGE_BODY) return {json: jsonOf(text), answer};
	const start = Buffer.from(body.subarray(0, 4 * SNIPPET));
	if (body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
	return {json: jsonOf(text), answer: {...answer, body: start}};
};

/** The service's reason, redacted. */
const redactedReason = (transport: Transport, reason: string): {readonly reason?: string} => {
	const words = transport.redact(reason);
	return words === '' ? {} : {reason: words};
};

const after = ({reason}: {readonly reason?: string}): string => (reason === undefined ? '.' : `: ${reason}`);

/** Seconds in a Retry-After header, which may be a date. */
const secondsOf = (header: string | undefined): {readonly retryAfter?: number} => {
	if (header === undefined) return {};
	if (/^\s*\d{1,9}\s*$/.test(header)) return {retryAfter: Number(header)};
	const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
	return Number.isNaN(date) ? {} : {retryAfter: Math.max(0, Math.ceil((date - Date.now()) / 1000))};
};

const KINDS: {readonly [status: number]: FailureKind} = {
	401: 'auth',
	404: 'not-found',
	407: 'unreachable',
	409: 'conflict',
	413: 'upload-too-large',
	429: 'rate-limited',
};

const kindOf = (status: number, call: Call): FailureKind => {
	if (status === 413 && call.kind === 'file') return 'too-large';
	// A valid key may lack permission. Only a 403 on the list of servers rejects the key itself.
	if (status === 403) return isListOfServers(call) ? 'auth' : 'refused';
	return KINDS[status] ?? (status >= 500 ? 'server' : 'refused');
};

const OPENING: {readonly [kind in FailureKind]?: string} = {
	auth: 'rejected the API key',
	'not-found': 'does not know that name',
	unreachable: 'is behind a proxy that asks for a password',
	conflict: 'cannot do that now',
	'upload-too-large': 'rejected the request as too large',
	'too-large': 'refused to send that much',
	'rate-limited': 'asks for fewer requests',
	refused: 'rejected the request',
};

/** Base URL as set by the user, without `api/`. */
const baseOf = ({base}: Transport): string => base.href.replace(/\/api\/$/, '');

const checkBase = (transport: Transport): string =>
	`The base URL ${baseOf(transport)} is probably wrong. Give the service address without /api, e.g. https://host or https://host/base.`;

/** True for a list. Its path contains no user input, so a 404 does not come from the service. */
const isList = ({path}: Call): boolean => /^(servers|compute|environments)$/.test(path);

/** Rejection of a call, worded to follow the name of the service. */
const openingOf = (status: number, call: Call, kind: FailureKind): string => {
	if (status === 404 && isList(call)) return `has no /api/${call.path}`;
	if (status === 403 && kind === 'refused') return `does not allow you to ${actionOf(call)}`;
	return OPENING[kind] ?? ([502, 503, 504].includes(status) ? 'is unavailable' : 'failed');
};

/**
 * Advice for this call and status. Undefined if the general advice of the failure's kind applies.
 */
const adviceOn = (
	transport: Transport,
	status: number,
	call: Call,
	kind: FailureKind,
): string | undefined => {
	if (status === 404 && isList(call)) return checkBase(transport);
	if (kind === 'too-large') return READ_A_PART;
	// Not for files, because there the service's own message explains the restriction.
	return status === 403 && kind === 'refused' && call.kind !== 'file' && call.kind !== 'upload'
		? 'Ask the operator to allow it.'
		: undefined;
};

const redirected = (
	transport: Transport,
	call: Call,
	{location = '', status}: RawResponse,
): Fault & {readonly advice?: string} => {
	const to = URL.parse(location, new URL(call.path, transport.base));
	const origin = to?.origin;
	const path = transport.base.pathname + call.path;
	const trim = (path: string): string => withoutEnd(path, '/');
	// The addresses differ only in a slash at the end.
	if (to && origin === transport.base.origin && trim(to.pathname) === trim(path))
		return {
			kind: 'redirect',
			nothingDone: true,
			...(isList(call) && {advice: checkBase(transport)}),
			message: `${transport.host} redirects ${path} to itself (${status}).`,
		};
	return {
		kind: 'redirect',
		// Only the origin, because the rest of the address may contain a token.
		message: `${transport.host} redirects${origin ? ` to ${origin}` : ''} (${status}). Not followed: the API key would be sent there.`,
		// A 303 means that the request has taken effect.
		nothingDone: status !== 303,
	};
};

/**
 * Statuses from 500 on of requests that had no effect, because they were rejected or not forwarded.
 */
const NOT_DONE: ReadonlySet<number> = new Set([501, 505, 506, 507, 508, 510, 511, 521, 523, 525, 526]);

/**
 * True if the request certainly had no effect. With a 502, 503 or 504 of a gateway, only the
 * response may have been lost. A 503 with Retry-After is a rejection.
 */
const isNotDone = ({status, retryAfter}: RawResponse): boolean =>
	status < 500 || NOT_DONE.has(status) || (status === 503 && retryAfter !== undefined);

/** Failure for a status other than 2xx. */
export const refusedCall = (transport: Transport, call: Call, answer: RawResponse): Failure => {
	const {status} = answer;
	if (status >= 300 && status < 400)
		return transport.fail(call, {...redirected(transport, call, answer), status});
	const kind = kindOf(status, call);
	if (status === 407 && transport.proxy)
		return transport.fail(call, {
			kind,
			status,
			message: `Cannot reach ${transport.host}: the proxy ${transport.proxy.host} ${transport.proxy.hasPassword ? 'rejected the user name and password' : 'asks for a user name and a password'} (407).`,
			advice: askPassword(transport.proxy),
			nothingDone: true,
		});
	const words = redactedReason(transport, reasonOf(textOf(answer.body)) || (answer.phrase ?? ''));
	return transport.fail(call, {
		kind,
		status,
		...words,
		message: `${transport.host} ${openingOf(status, call, kind)} (${status})${after(words)}`,
		nothingDone: isNotDone(answer),
		...definedFields({advice: adviceOn(transport, status, call, kind)}),
		...snippetOf(transport, answer.body),
		...secondsOf(answer.retryAfter),
	});
};

/** Failure for a 2xx response that breaks the specification. `why` follows the host's name. */
export const contractFailure = (
	transport: Transport,
	call: Call,
	answer: Pick<RawResponse, 'status' | 'body'>,
	why: string,
): Failure =>
	transport.fail(call, {
		kind: 'off-contract',
		status: answer.status,
		message: `${transport.host} ${why}`,
		...snippetOf(transport, answer.body),
	});

const startOf = ({body}: Pick<RawResponse, 'body'>, most: number): string => textOf(body.subarray(0, most));

const isPage = ({contentType, body}: Pick<RawResponse, 'contentType' | 'body'>): boolean =>
	/\bhtml\b/i.test(contentType) || startOf({body}, 200).trimStart().startsWith('<');

export const describeUnexpected = ({contentType, body}: RawResponse, expected: string): string => {
	if (body.length === 0) return 'sent an empty response.';
	if (isPage({contentType, body})) return `sent a web page instead of ${expected}.`;
	return `sent something that is not ${expected}.`;
};

type Refused = {
	readonly value: unknown;
	/** Words that follow "HOST responded". */
	readonly how: string;
	/** Status text in the body. If it contains the reason, the reason is not repeated. */
	readonly status?: string;
	/** The HTTP status that the body claims. */
	readonly code?: number;
	readonly nothingDone?: boolean;
};

/** Failure that a 2xx response states. The address and proxies are not the cause. */
const refusedWithin = (
	transport: Transport,
	call: Call,
	answer: Pick<RawResponse, 'status' | 'body'>,
	{value, how, status = '', code, nothingDone = true}: Refused,
): Failure => {
	const words = redactedReason(transport, reasonIn(value));
	const isSaid = words.reason !== undefined && transport.redact(status).includes(words.reason);
	return transport.fail(call, {
		kind: code === undefined ? 'off-contract' : kindOf(code, call),
		status: answer.status,
		message: `${transport.host} responded ${how}${isSaid ? '.' : after(words)}`,
		...words,
		...(code === undefined && {
			advice:
				words.reason === undefined
					? 'The service gives no reason. Try again; if it persists, tell the operator.'
					: 'Correct the request, then try again.',
		}),
		nothingDone,
		...snippetOf(transport, answer.body),
	});
};

/** True for a status that may also mean acceptance, such as `accepted`. */
const isOpen = (status: string): boolean =>
	!/\s|err|fail|den(y|ied)|refus|reject|invalid|forbid|unauth|exceed|required|insufficient|not/i.test(status);

/** True for requests with effects. For these, a 201 or 204 suffices as a response. */
const isOrder = ({kind}: Call): boolean => kind === 'change' || kind === 'upload';

/**
 * True for a status that means success. For a request with effects, this includes the server's new
 * state.
 */
const isDone = (call: Call, status: string): boolean =>
	/^(success|ok|2\d\d)$/i.test(status) ||
	(isOrder(call) &&
		(/^(accepted|created|submitted|done|completed?)$/i.test(status) || isStartedState(status)));

/** Failure that the envelope of a 2xx response states. Null if it states none. */
const refusalWithin = (
	transport: Transport,
	call: Call,
	answer: Pick<RawResponse, 'status' | 'body'>,
	value: unknown,
): Failure | null => {
	if (!isRecord(value)) return null;
	const {status, success, ok} = value;
	const claimed = Number(typeof status === 'number' || /^\d{3}$/.test(String(status)) ? status : Number.NaN);
	if (claimed >= 400 && claimed < 600)
		return refusedWithin(transport, call, answer, {
			value,
			how: `with status ${claimed} in its body`,
			code: claimed,
			nothingDone: claimed < 500,
		});
	if (typeof status === 'string' && !isDone(call, status.trim())) {
		const shown = JSON.stringify(transport.redact(status).slice(0, SENTENCE));
		return refusedWithin(transport, call, answer, {
			value,
			how: `with status ${shown} instead of "success"`,
			status,
			nothingDone: !isOpen(status),
		});
	}
	if (status === false || ((status ?? null) === null && (success === false || ok === false)))
		return refusedWithin(transport, call, answer, {value, how: 'that it did not succeed'});
	return null;
};

const ERRORS = ['error', 'errors', 'err', 'error_message', 'errorMessage', 'exception', 'fault'];

/** True if a response without a status has an error field that is not empty. */
const hasError = (value: unknown): boolean =>
	isRecord(value) &&
	(value['status'] ?? null) === null &&
	ERRORS.some(name => {
		const error = value[name];
		return isRecord(error) || Array.isArray(error) ? Object.keys(error).length > 0 : Boolean(error);
	});

/** The failure stated in a 2xx JSON body. Null if it states none or is not JSON. */
export const refusalIn = (transport: Transport, call: Call, answer: RawResponse): Failure | null => {
	const json = jsonOf(textOf(answer.body));
	if (json === undefined) return null;
	const refused = refusalWithin(transport, call, answer, json.value);
	return refused === null && hasError(json.value)
		? refusedWithin(transport, call, answer, {value: json.value, how: 'with an error'})
		: refused;
};

/** Words in a plain-text response that indicate a rejection. */
const OBJECTION =
	/\b(?:errors?|fail(?:ed|ure|s)?|denied|refused|rejected|forbidden|unauthori[sz]ed|insufficient|exceed(?:ed|s)?)\b/i;

/**
 * True if a 2xx response without a JSON object means success of a request with effects, for example
 * `OK` or an empty body. A web page does not mean success, because it comes from a proxy or login
 * page in front of the service.
 */
const isTaken = (answer: RawResponse): boolean =>
	answer.body.length === 0 || (!isPage(answer) && !OBJECTION.test(startOf(answer, 2000)));

/**
 * Parses a response by the schema of its endpoint. An error names up to three invalid fields, but
 * never their values.
 */
export const parseResponse = <Shape extends z.ZodType>(
	transport: Transport,
	call: Call,
	whole: RawResponse,
	shape: Shape,
): Reply<z.output<Shape>> => {
	const no = (failure: Failure) => ({ok: false, failure}) as const;
	if (!isSuccess(whole)) return no(refusedCall(transport, call, whole));
	const {json: found, answer} = read(whole);
	const isWordless = isOrder(call) && !isRecord(found?.value);
	const json = isWordless ? (isTaken(answer) ? {value: {}} : undefined) : found;
	if (json === undefined)
		return no(contractFailure(transport, call, answer, describeUnexpected(answer, 'JSON')));
	const refused = refusalWithin(transport, call, answer, json.value);
	if (refused !== null) return no(refused);
	const parsed = shape.safeParse(json.value);
	// A complete list is accepted despite an error field.
	if (hasError(json.value) && (isOrder(call) || !parsed.success))
		return no(refusedWithin(transport, call, answer, {value: json.value, how: 'with an error'}));
	if (parsed.success) {
		const value = keepWritten(parsed.data, json.value);
		return {ok: true, value: isOrder(call) ? keepSent(value, json.value) : value};
	}
	const fields = parsed.error.issues
		.slice(0, 3)
		.map(issue => `${issue.path.join('.') || 'response'} (${issue.message})`);
	return no(contractFailure(transport, call, answer, `sent an unexpected response: ${fields.join(', ')}.`));
};
