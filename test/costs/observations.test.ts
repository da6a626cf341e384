import {appendFileSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {openServiceStorage, type ServiceStorage} from '../../src/storage/service-storage.ts';
import {mergeObservations, type Snapshot} from '../../src/costs/observation-spans.ts';
import {RETENTION_DAYS, openObservations} from '../../src/costs/observations.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {testCases} from '../support/test-cases.ts';

const SERVICE = 'https://notebooks.example.com';
const NOON = Date.UTC(2026, 10, 23, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const seen = (ready: Readonly<Record<string, number | null>>, more: Partial<Snapshot> = {}): Snapshot => ({
	ready: new Map(Object.entries(ready)),
	unsure: new Set(),
	unclear: new Set(),
	unreadable: 0,
	...more,
});
const folderOf = (keeper: ServiceStorage, profile = 'work'): string =>
	dirname(keeper.fileOf('looks', profile, 'x'));
const fileNames = (keeper: ServiceStorage): readonly string[] => readdirSync(folderOf(keeper)).sort();

test('observations are read back by the next program, even without the last write', () => {
	using temp = tempFolder();
	const looks = openObservations(openServiceStorage(temp.path, SERVICE), 'work');
	const odd = seen({'gpu é/1': 2.49, ['__proto__']: null}, {unsure: new Set(['b']), unreadable: 2});
	looks.note(odd, NOON);
	looks.note(odd, NOON + 30_000);
	looks.note(odd, NOON + 31_000);
	const read = (): readonly unknown[] =>
		openObservations(openServiceStorage(temp.path, SERVICE), 'work').read(NOON);
	expect(read()).toEqual([
		{...odd, from: NOON, to: NOON},
		{...odd, from: NOON + 30_000, to: NOON + 30_000},
	]);
	looks.flush();
	expect(read()).toHaveLength(3);
	looks.flush();
	expect(read()).toHaveLength(3);
});

test('equal observations within seconds are one line, and the last is written before a different one', () => {
	using temp = tempFolder();
	const looks = openObservations(openServiceStorage(temp.path, SERVICE), 'work');
	for (let second = 0; second < 9; second++) looks.note(seen({a: 1}), NOON + second * 1000);
	looks.note(seen({}), NOON + 9000);
	expect(looks.read(NOON).map(({from, ready}) => [from - NOON, ready.size])).toEqual([
		[0, 1],
		[8000, 1],
		[9000, 0],
	]);
});

test('services, and profiles of one service, are stored separately, in files of their owner', () => {
	using temp = tempFolder();
	const keeper = openServiceStorage(temp.path, SERVICE);
	openObservations(keeper, 'work').note(seen({a: 1}), NOON);
	expect(openObservations(keeper, '').read(NOON)).toEqual([]);
	expect(openObservations(keeper, 'other').read(NOON)).toEqual([]);
	expect(openObservations(openServiceStorage(temp.path, 'local'), 'work').read(NOON)).toEqual([]);
	expect(fileNames(keeper)).toEqual(['2026-11-23.jsonl']);
	expect(statSync(join(folderOf(keeper), '2026-11-23.jsonl')).mode & 0o777).toBe(0o600);
});

test('programs side by side, one of them killed in a line, lose only that line', () => {
	using temp = tempFolder();
	const keeper = openServiceStorage(temp.path, SERVICE);
	const [one, other] = [openObservations(keeper, 'work'), openObservations(keeper, 'work')];
	one.note(seen({a: 1}), NOON);
	other.note(seen({b: 2}), NOON + 1000);
	appendFileSync(
		join(folderOf(keeper), '2026-11-23.jsonl'),
		'\n{"at":1795435200000,"by":"dead","ready":[["c"',
	);
	one.note(seen({a: 1}), NOON + 30_000);
	other.note(seen({b: 2}), NOON + 31_000);
	expect(one.read(NOON).map(({from, ready}) => [from - NOON, [...ready.keys()]])).toEqual([
		[0, ['a']],
		[1000, ['b']],
		[30_000, ['a']],
		[31_000, ['b']],
	]);
});

testCases('a file with anything in it is read without an error', 30, cases => {
	using temp = tempFolder();
	const keeper = openServiceStorage(temp.path, SERVICE);
	const looks = openObservations(keeper, 'work');
	looks.note(seen({a: 1}), NOON);
	fc.assert(
		fc.property(fc.array(fc.oneof(fc.json(), fc.string())), lines => {
			writeFileSync(join(folderOf(keeper), '2026-11-23.jsonl'), lines.join('\n'));
			writeFileSync(join(folderOf(keeper), '2026-11-22.json'), lines[0] ?? '');
			expect(() => mergeObservations(looks.read(NOON))).not.toThrow();
		}),
		{numRuns: cases},
	);
	const wrong = [
		'{"at":1795435200000,"by":"x","ready":[["a","2"],["b",1e999],["c",null],7],"unsure":[3,"d"],"unreadable":0}',
		'{"at":1e99,"by":"x","ready":[],"unsure":[],"unreadable":0}',
		'{"at":1795435200000,"by":"y"}',
	];
	writeFileSync(join(folderOf(keeper), '2026-11-23.jsonl'), wrong.join('\n'));
	expect(looks.read(NOON)).toMatchObject([{ready: new Map([['c', null]]), unsure: new Set(['d'])}]);
});

test('an ended day is reduced to few observations with the same result; more of that day is added', () => {
	using temp = tempFolder();
	const keeper = openServiceStorage(temp.path, SERVICE);
	const looks = openObservations(keeper, 'work');
	for (let turn = 0; turn < 400; turn++) looks.note(seen({a: 1}), NOON + turn * 30_000);
	const before = mergeObservations(looks.read(NOON));
	const size = statSync(join(folderOf(keeper), '2026-11-23.jsonl')).size;
	openObservations(keeper, 'work').note(seen({}), NOON + DAY);
	expect(fileNames(keeper)).toEqual(['2026-11-23.jsonl', '2026-11-24.jsonl']);
	openObservations(keeper, 'work').note(seen({}), NOON + 2 * DAY);
	expect(fileNames(keeper)).toEqual(['2026-11-23.json', '2026-11-24.jsonl', '2026-11-25.jsonl']);
	expect(looks.read(NOON).slice(0, -2)).toEqual(before);
	expect(statSync(join(folderOf(keeper), '2026-11-23.json')).size).toBeLessThan(size / 50);
	// This program was suspended in between, or its clock is slow.
	looks.note(seen({a: 1}), NOON + 400 * 30_000);
	openObservations(keeper, 'work').note(seen({}), NOON + 3 * DAY);
	expect(mergeObservations(looks.read(NOON))[0]).toMatchObject({from: NOON, to: NOON + 400 * 30_000});
	expect(fileNames(keeper)).toEqual([
		'2026-11-23.json',
		'2026-11-24.json',
		'2026-11-25.jsonl',
		'2026-11-26.jsonl',
	]);
});

test('the newest days are stored, and of each day no more than fits', () => {
	using temp = tempFolder();
	const keeper = openServiceStorage(temp.path, SERVICE);
	for (let day = 0; day <= RETENTION_DAYS + 5; day++)
		openObservations(keeper, 'work').note(seen({a: 1}), NOON + day * DAY);
	expect(fileNames(keeper)).toHaveLength(RETENTION_DAYS + 1);
	const today = NOON + (RETENTION_DAYS + 5) * DAY;
	const looks = openObservations(keeper, 'work');
	const many = Object.fromEntries(Array.from({length: 1000}, (_, turn) => [`server-${turn}`, 1]));
	for (let turn = 0; turn < 200; turn++) looks.note(seen({...many, other: turn}), today + turn * 1000);
	const newest = fileNames(keeper).at(-1) ?? '';
	expect(statSync(join(folderOf(keeper), newest)).size).toBeLessThan((2 << 20) + 40_000);
	expect(() => looks.flush()).not.toThrow();
});

test('the last look before the days that are asked for is read with them', () => {
	using temp = tempFolder();
	const looks = openObservations(openServiceStorage(temp.path, SERVICE), 'work');
	looks.note(seen({a: 1}), NOON - 30 * DAY);
	looks.note(seen({a: 1}), NOON - 20 * DAY);
	looks.note(seen({a: 1}), NOON);
	expect(looks.read(NOON - DAY).map(({from}) => (from - NOON) / DAY)).toEqual([-20, 0]);
});

test('the day of a warning is stored for other programs', () => {
	using temp = tempFolder();
	const keeper = openServiceStorage(temp.path, SERVICE);
	const {announced} = openObservations(keeper, 'work');
	expect(announced.read()).toBeNull();
	announced.write('2026-11-23');
	expect(openObservations(keeper, 'work').announced.read()).toBe('2026-11-23');
	expect(openObservations(keeper, 'other').announced.read()).toBeNull();
	expect(JSON.parse(readFileSync(keeper.fileOf('looks', 'work', 'told.json'), 'utf8'))).toEqual({
		day: '2026-11-23',
	});
});

test('a start is stored with its day, even after the day, and is not a list that is seen again', () => {
	using temp = tempFolder();
	const keeper = openServiceStorage(temp.path, SERVICE);
	const looks = openObservations(keeper, 'work');
	looks.note(seen({b: 1}), NOON);
	looks.noteStart('a', 5, NOON + MINUTE);
	looks.note(seen({b: 1}), NOON + MINUTE + 1000);
	const kept = [
		{ready: new Map([['b', 1]]), from: NOON},
		{ready: new Map([['a', 5]]), isStart: true, from: NOON + MINUTE},
		{ready: new Map([['b', 1]]), from: NOON + MINUTE + 1000},
	];
	expect(openObservations(keeper, 'work').read(NOON)).toMatchObject(kept);
	openObservations(keeper, 'work').note(seen({}), NOON + 3 * DAY);
	expect(fileNames(keeper)).toContain('2026-11-23.json');
	expect(openObservations(keeper, 'work').read(NOON).slice(0, 3)).toMatchObject(kept);
});
