// Signing in with a browser (RFC 8252): the service redirects the browser to a port of this
// machine. No address contains the key, because addresses end up in histories and logs.
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {challengeOf, signInMark} from '../contract/sign-in.ts';
import type {ClientSettings} from './client-types.ts';
import {createClient} from './client.ts';
import type {Failure} from './failure.ts';

/** Time for the user to sign in, in ms. */
const WITHIN_MS = 5 * 60_000;

const REASONS: Readonly<Record<string, string>> = {
	denied: 'The hub did not allow it.',
	hub: 'The hub did not confirm it.',
};

/**
 * Waits for the browser's request. Other requests to the port get a 404 and do not end the wait.
 */
const listen = async () => {
	const arrived = Promise.withResolvers<URLSearchParams>();
	const server = createServer((request, response) => {
		const {pathname, searchParams} = new URL(request.url ?? '', 'http://127.0.0.1');
		const isAnswer =
			request.method === 'GET' && pathname === '/' && (searchParams.has('code') || searchParams.has('error'));
		response.writeHead(isAnswer ? 200 : 404, {
			'content-type': 'text/plain; charset=utf-8',
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			connection: 'close',
		});
		response.end(
			isAnswer ? 'svc-tui has the answer. Go back to the terminal; this page can be closed.\n' : '',
		);
		if (isAnswer) response.once('finish', () => arrived.resolve(searchParams));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		arrived: arrived.promise,
		[Symbol.dispose]() {
			server.close();
			server.closeAllConnections();
		},
	};
};

export type BrowserPage = {
	readonly address: string;
	/**
	 * Text that the page must show. If it shows another text, the page belongs to the sign-in of
	 * another program.
	 */
	readonly mark: string;
};

/** The key, or the reason why there is none. Null if the signal was aborted. */
export type BrowserSignIn =
	{readonly key: string} | {readonly refusal: string} | {readonly failure: Failure} | null;

/**
 * Signs in with a browser on this machine. `open`: opens the page in the browser. Never rejects.
 */
export const browserSignIn = async (
	service: Omit<ClientSettings, 'apiKey'>,
	{open, signal}: {readonly open: (page: BrowserPage) => Promise<void>; readonly signal: AbortSignal},
	withinMs = WITHIN_MS,
): Promise<BrowserSignIn> => {
	const verifier = randomBytes(32).toString('base64url');
	const challenge = challengeOf(verifier);
	using listener = await listen();
	const page = new URL('local/sign-in', service.baseUrl.replace(/\/*$/, '/'));
	page.search = new URLSearchParams({port: `${listener.port}`, challenge}).toString();
	await open({address: page.href, mark: signInMark(challenge)});
	const ended = Promise.withResolvers<null>();
	const end = (): void => ended.resolve(null);
	const timer = setTimeout(end, withinMs);
	signal.addEventListener('abort', end, {once: true});
	const answer = await Promise.race([listener.arrived, ended.promise]).finally(() => clearTimeout(timer));
	if (signal.aborted) return null;
	if (answer === null) return {refusal: 'Nobody signed in in the browser within five minutes.'};
	const code = answer.get('code');
	if (code === null) return {refusal: REASONS[answer.get('error') ?? ''] ?? 'The sign-in failed.'};
	const reply = await createClient({...service, apiKey: null}).finishSignIn({code, verifier}, {signal});
	return reply.ok ? {key: reply.value} : {failure: reply.failure};
};
