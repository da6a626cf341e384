import {expect, test} from 'vitest';
import type {Failure} from '../../../src/api/failure.ts';
import {retryDelay} from '../../../src/tui/core/store/retry.ts';

const failure = (kind: Failure['kind']): Failure => ({
	kind,
	method: 'GET',
	path: '/api/servers',
	message: '',
});

test('a rejected key is not retried, a temporary failure after seconds', () => {
	expect(retryDelay(failure('auth'), 0, 1000)).toBeNull();
	expect(retryDelay(failure('server'), 0, 1000)).toBeLessThan(2000);
});
