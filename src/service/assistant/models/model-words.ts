import type {AssistantModel} from './assistant-models.ts';
import {ModelFault} from './model-fault.ts';
import {contextLimitIn, isContextFull} from '../../../text/context-full.ts';
import {fieldsOf} from '../../../text/record.ts';

const DETAIL = 300;

/** Only the host: no more of an address is anybody's business. */
export const hostOf = ({baseUrl}: AssistantModel): string => URL.parse(baseUrl)?.host ?? 'its server';

export const whoIs = (model: AssistantModel): string => `${model.name ?? model.model} at ${hostOf(model)}`;

const keySource = ({keyVariable, id}: AssistantModel): string =>
	keyVariable === undefined ? `the file that ${id} names` : keyVariable;

const textAt = (value: unknown, ...path: readonly string[]): string => {
	const found = path.reduce<unknown>((part, name) => fieldsOf(part)[name], value);
	return typeof found === 'string' ? found : '';
};

/** What a server says of an error, in the forms that such servers have, as one line without the key; empty where it says nothing. */
export const detailIn = (value: unknown, {key}: AssistantModel): string => {
	const said =
		textAt(value, 'error', 'message') ||
		textAt(value, 'error') ||
		textAt(value, 'message') ||
		textAt(value, 'detail');
	// Before it is cut: half a key is still a leak.
	const clean = (key === null ? said : said.replaceAll(key, '…'))
		.replaceAll(/\bbearer\s+\S+/gi, 'Bearer …')
		.replaceAll(/\s+/g, ' ')
		.trim();
	return clean.length > DETAIL ? `${clean.slice(0, DETAIL).toWellFormed()}…` : clean;
};

export const missingKey = (model: AssistantModel): ModelFault =>
	new ModelFault(
		`${whoIs(model)} needs a key, and the service has no ${model.keyVariable}: set it where svc-tui is started, end the programs that use the service, and start again.`,
	);

/** The fault where a server says that the conversation is longer than its model reads; null where it says something else. */
export const contextFull = (model: AssistantModel, detail: string): ModelFault | null => {
	if (!isContextFull(detail)) return null;
	const limit = contextLimitIn(detail);
	const size = limit === null ? '' : ` It reads ${limit.toLocaleString('en')} tokens.`;
	return new ModelFault(`${whoIs(model)} cannot read all of it: its context is full.${size}`, detail);
};

/** The fault for a status that is no 200. @param detail from {@link detailIn} */
export const refusalOf = (model: AssistantModel, status: number, detail: string): ModelFault => {
	const who = whoIs(model);
	// The words of these two often hold a part of the key.
	if (status === 401 || status === 403) {
		return new ModelFault(
			model.key === null
				? `${who} needs a key (${status}): name one for ${model.id} with keyFile or keyVariable in models.json.`
				: `${who} does not take the key (${status}): check the one in ${keySource(model)}${model.keyVariable === undefined ? '' : ', then start the service again'}.`,
		);
	}
	const full = status === 429 ? null : contextFull(model, detail);
	if (full !== null) return full;
	if (status === 404)
		return new ModelFault(
			`${who} was not found (404): check model and baseUrl of ${model.id} in models.json; a baseUrl mostly ends in /v1.`,
			detail,
		);
	if (status === 429)
		return new ModelFault(
			`${who} accepts no more questions for now (429): wait, or look at the account.`,
			detail,
		);
	if (status >= 300 && status < 400)
		return new ModelFault(
			`${who} sends to another address (${status}), where the key must not follow: put that address in models.json.`,
		);
	if (status >= 500)
		return new ModelFault(`${who} failed (${status}): try again, or look at that server.`, detail);
	return new ModelFault(`${who} refused the question (${status}).`, detail);
};

const REASONS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens there; start the model server',
	ENOTFOUND: 'there is no such name; check baseUrl in models.json',
	EAI_AGAIN: 'names cannot be looked up now; check the network',
	EHOSTUNREACH: 'no route to it; check the network',
	ENETUNREACH: 'no route to it; check the network',
};
const UNTRUSTED = /CERT|SELF_SIGNED|ALTNAME|VERIFY/;

/** Where the proxy of a model is set; its address may hold a password. */
const proxySource = ({proxy, id}: AssistantModel): string =>
	proxy === undefined
		? 'HTTPS_PROXY, HTTP_PROXY and NO_PROXY where svc-tui is started'
		: `proxy of ${id} in models.json`;

/** The fault for a connection that was not made, or broke before the answer began. */
export const unreachable = (model: AssistantModel, code: string, isAtProxy: boolean): ModelFault => {
	if (code === 'ERR_PROXY_TUNNEL' || isAtProxy) {
		const why = isAtProxy ? `the proxy does not answer (${code})` : 'the proxy refuses to connect to it';
		return new ModelFault(`${whoIs(model)} cannot be reached: ${why}; check ${proxySource(model)}.`);
	}
	const reason =
		REASONS[code] ??
		(UNTRUSTED.test(code)
			? `its certificate is not trusted (${code}); NODE_EXTRA_CA_CERTS may name one more authority`
			: `the connection broke (${code}); try again`);
	return new ModelFault(`${whoIs(model)} cannot be reached: ${reason}.`);
};

export const brokenOff = (model: AssistantModel): ModelFault =>
	new ModelFault(`${whoIs(model)} broke off before the end of its answer: try again.`);

export const silent = (model: AssistantModel, milliseconds: number): ModelFault =>
	new ModelFault(
		`${whoIs(model)} sent nothing for ${milliseconds / 1000} s and was given up: try again, look at that server, or set a longer "silence" for ${model.id} in models.json.`,
	);

/** Text of a model, as a part of a sentence. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, 60).toWellFormed());

/** The fault of an answer that is a call of a tool and nothing else. */
export const wantsTool = (model: AssistantModel, tool: string): ModelFault =>
	new ModelFault(
		`${whoIs(model)} answered with a call of a tool${tool === '' ? '' : ` (${quoted(tool)})`} and no text, and it was given no tools: ask again, or use a model that answers in words.`,
	);

/** The fault of an answer whose parts are pictures or the like. */
export const noText = (model: AssistantModel, kind: string): ModelFault =>
	new ModelFault(
		`${whoIs(model)} answered without text (with ${quoted(kind)}): only text can be shown here; ask again for words.`,
	);

export const unreadable = (model: AssistantModel): ModelFault =>
	new ModelFault(
		`${whoIs(model)} sent what cannot be read as an answer: check that its baseUrl is that of an OpenAI-compatible server.`,
	);
