// JSON-RPC messages of MCP on standard input and output.
import type {Readable, Writable} from 'node:stream';
import {JSONRPCMessageSchema, type JSONRPCMessage, type Transport} from './sdk.ts';
import {isRecord} from '../../text/record.ts';

/**
 * Last protocol version with batches:
 * https://modelcontextprotocol.io/specification/2025-06-18/changelog.
 */
const LAST_WITH_BATCHES = '2025-03-26';
/** Longest line, in bytes. Limited because a line is stored until it ends. */
const LONGEST_LINE = 10 * 2 ** 20;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;
const INTERNAL = -32_603;

type Id = string | number;
type Message = Readonly<Record<string, unknown>>;

const idOf = (value: unknown): Id | undefined => {
	const id = isRecord(value) ? value['id'] : undefined;
	// Ignores an id above 2^53, because the parsed number differs from the original.
	return typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id) : undefined;
};
const isRequest = (message: unknown): boolean =>
	isRecord(message) && typeof message['method'] === 'string' && idOf(message) !== undefined;
const failed = (id: Id | null, code: number, message: string) => ({
	jsonrpc: '2.0',
	id,
	error: {code, message},
});

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

const withoutNulls = (fields: Message): Message =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/**
 * Copy of a message with only the members that JSON-RPC defines, and without null fields, which
 * some clients send instead of omitting them. A null `id` remains, except in a notification. The
 * arguments of a tool are unchanged, because the tool checks them.
 */
const normal = (message: Message): Message => {
	const {id, ...members} = message;
	const isNotification = String(message['method']).startsWith('notifications/');
	const {params, ...kept} = withoutNulls(members);
	const isEmpty = id === undefined || (id === null && isNotification);
	return {
		...Object.fromEntries(Object.entries(kept).filter(([name]) => MEMBERS.has(name))),
		...(!isEmpty && {id}),
		...(params !== undefined && {params: isRecord(params) ? normalParams(params) : params}),
	};
};
const normalParams = (params: Message): Message =>
	Object.fromEntries(
		Object.entries(withoutNulls(params)).map(([name, value]) => [
			name,
			name !== 'arguments' && isRecord(value) ? withoutNulls(value) : value,
		]),
	);

/** False for a notification or a response. Even if they are invalid, they get no reply. */
const mayBeRequest = (message: unknown): boolean =>
	!isRecord(message) ||
	(!('result' in message) &&
		!('error' in message) &&
		('id' in message || typeof message['method'] !== 'string'));

/** Defect of a message, as a sentence. Null if the protocol allows the message. */
const faultOf = (message: unknown): string | null => {
	if (!isRecord(message)) return 'A message must be a JSON object.';
	if (message['jsonrpc'] !== '2.0') return 'A message needs "jsonrpc": "2.0".';
	if (typeof message['method'] === 'string') {
		if (message['params'] !== undefined && !isRecord(message['params'])) return '"params" must be an object.';
		if ('id' in message && idOf(message) === undefined) return 'An "id" must be a string or an integer.';
	} else if (idOf(message) === undefined || !('result' in message || isRecord(message['error'])))
		return 'A message needs a "method", or an "id" and a "result" if it is a response.';
	// Checked here, because the SDK does not reply to a message that violates its schema.
	return JSONRPCMessageSchema.safeParse(message).success
		? null
		: `A message does not match the protocol's schema: see ${'result' in message ? '"result"' : '"_meta"'}.`;
};

/** First issue of a schema dump in a text, as a sentence. Null if the text contains none. */
export const firstFault = (text: string): string | null => {
	const start = text.indexOf('[');
	let issues: unknown;
	try {
		issues = start < 0 ? null : JSON.parse(text.slice(start));
	} catch {
		return null;
	}
	const [first] = Array.isArray(issues) ? (issues as unknown[]) : [];
	if (!isRecord(first)) return null;
	const path = Array.isArray(first['path']) ? first['path'].join('.') : '';
	const said = typeof first['message'] === 'string' ? first['message'] : 'Invalid input';
	return path === '' ? said : `${path}: ${said}`;
};

/** Replaces the SDK's schema dump in an error with its first issue. */
const readable = (message: Message): Message => {
	const {error} = message;
	if (!isRecord(error) || error['code'] !== INTERNAL || typeof error['message'] !== 'string') return message;
	const fault = firstFault(error['message']);
	return fault === null ? message : {...message, error: {code: INVALID_PARAMS, message: fault}};
};

/** Messages that arrived in one array. `ids`: requests that still wait for a response. */
type Batch = {readonly ids: Set<Id>; readonly responses: Message[]; isRead: boolean};

export type LineTransport = Transport & {
	/** Settles when the client has closed its end or has exited. */
	readonly ended: Promise<unknown>;
	/** Settles when every received request has its response. */
	answered(): Promise<void>;
};

/**
 * Transport of JSON-RPC messages, one per line. Replaces the SDK's own, which sends no response to
 * a request that has a null field or is in a batch.
 */
