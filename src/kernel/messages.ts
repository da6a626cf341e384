import {randomUUID} from 'node:crypto';
import * as z from 'zod';
import {exactIn} from '../text/exact-json.ts';
import {cellOutput, type CellOutput} from '../contract/cells.ts';
import {collectOutput, type OutputSink} from './output-buffer.ts';

const text = z.string().catch('');

const named = z.object({msg_id: text, msg_type: text, session: text});
const NO_HEADER = {msg_id: '', msg_type: '', session: ''};

/**
 * A kernel message on a server's WebSocket, as JSON text. Every server version uses this protocol
 * by default.
 */
const message = z
	.object({
		header: named.catch(NO_HEADER),
		msg_type: text,
		parent_header: named.catch(NO_HEADER),
		content: z.looseObject({}).catch({}),
		metadata: z.looseObject({}).catch({}),
	})
	.transform(({header, msg_type: type, ...rest}) => ({
		...rest,
		msg_id: header.msg_id,
		/** Session of the sender. A kernel has a new session after each start. */
		session: header.session,
		msg_type: type || header.msg_type,
	}));
export type KernelMessage = z.output<typeof message>;

/** Parses a kernel message. Null if the data are not a message. */
export const parseMessage = (data: unknown): KernelMessage | null => {
	const read = message.safeParse(typeof data === 'string' ? exactIn(data) : undefined).data;
	return read === undefined || read.msg_type === '' ? null : read;
};

/**
 * JSON of a binary frame, without its buffers. Null if invalid. Format: number of parts, offset of
 * each (32 bits, big-endian), the parts.
 */
export const textOfFrame = (frame: Buffer): string | null => {
	const parts = frame.length < 4 ? 0 : frame.readUInt32BE(0);
	if (parts === 0 || frame.length < 4 * (parts + 1)) return null;
	const begins = frame.readUInt32BE(4);
	const ends = parts === 1 ? frame.length : frame.readUInt32BE(8);
	return begins < 4 * (parts + 1) || ends > frame.length || ends <= begins
		? null
		: frame.toString('utf8', begins, ends);
};

export type Request = {readonly id: string; readonly text: string};

const request = (
	session: string,
	channel: 'shell' | 'control' | 'stdin',
	type: string,
	content: object,
	parent: object = {},
): Request => {
	const id = randomUUID();
	const header = {
		msg_id: id,
		msg_type: type,
		session,
		username: 'svc-tui',
		date: new Date().toISOString(),
		version: '5.3',
	};
	return {
		id,
		// A lone surrogate would make Jupyter close the connection.
		text: JSON.stringify(
			{channel, header, parent_header: parent, metadata: {}, buffers: [], content},
			(_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value),
		),
	};
};

/**
 * `answers`: a client can reply to `input()`, which otherwise raises an error. `silent`: the code
 * is not a cell, so it is not stored in the history. `stopOnError`: if the code raises an error,
 * the kernel aborts the requests that wait behind it.
 */
export const executeRequest = (
	session: string,
	code: string,
	{
		answers,
		silent = false,
		stopOnError = false,
	}: {readonly answers: boolean; readonly silent?: boolean; readonly stopOnError?: boolean},
): Request =>
	request(session, 'shell', 'execute_request', {
		code,
		silent,
		store_history: !silent,
		user_expressions: {},
		allow_stdin: answers,
		stop_on_error: stopOnError,
	});

/** Media type of the value that an evaluated expression shows. */
const VALUE = 'application/vnd.svc-tui.data';

/** Evaluates an expression without a cell, so that other clients do not see it. */
export const evaluateRequest = (session: string, expression: string): Request =>
	request(session, 'shell', 'execute_request', {
		code: '',
		silent: true,
		store_history: false,
		user_expressions: {value: expression},
		allow_stdin: false,
		stop_on_error: false,
	});

const evaluation = z.object({
	user_expressions: z.object({
		value: z.object({status: text, data: z.looseObject({[VALUE]: text}).catch({[VALUE]: ''})}),
	}),
});

/** Value in an `execute_reply`. `none`: the kernel does not support such expressions. */
export const evaluationIn = ({
	content,
}: KernelMessage): {readonly kind: 'value'; readonly text: string} | {readonly kind: 'none'} => {
	const found = evaluation.safeParse(content).data?.user_expressions.value.data[VALUE];
	return found === undefined || found === '' ? {kind: 'none'} : {kind: 'value', text: found};
};

const question = z.object({prompt: text, password: z.boolean().catch(false)});

/** Prompt of `input()` or `getpass()`. Null for any other message. */
export const questionIn = ({
	msg_type: type,
	content,
}: KernelMessage): {readonly prompt: string; readonly isSecret: boolean} | null => {
	if (type !== 'input_request') return null;
	const {prompt, password} = question.parse(content);
	return {prompt, isSecret: password};
};

export const inputReply = (
	session: string,
	{msg_id: id, msg_type: type}: KernelMessage,
	value: string,
): Request =>
	request(session, 'stdin', 'input_reply', {value, status: 'ok'}, {msg_id: id, msg_type: type, session});

/**
 * The control channel responds while code runs, except in some kernels, such as R's. The shell
 * channel always responds.
 */
export const infoRequests = (session: string): readonly [shell: Request, control: Request] => [
	request(session, 'shell', 'kernel_info_request', {}),
	request(session, 'control', 'kernel_info_request', {}),
];

/** The kernel counts characters, not UTF-16 units. */
const charactersUpTo = (code: string, cursor: number): number => [...code.slice(0, cursor)].length;

