import {afterAll, beforeAll, expect, test} from 'vitest';
import {readyService, type LocalService} from '../support/local-service.ts';
import {rawRequest, requestBytes, type RawAnswer} from '../support/raw-request.ts';

let local: LocalService;
beforeAll(async () => {
	local = await readyService();
});
afterAll(async () => local[Symbol.asyncDispose]());

type Headers = Readonly<Record<string, string | number | null>>;

const send = (line: string, headers: Headers, body?: string | Buffer): Promise<RawAnswer> =>
	rawRequest(
		local.service.port,
		requestBytes(
			line,
			{Host: `127.0.0.1:${local.service.port}`, apiKey: local.key, Connection: 'close', ...headers},
			body,
		),
	);

/** Placeholder for the port, which is known only once the service listens. */
const here = (name: string): string => `${name}:PORT`;
const withPort = (headers: Headers): Headers =>
	Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [
			name,
			typeof value === 'string' ? value.replace('PORT', String(local.service.port)) : value,
		]),
	);

const json = (body: string | Buffer, headers: Headers = {}): Headers => ({
	'Content-Type': 'application/json',
	'Content-Length': Buffer.byteLength(body),
	...headers,
});
const chunked = {'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked'};
const files = '/api/servers/welcome/files';
const file = JSON.stringify({content: '', format: 'text', type: 'file'});
const deep = `{"code":"x = 1","kernel_name":"python3","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

type Case = readonly [title: string, line: string, headers: Headers, status: number, body?: string | Buffer];

const targets: readonly Case[] = [
	['a plain list is answered', 'GET /api/servers', {}, 200],
	['a query is ignored', 'GET /api/servers?x=1', {}, 200],
	['an absolute target is no path', 'GET http://evil.test/api/servers', {}, 400],
	['an absolute target with our own host is no path either', 'GET http://127.0.0.1/api/servers', {}, 400],
	['two leading slashes would name a host', 'GET //evil.test/api/servers', {}, 400],
	['a backslash is a slash to some parsers', 'GET /api\\servers', {}, 400],
	['a fragment never belongs into a request', 'GET /api/servers#x', {}, 400],
	['an asterisk is no path', 'OPTIONS *', {}, 400],
];

const sizes: readonly Case[] = [
	['a target of 4096 characters is only unknown', `GET /api/${'a'.repeat(4091)}`, {}, 404],
	['a target over 4096 characters is too long', `GET /api/${'a'.repeat(5000)}`, {}, 414],
	['a head over 16 KB is too large', `GET /api/${'a'.repeat(20_000)}`, {}, 431],
	['a header over 16 KB is too large', 'GET /api/servers', {'X-Long': 'a'.repeat(20_000)}, 431],
];

const hosts: readonly Case[] = [
	['localhost with the port is us', 'GET /api/servers', {Host: here('localhost')}, 200],
	['the name is not case-sensitive', 'GET /api/servers', {Host: here('LocalHost')}, 200],
	['[::1] with the port is us', 'GET /api/servers', {Host: here('[::1]')}, 200],
	['a rebound name is refused', 'GET /api/servers', {Host: 'evil.test'}, 403],
	['a rebound name with our port is refused', 'GET /api/servers', {Host: here('evil.test')}, 403],
	['a number for an address is refused', 'GET /api/servers', {Host: here('2130706433')}, 403],
	['a host without the port is refused', 'GET /api/servers', {Host: '127.0.0.1'}, 403],
	['a host with another port is refused', 'GET /api/servers', {Host: '127.0.0.1:1'}, 403],
	['a user before the host is refused', 'GET /api/servers', {Host: here('x@127.0.0.1')}, 403],
	['a name that begins like ours is refused', 'GET /api/servers', {Host: here('localhost.evil.test')}, 403],
	['an empty host is refused', 'GET /api/servers', {Host: ''}, 403],
	['no host at all is malformed', 'GET /api/servers', {Host: null}, 400],
	['a second host is refused', 'GET /api/servers', {host: here('127.0.0.1')}, 403],
	['a bad host is refused on an open page too', 'GET /editor/welcome', {Host: here('evil.test')}, 403],
	[
		'a bad host is refused before the key is looked at',
		'GET /api/servers',
		{Host: 'evil.test', apiKey: null},
		403,
	],
];

const browsers: readonly Case[] = [
	['another origin is refused', 'GET /api/servers', {Origin: 'https://evil.test'}, 403],
	['the null origin is refused', 'GET /api/servers', {Origin: 'null'}, 403],
	[
		'our own origin is refused: we serve no page that could call',
		'GET /api/servers',
		{Origin: 'http://127.0.0.1:PORT'},
		403,
	],
	['a cross-site fetch is refused', 'GET /api/servers', {'Sec-Fetch-Site': 'cross-site'}, 403],
	['a same-site fetch is refused', 'GET /api/servers', {'Sec-Fetch-Site': 'same-site'}, 403],
	[
		'an address typed into a browser passes to the key',
		'GET /api/servers',
		{'Sec-Fetch-Site': 'none', apiKey: null},
		401,
	],
	['a page opened from a web page is refused', 'GET /editor/welcome', {'Sec-Fetch-Site': 'cross-site'}, 403],
];

const preflights: readonly Case[] = [
	[
		'a preflight is refused',
		'OPTIONS /api/servers',
		{Origin: 'https://evil.test', 'Access-Control-Request-Method': 'POST', apiKey: null},
		403,
	],
	[
		'a preflight for a private network is refused',
		'OPTIONS /api/servers',
		{Origin: 'https://evil.test', 'Access-Control-Request-Private-Network': 'true', apiKey: null},
		403,
	],
	['OPTIONS without an origin is no method of ours', 'OPTIONS /api/servers', {}, 405],
];

const keys: readonly Case[] = [
	['no key', 'GET /api/servers', {apiKey: null}, 401],
	['an empty key', 'GET /api/servers', {apiKey: ''}, 401],
	['a wrong key', 'GET /api/servers', {apiKey: 'x'}, 401],
	['the header is not case-sensitive, but there is one of it', 'GET /api/servers', {APIKEY: 'x'}, 400],
	['no key on an unknown route tells nothing about routes', 'GET /api/nope', {apiKey: null}, 401],
	[
		'no key with a bad body tells nothing about bodies',
		'POST /api/servers',
		{...json('{x'), apiKey: null},
		401,
		'{x',
	],
	['no key on a lease', 'GET /local/lease', {apiKey: null}, 401],
];

const routes: readonly Case[] = [
	['an unknown route', 'GET /api/nope', {}, 404],
	['a route with a slash too many', 'GET /api/servers/', {}, 404],
	['an escaped route is another one', 'GET /%61pi/servers', {}, 404],
	['the root', 'GET /', {}, 404],
	['TRACE', 'TRACE /api/servers', {}, 405],
	['DELETE', 'DELETE /api/servers', {}, 405],
	['HEAD', 'HEAD /api/servers', {}, 405],
	['POST on a list', 'POST /api/compute', json('{}'), 405, '{}'],
	['POST on an open page', 'POST /editor/welcome', {...json('{}'), apiKey: null}, 405, '{}'],
	['CONNECT', 'CONNECT evil.test:443', {}, 405],
	['an upgrade', 'GET /api/servers', {Connection: 'Upgrade', Upgrade: 'websocket'}, 400],
];

const paths: readonly Case[] = [
	['dots climb out of the files', `GET ${files}/../../x`, {}, 400],
	['escaped dots climb out too', `GET ${files}/%2e%2e/x`, {}, 400],
	['an escaped slash behind dots', `GET ${files}/..%2fx`, {}, 400],
	['an escaped slash', `GET ${files}/a%2fb`, {}, 400],
	['an escaped NUL', `GET ${files}/a%00b`, {}, 400],
	['an escaped line break is a name that is missing', `GET ${files}/a%0ab`, {}, 404],
	['a broken escape', `GET ${files}/%zz`, {}, 400],
	['overlong UTF-8', `GET ${files}/%c0%ae%c0%ae/x`, {}, 400],
	['an absolute path', `GET ${files}//etc/passwd`, {}, 400],
	['an escaped backslash leads nowhere up: it is a name that is missing', `GET ${files}/..%5cx`, {}, 404],
	['half of a character', `GET ${files}/%ed%a0%80`, {}, 400],
	['a name of 256 bytes', `GET ${files}/${'a'.repeat(256)}`, {}, 400],
	['a name of 255 bytes is only missing', `GET ${files}/${'a'.repeat(255)}`, {}, 404],
	['a device name of Windows can be asked for', `GET ${files}/NUL.txt`, {}, 404],
	['a device name of Windows can be made on Linux', `PUT ${files}/NUL.txt`, json(file), 200, file],
	['a dot at the end can be asked for', `GET ${files}/a.`, {}, 404],
	['a dot at the end can be made', `PUT ${files}/b.`, json(file), 200, file],
	['a blank at the end can be made', `PUT ${files}/b%20`, json(file), 200, file],
	['a question mark can be made', `PUT ${files}/a%3Fb`, json(file), 200, file],
	['a colon can be made', `PUT ${files}/a%3Ab`, json(file), 200, file],
	['a file that is there is answered', `GET ${files}/data/gpu-prices.csv`, {}, 200],
];

