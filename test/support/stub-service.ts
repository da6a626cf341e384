import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {isDeepStrictEqual} from 'node:util';
import type {Exchange} from './transcripts/exchange.ts';
import {transcripts} from './transcripts/index.ts';

export type StubService = AsyncDisposable & {
	readonly baseUrl: string;
	readonly apiKey: string;
	/** `METHOD path` of each request, in order. */
	readonly asked: string[];
	/** Differences of requests from the API. Empty for a client that follows the API. */
	readonly faults: string[];
};

const textOf = async (request: http.IncomingMessage): Promise<string> => {
	const chunks: Buffer[] = [];
	for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
	return Buffer.concat(chunks).toString('utf8');
};

const parsed = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return `not JSON: ${text}`;
	}
};

/** The difference of a request from the API; undefined if there is none. */
const faultOf = ({body}: Exchange, request: http.IncomingMessage, text: string): string | undefined => {
	const type = request.headers['content-type'];
	if (body === undefined)
		return text !== '' || type !== undefined
			? 'a request without a body has one, or its content type'
			: undefined;
	if (type !== 'application/json') return `content type ${type}`;
	return isDeepStrictEqual(parsed(text), body)
		? undefined
		: `body ${text} instead of ${JSON.stringify(body)}`;
};

const answerWith = async ({status, answer}: Exchange, response: http.ServerResponse): Promise<void> => {
	if ('json' in answer) {
		response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(answer.json));
		return;
	}
	response.writeHead(status, {'content-type': 'text/plain'});
	for (const line of answer.lines) await new Promise(resolve => response.write(`${line}\n`, resolve));
	response.end();
};

/**
 * A service that only sends the responses of the transcripts. It has no state, and no fields
 * outside the API.
 */
export const startStubService = async (): Promise<StubService> => {
	const apiKey = 'stub-key-0123456789';
	const asked: string[] = [];
	const faults: string[] = [];

	const handle = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
		const line = `${request.method} ${request.url}`;
		asked.push(line);
		const text = await textOf(request);
		const refuse = (status: number, fault: string) => {
			faults.push(`${line}: ${fault}`);
			response.writeHead(status, {'content-type': 'text/plain'}).end(fault);
		};
		if (request.headers['apikey'] !== apiKey) return refuse(401, 'not the key');
		const exchange = transcripts.find(({method, path}) => `${method} ${path}` === line);
		if (!exchange) return refuse(404, 'not in the API');
		const fault = faultOf(exchange, request, text);
		return fault === undefined ? answerWith(exchange, response) : refuse(400, fault);
	};

	const server = http.createServer((request, response) => void handle(request, response));
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		apiKey,
		asked,
		faults,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
};
