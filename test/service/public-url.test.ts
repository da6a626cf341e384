import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {bindingOf} from '../../src/service/http/binding.ts';
import {clientAddress, trustedProxies} from '../../src/service/http/client-address.ts';
import {isServiceHost, isAllowedOrigin} from '../../src/service/http/host-check.ts';
import {OWN_PATHS, publicUrlOf, withoutBase} from '../../src/service/http/public-url.ts';
import {createMatcher} from '../../src/service/http/route.ts';

describe('--public-url', () => {
	test.each([
		[
			'https://nb.example.com',
			{href: 'https://nb.example.com', origin: 'https://nb.example.com', name: 'nb.example.com', path: ''},
		],
		['https://NB.example.com/', {href: 'https://nb.example.com', name: 'nb.example.com', path: ''}],
		[
			'https://nb.example.com:443/base/',
			{href: 'https://nb.example.com/base', origin: 'https://nb.example.com', path: '/base'},
		],
		[
			'https://nb.example.com:8443/a/b',
			{
				href: 'https://nb.example.com:8443/a/b',
				origin: 'https://nb.example.com:8443',
				name: 'nb.example.com',
				path: '/a/b',
			},
		],
		['https://[2001:db8::1]/x', {name: '[2001:db8::1]', path: '/x'}],
		['http://127.0.0.1:8000', {href: 'http://127.0.0.1:8000', name: '127.0.0.1'}],
		['http://localhost/notebooks', {href: 'http://localhost/notebooks'}],
	])('takes %s', (given, expected) => {
		expect(publicUrlOf(given)).toMatchObject(expected);
	});

	test.each([
		['nothing', '', /not a web address/],
		['a name alone', 'nb.example.com', /not a web address/],
		['another scheme', 'ftp://nb.example.com', /not a web address/],
		['the clear', 'http://nb.example.com', /unencrypted.*https/],
		['a name that begins like this machine', 'http://localhost.evil.test', /unencrypted/],
		['a password', 'https://ann:canary@nb.example.com', /user or a password/],
		['a query', 'https://nb.example.com/?token=canary', /"\?" or "#"/],
		['an empty query', 'https://nb.example.com/?', /"\?" or "#"/],
		['a fragment', 'https://nb.example.com/#x', /"\?" or "#"/],
		['a blank', 'https://nb.example.com/a b', /not a web address/],
		['a backslash', 'https:\\\\nb.example.com', /not a web address/],
		['an escape', 'https://nb.example.com/%61', /letters, digits/],
		['two slashes', 'https://nb.example.com//base', /letters, digits/],
		["one of the service's own paths", 'https://nb.example.com/api/v1', /must not start with \/api/],
	])('refuses %s and names the right form, without repeating it', (_, given, reason) => {
		expect(() => publicUrlOf(given)).toThrow(
			expect.objectContaining({exitCode: 2, message: expect.stringMatching(reason)}),
		);
		expect(() => publicUrlOf(given)).toThrow(
			/^--public-url cannot be used: .* such as https:\/\/nb\.example\.com or /,
		);
		expect(() => publicUrlOf(given)).not.toThrow(/canary/);
	});

	test('unencrypted beyond this machine only if requested', () => {
		expect(publicUrlOf('http://nb.lan', {insecureHttp: true})).toMatchObject({href: 'http://nb.lan'});
		expect(bindingOf({host: '10.1.2.3', insecureHttp: true, publicUrl: 'http://nb.lan'}).names).toContain(
			'10.1.2.3',
		);
		expect(bindingOf({host: '0.0.0.0', insecureHttp: true, publicUrl: 'http://nb.lan'}).names).not.toContain(
			'0.0.0.0',
		);
	});

	const segment = fc.stringMatching(/^[\w~.-]{1,12}$/).filter(text => !/^\.+$/.test(text));
	const base = fc
		.array(segment, {minLength: 1, maxLength: 3})
		.filter(([first]) => OWN_PATHS.every(own => own !== first))
		.map(parts => `/${parts.join('/')}`);
	const ownPath = fc
		.tuple(fc.constantFrom(...OWN_PATHS), fc.array(segment, {maxLength: 4}), fc.constantFrom('', '?x=1', '/'))
		.map(([first, rest, end]) => `/${[first, ...rest].join('/')}${end}`);

	test('property: a proxy that keeps the base path and one that removes it reach the same', () => {
		fc.assert(
			fc.property(base, ownPath, (path, target) => {
				expect(withoutBase(path + target, {path})).toBe(target);
				expect(withoutBase(target, {path})).toBe(target);
			}),
		);
	});
	test('property: a path that only begins like the base is not below it', () => {
		fc.assert(
			fc.property(base, fc.stringMatching(/^[\w%.;-]{1,8}$/), (path, more) => {
				expect(withoutBase(`${path}${more}/api/servers`, {path})).toBe(`${path}${more}/api/servers`);
			}),
		);
	});
	test('the rest below the base path is matched raw: no dots lead out of it', () => {
		const match = createMatcher([{method: 'GET', path: '/api/servers'}]);
		for (const target of [
			'/base/../api/servers',
			'/base/x/../../api/servers',
			'/base%2fapi/servers',
			'/base//api/servers',
		])
			expect(match(withoutBase(target, {path: '/base'}))).toBeNull();
	});
});

