import http from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, test} from 'vitest';
import {openForward} from '../../src/service/forward/forward.ts';
import type {Log} from '../../src/service/log.ts';
import {rawRequest} from '../support/raw-request.ts';
import {waitFor} from '../support/wait-for.ts';

const silent: Log = {line() {}, failure: () => '', close() {}};

type Seen = {
	readonly method: string | undefined;
	readonly url: string | undefined;
	readonly headers: http.IncomingHttpHeaders;
	readonly body: string;
};

/** A program that listens on a port, and the address from which the service forwards to it. */
const forwarded = async (
	answer: (response: http.ServerResponse, seen: Seen) => void = response => response.end('ok'),
) => {
	const seen: Seen[] = [];
	const logged: string[] = [];
	const program = http.createServer((request, response) => {
		let body = '';
		request.setEncoding('utf8').on('data', (part: string) => {
			body += part;
		});
		request.on('end', () => {
			const last = {method: request.method, url: request.url, headers: request.headers, body};
			seen.push(last);
			answer(response, last);
		});
	});
	program.on('upgrade', (request, socket, head) => {
		seen.push({method: request.method, url: request.url, headers: request.headers, body: ''});
		socket.write(
			'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n',
		);
		socket.write(head);
		socket.pipe(socket);
		socket.on('error', () => undefined);
	});
	await new Promise<void>(resolve => {
		program.listen(0, '127.0.0.1', resolve);
	});
	const {port} = program.address() as AddressInfo;
	const forward = await openForward(
		{port, name: 'lab', user: 'ann'},
		{...silent, line: text => void logged.push(text)},
	);
	const {port: own, searchParams} = new URL(forward.url);
	const token = searchParams.get('token') ?? '';
	const ask = (lines: readonly string[], body = '') =>
		rawRequest(Number(own), `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
	return {
		seen,
		logged,
		port,
		forward,
		own,
		token,
		ask,
		async [Symbol.asyncDispose]() {
			await forward.close();
			program.closeAllConnections();
			await new Promise(resolve => {
				program.close(resolve);
			});
		},
	};
};

test('the program gets the request, without the token and without any key or password', async () => {
	await using at = await forwarded((response, {body}) => response.end(`got ${body}`));
	const answer = await fetch(`${at.forward.url}&a=1&token=mine`, {
		method: 'POST',
		body: 'hello',
		headers: {
			apiKey: 'secret-key',
			authorization: 'Bearer secret',
			cookie: 'other=secret',
			'x-own': 'kept',
			origin: `http://127.0.0.1:${at.own}`,
			referer: `http://127.0.0.1:${at.own}/?token=${at.token}`,
		},
	});
	expect(await answer.text()).toBe('got hello');
	const [{url, method, headers} = {url: '', method: '', headers: {} as http.IncomingHttpHeaders}] = at.seen;
	expect({url, method, host: headers.host, origin: headers.origin, own: headers['x-own']}).toEqual({
		url: '/?a=1&token=mine',
		method: 'POST',
		host: `localhost:${at.port}`,
		origin: `http://localhost:${at.port}`,
		own: 'kept',
	});
	expect(JSON.stringify(at.seen)).not.toMatch(new RegExp(`secret|${at.token}`));
});

test('a browser that opens the address continues at a host name of this address alone, where the page, its files and cookies work', async () => {
	await using at = await forwarded(response =>
		response
			.setHeader('set-cookie', 'sid=1; Domain=localhost; Path=/')
			.setHeader('location', `http://127.0.0.1:${at.port}/next`)
			.end('ok'),
	);
	const moved = await fetch(`${at.forward.url}&page=2`, {
		redirect: 'manual',
		headers: {'sec-fetch-dest': 'document'},
	});
	const {host, href} = new URL(moved.headers.get('location') ?? '');
	expect([moved.status, href, moved.headers.get('set-cookie')]).toEqual([
		307,
		`http://${host}/?token=${at.token}&page=2`,
		null,
	]);
	expect(host).toMatch(new RegExp(`^[0-9a-f]{16}\\.localhost:${at.own}$`));
	// A browser sends the header that marks a page load only with TLS.
	const there = await at.ask([
		`GET /?token=${at.token}&page=2 HTTP/1.1`,
		`Host: ${host}`,
		'Accept: text/html,*/*',
	]);
	expect(there.status).toBe(307);
	expect(there.head).toMatch(new RegExp(`location: http://${host}/\\?page=2\r\n`, 'i'));
	const [, cookie = ''] =
		/set-cookie: (svc-forward=[0-9a-f]{48}); Path=\/; HttpOnly; SameSite=Lax\r\n/i.exec(there.head) ?? [];
	const {status, head} = await at.ask([
		'GET /style.css HTTP/1.1',
		`Host: ${host}`,
		`Cookie: ${cookie}; sid=1`,
		`Origin: http://${host}`,
	]);
	expect(status).toBe(200);
	expect(head).toMatch(/set-cookie: sid=1; Path=\/\r\n/i);
	expect(head).toMatch(/location: \/next\r\n/i);
	expect(head).toMatch(/referrer-policy: same-origin/i);
	expect(at.seen.map(({url, headers}) => [url, headers.cookie, headers.host, headers.origin])).toEqual([
		['/style.css', 'sid=1', `localhost:${at.port}`, `http://localhost:${at.port}`],
	]);
	// Cookies of 127.0.0.1 are sent to all its ports.
	const direct = await fetch(at.forward.url, {redirect: 'manual'});
	expect(direct.headers.get('set-cookie')).toBeNull();
});

