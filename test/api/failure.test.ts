import {readFile} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {explainFailure, type Failure, type FailureKind} from '../../src/api/failure.ts';

const KINDS: {readonly [kind in FailureKind]: true} = {
	config: true,
	'read-only': true,
	unreachable: true,
	tls: true,
	timeout: true,
	'connection-lost': true,
	'not-http': true,
	redirect: true,
	auth: true,
	'not-found': true,
	conflict: true,
	'rate-limited': true,
	'too-large': true,
	'upload-too-large': true,
	refused: true,
	server: true,
	'off-contract': true,
	cancelled: true,
	assistant: true,
};

const failure = (more: Partial<Failure>): Failure => ({
	kind: 'server',
	method: 'POST',
	path: '/api/servers',
	message: 'It failed',
	...more,
});

test('every kind of failure has a description and a next step', () => {
	const nexts = (Object.keys(KINDS) as FailureKind[]).map(kind => {
		const {what, next} = explainFailure(failure({kind}));
		expect(what).toBe('It failed.');
		expect(next).toMatch(/^[A-Z].*\.$/);
		return next;
	});
	expect(new Set(nexts).size).toBe(nexts.length);
});

test.each(['Is it?', 'No!', 'He said "no."', 'cut off …', '料金が不明です。', 'fields:'])(
	'%j needs no full stop',
	message => {
		expect(explainFailure(failure({message})).what).toBe(message);
	},
);

test('a possibly executed request asks for a check before it is sent again', () => {
	expect(
		explainFailure(failure({message: 'The connection was lost.', ambiguous: true, retryAfter: 5})),
	).toEqual({
		what: 'The connection was lost. It may have taken effect.',
		next: 'Check whether it took effect before you send it again.',
	});
});

test.each([
	[5, '5 s'],
	[119, '119 s'],
	[600, '10 min'],
	[86_400, '24 h'],
])('a wait of %i seconds is reported as %s', (retryAfter, words) => {
	expect(explainFailure(failure({kind: 'rate-limited', retryAfter})).next).toBe(
		`Try again in ${words}, as the service asks.`,
	);
});

test('the words of failures load neither got nor zod: the first frame needs them', async () => {
	expect(await readFile(new URL('../../src/api/failure.ts', import.meta.url), 'utf8')).not.toMatch(
		/^import (?!type)/m,
	);
});