describe('Host and Origin', () => {
	const publicUrl = publicUrlOf('https://nb.example.com/base');
	const direct = new Set(['127.0.0.1:8000', 'localhost:8000']);
	const names = {direct, publicUrl};

	test.each([
		'nb.example.com',
		'NB.Example.Com',
		'nb.example.com:443',
		'nb.example.com:8000',
		'127.0.0.1:8000',
		'LOCALHOST:8000',
	])('answers to %s', host => {
		expect(isServiceHost(host, names)).toBe(true);
	});
	test.each([
		'',
		'evil.test',
		'nb.example.com.',
		'nb.example.com.evil.test',
		'x.nb.example.com',
		'x@nb.example.com',
		'nb.example.com:',
		'nb.example.com:80x',
		'nb.example.com:443:443',
		'nb.example.com/base',
		' nb.example.com',
		'127.0.0.1',
		'localhost',
		'127.0.0.1:443',
	])('does not answer to "%s"', host => {
		expect(isServiceHost(host, names)).toBe(false);
	});

	const text = fc.oneof(
		fc.string({maxLength: 20}),
		fc.domain(),
		fc.constantFrom('nb.example.com', '.nb.example.com', 'nb.example.com.', '127.0.0.1', 'localhost'),
	);
	test('property: with anything around or in place of the name, no other Host passes', () => {
		fc.assert(
			fc.property(text, text, (before, after) => {
				const host = before + after;
				const expected = direct.has(host.toLowerCase()) || /^nb\.example\.com(?::\d{1,5})?$/i.test(host);
				expect(isServiceHost(host, names)).toBe(expected);
				expect(isServiceHost(host, {direct, publicUrl: null})).toBe(direct.has(host.toLowerCase()));
			}),
		);
	});
	test('property: no page calls but one of the public address, and without one none', () => {
		const origin = fc.option(
			fc.oneof(
				fc.domain().map(name => `https://${name}`),
				fc.constantFrom(
					'null',
					'',
					'https://nb.example.com',
					'https://NB.example.com',
					'http://nb.example.com',
					'https://nb.example.com:443',
					'https://nb.example.com.evil.test',
					'http://127.0.0.1:8000',
				),
			),
			{nil: undefined},
		);
		const site = fc.option(fc.constantFrom('none', 'same-origin', 'same-site', 'cross-site', 'x', ''), {
			nil: undefined,
		});
		fc.assert(
			fc.property(origin, site, (from, where) => {
				const noPage = from === undefined && (where === undefined || where === 'none');
				expect(isAllowedOrigin({origin: from, site: where}, null)).toBe(noPage);
				const ownPage =
					(from === undefined || from === 'https://nb.example.com') &&
					[undefined, 'none', 'same-origin'].includes(where);
				expect(isAllowedOrigin({origin: from, site: where}, publicUrl)).toBe(ownPage);
			}),
		);
	});
});

describe('--trusted-proxy', () => {
	test.each(['', 'proxy.example.com', '10.0.0.0/33', '10.0.0.0/', '10.0.0', '::1/129', '*'])(
		'refuses "%s" and names the right form',
		given => {
			expect(() => trustedProxies([given])).toThrow(
				expect.objectContaining({exitCode: 2, message: expect.stringContaining('10.0.0.0/24')}),
			);
		},
	);

	const proxies = trustedProxies(['10.0.0.0/24', '127.0.0.1', '2001:db8::/32']);
	test.each([
		['nobody forwarded', '203.0.113.7', undefined, '203.0.113.7'],
		['somebody else claims', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
		['the proxy says', '10.0.0.5', '198.51.100.1', '198.51.100.1'],
		['the client lied to the proxy', '10.0.0.5', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
		['there are two proxies', '127.0.0.1', '1.2.3.4, 198.51.100.1, 10.0.0.9', '198.51.100.1'],
		['the proxy is reached over IPv6', '2001:db8::5', '2001:db9::1', '2001:db9::1'],
		['the socket speaks of IPv4 in IPv6', '::ffff:10.0.0.5', '198.51.100.1', '198.51.100.1'],
		['the proxy names a port', '10.0.0.5', '198.51.100.1:4711', '198.51.100.1'],
		['the proxy names a port of IPv6', '10.0.0.5', '[2001:db9::1]:4711', '2001:db9::1'],
		['the proxy knows nobody', '10.0.0.5', 'unknown', '10.0.0.5'],
		['the proxy sends noise', '10.0.0.5', '198.51.100.1, \u001b[2J', '10.0.0.5'],
		['all are proxies', '10.0.0.5', '10.0.0.6, 10.0.0.7', '10.0.0.6'],
	])('when %s, the client is known', (_, peer, forwarded, client) => {
		expect(clientAddress(peer, forwarded, proxies)).toBe(client);
	});
	test('property: text that a client adds in front never changes its identity', () => {
		fc.assert(
			fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), lies => {
				expect(
					clientAddress(
						'10.0.0.5',
						[...lies.map(lie => lie.replaceAll(',', '')), '198.51.100.1'].join(', '),
						proxies,
					),
				).toBe('198.51.100.1');
				expect(clientAddress('203.0.113.7', lies.join(', '), proxies)).toBe('203.0.113.7');
			}),
		);
	});
});
