import {expect, test} from 'vitest';
import {isKeyRefused} from '../../../src/tui/core/store/session.ts';

type Entry = Parameters<typeof isKeyRefused>[0]['requests'][number];

const call = (path: string, status?: number): Entry => ({
	id: 1,
	method: 'GET',
	path,
	startedAt: 0,
	took: status === undefined ? null : 1,
	...(status !== undefined && {status}),
	...(status === 401 && {problem: 'auth'}),
});
const LIST = '/api/servers';

test.each([
	['no call yet', [], false],
	['the list is refused', [call(LIST, 401)], true],
	[
		'a catalogue that is open to everybody answers after it',
		[call(LIST, 401), call('/api/compute', 200)],
		true,
	],
	['the list is asked again', [call(LIST, 401), call(LIST)], true],
	['the list answers', [call(LIST, 401), call(LIST, 200)], false],
	['the list answers something else', [call(LIST, 401), call(LIST, 503)], false],
	['the list answers after another call', [call('/api/compute', 401), call(LIST, 200)], false],
	['the same call answers', [call('/api/compute', 401), call('/api/compute', 200)], false],
] as const)('%s', (_, requests, isRefused) => {
	expect(isKeyRefused({requests})).toBe(isRefused);
});
