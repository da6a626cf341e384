import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createRedactor} from '../../src/api/redact.ts';

const {redact} = createRedactor('k-0123456789abcdef');

test.each([
	['a field', '{"name":"a","token":"abc123"}', '{"name":"a","token":"…"}'],
	['a field that was cut', '{"name":"a","access_token": "abc12', '{"name":"a","access_token": "…'],
	['a field with quotes in its value', '{"password":"a\\"b","x":1}', '{"password":"…","x":1}'],
	[
		'JSON in JSON',
		'{"body":"{\\"apiToken\\":\\"abc\\",\\"x\\":1}"}',
		'{"body":"{\\"apiToken\\":\\"…\\",\\"x\\":1}"}',
	],
	['a dict of Python', "{'token': 'abc', 'x': 1}", "{'token': '…', 'x': 1}"],
	[
		'JSON in a page',
		'&quot;token&quot;: &quot;abc&quot;, &quot;x&quot;',
		'&quot;token&quot;: &quot;…&quot;, &quot;x&quot;',
	],
	[
		'an attribute of a page',
		'<body data-jupyter-api-token="abc" class="x">',
		'<body data-jupyter-api-token="…" class="x">',
	],
	['an address', 'see https://h/lab?a=1&token=abc&b=2#x', 'see https://h/lab?a=1&token=…&b=2#x'],
	['an address in an address', '/login?next=%2Flab%3Ftoken%3Dabc%26b', '/login?next=%2Flab%3Ftoken%3D…%26b'],
	['a user of an address', 'https://me:secret@h/x', 'https://…@h/x'],
	['a header', 'Authorization: Bearer abcdef0123456789', 'Authorization: Bearer …'],
	['a signed token', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.abc-_1', 'got …'],
	['the key', 'no key k-0123456789abcdef here', 'no key [API key] here'],
	['the key, cut', 'no key k-01234567', 'no key [API key]'],
	[
		'words',
		'{"usage":{"promptTokens":12},"message":"The token has expired.","errors":{"key":"region"},"token":null}',
		'{"usage":{"promptTokens":12},"message":"The token has expired.","errors":{"key":"region"},"token":null}',
	],
])('%s is masked, and nothing else', (_, text, masked) => {
	expect(redact(text)).toBe(masked);
	expect(redact(masked)).toBe(masked);
});

describe('a token', () => {
	const token = fc.stringMatching(/^[A-Za-z0-9"'\\&]{8,40}$/);
	test('of a list never comes through, however the list is wrapped and cut', () => {
		fc.assert(
			fc.property(token, fc.nat(3), fc.nat(300), fc.boolean(), (secret, wraps, cut, pretty) => {
				let text = JSON.stringify(
					{servers: [{name: 'a', token: secret, url: 'https://h/user'}], next: null},
					null,
					pretty ? 1 : 0,
				);
				for (let at = 0; at < wraps; at++) text = JSON.stringify({body: text});
				const shown = redact(text.slice(0, cut));
				for (let at = 0; at + 6 <= secret.length; at++) expect(shown).not.toContain(secret.slice(at, at + 6));
			}),
		);
	});

	test('that was seen is masked without a name beside it too', () => {
		const own = createRedactor('k-0123456789abcdef');
		own.learn({token: 'abcd0123efgh', url: 'https://h/?token=zyxw9876vuts&a=1'});
		own.learn({token: 'ready', status: 'ready'});
		own.learn(null);
		expect(own.redact('abcd0123efgh is not zyxw9876vuts; ready')).toBe('… is not …; ready');
	});
});

describe('a key that is a word', () => {
	const text =
		'{"status":"ready","server_request":"svc-medium","name":"a"} Bad Request: a server was not ready';
	test.each(['a', 'ready', 'Bad', 'svc-medium', 'python3', 'ab1'])('%s leaves texts alone', key => {
		expect(createRedactor(key).redact(text)).toBe(text);
	});

	test('is masked where it is called the key', () => {
		const own = createRedactor('ready');
		expect(own.redact('The API key "ready" is unknown; key: ready; the server is ready')).toBe(
			'The API key "[API key]" is unknown; key: [API key]; the server is ready',
		);
	});
});
