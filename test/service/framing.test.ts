import {afterAll, beforeAll, expect, test} from 'vitest';
import {localService, settings, type LocalService} from '../support/local-service.ts';
import {rawRequest} from '../support/raw-request.ts';

let local: LocalService;
beforeAll(async () => {
	local = await localService();
});
afterAll(async () => local[Symbol.asyncDispose]());

const post = 'POST /api/servers HTTP/1.1';
const chunked = 'Transfer-Encoding: chunked';
const chunks = '2\r\n{}\r\n0\r\n\r\n';
const json = 'Content-Type: application/json';

/**
 * Requests with ambiguous framing. The `SMUGGLED` part is a complete request that would create a
 * server, so the test fails if the service executes that part.
 */
test.each([
	['HTTP/2.0 in the request line', 505, 'GET /api/servers HTTP/2.0', '', '', /HTTP\/1\.1 only/],
	['HTTP/0.9 in the request line', 505, 'GET /api/servers HTTP/0.9', '', '', /HTTP\/1\.1 only/],
	['no version at all', 505, 'GET /api/servers', '', '', /HTTP\/1\.1 only/],
	['HTTP/2 of another kind', 400, 'PRI * HTTP/2.0', '', '', /well-formed/],
	['HTTP/1.2', 400, 'GET /api/servers HTTP/1.2', '', '', /well-formed/],
	[
		'HTTP/1.0 with Transfer-Encoding',
		400,
		'POST /api/servers HTTP/1.0',
		`Connection: keep-alive\r\n${json}\r\n${chunked}\r\n`,
		chunks,
		/HTTP\/1\.0 has no Transfer-Encoding/,
	],
	[
		'two encodings in one header',
		400,
		post,
		`${json}\r\nTransfer-Encoding: gzip, chunked\r\n`,
		chunks,
		/only Transfer-Encoding/,
	],
	[
		'an empty encoding before chunked',
		400,
		post,
		`${json}\r\nTransfer-Encoding: ,chunked\r\n`,
		chunks,
		/only Transfer-Encoding/,
	],
	['chunked twice', 400, post, `${json}\r\n${chunked}\r\n${chunked}\r\n`, chunks, /./],
	[
		'an encoding that only ends like chunked',
		400,
		post,
		`${json}\r\nTransfer-Encoding: xchunked\r\n`,
		chunks,
		/./,
	],
	[
		'the encoding identity',
		400,
		post,
		`${json}\r\nTransfer-Encoding: identity\r\nContent-Length: 0\r\n`,
		'',
		/./,
	],
	['a length beside an encoding', 400, post, `${json}\r\nContent-Length: 2\r\n${chunked}\r\n`, chunks, /./],
	['two lengths', 400, post, `${json}\r\nContent-Length: 0\r\nContent-Length: 0\r\n`, '', /./],
	['a list of lengths', 400, post, `${json}\r\nContent-Length: 0, 0\r\n`, '', /./],
	['a length with a sign', 400, post, `${json}\r\nContent-Length: +0\r\n`, '', /./],
	['a blank before the colon', 400, post, `${json}\r\nContent-Length : 0\r\n`, '', /./],
	['a folded header', 400, post, `${json}\r\nX: a\r\n Content-Length: 0\r\nContent-Length: 0\r\n`, '', /./],
	['a GET with a body', 400, 'GET /api/servers HTTP/1.1', 'Content-Length: 2\r\n', '{}', /A GET has no body/],
	['a GET with chunks', 400, 'GET /api/servers HTTP/1.1', `${chunked}\r\n`, chunks, /A GET has no body/],
	[
		'two content types',
		400,
		post,
		`${json}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n`,
		'{}',
		/content-type must not occur twice/,
	],
	['two keys', 400, 'GET /api/servers HTTP/1.1', 'apiKey: x\r\n', '', /apikey must not occur twice/],
	[
		'a trailer that is a length',
		400,
		post,
		`${json}\r\n${chunked}\r\n`,
		'2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n',
		/./,
	],
])(
	'%s ends the connection, and the bytes after it are not executed',
	async (_, status, line, headers, body, reason) => {
		const own = `Host: 127.0.0.1:${local.service.port}\r\napiKey: ${local.key}\r\n`;
		const create = JSON.stringify({server_name: 'smuggled', ...settings});
		const smuggled = `${post}\r\n${own}${json}\r\nContent-Length: ${create.length}\r\n\r\n${create}`;
		const answer = await rawRequest(local.service.port, `${line}\r\n${own}${headers}\r\n${body}${smuggled}`);
		expect([answer.status, answer.head]).toEqual([status, expect.stringContaining('connection: close')]);
		const [first = ''] = answer.body.split(/HTTP\/1\.1 (?=\d)/);
		expect(JSON.parse(first)).toMatchObject({
			status: 'error',
			error: {code: status, message: expect.stringMatching(reason)},
		});
		expect(await local.state('smuggled')).toBeUndefined();
	},
);

test('HTTP/1.0 without an encoding is answered, and kept open where the client asks for it', async () => {
	const own = `Host: 127.0.0.1:${local.service.port}\r\napiKey: ${local.key}\r\n`;
	const {status, body} = await rawRequest(
		local.service.port,
		`GET /api/environments HTTP/1.0\r\n${own}Connection: keep-alive\r\n\r\nGET /api/servers HTTP/1.0\r\n${own}\r\n`,
	);
	expect([status, body.match(/HTTP\/1\.1 200/g)]).toEqual([200, ['HTTP/1.1 200']]);
});

test('of many requests on one connection, eight are answered, the next gets 429 late, and the rest nothing', async () => {
	const flood = `GET /api/compute HTTP/1.1\r\nHost: 127.0.0.1:${local.service.port}\r\napiKey: ${local.key}\r\n\r\n`;
	const from = performance.now();
	const {status, body} = await rawRequest(local.service.port, flood.repeat(1000));
	expect(performance.now() - from).toBeGreaterThan(200);
	const others = [...body.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, found]) => Number(found));
	expect([status, ...others]).toEqual([...Array.from({length: 8}, () => 200), 429]);
	expect(await local.state('none')).toBeUndefined();
});
