import fc from 'fast-check';
import {afterEach, describe, expect, test} from 'vitest';
import {
	dailyCosts,
	dayOf,
	isUnknown,
	midnight,
	runCosts,
	totalCost,
	type ServerCost,
} from '../../src/costs/daily-costs.ts';
import {
	MAX_GAP_MS,
	mergeObservations,
	snapshotOf,
	startOf,
	type Observation,
} from '../../src/costs/observation-spans.ts';

const zone = process.env['TZ'];
const inZone = (name: string): void => {
	process.env['TZ'] = name;
};
afterEach(() => {
	if (zone === undefined) delete process.env['TZ'];
	else process.env['TZ'] = zone;
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (text: string): number => new Date(text).getTime();

type Ready = Readonly<Record<string, number | null>>;
const look = (from: number, ready: Ready, more: Partial<Observation> = {}): Observation => ({
	from,
	to: from,
	ready: new Map(Object.entries(ready)),
	unsure: new Set(),
	unclear: new Set(),
	unreadable: 0,
	...more,
});
/** Observations that one program makes twice a minute. */
const watched = (from: number, to: number, ready: Ready): readonly Observation[] =>
	Array.from({length: Math.floor((to - from) / 30_000) + 1}, (_, turn) => look(from + turn * 30_000, ready));

const costOf = (looks: readonly Observation[], server: string, from: number, until: number): ServerCost[] =>
	dailyCosts(looks, from, until).flatMap(({servers}) => servers.filter(each => each.server === server));

const NOON = at('2026-11-23T12:00:00');
const MORNING = midnight(NOON);

describe('any observations', () => {
	test('time between looks that both showed a server ready counts at its rate, and no other', () => {
		const looks = [
			...watched(NOON, NOON + HOUR, {a: 2}),
			look(NOON + HOUR + 30_000, {}),
			...watched(NOON + HOUR + MINUTE, NOON + 2 * HOUR, {b: 3}),
		];
		const [day] = dailyCosts(looks, MORNING, NOON + 2 * HOUR);
		expect(day).toMatchObject({day: '2026-11-23', length: 14 * HOUR, looked: 2 * HOUR});
		expect(day?.servers).toMatchObject([
			{server: 'a', ready: HOUR, unseen: 0, unpriced: 0, estimate: 2, rates: [2]},
			{server: 'b', ready: 59 * MINUTE, unseen: 0, estimate: (3 * 59) / 60},
		]);
	});

	test('unobserved time counts as unseen if the server was ready before or after, and is never charged', () => {
		const gap = [look(NOON, {a: 2}), look(NOON + 3 * HOUR, {a: 2})];
		expect(costOf(gap, 'a', MORNING, NOON + 3 * HOUR)).toMatchObject([
			{ready: 0, unseen: 3 * HOUR, estimate: 0},
		]);
		const ended = [look(NOON, {a: 2}), look(NOON + 3 * HOUR, {}), look(NOON + 9 * HOUR, {})];
		expect(costOf(ended, 'a', MORNING, NOON + 11 * HOUR)).toMatchObject([{ready: 0, unseen: 3 * HOUR}]);
		const since = [...watched(NOON, NOON + HOUR, {a: 2})];
		expect(costOf(since, 'a', MORNING, NOON + 5 * HOUR)).toMatchObject([
			{ready: HOUR, unseen: 4 * HOUR, estimate: 2},
		]);
		expect(totalCost(costOf(since, 'a', MORNING, NOON + 5 * HOUR))).toEqual({
			estimate: 2,
			unknown: 0,
			unclear: 0,
			atLeast: true,
		});
	});

	test('a server that was left ready long ago may have run ever since', () => {
		const looks = watched(NOON - 100 * HOUR, NOON - 99 * HOUR, {a: 2});
		expect(costOf(looks, 'a', MORNING, NOON)).toMatchObject([{ready: 0, unseen: 12 * HOUR, estimate: 0}]);
	});

	test('an unknown rate is not 0, and one that arrives an observation later holds from the observation before', () => {
		const late = [look(NOON, {a: null}), ...watched(NOON + 30_000, NOON + HOUR, {a: 2})];
		expect(costOf(late, 'a', MORNING, NOON + HOUR)).toMatchObject([{ready: HOUR, unpriced: 0, estimate: 2}]);
		const never = watched(NOON, NOON + HOUR, {a: null});
		expect(costOf(never, 'a', MORNING, NOON + HOUR)).toMatchObject([
			{ready: HOUR, unpriced: HOUR, rates: []},
		]);
		expect(totalCost(costOf(never, 'a', MORNING, NOON + HOUR))).toEqual({
			estimate: 0,
			unknown: 1,
			unclear: 0,
			atLeast: true,
		});
	});

	test('a price that changes holds from the look that shows it', () => {
		const looks = [
			...watched(NOON, NOON + HOUR, {a: 2}),
			...watched(NOON + HOUR + 30_000, NOON + 2 * HOUR, {a: 4}),
		];
		const [cost] = costOf(looks, 'a', MORNING, NOON + 2 * HOUR);
		expect(cost).toMatchObject({ready: 2 * HOUR, rates: [2, 4]});
		expect(cost?.estimate).toBeCloseTo(2 * (1 + 30 / 3600) + 4 * (1 - 30 / 3600), 9);
	});

	test("a list without a server's state, or with unreadable entries, ends nothing", () => {
		for (const more of [{unsure: new Set(['a'])}, {unreadable: 1}]) {
			const looks = [look(NOON, {a: 2}), look(NOON + MINUTE, {}, more), look(NOON + 2 * MINUTE, {a: 2})];
			expect(costOf(looks, 'a', MORNING, NOON + 2 * MINUTE)).toMatchObject([{ready: 2 * MINUTE, unseen: 0}]);
		}
		const seen = snapshotOf(
			[
				{name: 'a', status: ''},
				{name: 'b', status: 'ready'},
			],
			2,
			() => 1,
		);
		expect(seen).toEqual({
			ready: new Map([['b', 1]]),
			unsure: new Set(['a']),
			unclear: new Set(),
			unreadable: 2,
		});
	});

	test('a server in a state of unknown cost has a row with ?, and is in no sum', () => {
		const unclear = {unclear: new Set(['a'])};
		for (const looks of [
			[look(NOON, {}, unclear)],
			[look(NOON, {}, unclear), look(NOON + MINUTE, {}, unclear)],
			[look(NOON, {}, {unsure: new Set(['a'])})],
		]) {
			const costs = costOf(looks, 'a', MORNING, NOON + MINUTE);
			expect(costs).toMatchObject([{ready: 0, unpriced: 0, estimate: 0, isUnclear: true}]);
			expect(costs.map(isUnknown)).toEqual([true]);
			expect(totalCost(costs)).toEqual({estimate: 0, unknown: 0, unclear: 1, atLeast: true});
		}
		const between = [
			look(NOON, {a: 2}),
			look(NOON + MINUTE, {a: 2}),
			look(NOON + 2 * MINUTE, {}, unclear),
			look(NOON + 3 * MINUTE, {a: 2}),
		];
		expect(costOf(between, 'a', MORNING, NOON + 3 * MINUTE)).toMatchObject([
			{ready: MINUTE, unclear: 2 * MINUTE, unseen: 0, estimate: 2 / 60, isUnclear: true},
		]);
		expect(
			snapshotOf(
				['ready', 'offline', 'hibernated', 'READY', ''].map(status => ({name: status, status})),
				0,
				() => 1,
			),
		).toMatchObject({
			ready: new Map([['ready', 1]]),
			unclear: new Set(['hibernated', 'READY']),
			unsure: new Set(['']),
		});
	});

	test('a clock that is set back counts no time twice and none below zero; looks of the future are not there yet', () => {
		const looks = [
			...watched(NOON, NOON + HOUR, {a: 2}),
			...watched(NOON + 10_000, NOON + 30 * MINUTE + 10_000, {a: 2}),
			look(NOON + 90_000 * HOUR, {a: 2}),
		];
		expect(costOf(looks, 'a', MORNING, NOON + HOUR)).toMatchObject([{ready: HOUR, unseen: 0, estimate: 2}]);
	});
});

describe('a start that was made here', () => {
	const start = (from: number, rate: number | null, server = 'a'): Observation => ({
		...startOf(server, rate),
		from,
		to: from,
	});
	const unclear = (from: number): Observation => look(from, {}, {unclear: new Set(['a'])});

	test('counts from the start, even if the server was first seen when ready', () => {
		const looks = [start(NOON, 5), look(NOON + 12 * MINUTE, {a: 5}), look(NOON + HOUR, {a: 5})];
		expect(costOf(looks, 'a', MORNING, NOON + HOUR)).toMatchObject([
			{ready: 0, assumed: HOUR, unseen: 0, estimate: 5, rates: [5]},
		]);
		expect(runCosts(looks, NOON + HOUR).get('a')).toMatchObject({cost: {estimate: 5}, atLeast: false});
	});

	test('states on the way to ready are part of it; without a ready server they are of unknown cost', () => {
		const way = [start(NOON, 6), unclear(NOON + 30_000), unclear(NOON + MINUTE)];
		const ready = [...way, look(NOON + 90_000, {a: 6})];
		expect(costOf(ready, 'a', MORNING, NOON + 90_000)).toMatchObject([
			{ready: 90_000, isUnclear: false, estimate: 0.15},
		]);
		expect(costOf(way, 'a', MORNING, NOON + MINUTE)).toMatchObject([{isUnclear: true, unseen: 0}]);
	});

	test('ends where the server was seen offline, at another rate, or in a state of unknown cost', () => {
		for (const between of [look(NOON + 10 * MINUTE, {}), unclear(NOON + 10 * MINUTE)]) {
			const looks = [start(NOON, 5), look(NOON + MINUTE, {a: 5}), between, look(NOON + HOUR, {a: 5})];
			expect(costOf(looks, 'a', MORNING, NOON + HOUR)).toMatchObject([
				{ready: MINUTE, assumed: 0, unseen: 59 * MINUTE},
			]);
		}
		const dearer = [start(NOON, 5), look(NOON + HOUR, {a: 6})];
		expect(costOf(dearer, 'a', MORNING, NOON + HOUR)).toMatchObject([{assumed: 0, unseen: HOUR}]);
	});

	test('is not ended by a list in transit, which proves nothing about other servers either', () => {
		const looks = [
			look(NOON - 30_000, {b: 1}),
			start(NOON, 5),
			look(NOON + 1000, {b: 1}),
			look(NOON + 30_000, {a: 5, b: 1}),
		];
		expect(costOf(looks, 'a', MORNING, NOON + 30_000)).toMatchObject([{ready: 30_000}]);
		expect(costOf(looks, 'b', MORNING, NOON + 30_000)).toMatchObject([{ready: MINUTE}]);
	});

	test('a second start is another run: what lies between is unseen, and the cost since the start is its own', () => {
		const looks = [
			start(NOON, 5),
			look(NOON + MINUTE, {a: 5}),
			start(NOON + HOUR, 5),
			look(NOON + 2 * HOUR, {a: 5}),
		];
		expect(costOf(looks, 'a', MORNING, NOON + 2 * HOUR)).toMatchObject([
			{ready: MINUTE, assumed: HOUR, unseen: 59 * MINUTE},
		]);
		expect(runCosts(looks, NOON + 2 * HOUR).get('a')?.cost.estimate).toBe(5);
	});

	test('lists without prices between two with the same price cost that', () => {
		const looks = [
			look(NOON, {a: 2}),
			...watched(NOON + 30_000, NOON + HOUR, {a: null}),
			look(NOON + HOUR, {a: 2}),
		];
		expect(costOf(looks, 'a', MORNING, NOON + HOUR)).toMatchObject([
			{unpriced: 0, estimate: expect.closeTo(2, 9)},
		]);
	});

	test('for a server started elsewhere the cost since its start is at least the observed cost', () => {
		const looks = watched(NOON, NOON + HOUR, {a: 2});
		expect(runCosts(looks, NOON + HOUR).get('a')).toMatchObject({cost: {estimate: 2}, atLeast: true});
		const seen = [look(NOON - 30_000, {}), ...looks];
		expect(runCosts(seen, NOON + HOUR).get('a')).toMatchObject({atLeast: false});
		expect(runCosts([...looks, look(NOON + HOUR + 30_000, {})], NOON + 2 * HOUR).has('a')).toBe(false);
	});
});

describe('days', () => {
	test.each([
		['Europe/Berlin', '2026-03-29', 23],
		['Europe/Berlin', '2026-10-25', 25],
		['America/Sao_Paulo', '2018-11-04', 23],
		['Australia/Lord_Howe', '2026-04-05', 24.5],
		['UTC', '2026-10-25', 24],
	])('in %s %s has %d hours', (name, day, hours) => {
		inZone(name);
		const noon = at(`${day}T12:00:00`);
		const from = midnight(noon);
		const looks = watched(from - 2 * HOUR, from + 28 * HOUR, {a: 1});
		const days = dailyCosts(looks, midnight(noon, 1), midnight(noon, -2));
		expect(days.map(each => each.day)).toEqual([dayOf(from + 30 * HOUR), day, dayOf(from - 2 * HOUR)]);
		expect(days[1]).toMatchObject({length: hours * HOUR, looked: hours * HOUR});
		expect(days[1]?.servers).toMatchObject([{ready: hours * HOUR, estimate: hours}]);
	});
});

const someLooks = fc
	.array(
		fc.record({
			minute: fc.integer({min: 0, max: 3000}),
			ready: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.option(fc.constantFrom(0, 1, 2.5))),
			unreadable: fc.constantFrom(0, 0, 0, 1),
		}),
		{maxLength: 60},
	)
	.map(all =>
		all.map(({minute, ready, unreadable}) =>
			look(NOON + minute * 40_000, {}, {ready: new Map(Object.entries(ready)), unreadable}),
		),
	);
const UNTIL = NOON + 40 * HOUR;
const sums = (looks: readonly Observation[]) => dailyCosts(looks, MORNING, UNTIL);

describe('any observations', () => {
	test('the order of looks and who looked changes nothing, and merging them neither loses nor adds', () => {
		fc.assert(
			fc.property(someLooks, looks => {
				const once = sums(looks);
				expect(sums([...looks].reverse())).toEqual(once);
				expect(sums([...looks, ...looks])).toEqual(once);
				expect(sums(mergeObservations(looks))).toEqual(once);
				expect(mergeObservations(mergeObservations(looks))).toEqual(mergeObservations(looks));
				expect(sums([...mergeObservations(looks), ...looks])).toEqual(once);
			}),
		);
	});

	test('a separately merged part counts as its observations do', () => {
		fc.assert(
			fc.property(someLooks, fc.integer({min: 0, max: 3000}), (looks, cut) => {
				const end = NOON + cut * 40_000;
				const before = looks.filter(({from}) => from < end);
				const after = looks.filter(({from}) => from >= end);
				expect(sums([...mergeObservations(before), ...after])).toEqual(sums(looks));
			}),
		);
	});

	test('no time is negative, seen and unseen time fit into the day, and the estimate lies between its rates', () => {
		fc.assert(
			fc.property(someLooks, looks => {
				for (const {length, looked, servers} of sums(looks)) {
					expect(looked).toBeGreaterThanOrEqual(0);
					expect(looked).toBeLessThanOrEqual(length);
					for (const {ready, unpriced, unseen, rates, estimate} of servers) {
						expect(Math.min(ready, unpriced, unseen, estimate)).toBeGreaterThanOrEqual(0);
						expect(unpriced).toBeLessThanOrEqual(ready);
						expect(ready).toBeLessThanOrEqual(looked);
						expect(ready + unseen).toBeLessThanOrEqual(length);
						const hours = (ready - unpriced) / HOUR;
						expect(estimate).toBeGreaterThanOrEqual((rates[0] ?? 0) * hours - 1e-9);
						expect(estimate).toBeLessThanOrEqual((rates.at(-1) ?? 0) * hours + 1e-9);
					}
				}
			}),
		);
	});

	test('more observations never remove earlier ones, as long as they agree', () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(fc.integer({min: 0, max: 2000}), {minLength: 2}),
				fc.nat(),
				(minutes, pick) => {
					const looks = minutes.map(minute => look(NOON + minute * MINUTE, {a: 1}));
					const fewer = looks.filter((_, turn) => turn !== pick % looks.length);
					const readyOf = (all: readonly Observation[]): number =>
						sums(all).reduce((sum, {servers}) => sum + (servers[0]?.ready ?? 0), 0);
					expect(readyOf(looks)).toBeGreaterThanOrEqual(readyOf(fewer));
				},
			),
		);
	});
});

test('equal observations become one, up to a pause that is too long', () => {
	const all = [
		...watched(NOON, NOON + HOUR, {a: 1}),
		look(NOON + HOUR + MAX_GAP_MS + 1, {a: 1}),
		look(NOON + HOUR + MAX_GAP_MS + 2, {}),
	];
	expect(mergeObservations(all).map(({from, to}) => [from - NOON, to - NOON])).toEqual([
		[0, HOUR],
		[HOUR + MAX_GAP_MS + 1, HOUR + MAX_GAP_MS + 1],
		[HOUR + MAX_GAP_MS + 2, HOUR + MAX_GAP_MS + 2],
	]);
});