export const completeRequest = (session: string, code: string, cursor: number): Request =>
	request(session, 'shell', 'complete_request', {code, cursor_pos: charactersUpTo(code, cursor)});

/** `detail` 1 includes the source. */
export const inspectRequest = (session: string, code: string, cursor: number, detail: 0 | 1): Request =>
	request(session, 'shell', 'inspect_request', {
		code,
		cursor_pos: charactersUpTo(code, cursor),
		detail_level: detail,
	});

/** A completion. `kind` and `signature` are empty if unknown. */
export type CompletionItem = {readonly text: string; readonly kind: string; readonly signature: string};

const MOST_WORDS = 5000;
const matches = z.object({
	matches: z.array(z.string()),
	cursor_start: z.int().nonnegative(),
	cursor_end: z.int().nonnegative(),
	metadata: z
		.looseObject({_jupyter_types_experimental: z.array(z.unknown()).catch([])})
		.catch({_jupyter_types_experimental: []}),
});
const typedWord = z.object({text: z.string(), type: text, signature: text});

/** Completions for the text between `from` and `to`. Null if the reply is invalid. */
export const completionIn = (
	{content}: KernelMessage,
	code: string,
): {readonly from: number; readonly to: number; readonly words: readonly CompletionItem[]} | null => {
	const {data} = matches.safeParse(content);
	if (!data || data.cursor_start > data.cursor_end) return null;
	const characters = [...code];
	const unit = (at: number): number => characters.slice(0, at).join('').length;
	const kinds = new Map<string, CompletionItem>();
	for (const each of data.metadata._jupyter_types_experimental.slice(0, MOST_WORDS)) {
		const found = typedWord.safeParse(each).data;
		// IPython's placeholder for an unknown type.
		if (found) kinds.set(found.text, {...found, kind: found.type === '<unknown>' ? '' : found.type});
	}
	const words = [...new Set(data.matches.slice(0, MOST_WORDS))].map(each => ({
		text: each,
		kind: kinds.get(each)?.kind ?? '',
		signature: kinds.get(each)?.signature ?? '',
	}));
	return {from: unit(data.cursor_start), to: unit(data.cursor_end), words};
};

const inspection = z.object({found: z.boolean(), data: z.looseObject({'text/plain': text})});
/** UTF-16 units of documentation that are read. */
const LONGEST_INSPECTION = 1 << 18;

/** Documentation with its colours. Empty if there is none, null if the reply is invalid. */
export const inspectionIn = ({content}: KernelMessage): string | null => {
	const {data} = inspection.safeParse(content);
	return data === undefined ? null : data.found ? data.data['text/plain'].slice(0, LONGEST_INSPECTION) : '';
};

const page = z.object({source: z.literal('page'), data: z.looseObject({})});
const transient = z.object({display_id: z.string()});

const OUTPUTS = /^(stream|clear_output|error|execute_result|(update_)?display_data)$/;

/** New content for each display with this id, in any cell. */
export type DisplayUpdate = {readonly id: string; readonly shown: Pick<CellOutput, 'data' | 'metadata'>};

/** Null for any other message. */
export const displayUpdate = ({msg_type: type, content}: KernelMessage): DisplayUpdate | null => {
	const id = transient.safeParse(content['transient']).data?.display_id;
	return type !== 'update_display_data' || id === undefined
		? null
		: {id, shown: {data: content['data'], metadata: content['metadata']}};
};

export const collectMessage = (buffer: OutputSink, {msg_type: type, content}: KernelMessage): void => {
	if (type === 'execute_reply') {
		// Text for a pager, as from IPython's `?`.
		const payload = z.array(z.unknown()).safeParse(content['payload']).data ?? [];
		for (const item of payload) {
			const {data} = page.safeParse(item);
			if (data) buffer.add({output_type: 'display_data', data: data.data, metadata: {}});
		}
	} else if (OUTPUTS.test(type)) collectOutput(buffer, cellOutput.parse({...content, output_type: type}));
};

/**
 * True for the reply to a request that the kernel dropped because an earlier cell raised an error.
 */
export const isAbort = ({msg_type: type, content: {status}}: KernelMessage): boolean =>
	type === 'execute_reply' && (status === 'aborted' || status === 'abort');

/**
 * Failure in an `execute_reply`, as an error output, or null. A failed magic prints its message
 * without publishing an error, and a request dropped from the queue publishes nothing.
 */
export const failureIn = ({msg_type: type, content}: KernelMessage): CellOutput | null => {
	if (type !== 'execute_reply') return null;
	const {status} = content;
	if (status !== 'error' && status !== 'aborted' && status !== 'abort') return null;
	const wasDropped = status !== 'error';
	const ename = text.parse(content['ename']) || (wasDropped ? 'Aborted' : 'Error');
	const evalue =
		text.parse(content['evalue']) ||
		(wasDropped
			? 'The kernel did not run this cell, since an earlier one in its queue raised an error. Run the cell again.'
			: '');
	const {data: lines = []} = z.array(z.string()).safeParse(content['traceback']);
	const traceback = lines.length > 0 ? lines : [[ename, evalue].filter(Boolean).join(': ')];
	return {output_type: 'error', ename, evalue, traceback};
};

/** Adds the failure of a cell's reply, unless the kernel has published an error. */
export const addFailure = (
	buffer: Pick<OutputSink, 'add'>,
	outputs: readonly CellOutput[],
	failure: CellOutput | null,
): void => {
	if (failure !== null && !outputs.some(output => output.output_type === 'error')) buffer.add(failure);
};