test('the log holds each request as it holds those of the service: no path, no query, no token', async () => {
	await using at = await forwarded();
	await (await fetch(`${at.forward.url}&secret=1`)).text();
	await at.ask([`GET /hidden HTTP/1.1`, `Host: 127.0.0.1:${at.own}`]);
	const line = (status: number) =>
		expect.stringMatching(new RegExp(`^GET forward:${at.port} ${status} \\d+ms \\d+b$`));
	await waitFor(() => expect(at.logged).toEqual([line(200), line(403)]));
});

test('it answers to its own name, its own token and its own pages only', async () => {
	await using at = await forwarded();
	const {own, token} = at;
	const refused: ReadonlyArray<readonly string[]> = [
		[`GET / HTTP/1.1`, `Host: 127.0.0.1:${own}`],
		[`GET /?token=${'0'.repeat(32)} HTTP/1.1`, `Host: 127.0.0.1:${own}`],
		[`GET /?token=${token} HTTP/1.1`, `Host: evil.example:${own}`],
		[`GET /?token=${token} HTTP/1.1`, `Host: 127.0.0.1:${own}`, `Host: 127.0.0.1:${own}`],
		[`GET /?token=${token} HTTP/1.1`],
		[`GET / HTTP/1.1`, `Host: ${'0'.repeat(32)}.localhost:${own}`],
		[`GET http://127.0.0.1:${own}/?token=${token} HTTP/1.1`, `Host: 127.0.0.1:${own}`],
		[
			`POST /?token=${token} HTTP/1.1`,
			`Host: 127.0.0.1:${own}`,
			'Origin: http://evil.example',
			'Content-Length: 0',
		],
		[`GET / HTTP/1.1`, `Host: ${token}.localhost:${own}`],
		[`POST /?token=${token} HTTP/1.1`, `Host: 127.0.0.1:${own}`, 'Origin: null', 'Content-Length: 0'],
	];
	for (const lines of refused) expect([lines, (await at.ask(lines)).status]).toEqual([lines, 403]);
	expect(at.seen).toEqual([]);
});

test('headers of one connection, and those that it names, are not forwarded', async () => {
	await using at = await forwarded(response =>
		response
			.writeHead(200, {
				connection: 'close, x-hop',
				'x-hop': 'gone',
				'x-end': 'kept',
				'keep-alive': 'timeout=9',
			})
			.end('ok'),
	);
	const {head} = await rawRequest(
		Number(at.own),
		`GET /?token=${at.token} HTTP/1.1\r\nHost: 127.0.0.1:${at.own}\r\nConnection: close, X-Named\r\nX-Named: gone\r\nTE: trailers\r\nProxy-Authorization: gone\r\n\r\n`,
	);
	expect(head).toMatch(/x-end: kept/i);
	expect(head).not.toMatch(/x-hop|timeout=9/i);
	expect(JSON.stringify(at.seen)).not.toMatch(/gone|trailers/);
});

test('an upload without a length and an answer of many pieces go through whole', async () => {
	await using at = await forwarded((response, {body}) => {
		for (const piece of body.match(/[^]{1,50000}/g) ?? []) response.write(piece);
		response.end();
	});
	const text = 'é0123456789'.repeat(50_000);
	const sent = new Blob([text]).stream();
	const answer = await fetch(at.forward.url, {method: 'POST', body: sent, duplex: 'half'} as RequestInit);
	expect((await answer.text()) === text).toBe(true);
});

test('a WebSocket goes through in both directions, and one of another origin does not', async () => {
	await using at = await forwarded();
	const upgrade = (origin: string): string =>
		`GET /live?token=${at.token} HTTP/1.1\r\nHost: 127.0.0.1:${at.own}\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n`;
	expect((await rawRequest(Number(at.own), upgrade('http://evil.example'))).status).toBe(403);
	const answered = Promise.withResolvers<string>();
	const request = http.request({
		port: at.own,
		host: '127.0.0.1',
		path: `/live?token=${at.token}`,
		headers: {
			connection: 'Upgrade',
			upgrade: 'websocket',
			'sec-websocket-key': 'x',
			origin: `http://127.0.0.1:${at.own}`,
		},
	});
	request.on('upgrade', (response, socket) => {
		socket.on('data', part => {
			answered.resolve(`${response.statusCode} ${response.headers['sec-websocket-accept']} ${String(part)}`);
			socket.destroy();
		});
		socket.write('echo');
	});
	request.end();
	expect(await answered.promise).toBe('101 x echo');
	expect(at.seen.map(({url}) => url)).toEqual(['/live']);
});

test('an unused port shows what to start', async () => {
	await using at = await forwarded();
	const {port} = at;
	await at[Symbol.asyncDispose]();
	const forward = await openForward({port, name: 'lab', user: 'ann'}, silent);
	try {
		const answer = await fetch(forward.url);
		expect([answer.status, await answer.text()]).toEqual([
			502,
			`Nothing listens on port ${port} of the server lab yet. Start a program there, such as: python3 -m http.server ${port} --bind 127.0.0.1\n`,
		]);
	} finally {
		await forward.close();
	}
});
