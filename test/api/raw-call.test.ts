import {expect, test} from 'vitest';
import {callOf} from '../../src/api/raw-call.ts';

const base = new URL('https://service.example/base/api/');

test.each([
	['/api/servers', 'servers'],
	['api/servers?a=b', 'servers?a=b'],
	['/x', '../x'],
	// Paths that would leave `api/` are resolved below the base URL.
	['/api//other/x', '../api//other/x'],
	['/api///evil.example/x', '../api///evil.example/x'],
	['/api/http://evil.example/x', '../api/http://evil.example/x'],
	['/api/%5C%5Cevil.example', '%5C%5Cevil.example'],
])('%s is asked for as %s', (path, expected) => {
	const call = callOf({method: 'GET', path}, base);
	expect(call).toMatchObject({path: expected});
	const {href} = new URL((call as {readonly path: string}).path, base);
	expect(href).toBe(`https://service.example/base/${path.replace(/^\//, '')}`);
});

test.each(['//evil.example/x', 'https://evil.example/', '/../x', '#x', String.raw`\\evil.example`])(
	'%s is refused',
	path => expect(callOf({method: 'GET', path}, base)).toMatch(/is not a path below/),
);