const names: readonly Case[] = [
	['a server named ..', 'GET /api/servers/../files/x', {}, 400],
	['a server named .. in escapes', 'GET /api/servers/%2e%2e/files/x', {}, 400],
	['a server without a name', 'POST /api/servers//start', json('{}'), 400, '{}'],
	['a server with a semicolon', 'POST /api/servers/a;b/start', json('{}'), 400, '{}'],
	['a server named __proto__', 'POST /api/servers/__proto__/start', json('{}'), 400, '{}'],
	['a server with 64 letters', `POST /api/servers/${'a'.repeat(64)}/start`, json('{}'), 400, '{}'],
	['a server that ends with a hyphen', 'POST /api/servers/a-/start', json('{}'), 400, '{}'],
	[
		'a server with 63 letters is only unknown',
		`POST /api/servers/${'a'.repeat(63)}/start`,
		json('{}'),
		404,
		'{}',
	],
	['a server in another letter case is another one', 'GET /api/servers/Welcome/files/README.md', {}, 404],
];

const types: readonly Case[] = [
	[
		'text/plain, as a web form can send it',
		'POST /api/servers',
		{...json('{}'), 'Content-Type': 'text/plain'},
		415,
		'{}',
	],
	[
		'a web form',
		'POST /api/servers',
		{...json('{}'), 'Content-Type': 'application/x-www-form-urlencoded'},
		415,
		'{}',
	],
	['no content type', 'POST /api/servers', {'Content-Length': 2}, 415, '{}'],
	[
		'another charset',
		'POST /api/servers',
		{...json('{}'), 'Content-Type': 'application/json; charset=latin1'},
		415,
		'{}',
	],
	['a compressed body', 'POST /api/servers', json('{}', {'Content-Encoding': 'gzip'}), 415, '{}'],
	[
		'a charset of utf-8 passes to the schema',
		'POST /api/servers',
		{...json('{}'), 'Content-Type': 'application/json;charset=UTF-8'},
		400,
		'{}',
	],
];

