import {expect, test} from 'vitest';
import {limitsText, stopText, typedLimit} from '../../../src/query/limit-texts.ts';
import type {Client} from '../../../src/api/client-types.ts';
import {limitCommand} from '../../../src/tui/servers/limits.ts';
import {serverList} from '../../../src/tui/servers/servers.ts';
import {soonLines, stopNotices} from '../../../src/tui/servers/stop-notices.ts';
import {CLOCK} from '../../support/clock.ts';
import {server} from '../../support/factories.ts';
import {storeOn} from '../../support/store-on.ts';
import {waitFor} from '../../support/wait-for.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const due = (more: object = {}) =>
	server({stops_at: '2026-11-27T12:08:00Z', stop_cause: 'idle', stops_soon: true, ...more});
const WARNING = new RegExp(`^welcome stops at ${CLOCK}: it is not used$`);

test('a server that will stop is announced once, and again for another cause', () => {
	expect(stopNotices([server()], [due()], NOW)).toEqual([
		{kind: 'info', text: expect.stringMatching(WARNING) as string},
	]);
	expect(stopNotices([due()], [due()], NOW)).toEqual([]);
	expect(stopNotices([due()], [due({stop_cause: 'budget'})], NOW)).toHaveLength(1);
	expect(stopNotices([server()], [due({stops_soon: false})], NOW)).toEqual([]);
	expect(soonLines([server(), due()], NOW)).toEqual([expect.stringMatching(WARNING) as string]);
});

test('a server that was stopped after its warning is announced with the reason, and no other one', () => {
	const stopped = server({status: 'offline', status_reason: 'Stopped: 1 hour without use.'});
	expect(stopNotices([due()], [stopped], NOW)).toEqual([
		{kind: 'bad', text: 'welcome: Stopped: 1 hour without use.'},
	]);
	expect(stopNotices([server()], [stopped], NOW)).toEqual([]);
});

test('values of other services are never taken for a time or a duration', () => {
	for (const stops_at of [null, 'soon', 7, {}]) expect(stopText(server({stops_at}), NOW)).toBeNull();
	expect(limitsText({idle_stop: 7, max_run: null})).toBeNull();
	expect(limitsText({idle_stop: '1h', max_run: '8h'})).toBe(
		'stops after 1h without use, and 8h from its start',
	);
	expect(['off', 'default', '90m', '1 h'].map(typedLimit)).toEqual(['off', null, '90m', undefined]);
});

test(':limit sets a limit of the current server, and explains what it takes', async () => {
	const asked: unknown[] = [];
	const servers = [{name: 'welcome', idle_stop: '1h', max_run: null, stops_at: null}];
	const client: Partial<Client> = {
		servers: async () => ({ok: true, value: {items: [server()], raw: [{}], unreadable: 0}}),
		async setLimits(body) {
			asked.push(body);
			return {ok: true, value: {status: 'success', servers, daily_budget: null, spent_today: 0}};
		},
	};
	const {getState} = storeOn('http://127.0.0.1:9', {client: async () => client as Client});
	await serverList(getState).refreshServers();
	const run = (argument: string) => limitCommand.run({get: getState} as never, argument);
	for (const wrong of ['', 'idle', 'idle 1 h', 'walk 1h', 'idle 1h now'])
		expect(run(wrong), wrong).toBe(
			'Give idle or run, and a duration such as 30m, 8h or 2d, or off, or default',
		);
	expect(run('idle 1h')).toBeUndefined();
	await waitFor(() => expect(getState().notice?.text).toBe('welcome stops after 1h without use'));
	run('run default');
	await waitFor(() =>
		expect(asked).toEqual([
			{server_name: 'welcome', idle_stop: '1h'},
			{server_name: 'welcome', max_run: null},
		]),
	);
});
