// The one rule for the text about a list that is loading, old, or missing.
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
		['it is new', ready, MINUTE - 1, 'updated just now'],
		['it is renewed', {...ready, status: 'loading'}, 2 * MINUTE, 'updated 2 min ago'],
		['it could not be renewed', failing, MINUTE, 'not renewed, last known 09:29'],
		['it is asked again', {...failing, status: 'loading'}, MINUTE, 'asking, last known 09:29'],
		['it is old', failing, 61 * MINUTE, 'not renewed, last known 1 h ago'],
		['it is very old', failing, 81 * 60 * MINUTE, 'not renewed, last known 3 days ago'],
	] as const)('%s', (_, remote, age, said) => {
		expect(plain(freshness(remote, at + age))).toBe(said);
	});

	test('rows of an earlier program differ from new ones', () => {
		for (const status of ['idle', 'loading'] as const)
			expect(plain(freshness({...ready, status}, at + MINUTE, true))).toBe('asking, last known 09:29');
	});
});

test('a failure shows the problem, the remedy, the next retry and the keys to retry now and to show details, in the same place with rows and without', () => {
	const again = new Date(2026, 10, 22, 9, 31, 5).getTime();
	const said = joined(failureBelowRows({...failing, again}, {status: 'ready'}, 200));
	expect(said.split('\n')).toEqual([
		'   nb.example failed (503): away.',
		expect.stringMatching(/^ {3}The service failed\. Try again/),
		'   Will try again at 09:31:05; R tries now.   ! shows the response',
	]);
	expect(joined(emptyStateRows({status: 'failed', failure, again}, {status: 'ready'}, 'none', 200))).toBe(
		said,
	);
	expect(joined(failureBelowRows({...failing, status: 'loading', again}, {status: 'ready'}, 200))).toMatch(
		/\n {3}asking the service … {3}! shows the response$/,
	);
	expect(joined(failureBelowRows(failing, {status: 'ready'}, 200))).toMatch(
		/\n {3}R tries again\. {3}! shows/,
	);
	expect(failureBelowRows(ready, {status: 'ready'}, 200)).toEqual([]);
});

test('in place of rows: the source that is loading, or that there are none', () => {
	expect(joined(emptyStateRows({status: 'loading'}, {status: 'ready'}, 'none', 80))).toBe(
		'   asking the service …',
	);
	expect(
		joined(
			emptyStateRows(
				{status: 'idle'},
				{status: 'connecting', doing: 'starting the local service'},
				'none',
				80,
			),
		),
	).toBe('   starting the local service …');
	expect(joined(emptyStateRows({status: 'ready', value: []}, {status: 'ready'}, 'none', 80))).toBe('   none');
});

test('a picker without choices shows whether they are loading, failed, or none', () => {
	expect(emptyPicker({status: 'loading'}, 'none')).toBe('asking the service …');
	expect(emptyPicker({status: 'failed', failure}, 'none')).toMatch(/away\. \^X ! shows the response\.$/);
	expect(emptyPicker(ready, 'none')).toBe('none');
});
