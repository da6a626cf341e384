import {cpSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {lastServers} from '../../src/app/restore-location.ts';
import {openCellJournal} from '../../src/storage/cell-journal.ts';
import {openConversations} from '../../src/storage/conversations.ts';
import {openDrafts} from '../../src/storage/drafts.ts';
import {listUnsavedEdits, makeEditCopy} from '../../src/storage/unsaved-edits.ts';
import {openServiceStorage, readIfValid} from '../../src/storage/service-storage.ts';
import {openRateStorage} from '../../src/costs/reported-rates.ts';
import {createAutosave} from '../../src/storage/autosave.ts';
import {noDisks, smallDisk} from '../support/small-disk.ts';
import {tempFolder} from '../support/temp-folder.ts';

afterEach(() => {
	vi.useRealTimers();
});

const SERVICE = 'https://notebooks.example.com/base';
const SERVER = 'gpu é/1';

/** Data that the program of November 2026 wrote, before the storage was unified. */
const keptBefore = () => {
	const temp = tempFolder();
	cpSync(join(import.meta.dirname, 'kept-before'), temp.path, {recursive: true});
	return {keeper: openServiceStorage(temp.path, SERVICE), [Symbol.dispose]: () => temp[Symbol.dispose]()};
};

test('drafts, conversations, rates, cells, edits, the place and the list that an earlier program wrote are all read', async () => {
	using before = keptBefore();
	const {keeper} = before;
	const drafts = openDrafts(keeper);
	expect(drafts.read(SERVER, 'code')).toMatchObject({text: 'x = "é"\n', cursor: 3});
	expect(drafts.read(SERVER, 'question')).toMatchObject({text: 'put aside', cursor: null});
	expect(JSON.parse(drafts.read('', 'create')?.text ?? '')).toMatchObject({name: 'n', compute: 'c'});
	const conversations = openConversations(keeper);
	const [summary] = conversations.list(SERVER);
	expect(summary).toMatchObject({title: 'Why?', turns: 1});
	expect(conversations.read(SERVER, summary?.id ?? '')?.turns[0]).toMatchObject({
		answer: 'Because',
		state: 'streaming',
		runs: [0],
	});
	expect(openRateStorage(keeper).read()).toEqual([
		{server: 'cpu', listed: 'cpu-small', rate: 0.1, quoted: null, since: 1_764_000_000_001},
		{server: SERVER, listed: null, rate: 2.49, quoted: 2.5, since: 1_764_000_000_000},
	]);
	const {cells, unreadable} = await openCellJournal(keeper).read(SERVER);
	expect(cells.map(({asked, ended}) => [asked.source, ended?.state])).toEqual([
		['1+1', 'done'],
		['cut()', undefined],
	]);
	expect(unreadable).toBe(0);
	const [folder = ''] = readdirSync(keeper.folderOf('edits'));
	const now = Date.now();
	utimesSync(join(keeper.folderOf('edits'), folder, 'a.py'), now / 1000, now / 1000);
	const [edit] = listUnsavedEdits(keeper, now);
	expect(edit).toMatchObject({
		before: 'before\n',
		isLeft: true,
		about: {what: 'file', server: SERVER, path: 'notes/a.py'},
	});
	expect(edit?.read()).toBe('after\n');
	expect(readIfValid(keeper.fileOf('places'), json => json)).toMatchObject({screen: 'repl', server: SERVER});
	expect(lastServers(keeper)).toMatchObject({
		at: 1_764_000_000_000,
		items: [{name: SERVER, status: 'ready'}],
	});
});

test('a rewritten entry stays in its place, for older programs', () => {
	using before = keptBefore();
	const {keeper} = before;
	const files = (): readonly string[] =>
		readdirSync(dirname(keeper.folderOf('drafts')), {recursive: true, encoding: 'utf8'}).sort();
	const found = files();
	const drafts = openDrafts(keeper);
	drafts.write(SERVER, 'code', {text: 'new', cursor: 0});
	const conversations = openConversations(keeper);
	const id = conversations.list(SERVER)[0]?.id ?? '';
	const conversation = conversations.read(SERVER, id)!;
	expect(conversations.write({...conversation, model: 'other'})).toBe(true);
	const rates = openRateStorage(keeper);
	for (const rate of rates.read()) rates.keep({...rate, rate: 9});
	keeper.write(keeper.fileOf('places'), {screen: 'files'});
	keeper.write(keeper.fileOf('lists'), {at: 1, items: []});
	expect(files()).toEqual(found);
	expect(
		Object.keys(JSON.parse(readFileSync(keeper.fileOf('drafts', SERVER, 'code'), 'utf8')) as object),
	).toEqual(['text', 'cursor', 'savedAt']);
});

test('additions of a later program are skipped', () => {
	using temp = tempFolder();
	const keeper = openServiceStorage(temp.path, 'local');
	keeper.write(keeper.fileOf('drafts', 'a', 'code'), {text: 'x', cursor: 1, savedAt: '', later: {}});
	expect(openDrafts(keeper).read('a', 'code')).toEqual({text: 'x', cursor: 1});
	keeper.write(keeper.fileOf('rates', 'a'), {
		server: 'a',
		listed: null,
		rate: 1,
		quoted: null,
		since: 1,
		later: 2,
	});
	expect(openRateStorage(keeper).read()).toEqual([
		{server: 'a', listed: null, rate: 1, quoted: null, since: 1},
	]);
});

test('only the user may read saved data, and no name of a server or service is a path', () => {
	using temp = tempFolder();
	const keeper = openServiceStorage(join(temp.path, 'state'), 'https://me:secret@example.com/../..');
	for (const file of [
		keeper.fileOf('drafts', '../../etc', 'code'),
		keeper.fileOf('conversations', '../..', 'id'),
		keeper.fileOf('rates', '/'),
		keeper.fileOf('places'),
	]) {
		keeper.write(file, {});
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
	}
	for (const path of readdirSync(temp.path, {recursive: true, encoding: 'utf8'}))
		expect(path).not.toMatch(/etc|secret@/);
});

test('a user of a service sees no data of another user', () => {
	using temp = tempFolder();
	const open = (account: string) => openServiceStorage(temp.path, SERVICE, {account});
	const placesOf = (account: string): readonly string[] => {
		const keeper = open(account);
		return [
			...(['drafts', 'conversations', 'cells', 'synced', 'tasks', 'looks'] as const).map(kind =>
				keeper.fileOf(kind, 'a', 'code'),
			),
			keeper.fileOf('rates', 'a'),
			keeper.fileOf('lists'),
			keeper.fileOf('places'),
		];
	};
	expect(placesOf('work')).toEqual(placesOf('work'));
	const all = ['', 'home', 'work', 'work2'].flatMap(placesOf);
	expect(new Set(all).size).toBe(all.length);
	openRateStorage(open('work')).keep({server: 'a', listed: null, rate: 1, quoted: null, since: 1});
	expect(openRateStorage(open('work')).read()).toHaveLength(1);
	expect(openRateStorage(open('home')).read()).toEqual([]);
	const about = {what: 'code', server: 'a'} as const;
	const copy = makeEditCopy(open('work'), {name: 'a.py', text: 'x', isNew: false, about});
	writeFileSync(copy.path, 'y');
	copy.leave();
	expect(listUnsavedEdits(open('work'), Date.now())).toHaveLength(1);
	expect(listUnsavedEdits(open('home'), Date.now())).toEqual([]);
});

test('data from before users were separated belongs to the single heir', async () => {
	using temp = tempFolder();
	const old = openServiceStorage(temp.path, SERVICE);
	openDrafts(old).write('a', 'code', {text: 'x = 1', cursor: null});
	openConversations(old).write({id: 'one', server: 'a', model: '', turns: []});
	await openCellJournal(old).asked('a', {id: 1, source: '6 * 7', kernel: '', at: 1});
	old.write(old.fileOf('places'), {server: 'a'});
	const seen = async (account: string, isHeir: boolean): Promise<readonly unknown[]> => {
		const keeper = openServiceStorage(temp.path, SERVICE, {account, isHeir});
		return [
			openDrafts(keeper).read('a', 'code')?.text,
			openConversations(keeper).list('a').length,
			(await openCellJournal(keeper).read('a')).history,
			existsSync(keeper.fileOf('places')),
		];
	};
	expect(await seen('team', false)).toEqual([undefined, 0, [], false]);
	expect(await seen('mine', true)).toEqual(['x = 1', 1, ['6 * 7'], true]);
	expect(await seen('mine', false)).toEqual(['x = 1', 1, ['6 * 7'], true]);
	expect(await seen('team', true)).toEqual([undefined, 0, [], false]);
	// Data that the heir has saved since then remains.
	const mine = openServiceStorage(temp.path, SERVICE, {account: 'mine', isHeir: true});
	old.write(old.fileOf('places'), {server: 'b'});
	expect(readFileSync(mine.fileOf('places'), 'utf8')).toBe('{"server":"a"}');
});

test('a conversation that cannot be understood is put aside and reported, and hides no other', () => {
	using temp = tempFolder();
	const keeper = openServiceStorage(temp.path, 'local');
	const conversations = openConversations(keeper);
	conversations.write({id: 'good', server: 'a', model: '', turns: []});
	const file = keeper.fileOf('conversations', 'a', 'bad');
	writeFileSync(file, '{"id": "bad"');
	expect(conversations.list('a').map(({id}) => id)).toEqual(['good']);
	expect(() => conversations.read('a', 'bad')).toThrow(`it was moved to ${file}.broken`);
	expect(readFileSync(`${file}.broken`, 'utf8')).toBe('{"id": "bad"');
	expect(conversations.read('a', 'bad')).toBeNull();
});

test('two programs with one conversation: neither overwrites the other, not even after listing', () => {
	using temp = tempFolder();
	const one = openConversations(openServiceStorage(temp.path, 'local'));
	const other = openConversations(openServiceStorage(temp.path, 'local'));
	const conversation = {id: 'c', server: 'a', model: 'm', turns: []};
	expect(one.write(conversation)).toBe(true);
	expect(one.write({...conversation, model: 'mine'})).toBe(true);
	other.read('a', 'c');
	expect(other.write({...conversation, model: 'theirs'})).toBe(true);
	one.list('a');
	expect(one.write(conversation)).toBe(false);
	expect(one.read('a', 'c')?.model).toBe('theirs');
});

test.skipIf(noDisks)('on a full disk the old one stays, and no other file is left behind', () => {
	using disk = smallDisk('size=256k');
	const keeper = openServiceStorage(disk.path, 'local');
	const drafts = openDrafts(keeper);
	drafts.write('a', 'code', {text: 'old', cursor: 0});
	disk.fill(16_384);
	expect(() => drafts.write('a', 'code', {text: 'new'.repeat(30_000), cursor: 0})).toThrow('ENOSPC');
	expect(drafts.read('a', 'code')?.text).toBe('old');
	expect(readdirSync(keeper.folderOf('drafts'))).toEqual([basename(keeper.fileOf('drafts', 'a', 'code'))]);
});

test('a saver saves a second after the last change, every five seconds while changes continue, and at once when flushed', () => {
	vi.useFakeTimers();
	const saved: number[] = [];
	const from = performance.now();
	const saver = createAutosave(() => void saved.push(performance.now() - from));
	saver.changed();
	vi.advanceTimersByTime(999);
	expect(saved).toEqual([]);
	vi.advanceTimersByTime(1);
	for (let change = 0; change < 11; change++) {
		saver.changed();
		vi.advanceTimersByTime(500);
	}
	expect(saved).toEqual([1000, 6000]);
	saver.flush();
	expect(saved).toHaveLength(3);
	vi.advanceTimersByTime(10_000);
	expect(saved).toHaveLength(3);
});

test('after a save that took long the next one waits twenty times as long', () => {
	vi.useFakeTimers();
	let saves = 0;
	const saver = createAutosave(() => {
		saves++;
		vi.advanceTimersByTime(200);
	});
	saver.flush();
	saver.changed();
	vi.advanceTimersByTime(3999);
	expect(saves).toBe(1);
	vi.advanceTimersByTime(1);
	expect(saves).toBe(2);
});

test('background saves happen at once only on request, one save at a time', async () => {
	vi.useFakeTimers();
	let [atOnce, begun] = [0, 0];
	let end = (): void => {};
	const saver = createAutosave(() => atOnce++, {
		behind: async () => {
			begun++;
			await new Promise<void>(resolve => {
				end = resolve;
			});
		},
	});
	saver.changed();
	await vi.advanceTimersByTimeAsync(1000);
	expect([atOnce, begun]).toEqual([0, 1]);
	// The save takes a while. Changes during the save are saved after it.
	saver.changed();
	await vi.advanceTimersByTimeAsync(2000);
	expect([atOnce, begun]).toEqual([0, 1]);
	saver.flush();
	expect([atOnce, begun]).toEqual([1, 1]);
	saver.changed();
	end();
	await vi.advanceTimersByTimeAsync(9999);
	expect(begun).toBe(1);
	await vi.advanceTimersByTimeAsync(1);
	expect([atOnce, begun]).toEqual([1, 2]);
});

test('a closed saver saves once more and never again', () => {
	vi.useFakeTimers();
	using temp = tempFolder();
	const keeper = openServiceStorage(temp.path, 'local');
	let saves = 0;
	const {changed} = keeper.saver(() => saves++);
	changed();
	keeper.close();
	changed();
	vi.advanceTimersByTime(10_000);
	expect(saves).toBe(1);
});