export const createLineTransport = (input: Readable, output: Writable): LineTransport => {
	const ended = Promise.withResolvers<void>();
	const open = new Set<Id>();
	let idle = Promise.withResolvers<void>();
	let pending: Buffer[] = [];
	let size = 0;
	let version = '';
	/** Batches with unanswered requests, by the ids of these requests. */
	const batches = new Map<Id, Batch>();

	const write = (value: unknown): void => void output.write(`${JSON.stringify(value)}\n`);
	const complain = (what: string): void => transport.onerror?.(new Error(what));

	const settle = (id: unknown): void => {
		if (!open.delete(id as Id) || open.size > 0) return;
		idle.resolve();
		idle = Promise.withResolvers();
	};
	const take = (message: unknown, batch?: Batch): void => {
		const given = isRecord(message) ? normal(message) : message;
		const fault = faultOf(given);
		const id = idOf(given);
		if (fault !== null) {
			complain(fault);
			if (id !== undefined) respond(failed(id, INVALID_REQUEST, fault));
			else if (batch && mayBeRequest(given)) batch.responses.push(failed(null, INVALID_REQUEST, fault));
			else if (isRecord(given) && 'id' in given && 'method' in given)
				write(failed(null, INVALID_REQUEST, fault));
			return;
		}
		// Until the server has responded, the version that the client proposes applies.
		const proposed =
			isRecord(given) && isRecord(given['params']) ? given['params']['protocolVersion'] : undefined;
		if (typeof proposed === 'string') version = proposed;
		if (id !== undefined && isRequest(given)) open.add(id);
		// A cancelled request counts as answered, because the SDK does not reply to it.
		else if (isRecord(given) && given['method'] === 'notifications/cancelled' && isRecord(given['params'])) {
			const cancelled = given['params']['requestId'] as Id;
			settle(cancelled);
			leaveBatch(cancelled);
		}
		transport.onmessage?.(given as JSONRPCMessage);
	};
	const takeBatch = (messages: readonly unknown[]): void => {
		const requests = messages.filter(isRequest).flatMap(message => idOf(message) ?? []);
		if (version <= LAST_WITH_BATCHES && messages.length > 0) {
			const batch: Batch = {ids: new Set(requests), responses: [], isRead: false};
			for (const id of requests) batches.set(id, batch);
			for (const message of messages) take(message, batch);
			batch.isRead = true;
			writeWhole(batch);
			return;
		}
		const why =
			messages.length === 0
				? 'An empty batch is not a message.'
				: `Batches are not part of MCP ${version}: send each message on a line of its own.`;
		complain(why);
		for (const id of requests.length > 0 ? requests : [null]) write(failed(id, INVALID_REQUEST, why));
	};
	const takeLine = (line: string): void => {
		if (line.trim() === '') return;
		let value: unknown;
		try {
			// Removes a byte order mark, which some programs send first.
			value = JSON.parse(line.replace(/^\uFEFF/, ''));
		} catch {
			return complain('A line is not JSON.');
		}
		if (Array.isArray(value)) takeBatch(value);
		else take(value);
	};

	/** Sends the responses of a batch as one array, once it is complete. */
	const writeWhole = ({ids, responses, isRead}: Batch): void => {
		if (isRead && ids.size === 0 && responses.length > 0) write(responses);
	};
	const leaveBatch = (id: Id, response?: Message): void => {
		const batch = batches.get(id);
		if (batch === undefined) return;
		batches.delete(id);
		batch.ids.delete(id);
		if (response) batch.responses.push(response);
		writeWhole(batch);
	};
	const respond = (response: Message): void => {
		const id = idOf(response);
		if (id === undefined || !batches.has(id)) write(response);
		else leaveBatch(id, response);
	};

	const onData = (chunk: Buffer): void => {
		let rest = chunk;
		for (let at = rest.indexOf(0x0a); at >= 0; at = rest.indexOf(0x0a)) {
			const line = Buffer.concat([...pending, rest.subarray(0, at)]).toString();
			[pending, size] = [[], 0];
			rest = rest.subarray(at + 1);
			takeLine(line);
		}
		if (rest.length === 0) return;
		pending.push(rest);
		size += rest.length;
		if (size <= LONGEST_LINE) return;
		complain(`A line is longer than ${LONGEST_LINE} bytes.`);
		ended.resolve();
	};
	const onEnd = (): void => {
		// The last line may have no line feed.
		if (size > 0) takeLine(Buffer.concat(pending).toString());
		[pending, size] = [[], 0];
		ended.resolve();
	};
	const onGone = (): void => ended.resolve();

	const transport: LineTransport = {
		ended: ended.promise,
		async answered() {
			if (open.size > 0) await idle.promise;
		},
		async start() {
			input.on('data', onData);
			input.once('end', onEnd);
			for (const stream of [input, output])
				for (const event of ['close', 'error']) stream.once(event, onGone);
		},
		async send(message) {
			const sent = message as unknown as Message;
			const id = idOf(sent);
			const {result} = sent;
			if (isRecord(result) && typeof result['protocolVersion'] === 'string')
				version = result['protocolVersion'];
			// The server's own requests settle nothing, because the client may use the same ids.
			if (typeof sent['method'] === 'string') return write(sent);
			respond(readable(sent));
			settle(id);
		},
		async close() {
			input.off('data', onData);
			input.pause();
			transport.onclose?.();
		},
	};
	return transport;
};
