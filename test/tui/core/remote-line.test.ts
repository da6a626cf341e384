// The text about a list that is loading, outdated or missing follows the same rule everywhere.
import {describe, expect, test} from 'vitest';
import {
	failureBelowRows,
	emptyPicker,
	freshness,
	emptyStateRows,
} from '../../../src/tui/core/components/remote-line.ts';
import type {Failure} from '../../../src/api/failure.ts';
import type {Remote} from '../../../src/tui/core/store/remote.ts';
import '../../../src/tui/feature-list.ts';

const plain = (text: string): string => text.replaceAll(/\u001B\[[\d;]*m/g, '');
const joined = (lines: readonly string[]): string => lines.map(plain).join('\n');
const at = new Date(2026, 10, 22, 9, 29, 30).getTime();
const MINUTE = 60_000;
const failure: Failure = {
	kind: 'server',
	method: 'GET',
	path: '/servers',
	status: 503,
	message: 'nb.example failed (503): away',
};
const value = ['a'];
const ready: Remote<readonly string[]> = {status: 'ready', value, at};
const failing: Remote<readonly string[]> = {status: 'failed', value, at, failure};

describe('the right end of a title', () => {
	test.each([
		['nothing was asked for yet', {status: 'idle'}, 0, ''],
		['the first answer is awaited', {status: 'loading'}, 0, ''],
		['it failed at once', {status: 'failed', failure}, 0, ''],
		['it is new', ready, MINUTE - 1, 'just now'],
		['it is renewed', {...ready, status: 'loading'}, 2 * MINUTE, '2 min ago'],
		['it could not be renewed', failing, 45_000, '45 s old'],
		['it is asked again', {...failing, status: 'loading'}, MINUTE, '1 min old'],
		['it is old', failing, 61 * MINUTE, '1 h old'],
		['it is very old', failing, 81 * 60 * MINUTE, '3 days old'],
	] as const)('%s', (_, remote, age, said) => {
		expect(plain(freshness(remote, at + age))).toBe(said);
	});

	test('rows of an earlier program differ from new ones', () => {
		for (const status of ['idle', 'loading'] as const)
			expect(plain(freshness({...ready, status}, at + MINUTE, true))).toBe('1 min old');
	});
});

test('a failure shows the problem, the remedy, the next try and the keys to retry now and to show details, with rows and without', () => {
	const now = new Date(2026, 10, 22, 9, 31, 5).getTime();
	const again = now + 21_400;
	const said = joined(failureBelowRows({...failing, again}, {status: 'ready'}, {width: 200, now}));
	expect(said.split('\n')).toEqual([
		' ! nb.example failed (503): away.',
		expect.stringMatching(/^ {3}The service failed\. Try again/),
		'   Next try in 22 s   R now   ! call and answer   Space p another service',
	]);
	const place = {width: 200, now, what: 'servers'};
	expect(joined(emptyStateRows({status: 'failed', failure, again}, {status: 'ready'}, place))).toBe(
		said.replace(' ! ', ' ✗ '),
	);
	const asking = {...failing, status: 'loading', since: now - 2500} as const;
	expect(joined(failureBelowRows(asking, {status: 'ready'}, {width: 200, now}))).toMatch(
		/\n {3}◌ Trying again {3}2 s {3}! call and answer/,
	);
	expect(joined(failureBelowRows(failing, {status: 'ready'}, {width: 200, now}))).toMatch(
		/\n {3}R now {3}! call and answer/,
	);
	expect(joined(failureBelowRows({...failing, again}, {status: 'ready'}, {width: 200}))).toMatch(
		/\n {3}Next try at 09:31:26 {3}R now/,
	);
	expect(failureBelowRows(ready, {status: 'ready'}, {width: 200, now})).toEqual([]);
});

test('in place of rows: what is loading, from where and for how long, or that there are none', () => {
	const loading = {status: 'loading', since: at} as const;
	const place = {width: 80, what: 'offers', host: 'nb.example'};
	const shown = (elapsed: number, more = {}) =>
		joined(emptyStateRows(loading, {status: 'ready'}, {...place, now: at + elapsed, ...more}));
	expect(shown(0)).toBe('   ◌ Loading offers from nb.example');
	expect(shown(2900)).toBe('   ◌ Loading offers from nb.example   2 s');
	expect(shown(8000)).toBe('   ◌ Loading offers from nb.example   8 s\n\n   ^C stop   ! the call');
	expect(shown(8000, {usual: 2000, meanwhile: '1 servers meanwhile'})).toMatch(
		/8 s\n\n {3}Other answers took 2\.0 s\. {3}\^C stop {3}! the call {3}1 servers meanwhile$/,
	);
	const connecting = {status: 'connecting', doing: 'starting the local service'} as const;
	expect(joined(emptyStateRows({status: 'idle'}, connecting, place))).toBe('   ◌ Starting the local service');
	expect(
		joined(emptyStateRows({status: 'ready', value: []}, {status: 'ready'}, {...place, empty: 'none'})),
	).toBe('   none');
});

test('a picker without choices shows whether they are loading, failed, or none', () => {
	expect(emptyPicker({status: 'loading'}, 'none')).toBe('asking the service …');
	expect(emptyPicker({status: 'failed', failure}, 'none')).toMatch(/away\. \^X ! shows the response\.$/);
	expect(emptyPicker(ready, 'none')).toBe('none');
});