const bodies: readonly Case[] = [
	['no JSON', 'POST /api/servers', json('{x'), 400, '{x'],
	['an array', 'POST /api/servers', json('[]'), 400, '[]'],
	['null', 'POST /api/servers', json('null'), 400, 'null'],
	['an empty body', 'POST /api/servers', json(''), 400, ''],
	[
		'bytes that are not UTF-8',
		'POST /api/servers',
		json(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
		400,
		Buffer.from([0x22, 0xff, 0xfe, 0x22]),
	],
	[
		'a body with two lengths',
		'POST /api/servers',
		json('{}', {'Transfer-Encoding': 'chunked'}),
		400,
		'0\r\n\r\n',
	],
	['a negative length', 'POST /api/servers', json('{}', {'Content-Length': -1}), 400, '{}'],
	['a bad chunk', 'POST /api/servers', chunked, 400, 'zz\r\n'],
	[
		'100,000 levels of nesting in a field that nobody reads',
		'POST /api/servers/welcome/run-code',
		json(deep),
		400,
		deep,
	],
];

const lengths: readonly Case[] = [
	['a body announced as too large', 'POST /api/servers', json('', {'Content-Length': 9_999_999}), 413, '{'],
	['a file announced as too large', `PUT ${files}/a`, json('', {'Content-Length': 200 * 2 ** 20}), 413, '{'],
	[
		'a file of 2 MiB is not too large',
		`PUT ${files}/big.txt`,
		{},
		200,
		JSON.stringify({content: 'a'.repeat(2 ** 21), format: 'text', type: 'file'}),
	],
	[
		'a chunked body that grows too large',
		'POST /api/servers',
		chunked,
		413,
		`200000\r\n${'a'.repeat(0x20_00_00)}\r\n0\r\n\r\n`,
	],
	[
		'a body waits for permission when it asks for it',
		'POST /api/servers',
		json('{}', {Expect: '100-continue'}),
		100,
		'{}',
	],
	['another expectation cannot be met', 'POST /api/servers', json('{}', {Expect: 'tea'}), 417, '{}'],
];

const groups = {
	L2: hosts,
	L3: browsers,
	L4: preflights,
	L5: keys,
	L6: targets,
	L7: sizes,
	L8: routes,
	L9: names,
	L10: paths,
	L16: types,
	L17: lengths,
	L18: bodies,
};

for (const [rule, cases] of Object.entries(groups)) {
	for (const [title, line, headers, status, body] of cases) {
		test(`${rule}: ${title}`, async () => {
			const sized =
				line.startsWith('PUT') && headers['Content-Length'] === undefined ? json(body ?? '') : headers;
			const answer = await send(line, withPort(sized), body);
			expect(answer.status).toBe(status);
			if (status < 400 || line.startsWith('HEAD')) return;
			const {status: word, error} = JSON.parse(answer.body) as {
				status: string;
				error: {code: number; message: string};
			};
			expect([word, error.code]).toEqual(['error', status]);
			expect(error.message).toMatch(/^["A-Z].* .*\.$/);
			for (const header of [
				'cache-control: no-store',
				'x-content-type-options: nosniff',
				"content-security-policy: default-src 'none'; frame-ancestors 'none'",
				'cross-origin-resource-policy: same-origin',
			])
				expect(answer.head).toContain(header);
			expect(answer.head).toContain('content-type: application/json');
			expect(answer.head).not.toContain('location:');
			expect(answer.head).not.toContain('access-control');
			expect((answer.head + answer.body).toLowerCase()).not.toContain(local.key.toLowerCase());
		});
	}
}

test('an HTTP/1.0 request without a host is refused', async () => {
	const answer = await rawRequest(
		local.service.port,
		`GET /api/servers HTTP/1.0\r\napiKey: ${local.key}\r\n\r\n`,
	);
	expect(answer.status).toBe(403);
});

test('noise that is not HTTP gets a sentence too', async () => {
	const answer = await rawRequest(local.service.port, 'SSH-2.0-client\r\n\r\n');
	expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, {status: 'error'}]);
});

test('a missing and a wrong key get identical responses', async () => {
	const missing = await send('GET /api/servers', {apiKey: null});
	const wrong = await send('GET /api/servers', {apiKey: `${local.key}x`});
	expect(wrong.body).toBe(missing.body);
	expect(missing.head).toContain('www-authenticate: apikey');
});

test('a known route with another method names the allowed methods', async () => {
	expect((await send('DELETE /api/servers', {})).head).toContain('allow: get, post');
	expect((await send(`DELETE ${files}/x`, {})).head).toContain('allow: get, put');
});
