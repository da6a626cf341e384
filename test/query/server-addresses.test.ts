import {expect, test} from 'vitest';
import {openingAddress} from '../../src/query/server-addresses.ts';
import {withToken} from '../../src/text/token.ts';
import {server} from '../support/factories.ts';

test.each([
	['https://lab.example/u/s/', 'tok', 'https://lab.example/u/s/?token=tok'],
	['https://lab.example/u/s/?a=1', 'tok', 'https://lab.example/u/s/?a=1&token=tok'],
	['https://lab.example/u/s/?', 'tok', 'https://lab.example/u/s/?token=tok'],
	['https://lab.example/u/s/#top', 'tok', 'https://lab.example/u/s/?token=tok#top'],
	['https://lab.example/u/s/?a=1#?b', 'a b&c', 'https://lab.example/u/s/?a=1&token=a%20b%26c#?b'],
	['https://lab.example/u/s/?token=old', 'tok', 'https://lab.example/u/s/?token=old'],
	['https://lab.example/u/s/', null, 'https://lab.example/u/s/'],
	['https://lab.example/u/s/', '', 'https://lab.example/u/s/'],
])('the address %s with the token %j is %s', (address, token, whole) => {
	expect(withToken(address, token)).toBe(whole);
});

test('an address on another host gets the token only if the user asked for it', () => {
	const other = server({
		url: 'https://lab.example/u/s/',
		port_forward_url: 'https://forward.example/',
		token: 'tok',
	});
	expect(openingAddress(other, 'url', false)).toBe('https://lab.example/u/s/?token=tok');
	expect(openingAddress(other, 'forward', false)).toBe('https://forward.example/');
	expect(openingAddress(other, 'forward', true)).toBe('https://forward.example/?token=tok');
	expect(openingAddress(server({port_forward_url: 'pending'}), 'forward', true)).toBe('pending');
});
