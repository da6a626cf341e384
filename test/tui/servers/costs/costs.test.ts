import {expect, test} from 'vitest';
import {costHistory, recordObservations} from '../../../../src/tui/servers/costs/record-observations.ts';
import {readStartupSettings} from '../../../../src/settings/startup-settings.ts';
import {LOCAL_PROFILE} from '../../../../src/settings/profile.ts';
import {openServiceStorage} from '../../../../src/storage/service-storage.ts';
import {IDLE_AFTER} from '../../../../src/tui/servers/costs/idle.ts';
import {costLines} from '../../../../src/tui/servers/costs/lines.ts';
import {moneyLine} from '../../../../src/tui/servers/costs/money-line.ts';
import {estimateOf, totalEstimate} from '../../../../src/tui/servers/costs/rentals.ts';
import {serverColumns} from '../../../../src/tui/servers/columns.ts';
import {detailLines} from '../../../../src/tui/servers/detail.ts';
import {cellWidth} from '../../../../src/text/width/width.ts';
import {
	computeOption,
	serverItem,
	startHostileService,
	success,
	type HostileService,
} from '../../../faults/hostile-service.ts';
import {storeOn} from '../../../support/store-on.ts';
import {tempFolder} from '../../../support/temp-folder.ts';
import {waitFor} from '../../../support/wait-for.ts';
import {catalogue} from '../../../../src/tui/compute/catalogue.ts';
import {serverList} from '../../../../src/tui/servers/servers.ts';
import {serverCosts} from '../../../../src/tui/servers/costs/costs.ts';

const MINUTE = 60_000;
const NOON = new Date(2026, 10, 23, 12).getTime();

const dear = async (price: number, more: Parameters<typeof serverItem>[1] = {}): Promise<HostileService> =>
	startHostileService({
		servers: () => success({servers: [serverItem('trainer', {server_request: 'cloud-L4', ...more})]}),
		compute: () => success({compute: [computeOption('L4', {hourly_price: price})]}),
	});

/** A store on this service with a manual clock and a folder for its data. */
const programOn = async (
	service: HostileService,
	folder: string,
	{dailyLimit = null, at: began = NOON}: {readonly dailyLimit?: number | null; readonly at?: number} = {},
) => {
	let at = began;
	const keeper = openServiceStorage(folder, service.baseUrl);
	const seen = readStartupSettings({baseUrl: service.baseUrl}, {});
	const book = costHistory(keeper, seen);
	const store = storeOn(service.baseUrl, {
		now: () => at,
		facts: {...LOCAL_PROFILE, isLocal: false, dailyLimit},
		costs: async () => book,
	});
	recordObservations(store, keeper, seen);
	await catalogue(store.getState).refreshCompute();
	return {
		store,
		/** Observes the servers each minute, until this number of minutes after the start. */
		async lookUntil(minutes: number) {
			for (; at <= began + minutes * MINUTE; at += MINUTE) await serverList(store.getState).refreshServers();
			at -= MINUTE;
		},
		texts: () => store.getState().notices.map(({text}) => text),
	};
};

