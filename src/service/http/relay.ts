import http, {
	type ClientRequest,
	type IncomingMessage,
	type OutgoingHttpHeaders,
	type ServerResponse,
} from 'node:http';
import type {Duplex} from 'node:stream';
import type {Verdict} from '../forward/gate.ts';
import {respondRaw} from './raw-response.ts';
import {requestHeaders, responseHeaders, withoutTokenIn, type ProxyEnds} from '../forward/headers.ts';

const page = (
	response: ServerResponse,
	status: number,
	text: string,
	headers: OutgoingHttpHeaders = {},
): void => {
	response.writeHead(status, {
		'content-type': 'text/plain; charset=utf-8',
		'cache-control': 'no-store',
		'referrer-policy': 'no-referrer',
		'x-content-type-options': 'nosniff',
		connection: 'close',
		...headers,
	});
	response.end(`${text}\n`);
};

const headBytes = (
	{statusCode = 502, statusMessage = ''}: IncomingMessage,
	headers: readonly string[],
): string => {
	const lines = headers.flatMap((name, index) =>
		index % 2 === 0 ? [`${name}: ${headers[index + 1] ?? ''}\r\n`] : [],
	);
	return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`;
};

export type RelayTarget = {
	readonly host: string;
	readonly port: number;
	/** Converts the original target to the path to request from the program. */
	path(target: string): string;
	/** Additional headers, in which names and values alternate. */
	readonly more?: readonly string[];
	/** Sentence for the user that explains why there is no response. */
	why(error: NodeJS.ErrnoException): string;
};

/**
 * Forwards requests and WebSockets to one program on this machine. Opens a new connection for each.
 */
export const openRelay = ({host, port, path, more = [], why}: RelayTarget) => {
	const active = new Set<{destroy(): unknown}>();
	let lastUsed = 0;

	const ask = (request: IncomingMessage, ends: ProxyEnds, extra: readonly string[] = []): ClientRequest => {
		const isChunked = request.headers['transfer-encoding'] !== undefined;
		return http.request({
			host,
			port,
			method: request.method,
			path: withoutTokenIn(path(request.url ?? '/'), ends.token),
			agent: false,
			headers: [
				...requestHeaders(request.rawHeaders, ends, isChunked ? 'chunked' : 'as is'),
				...more,
				...extra,
			],
		});
	};
	/** Counts a connection as active until `side` closes. */
	const trackActivity = (side: ServerResponse | Duplex, asked: ClientRequest): void => {
		lastUsed = Date.now();
		active.add(side);
		side.on('close', () => {
			active.delete(side);
			lastUsed = Date.now();
			asked.destroy();
		});
	};
	return {
		pass(request: IncomingMessage, response: ServerResponse, verdict: Verdict): void {
			if ('refused' in verdict) return page(response, 403, verdict.refused);
			if ('moved' in verdict) {
				const {moved, cookie} = verdict;
				return page(response, 307, 'Moved.', {
					location: moved,
					...(cookie !== undefined && {'set-cookie': cookie}),
				});
			}
			const asked = ask(request, verdict);
			asked.on('response', answer => {
				response.writeHead(
					answer.statusCode ?? 502,
					answer.statusMessage ?? '',
					responseHeaders(answer.rawHeaders, verdict),
				);
				// Sends the headers immediately, because the first server-sent event may take long.
				response.flushHeaders();
				answer.pipe(response);
				answer.on('error', () => response.destroy());
			});
			asked.on('error', error => {
				if (response.headersSent) response.destroy();
				else page(response, 502, why(error));
			});
			trackActivity(response, asked);
			request.pipe(asked);
		},
		upgrade(
			request: IncomingMessage,
			socket: Duplex,
			head: Buffer,
			verdict: Verdict,
			onStatus: (status: number) => void,
		): void {
			// Needed because Node has removed its error listener from the socket, and a reset would
			// crash the service.
			socket.on('error', () => undefined);
			const rawPage = (status: number, text: string): void => {
				onStatus(status);
				respondRaw(socket, status, {'content-type': 'text/plain; charset=utf-8'}, `${text}\n`);
			};
			if (!('inner' in verdict))
				return rawPage(403, 'refused' in verdict ? verdict.refused : 'This is not a page.');
			if (request.headers.upgrade?.toLowerCase() !== 'websocket')
				return rawPage(400, 'Only WebSockets are upgraded.');
			const asked = ask(request, verdict, ['Connection', 'Upgrade', 'Upgrade', 'websocket']);
			asked.on('upgrade', (answer, behind, behindHead) => {
				onStatus(answer.statusCode ?? 101);
				socket.write(
					headBytes(answer, [
						...responseHeaders(answer.rawHeaders, verdict),
						'Connection',
						'Upgrade',
						'Upgrade',
						'websocket',
					]),
				);
				if (behindHead.length > 0) socket.write(behindHead);
				if (head.length > 0) behind.write(head);
				behind.on('error', () => socket.destroy());
				behind.on('close', () => socket.destroy());
				socket.on('close', () => behind.destroy());
				socket.pipe(behind);
				behind.pipe(socket);
			});
			asked.on('response', answer => {
				onStatus(answer.statusCode ?? 502);
				socket.write(
					headBytes(answer, [...responseHeaders(answer.rawHeaders, verdict), 'Connection', 'close']),
				);
				answer.pipe(socket);
			});
			asked.on('error', error => rawPage(502, why(error)));
			trackActivity(socket, asked);
			asked.end();
		},
		/** True if any connection is active, or was used after `time` (ms since the epoch). */
		usedSince: (time: number): boolean => active.size > 0 || lastUsed > time,
		close(): void {
			for (const side of active) side.destroy();
		},
	};
};

export type Relay = ReturnType<typeof openRelay>;
