import {once} from 'node:events';
import http from 'node:http';
import type {AddressInfo} from 'node:net';

/**
 * The exact bytes of a response. `reason` is written to the status line unchanged, in Latin-1 if
 * possible, including control characters, which Node itself rejects.
 */
export type Answer = {
	readonly status?: number;
	readonly reason?: string;
	readonly type?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Raw header lines, in which each character is one byte. */
	readonly head?: readonly string[];
	/** An array is written piece by piece. */
	readonly body: string | Buffer | readonly Buffer[];
	/** Written after the body once it has resolved. */
	readonly rest?: Promise<string>;
	/** After the body, `reset` cuts the connection and `open` leaves it open. */
	readonly then?: 'reset' | 'open';
};

export type Asked = {
	readonly server: string;
	readonly path: string;
	readonly model: string;
	readonly body: string;
	readonly ifMatch?: string | undefined;
};
/** Returns the response to a request. A promise delays it. */
type Route = (asked: Asked) => Answer | Promise<Answer>;
export type Routes = Readonly<
	Record<
		'servers' | 'compute' | 'environments' | 'create' | 'start' | 'file' | 'upload' | 'run' | 'chat',
		Route
	>
>;

/** A service whose responses a test can change at any time. It records each request. */
export type HostileService = AsyncDisposable & {
	readonly baseUrl: string;
	/** Environment variables with the service's address and key. */
	readonly env: Readonly<Record<string, string>>;
	/** `METHOD /path` of each request, as received. */
	readonly asked: readonly string[];
	readonly abandoned: readonly string[];
	readonly keys: readonly string[];
	/** Requests to paths outside the API. */
	readonly strays: readonly string[];
	answer(routes: Partial<Routes>): void;
};

export const json = (value: object, status = 200): Answer => ({status, body: JSON.stringify(value)});
export const success = (value: object): Answer => json({status: 'success', ...value});
export const stream = (...lines: readonly string[]): Answer => ({
	type: 'text/plain',
	body: lines.map(line => `${line}\n`).join(''),
});

export const serverItem = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
	name,
	environment: 'ai',
	port: 8888,
	server_request: 'svc-medium',
	status: 'ready',
	token: null,
	thumb: '/thumb.png',
	assistant_editor_url: 'https://editor.example/x',
	port_forward_url: 'https://forward.example',
	url: 'https://lab.example/user/u/x/',
	...more,
});

/** Response to create and start. */
export const startedServer = (name: string, more: Readonly<Record<string, unknown>> = {}) => {
	const {name: _, thumb: __, status: ___, ...rest} = serverItem(name);
	return {...rest, server_name: name, hourly_rate: 2.49, message: `${name} started`, ...more};
};

export const computeOption = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
	name,
	cloud_host: 'cloud',
	compute_id: `cloud-${name}`,
	cpus: 4,
	memory: '16G',
	num_gpus: 1,
	vram_per_gpu: '24G',
	total_vram: '24G',
	hourly_price: 1.5,
	availability: [{available: true, region: 'eu-1'}],
	...more,
});

export const fileEntry = (path: string, more: Readonly<Record<string, unknown>> = {}) => ({
	name: path.split('/').at(-1) ?? path,
	path,
	serverPath: path,
	type: 'file',
	format: 'text',
	content: 'plain\n',
	mimetype: 'text/plain',
	size: 6,
	created: '2026-01-02T03:04:05.678901Z',
	last_modified: '2026-01-02T03:04:05.678901Z',
	writable: true,
	...more,
});

export const folderEntry = (path: string, content: readonly unknown[]) =>
	fileEntry(path, {type: 'directory', format: 'json', content, mimetype: null, size: null});

/**
 * Responses to requests for files: one folder that contains these paths as names, and each of the
 * files.
 */
export const inOneFolder = (paths: readonly string[], path: string): Answer =>
	success({
		content:
			path === ''
				? folderEntry(
						'',
						paths.map(each => fileEntry(each, {name: each})),
					)
				: fileEntry(path),
	});

/** A compute option with a text in every field that the service may fill. */
export const computeOfText = (text: string, regions: readonly object[] = []) =>
	computeOption(text, {
		cloud_host: text,
		compute_id: text,
		memory: text,
		vram_per_gpu: text,
		total_vram: text,
		availability: [{available: true, region: text}, ...regions],
		note: text,
	});

export const executedCell = (source: string, outputs: readonly unknown[]) => ({
	cell_type: 'code',
	execution_count: 1,
	metadata: {},
	source,
	outputs,
});