test('a day whose estimate nears and passes the limit is reported once, by the first program that notices', async () => {
	await using service = await dear(60);
	using temp = tempFolder();
	const one = await programOn(service, temp.path, {dailyLimit: 5});
	await one.lookUntil(4);
	expect(one.store.getState().overLimit).toBeNull();
	await one.lookUntil(8);
	await waitFor(() => expect(one.store.getState().overLimit).toBeCloseTo(8));
	const near = expect.stringMatching(
		/^Today's estimate of 4\.00 is close to the daily limit of 5\.00: \$ in the list/,
	) as string;
	expect(one.texts()).toEqual([
		near,
		expect.stringMatching(/^Today's estimate of 6\.00 is over the daily limit of 5\.00: \$ in the list/),
	]);
	const other = await programOn(service, temp.path, {dailyLimit: 5, at: NOON + 8 * MINUTE});
	await other.lookUntil(1);
	await waitFor(() => expect(other.store.getState().overLimit).toBeCloseTo(9));
	expect(other.texts()).toEqual([]);
	const nextDay = await programOn(service, temp.path, {dailyLimit: 5, at: NOON + 24 * 60 * MINUTE});
	await nextDay.lookUntil(7);
	await waitFor(() =>
		expect(nextDay.texts()).toEqual([near, expect.stringMatching(/estimate of 6\.00 is over/)]),
	);
});

test('list, details, money line, costs and total show one figure of today for a server that runs since yesterday', async () => {
	await using service = await dear(60);
	using temp = tempFolder();
	const evening = NOON + 11.5 * 60 * MINUTE;
	const {store, lookUntil} = await programOn(service, temp.path, {at: evening});
	await lookUntil(90);
	const now = evening + 90 * MINUTE;
	await waitFor(() => expect(store.getState().spent?.at).toBe(now));
	const state = store.getState();
	const [server] = state.servers.value?.items ?? [];
	const plain = (line: string): string => line.replaceAll(/\u001B\[[\d;]*m/g, '');
	const {estimate} = estimateOf(state, server!, now);
	// An hour and a half, of which the last hour is after midnight.
	expect(estimate).toBeCloseTo(60);
	const column = serverColumns(each => estimateOf(state, each, now), null).find(({head}) => head === 'Today');
	expect(column?.value(server!).trim()).toBe('60.00');
	expect(detailLines(server!, state, now, 60).map(plain)).toContainEqual(
		expect.stringMatching(/^Today +est\. 60\.00$/),
	);
	// The time of a list is a moment before the time at which its servers are recorded.
	const rental = {...state.rentals.get('trainer')!, since: now + 5};
	const noted = estimateOf({...state, rentals: new Map([['trainer', rental]])}, server!, now + 10);
	expect(noted.estimate).toBe(estimate);
	const total = totalEstimate(state, [server!], now);
	expect(plain(moneyLine(total, 75, 100) ?? '')).toMatch(
		/^ 60\.00\/h now {3}1440\/day if left on {2,}today est\. 60\.00 of 75 {2}━{12}╸─{2} {2}80%$/,
	);
	await serverCosts(store.getState).loadCosts(2);
	const lines = costLines(store.getState().costs, null, 90).map(plain);
	expect(lines.join('\n')).toMatch(
		/\n2026-11-24, today +60\.00 +60\.00 .*\n trainer +60\.00 +60\.00 .*\n2026-11-23 +30\.00 +30\.00 [^]*\n2 days +90\.00 +90\.00 /,
	);
});

test('the display has the observations: days, unseen time, and ? for an unknown rate', async () => {
	await using service = await dear(60);
	using temp = tempFolder();
	const program = await programOn(service, temp.path);
	await program.lookUntil(60);
	const later = await programOn(service, temp.path, {at: NOON + 180 * MINUTE});
	service.answer({
		servers: () => success({servers: [serverItem('trainer', {server_request: 'cloud-gone'})]}),
	});
	await later.lookUntil(30);
	await serverCosts(later.store.getState).loadCosts(2);
	const {costs} = later.store.getState();
	const lines = costLines(costs, 50, 90).map(line => line.replaceAll(/\u001B\[[\d;]*m/g, ''));
	expect(lines.slice(0, 2).join(' ')).toContain('at least 60.00 and 1 server at an unknown rate');
	expect(lines.join('\n')).toMatch(
		/\n2026-11-23, today +≥60\.00 +60\.00 +2 h 00 min .*\n without 1 server at an unknown rate, over the limit of 50\.00\n trainer +≥60\.00 +60\.00 +2 h 00 min +60\.00, \? .*\n\n2 days +≥60\.00 [^]*\nUNSEEN: unobserved time before or after /,
	);
	for (const width of [30, 48, 60, 90, 120])
		for (const line of costLines(costs, 50, width))
			expect(cellWidth(line.replaceAll(/\u001B\[[\d;]*m/g, ''))).toBeLessThanOrEqual(width);
	expect(later.store.getState().notices).toEqual([]);
});

test('a paid server without activity from here is reported once, with the way to stop it', async () => {
	await using service = await dear(2.49);
	using temp = tempFolder();
	const {store, lookUntil, texts} = await programOn(service, temp.path);
	await lookUntil(IDLE_AFTER / MINUTE - 1);
	expect(texts()).toEqual([]);
	await lookUntil(IDLE_AFTER / MINUTE + 3);
	expect(texts()).toEqual([
		'trainer is ready and nothing has run on it from here for 40 min, at 2.49/h: o in the list opens its page',
	]);
	expect([...store.getState().idle.keys()]).toEqual(['trainer']);
	const ran = {state: 'done', startedAt: NOON + 42 * MINUTE, endedAt: NOON + 43 * MINUTE} as const;
	const runs = new Map([[1, {...ran, result: null, failure: null}]]);
	const open = {server: 'trainer', path: 'a.ipynb', runs};
	store.setState({
		notebooks: new Map([['a', open as never]]),
		links: new Map([['trainer', {kind: 'live'} as never]]),
	});
	await lookUntil(IDLE_AFTER / MINUTE + 4);
	expect(store.getState().idle.size).toBe(0);
	await lookUntil(IDLE_AFTER / MINUTE + 43);
	expect(texts().slice(1)).toEqual([
		'trainer is ready and nothing has run on it from here for 40 min, at 2.49/h: ":shutdown trainer" stops it',
	]);
});

test.each([
	['is free', 0, {}],
	['is offline', 2, {status: 'offline'}],
	['was attached', 2, {attached: true}],
] as const)('no notice about a server that %s', async (_, price, more) => {
	await using service = await dear(price, more);
	using temp = tempFolder();
	const {lookUntil, texts} = await programOn(service, temp.path, {dailyLimit: 0.001});
	await lookUntil(IDLE_AFTER / MINUTE + 2);
	expect(texts().filter(text => text.includes('nothing has run'))).toEqual([]);
});
