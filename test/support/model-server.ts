import http from 'node:http';
import type {AddressInfo, Socket} from 'node:net';

export type AskedOfModel = {
	readonly path: string;
	readonly headers: http.IncomingHttpHeaders;
	readonly body: {
		readonly model: string;
		readonly messages: readonly {readonly role: string; readonly content: string}[];
		readonly stream: boolean;
		readonly stream_options?: unknown;
	};
	/** True if the client disconnected before the end of the answer. */
	gone: boolean;
};

/**
 * Writes a stream of OpenAI's chat completions. Each write resolves once the operating system has
 * accepted the bytes.
 */
export type ModelStream = {
	begin(): void;
	/** Sends the bytes unchanged. */
	raw(bytes: string | Uint8Array): Promise<void>;
	event(value: unknown): Promise<void>;
	/** Sends the same bytes fifty times a second, until the client disconnects. */
	beat(bytes: string): void;
	text(content: string): Promise<void>;
	finish(reason?: string): Promise<void>;
	usage(promptTokens: number | null, completionTokens: number | null): Promise<void>;
	/** Sends `[DONE]`, and ends the body. */
	done(): Promise<void>;
	/** Ends the body as it is. */
	end(): void;
	cut(): void;
	/** Sends an error as JSON. */
	refuse(status: number, body: unknown, headers?: http.OutgoingHttpHeaders): void;
	readonly asked: AskedOfModel;
};

export type ModelServer = AsyncDisposable & {
	/** The address as the settings need it. */
	readonly baseUrl: string;
	readonly host: string;
	readonly asked: AskedOfModel[];
	/** Number of open connections. */
	readonly open: () => number;
};

const chunkOf = (delta: object, finish_reason: string | null = null) => ({
	id: 'chatcmpl-1',
	object: 'chat.completion.chunk',
	created: 1,
	model: 'tiny',
	choices: [{index: 0, delta, logprobs: null, finish_reason}],
});

const textOf = async (request: http.IncomingMessage): Promise<string> => {
	let text = '';
	for await (const piece of request.setEncoding('utf8') as AsyncIterable<string>) text += piece;
	return text;
};

/**
 * Starts an OpenAI-compatible server whose responses the test determines. It accepts only
 * well-formed requests to `/v1/chat/completions`.
 */
export const startModelServer = async (
	answer: (stream: ModelStream) => Promise<void> | void,
): Promise<ModelServer> => {
	const asked: AskedOfModel[] = [];
	const sockets = new Set<Socket>();
	const handle = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
		const body = JSON.parse(await textOf(request)) as AskedOfModel['body'];
		const told: AskedOfModel = {
			path: `${request.method} ${request.url}`,
			headers: request.headers,
			body,
			gone: false,
		};
		asked.push(told);
		response.once('close', () => {
			told.gone = !response.writableFinished;
		});
		const refuse: ModelStream['refuse'] = (status, error, headers = {}) => {
			response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(error));
		};
		const rolesAreKnown =
			body.messages.length > 0 &&
			body.messages.every(
				({role, content}) => /^(system|user|assistant)$/.test(role) && typeof content === 'string',
			);
		if (
			told.path !== 'POST /v1/chat/completions' ||
			request.headers['content-type'] !== 'application/json' ||
			body.stream !== true ||
			!rolesAreKnown
		) {
			return refuse(422, {error: {message: 'this is not how OpenAI is asked'}});
		}
		const begin = (): void => {
			if (!response.headersSent)
				response.writeHead(200, {'content-type': 'text/event-stream; charset=utf-8'}).flushHeaders();
		};
		const raw = async (bytes: string | Uint8Array): Promise<void> => {
			begin();
			await new Promise<void>(resolve => response.write(bytes, () => resolve()));
		};
		const event = async (value: unknown): Promise<void> => raw(`data: ${JSON.stringify(value)}\n\n`);
		await answer({
			asked: told,
			begin,
			raw,
			event,
			refuse,
			beat(bytes) {
				const timer = setInterval(() => void raw(bytes), 20);
				response.once('close', () => clearInterval(timer));
			},
			text: async content => event(chunkOf({content})),
			finish: async (reason = 'stop') => event(chunkOf({}, reason)),
			usage: async (prompt_tokens, completion_tokens) =>
				event({id: 'chatcmpl-1', choices: [], usage: {prompt_tokens, completion_tokens, total_tokens: null}}),
			async done() {
				await raw('data: [DONE]\n\n');
				response.end();
			},
			end: () => response.end(),
			cut: () => request.socket.destroy(),
		});
	};
	const server = http.createServer((request, response) => void handle(request, response));
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		baseUrl: `http://${host}/v1`,
		host,
		asked,
		open: () => sockets.size,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			await new Promise(resolve => server.close(resolve));
		},
	};
};
