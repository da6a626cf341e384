import type {AssistantModel} from './assistant-models.ts';
import {ModelFault} from './model-fault.ts';
import {contextLimitIn, isContextFull} from '../../../text/context-full.ts';
import {fieldsOf, jsonIn} from '../../../text/record.ts';

const DETAIL = 300;

/**
 * Host of a model server. Only the host is shown, because the rest of the address may be
 * confidential.
 */
export const hostOf = ({baseUrl}: AssistantModel): string => URL.parse(baseUrl)?.host ?? 'its server';

export const whoIs = (model: AssistantModel): string => `${model.name ?? model.model} at ${hostOf(model)}`;

const keySource = ({keyVariable, id}: AssistantModel): string =>
	keyVariable === undefined ? `the file that ${id} names` : keyVariable;

const textAt = (value: unknown, ...path: readonly string[]): string => {
	const found = path.reduce<unknown>((part, name) => fieldsOf(part)[name], value);
	return typeof found === 'string' ? found : '';
};

/**
 * First item if the value is a list, as FastAPI (vLLM, Mistral) sends for invalid fields. Otherwise
 * the value itself.
 */
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

/** Error message in any of the forms that model servers use. Empty if there is none. */
const messageIn = (value: unknown): string =>
	textAt(value, 'error', 'message') ||
	textAt(value, 'error') ||
	textAt(value, 'message') ||
	textAt(value, 'detail') ||
	[fieldsOf(value)['detail'], fieldsOf(fieldsOf(value)['message'])['detail']]
		.map(detail => textAt(firstOf(detail), 'msg'))
		.join('');

/** Error message of a model server as one line, with the key removed. Empty if there is none. */
export const detailIn = (given: unknown, {key}: AssistantModel): string => {
	// Google wraps its errors in a list.
	const value = firstOf(given);
	// OpenRouter's own message only says that the provider failed, so the provider's message is
	// added.
	const raw = textAt(value, 'error', 'metadata', 'raw');
	const said = raw === '' ? messageIn(value) : `${messageIn(value)}: ${messageIn(jsonIn(raw)) || raw}`;
	// Removes keys before truncating the message, because a part of a key must not be shown either.
	const clean = (key === null ? said : said.replaceAll(key, '…'))
		.replaceAll(/\bbearer\s+\S+/gi, 'Bearer …')
		.replaceAll(/\s+/g, ' ')
		.trim();
	return clean.length > DETAIL ? `${clean.slice(0, DETAIL).toWellFormed()}…` : clean;
};

export const missingKey = (model: AssistantModel): ModelFault =>
	new ModelFault(
		`${whoIs(model)} needs a key, but the variable ${model.keyVariable} is not set: set it where svc-tui is started, close all programs that use the service, and start again.`,
	);

/** Fault for a conversation that is too long for the model. Null for other errors. */
export const contextFull = (model: AssistantModel, detail: string): ModelFault | null => {
	if (!isContextFull(detail)) return null;
	const limit = contextLimitIn(detail);
	const size = limit === null ? '' : ` It reads ${limit.toLocaleString('en')} tokens.`;
	return new ModelFault(
		`${whoIs(model)}: the conversation is longer than its context window.${size}`,
		detail,
	);
};

/** Fault for a response with a status other than 200. `detail`: result of {@link detailIn}. */
export const refusalOf = (model: AssistantModel, status: number, detail: string): ModelFault => {
	const who = whoIs(model);
	// Does not show the server's message, because with these statuses it often quotes a part of the
	// key.
	if (status === 401 || status === 403) {
		return new ModelFault(
			model.key === null
				? `${who} needs a key (${status}): name one for ${model.id} with keyFile or keyVariable in models.json.`
				: `${who} rejected the key (${status}). Check ${keySource(model)}${model.keyVariable === undefined ? '' : ', then restart the service'}.`,
		);
	}
	const full = status === 429 ? null : contextFull(model, detail);
	if (full !== null) return full;
	if (status === 404)
		return new ModelFault(
			`${who} was not found (404): check model and baseUrl of ${model.id} in models.json; a baseUrl usually ends in /v1.`,
			detail,
		);
	if (status === 429)
		return new ModelFault(
			`${who} accepts no more questions for now (429). Wait, or check the account.`,
			detail,
		);
	if (status >= 300 && status < 400)
		return new ModelFault(
			`${who} redirects to another address (${status}), where the key is not sent: put that address in models.json.`,
		);
	if (status >= 500)
		return new ModelFault(`${who} failed (${status}). Try again or check that server.`, detail);
	return new ModelFault(`${who} rejected the question (${status}).`, detail);
};

