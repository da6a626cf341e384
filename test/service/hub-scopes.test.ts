import {expect, test} from 'vitest';
import {mayUse} from '../../src/service/hub/scopes.ts';

test.each([
	[null, true],
	[[], false],
	[['access:servers'], true],
	[['access:servers!user'], true],
	[['access:servers!user=ann'], true],
	[['access:servers!user=bob'], false],
	[['access:servers!server=ann/lab'], true],
	[['access:servers!server=ann/other'], false],
	[['access:servers!server=bob/lab'], false],
	[['access:servers!group=team'], true],
	[['servers!user=ann', 'read:servers!user=ann'], false],
	[['read:users:name!user=ann', 'access:servers!server=ann/lab'], true],
	[['access:services'], false],
] as const)('a token with the scopes %j opens the server: %s', (scopes, expected) => {
	expect(mayUse({name: 'ann', scopes}, 'lab')).toBe(expected);
});