/** Routes of a service without hostile data and with one server, as the baseline. */
const CALM: Routes = {
	servers: () => success({servers: [serverItem('calm')]}),
	compute: () => success({compute: [computeOption('A100 (1x)')]}),
	environments: () => success({environments: [{environment_id: 'ai', name: 'AI', description: 'Tools'}]}),
	create: ({body}) =>
		success(startedServer((JSON.parse(body) as {readonly server_name: string}).server_name)),
	start: ({server}) => success(startedServer(server)),
	file: ({path}) =>
		success({content: path === '' ? folderEntry('', [fileEntry('plain.txt')]) : fileEntry(path)}),
	upload: ({path}) => success({content: fileEntry(path, {content: null, format: null})}),
	run: ({body}) =>
		success({
			content: executedCell((JSON.parse(body) as {readonly code: string}).code, [
				{output_type: 'stream', name: 'stdout', text: 'printed\n'},
			]),
		}),
	chat: () =>
		stream(
			'f:{"messageId":"m"}',
			'0:"an answer"',
			'd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":2}}',
		),
};

const PATTERNS: readonly (readonly [keyof Routes, RegExp])[] = [
	['servers', /^GET \/api\/servers$/],
	['compute', /^GET \/api\/compute$/],
	['environments', /^GET \/api\/environments$/],
	['create', /^POST \/api\/servers$/],
	['start', /^POST \/api\/servers\/(?<server>[^/?#]+)\/start$/],
	['run', /^POST \/api\/servers\/(?<server>[^/?#]+)\/run-code$/],
	['file', /^GET \/api\/servers\/(?<server>[^/?#]+)\/files\/(?<path>[^?#]*)$/],
	['upload', /^PUT \/api\/servers\/(?<server>[^/?#]+)\/files\/(?<path>[^?#]*)$/],
	['chat', /^POST \/api\/assistant\/(?<server>[^/?#]+)\/(?<model>[^/?#]+)$/],
];

const send = async (
	response: http.ServerResponse,
	{status = 200, reason, type = 'application/json', headers = {}, head, body, rest, then}: Answer,
): Promise<void> => {
	const pieces = typeof body === 'string' ? [Buffer.from(body)] : Buffer.isBuffer(body) ? [body] : body;
	if (reason !== undefined || head !== undefined) {
		const whole = Buffer.concat(pieces);
		const lines = [
			`HTTP/1.1 ${status} ${reason ?? 'OK'}`,
			`content-type: ${type}`,
			`content-length: ${whole.length}`,
			'connection: close',
		];
		const isLatin = /^[\u0000-\u00FF]*$/.test(reason ?? '');
		response.socket?.end(
			Buffer.concat([
				Buffer.from(`${lines.join('\r\n')}\r\n`, isLatin ? 'latin1' : 'utf8'),
				Buffer.from(`${(head ?? []).map(line => `${line}\r\n`).join('')}\r\n`, 'latin1'),
				whole,
			]),
		);
		return;
	}
	response.writeHead(status, {'content-type': type, ...headers});
	for (const piece of pieces) await new Promise(resolve => response.write(piece, resolve));
	if (rest) response.write(await rest);
	if (then === 'reset') setImmediate(() => response.socket?.resetAndDestroy());
	else if (then === undefined) response.end();
};

/**
 * Starts the service. `port`: port of an earlier service, to be used again. If a route throws, the
 * connection is closed without a response.
 */
export const startHostileService = async (
	first: Partial<Routes> = {},
	{port = 0}: {readonly port?: number} = {},
): Promise<HostileService> => {
	let routes: Routes = {...CALM, ...first};
	const asked: string[] = [];
	const abandoned: string[] = [];
	const keys: string[] = [];
	const strays: string[] = [];

	const handle = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
		const line = `${request.method} ${request.url}`;
		asked.push(line);
		keys.push(String(request.headers['apikey']));
		response.once('close', () => {
			if (!response.writableFinished) abandoned.push(line);
		});
		const chunks: Buffer[] = [];
		for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
		for (const [route, pattern] of PATTERNS) {
			const match = pattern.exec(line);
			if (!match) continue;
			const {server = '', path = '', model = ''} = match.groups ?? {};
			await send(
				response,
				await routes[route]({
					server: decodeURIComponent(server),
					path: decodeURIComponent(path),
					model,
					body: Buffer.concat(chunks).toString('utf8'),
					ifMatch: request.headers['if-match'],
				}),
			);
			return;
		}
		strays.push(line);
		await send(response, json({error: 'no such endpoint'}, 404));
	};

	const server = http.createServer(
		{maxHeaderSize: 1 << 20},
		(request, response) => void handle(request, response).catch(() => response.destroy()),
	);
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		baseUrl,
		asked,
		abandoned,
		keys,
		strays,
		env: {SVC_BASE_URL: baseUrl, SVC_API_KEY: 'key-of-the-hostile-service'},
		answer(changes) {
			routes = {...routes, ...changes};
		},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
};
