// MCP over HTTP, for the service. Each message is a separate request, and each response is one JSON
// text. There are no sessions, so a restart or a second instance of the service loses nothing.
import type {Client} from '../../api/client-types.ts';
import type {Context, Service, Sink} from '../context.ts';
import {sharedConnection} from './calls.ts';
import {permissionsOf} from './mcp.ts';
import {NO_LOGS} from './no-logs.ts';
import {createNotebookRuns, type NotebookRuns} from './notebook-runs.ts';
import * as sdk from './sdk.ts';
import {createToolServer} from './tool-server.ts';

/** Maximum number of keys whose connections are retained. */
const MOST_KEYS = 500;
const INVALID_REQUEST = -32_600;

const NOWHERE: Sink = {isTTY: false, columns: Infinity, async write() {}};

export type HttpSetup = {
	readonly version: string;
	/** Client of the service for an API key. */
	readonly clientFor: (key: string) => Client;
	/** Permissions of all keys, as in `--mcp-allow`. */
	readonly allow: string | undefined;
};

/** Message of a client whose key, Host and Origin were checked. */
export type HttpMessage = {
	readonly key: string;
	/** Permissions of the key. Undefined if those for all keys apply. */
	readonly allow: string | undefined;
	readonly body: unknown;
	readonly signal: AbortSignal;
};
/** `body`: empty if the message needs no response. */
export type HttpAnswer = {readonly status: number; readonly body: string};

const contextFor = (client: Client): Context => ({
	json: false,
	jsonl: false,
	colour: false,
	stdout: NOWHERE,
	stderr: NOWHERE,
	signal: new AbortController().signal,
	options: {},
	env: {},
	ask: undefined,
	runShell: undefined,
	stdinIsTTY: false,
	readStdin: async () => Buffer.alloc(0),
	pipe() {
		throw new Error('a request has no standard input');
	},
	connect: async (): Promise<Service> => ({
		client,
		isLocal: false,
		models: [],
		started: false,
		keeps: 0,
		hasEnded: () => false,
	}),
	running: async () => null,
	open: async () => false,
	readPackaged: async () => '',
	typed: (...words) => ['svc-tui', ...words].join(' '),
});

type Caller = {
	readonly context: Context;
	readonly services: ReturnType<typeof sharedConnection>;
	readonly runs: NotebookRuns;
};

const invalid = (message: string): HttpAnswer => ({
	status: 400,
	body: JSON.stringify({jsonrpc: '2.0', id: null, error: {code: INVALID_REQUEST, message}}),
});

/**
 * Passes one message to a server, and resolves to its response. Null if the client has
 * disconnected.
 */
const answered = async (
	server: sdk.Server,
	message: sdk.JSONRPCMessage,
	signal: AbortSignal,
): Promise<sdk.JSONRPCMessage | null> => {
	const answer = Promise.withResolvers<sdk.JSONRPCMessage | null>();
	const transport: sdk.Transport = {
		async start() {},
		async send(sent) {
			// Notifications such as progress are dropped, because a response is a single JSON text.
			if (!('method' in sent)) answer.resolve(sent);
		},
		async close() {
			transport.onclose?.();
		},
	};
	await server.connect(transport);
	signal.addEventListener('abort', () => answer.resolve(null), {once: true});
	transport.onmessage?.(message);
	if (!('id' in message) || !('method' in message)) answer.resolve(null);
	try {
		return await answer.promise;
	} finally {
		await server.close();
	}
};

/**
 * Creates the handler of messages from MCP clients. @throws {CommandError} if a permission is
 * unknown.
 */
export const createHttpHandler = ({version, clientFor, allow}: HttpSetup) => {
	const allowed = permissionsOf(allow);
	/** State of each key, the least recently used first. */
	const callers = new Map<string, Caller>();
	const callerOf = (key: string): Caller => {
		const known = callers.get(key);
		callers.delete(key);
		const context = known?.context ?? contextFor(clientFor(key));
		const caller = known ?? {
			context,
			services: sharedConnection(context),
			runs: createNotebookRuns(context, () => NO_LOGS),
		};
		callers.set(key, caller);
		const [oldest] = callers.keys();
		if (callers.size > MOST_KEYS && oldest !== undefined) callers.delete(oldest);
		return caller;
	};
	return async ({key, allow: own, body, signal}: HttpMessage): Promise<HttpAnswer> => {
		const parsed = sdk.JSONRPCMessageSchema.safeParse(body);
		if (!parsed.success)
			return invalid('Send one JSON-RPC message of MCP as the body. Batches are not supported.');
		const {context, services, runs} = callerOf(key);
		const server = createToolServer(
			context,
			{
				version,
				allowed: own === undefined ? allowed : permissionsOf(own),
				maxPrice: undefined,
				readOnly: null,
				allowedBy: needs =>
					`the operator of the service allows ${needs.join(' or ')} with --mcp-allow or for this key`,
			},
			{services, runs, ends: signal, closed: signal, onCall() {}},
		);
		const answer = await answered(server, parsed.data, signal);
		return answer === null ? {status: 202, body: ''} : {status: 200, body: JSON.stringify(answer)};
	};
};
