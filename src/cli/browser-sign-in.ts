// Signing in with a browser (RFC 8252): the service leads it back to a port of this machine. The
// key is in no address, since those end up in histories and logs.
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {createClient} from '../api/client.ts';
import type {ClientSettings} from '../api/client-types.ts';
import {challengeOf, signInMark} from '../contract/sign-in.ts';
import {CommandError, failed} from './command-error.ts';
import type {Context} from './context.ts';
import {printNotice} from './print.ts';

/** Time for the user to sign in, in ms. */
const WITHIN_MS = 5 * 60_000;

const REASONS: Readonly<Record<string, string>> = {
	denied: 'The hub did not allow it.',
	hub: 'The hub did not confirm it.',
};

const refused = (message: string): CommandError =>
	new CommandError('auth', message, 'Nothing was stored. Try again, or paste an API key.');

/** Waits for the browser. Other requests to the port get 404 and end nothing. */
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

/**
 * Signs in with a browser on this machine, and returns the API key.
 * @throws {CommandError} if the user, the hub or the service refuses, or after five minutes.
 */
export const browserSignIn = async (
	context: Context,
	service: Omit<ClientSettings, 'apiKey'>,
	withinMs = WITHIN_MS,
): Promise<string> => {
	const {signal} = context;
	const verifier = randomBytes(32).toString('base64url');
	const challenge = challengeOf(verifier);
	using listener = await listen();
	const page = new URL('local/sign-in', service.baseUrl.replace(/\/*$/, '/'));
	page.search = new URLSearchParams({port: `${listener.port}`, challenge}).toString();
	const isOpened = await context.open(page.href, null).catch(() => false);
	await printNotice(
		context,
		`${isOpened ? 'Sign in in your browser' : 'No browser found. Open this page on this machine'}: ${page.href}`,
	);
	await printNotice(context, `Continue there only if it shows ${signInMark(challenge)}.`);
	const ended = Promise.withResolvers<null>();
	const end = (): void => ended.resolve(null);
	const timer = setTimeout(end, withinMs);
	signal.addEventListener('abort', end, {once: true});
	const answer = await Promise.race([listener.arrived, ended.promise]).finally(() => clearTimeout(timer));
	if (signal.aborted) throw new CommandError('cancelled', 'Stopped.', 'Nothing was stored.');
	if (answer === null) throw refused('Nobody signed in in the browser within five minutes.');
	const code = answer.get('code');
	if (code === null) throw refused(REASONS[answer.get('error') ?? ''] ?? 'The sign-in failed.');
	const reply = await createClient({...service, apiKey: null}).finishSignIn({code, verifier}, {signal});
	if (reply.ok) return reply.value;
	throw failed(reply.failure, 'Nothing was stored.');
};