const REASONS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens there; start the model server',
	ENOTFOUND: 'its host name does not exist; check baseUrl in models.json',
	EAI_AGAIN: 'its host name cannot be resolved now; check the network',
	EHOSTUNREACH: 'no route to it; check the network',
	ENETUNREACH: 'no route to it; check the network',
};
const UNTRUSTED = /CERT|SELF_SIGNED|ALTNAME|VERIFY/;

/**
 * Name of the setting that contains the proxy. The proxy's address is not shown, because it may
 * contain a password.
 */
const proxySource = ({proxy, id}: AssistantModel): string =>
	proxy === undefined
		? 'HTTPS_PROXY, HTTP_PROXY and NO_PROXY where svc-tui is started'
		: `proxy of ${id} in models.json`;

/** Fault for a connection that failed before the response started. */
export const unreachable = (model: AssistantModel, code: string, isAtProxy: boolean): ModelFault => {
	if (code === 'ERR_PROXY_TUNNEL' || isAtProxy) {
		const why = isAtProxy ? `the proxy does not respond (${code})` : 'the proxy refuses to connect to it';
		return new ModelFault(`${whoIs(model)} cannot be reached: ${why}; check ${proxySource(model)}.`);
	}
	const reason =
		REASONS[code] ??
		(UNTRUSTED.test(code)
			? `its certificate is not trusted (${code}); set NODE_EXTRA_CA_CERTS to the file of its CA certificate`
			: `the connection broke (${code}); try again`);
	return new ModelFault(`${whoIs(model)} cannot be reached: ${reason}.`);
};

export const brokenOff = (model: AssistantModel): ModelFault =>
	new ModelFault(`${whoIs(model)} stopped before the end of its answer. Try again.`);

export const silent = (model: AssistantModel, milliseconds: number): ModelFault =>
	new ModelFault(
		`${whoIs(model)} timed out after ${milliseconds / 1000} s without data. Try again, check that server, or set a longer "silence" for ${model.id} in models.json.`,
	);

const quoted = (text: string): string => JSON.stringify(text.slice(0, 60).toWellFormed());

export const failedMidway = (model: AssistantModel, detail: string): ModelFault =>
	new ModelFault(`${whoIs(model)} failed during its answer. Try again or check that server.`, detail);

/** Fault for an empty answer. Some servers return one when the context window is full. */
export const nothing = (model: AssistantModel): ModelFault =>
	new ModelFault(
		`${whoIs(model)} returned an empty answer. Ask again; if the conversation is long, it may be longer than the model's context window.`,
	);

/** Fault for an answer that consists only of a tool call. */
export const wantsTool = (model: AssistantModel, tool: string): ModelFault =>
	new ModelFault(
		`${whoIs(model)} called a tool${tool === '' ? '' : ` (${quoted(tool)})`} instead of answering, although it was given no tools. Ask again, or use another model.`,
	);

/** Fault for an answer that contains no text, for example only pictures. */
export const noText = (model: AssistantModel, kind: string): ModelFault =>
	new ModelFault(
		`${whoIs(model)} answered without text (with ${quoted(kind)}). Only text can be shown here; ask again for text.`,
	);

export const unreadable = (model: AssistantModel): ModelFault =>
	new ModelFault(
		`${whoIs(model)} sent an unreadable answer. Check that its baseUrl is that of an OpenAI-compatible server.`,
	);
