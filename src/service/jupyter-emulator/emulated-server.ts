// Server of the embedded engine at its own address: Jupyter Server's API on a separate origin, with
// its own token.
import {randomBytes} from 'node:crypto';
import {STATUS_CODES, type IncomingMessage, type ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import {FileFault} from '../../engines/files.ts';
import {folderChanges} from '../../engines/folder-change.ts';
import {folderFiles} from '../../engines/folder-files.ts';
import type {SessionOptions} from '../../engines/engine.ts';
import type {LiveKernel, OwnKernel} from '../../engines/live-kernel.ts';
import {unexpected} from '../http/error-response.ts';
import {answerHeaders, jsonType, ServiceFault} from '../http/fault.ts';
import {ClientGoneError, readJsonBody} from '../http/json-body.ts';
import {openDedicatedPort} from '../http/dedicated-port.ts';
import type {Log} from '../log.ts';
import {createContents} from './contents.ts';
import {refusal} from './gate.ts';
import {createEmulatedKernel} from './emulated-kernel.ts';
import {createLoad} from './load.ts';
import {createRest, type Reply, type Rest} from './rest.ts';
import type {Sockets} from './sockets.ts';

/** Plain text for browsers, because no active page is served at this address. */
const landingPage = (
	name: string,
	address: string,
): string => `This is ${name}, a notebook server with the embedded Python of svc-tui.

It provides Jupyter Server's API. Each session has a kernel of its own as long as memory allows; svc-tui
itself uses the kernel of the session svc-tui-python3. It has no web page. Programs can connect to it at this address, with the token that you used to open it:

  VS Code                 "Select Kernel", "Existing Jupyter Server", then the address with its token
  JupyterLab, Notebook    jupyter lab --gateway-url=${address} \\
                            --GatewayClient.auth_token=TOKEN
  a program               GET ${address}api/kernels
                          with the header  Authorization: token TOKEN

  svc-tui server open ${name} --with-token   prints the address with its token, which changes at each start
  svc-tui run ${name} -                      runs Python from standard input, in the kernel of svc-tui-python3
`;

const REQUEST_MS = 300_000;
const BODY_BYTES = 192 << 20;

/** Emulated Jupyter Server at its own address. */
export type EmulatedServer = {
	readonly url: string;
	/** Gives access only to this address. Changes at each start. */
	readonly token: string;
	/** True if clients used the server after `time` (ms since the epoch). */
	usedSince(time: number): boolean;
	/** True if any kernel other than the default one holds variables. */
	hasState(): boolean;
	/** Resolves when a client has requested the server's shutdown. */
	readonly shutDown: Promise<void>;
	close(): Promise<void>;
};

const ourPath = ({user, name}: SessionOptions['server']): string => `/user/${user}/${name}/`;

/** Decodes a path. @throws {ServiceFault} 400 if an escape is malformed. */
const decode = (path: string): string => {
	try {
		return path.split('/').map(decodeURIComponent).join('/');
	} catch {
		throw new ServiceFault(
			400,
			'The address contains an invalid percent escape; encode each part of it as UTF-8.',
		);
	}
};

export const openEmulatedServer = async ({
	kernel,
	startKernel,
	kernelRefusal = () => null,
	root,
	isProject = false,
	server,
	log,
}: {
	/** The default kernel. */
	readonly kernel: LiveKernel;
	readonly startKernel: (() => Promise<OwnKernel>) | null;
	readonly kernelRefusal?: SessionOptions['kernelRefusal'];
	readonly root: string;
	readonly isProject?: boolean | undefined;
	readonly server: SessionOptions['server'];
	readonly log: Log;
}): Promise<EmulatedServer> => {
	const token = randomBytes(24).toString('base64url');
	const base = ourPath(server);
	const files = folderFiles(root, {isProject});
	const shutDown = Promise.withResolvers<void>();
	const rest: Rest = createRest({
		openDefault: () => createEmulatedKernel(kernel, () => rest.begin()),
		defaultPid: () => kernel.pid(),
		startKernel,
		refusal: kernelRefusal,
		contents: createContents(files, folderChanges({path: root, isProject})),
		load: createLoad(),
		onShutDown: shutDown.resolve,
		python: kernel.python,
	});
	let bodies = 0;
	let lastUsed = Date.now();
	let sockets: Promise<Sockets> | undefined;

	const send = (response: ServerResponse, {status, body, headers = {}, afterwards}: Reply): void => {
		if (afterwards) response.once('close', afterwards);
		const isText = typeof body === 'string';
		response.writeHead(status, {
			...answerHeaders,
			'referrer-policy': 'no-referrer',
			...(body !== undefined && {'content-type': isText ? 'text/plain; charset=utf-8' : jsonType}),
			...headers,
		});
		response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body));
	};
	const sendError = (response: ServerResponse, error: unknown): void => {
		if (error instanceof ClientGoneError || response.headersSent) {
			response.destroy();
			return;
		}
		const isKnown = error instanceof FileFault || error instanceof ServiceFault;
		const status = isKnown ? error.status : 500;
		const message = isKnown ? error.message : unexpected(log, error);
		response.setHeader('connection', 'close');
		send(response, {status, body: {message, reason: null}});
	};
	const bodyOf = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
		const {'content-length': length, 'transfer-encoding': encoding} = request.headers;
		if ((length === undefined || length === '0') && encoding === undefined) return {};
		let mine = 0;
		try {
			const {body, decoded} = await readJsonBody(request, root, count => {
				mine += count;
				bodies += count;
				if (bodies > BODY_BYTES)
					throw new ServiceFault(503, 'Too many uploads at once. Try again in a moment.');
			});
			// Overwrites `decoded` even with undefined, because a client may have sent a field of
			// this name.
			return {...body, decoded};
		} finally {
			bodies -= mine;
		}
	};
	/** Sends a file as an attachment, which browsers save instead of displaying. */
	const download = async (response: ServerResponse, path: string): Promise<void> => {
		const {format, content, name} = await files.get(path);
		if (typeof content !== 'string') throw new ServiceFault(400, 'A folder cannot be downloaded.');
		const bytes = Buffer.from(content, format === 'base64' ? 'base64' : 'utf8');
		response.writeHead(200, {
			...answerHeaders,
			'content-type': 'application/octet-stream',
			'content-length': bytes.length,
			'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name ?? 'file')}`,
		});
		response.end(bytes);
	};
	const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const {method = '', url = ''} = request;
		const refused = refusal(request, gate);
		if (refused) {
			response.setHeader('connection', 'close');
			send(response, {status: refused.status, body: {message: refused.sentence, reason: null}});
			return;
		}
		const [rawPath = '', ...query] = url.split('?');
		const path = decode(rawPath);
		const isHead = method === 'HEAD';
		if (path === '/' || path === base) {
			if (method !== 'GET' && !isHead) throw new ServiceFault(405, 'Method not allowed.');
			send(response, {status: 200, body: landingPage(server.name, `${origin}${base}`)});
			return;
		}
		if (!path.startsWith(base)) throw new ServiceFault(404, `This server's address starts with ${base}.`);
		const below = path.slice(base.length);
		if (below.startsWith('files/') && method === 'GET') {
			lastUsed = Date.now();
			await download(response, below.slice('files/'.length));
			return;
		}
		// Requests for lists do not count as use, because clients send them to monitor the server.
		const asked = new URLSearchParams(query.join('?'));
		const isWatching = asked.has('no_track_activity') || !below.startsWith('api/contents');
		if (method !== 'GET' || !isWatching) lastUsed = Date.now();
		send(
			response,
			await rest.answer({
				method: isHead ? 'GET' : method,
				path: below.replace(/\/$/, ''),
				raw: rawPath.replace(/\/$/, ''),
				query: asked,
				body: await bodyOf(request),
			}),
		);
	};

	const upgrade = async (
		request: IncomingMessage,
		socket: Socket,
		head: Buffer,
		onStatus: (status: number) => void,
	): Promise<void> => {
		const refuse = (status: number, sentence: string): void => {
			onStatus(status);
			const body = JSON.stringify({message: sentence, reason: null});
			socket.end(
				`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: ${jsonType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
				() => socket.destroy(),
			);
		};
		const refused = refusal(request, gate);
		if (refused) return refuse(refused.status, refused.sentence);
		const [rawPath = '', ...query] = (request.url ?? '').split('?');
		const path = decode(rawPath);
		const [, id = ''] = /^api\/kernels\/([^/]+)\/channels$/.exec(path.slice(base.length)) ?? [];
		const found = path.startsWith(base) ? rest.kernel(id) : null;
		if (!found) return refuse(404, 'There is no such kernel.');
		const session = new URLSearchParams(query.join('?')).get('session_id') ?? '';
		// Imported when the first WebSocket is opened.
		sockets ??= import('./sockets.ts').then(({createSockets}) => createSockets());
		const {open: accept} = await sockets;
		onStatus(101);
		lastUsed = Date.now();
		accept(request, socket, head, {
			kernel: found,
			session: session === '' ? randomBytes(16).toString('hex') : session.slice(0, 200),
		});
	};
	const {port, close} = await openDedicatedPort({
		log,
		route: 'jupyter',
		connections: 128,
		requestTimeout: REQUEST_MS,
		answer(request, response) {
			handle(request, response).catch((error: unknown) => sendError(response, error));
		},
		upgrade(request, socket, head, onStatus) {
			socket.on('error', () => undefined);
			upgrade(request, socket, head, onStatus).catch(() => socket.destroy());
		},
	});
	const origin = `http://127.0.0.1:${port}`;
	const gate = {hosts: new Set([`127.0.0.1:${port}`, `localhost:${port}`]), token};
	return {
		url: `${origin}${base}`,
		token,
		shutDown: shutDown.promise,
		usedSince: time => lastUsed > time || rest.lastUsed() > time,
		hasState: rest.hasState,
		async close() {
			rest.close();
			await sockets?.then(
				opened => opened.close(),
				() => undefined,
			);
			await close();
		},
	};
};
