import {expect, test} from 'vitest';
import type {Failure} from '../../../src/api/failure.ts';
import {type RequestEntry, requestLog} from '../../../src/tui/core/store/requests.ts';
import {cell, ready, server} from '../../support/factories.ts';
import {shownFailure} from '../../../src/tui/core/store/failed-call.ts';
import {createStore} from '../../../src/tui/create-store.ts';
import {cellWidth} from '../../../src/text/width/width.ts';
import {failureBelowRows} from '../../../src/tui/core/components/remote-line.ts';
import {callDetailsLines} from '../../../src/tui/core/dialogs/call-details.tsx';
import {requestGroups, requestRow} from '../../../src/tui/core/dialogs/request-rows.ts';
import {cellLines} from '../../../src/tui/cells/rows/cell-lines.ts';
import {notices} from '../../../src/tui/core/store/notices.ts';

const plain = (text: string): string => text.replaceAll(/\u001B\[[\d;]*m/g, '');
const failure = (changes: Partial<Failure> = {}): Failure => ({
	kind: 'refused',
	method: 'POST',
	path: '/api/servers',
	status: 402,
	message: 'x.example rejected the request (402): add a card',
	reason: 'add a card',
	body: 'add a card \u001B]0;owned\u0007 first',
	curl: 'curl -X POST \'https://x.example/api/servers\' -H "apiKey: $SVC_API_KEY"',
	...changes,
});

test.each([40, 76, 106])(
	'the evidence of an error holds method, path, status, body and curl, within %i cells',
	width => {
		const lines = callDetailsLines(
			failure({body: `add a card \u001B]0;owned\u0007 first ${'long '.repeat(60)}`}),
			width,
		).map(plain);
		for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(width);
		const text = lines.join(' ').replaceAll(/\s+/g, ' ');
		expect(text).toMatch(
			/rejected the request \(402\): add a card\..* POST \/api\/servers 402 .*add a card.*first.*curl -X POST/,
		);
		expect(lines.join('')).not.toContain('\u001B');
	},
);

test('a call without a response, or without a body, is shown as such', () => {
	const {
		status: _,
		body: __,
		...lost
	} = failure({kind: 'connection-lost', message: 'The connection was lost'});
	expect(callDetailsLines(lost, 90).map(plain)).toContain('There was no response.');
	expect(callDetailsLines(failure({body: ''}), 90).map(plain)).toContain('The response has no body.');
});

const entry = (id: number, changes: Partial<RequestEntry> = {}): RequestEntry => ({
	id,
	method: 'GET',
	path: '/api/servers',
	startedAt: 0,
	took: 12,
	status: 200,
	...changes,
});

test('a 500 looks unlike a 200 in the list of calls, also without colours', () => {
	const bad = failure({kind: 'server', status: 500});
	const [good, broken, running] = [
		entry(1),
		entry(2, {status: 500, problem: 'server', failure: bad}),
		entry(3, {took: null}),
	].map(each => requestRow([each], 90, {code: 4, took: 9}, 41_000));
	expect(plain(good ?? '')).toMatch(/✓ {2}GET .* 200 /);
	expect(plain(broken ?? '')).toMatch(/✗ {2}GET .* 500 /);
	expect(broken).not.toBe(plain(broken ?? ''));
	expect(plain(running ?? '')).toMatch(/◌ {2}GET .* 41 s$/);
});

test('each error names the key that shows its evidence, and the key means the error before the user', () => {
	const [ofList, ofCell, ofCreate] = [
		failure({method: 'GET', kind: 'server', status: 500, message: 'list'}),
		failure({message: 'cell'}),
		failure({message: 'create'}),
	];
	const ofPoll = failure({method: 'GET', message: 'poll'});
	expect(
		plain(failureBelowRows({status: 'failed', failure: ofList}, {status: 'ready'}, {width: 200}).join('\n')),
	).toMatch(/! call and answer   Space p another service$/);
	const failed = cell({state: 'failed', failure: ofCell});
	expect(
		plain(
			cellLines(failed, {
				width: 200,
				open: false,
				pictureStyle: {depth: 24, blocks: 'quadrants'},
				pictureRows: 20,
			} as Parameters<typeof cellLines>[1]).join('\n'),
		),
	).toContain('^X ! shows the response');
	const store = createStore({
		client: () => new Promise(() => {}),
		copy() {},
		open: async () => false,
		edit: () => Promise.reject(new Error('no editor')),
		now: Date.now,
	} as unknown as Parameters<typeof createStore>[0]);
	const shown = (): string | undefined => shownFailure(store.getState())?.message;
	expect(shown()).toBeUndefined();
	store.setState({current: 'welcome'});
	for (const each of [ofCreate, ofPoll, failure({kind: 'cancelled', message: 'stopped'})])
		requestLog(store.getState).watchCall({method: each.method, path: each.path, cancel() {}})({
			problem: each.kind,
			failure: each,
		});
	expect(shown()).toBe('poll');
	store.setState({servers: {...ready([server()]), status: 'failed', failure: ofList}});
	expect(shown()).toBe('list');
	store.setState({
		screen: 'repl',
		repls: new Map([
			['welcome', {...(store.getState().repls.get('welcome') ?? {}), cells: [failed]} as never],
		]),
	});
	expect(shown()).toBe('cell');
	notices(store.getState).notify('bad', 'new was not created: create Change what the service objects to.');
	expect(shown()).toBe('create');
	store.setState({notice: null, dialogs: [{kind: 'help'}]});
	expect(shown()).toBe('create');
});

test('repeated successful requests are one row below the newest, and only failed ones can be shown', () => {
	const poll = (id: number): RequestEntry => ({...entry(id), startedAt: id * 5000, took: 3 + id});
	const all = [
		entry(0, {path: '/api/compute'}),
		...[1, 2, 3, 4].map(poll),
		entry(9, {status: 500, problem: 'server'}),
	];
	const groups = requestGroups(all, false);
	expect(groups.map(group => group.map(({id}) => id))).toEqual([[9], [4], [3, 2, 1], [0]]);
	const rows = groups.map(each => plain(requestRow(each, 90, {code: 4, took: 9}, 0)));
	expect(rows[2]).toMatch(/^ {10}✓ {2}GET +\/api\/servers {3}3 times, every 5 s +200 +4–6 ms$/);
	// Both rows have their code and their duration in the same columns.
	expect(rows[1]?.indexOf(' 200 ')).toBe(rows[2]?.indexOf(' 200 '));
	expect(requestGroups(all, true).map(group => group.map(({id}) => id))).toEqual([[9]]);
	// A single repetition takes a row either way.
	expect(requestGroups(all.slice(1, 3), false)).toHaveLength(2);
});
