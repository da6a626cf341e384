import {appendFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openCellJournal, type CellJournal} from '../../src/storage/cell-journal.ts';
import {openServiceStorage} from '../../src/storage/service-storage.ts';
import {readLinesBackwards} from '../../src/machine/read-lines-backwards.ts';
import {tempFolder} from '../support/temp-folder.ts';

const cellsIn = (root: string): string => join(root, 'cells');

const runCell = async (
	journal: CellJournal,
	id: number,
	source: string,
	server = 'welcome',
): Promise<void> => {
	await journal.asked(server, {id, source, kernel: 'python3', at: id});
	await journal.ended(server, {
		id,
		state: 'done',
		startedAt: id,
		endedAt: id + 1,
		result: {execution_count: id},
		failure: null,
	});
};
const sourcesIn = async (journal: CellJournal, server = 'welcome'): Promise<readonly string[]> =>
	(await journal.read(server)).cells.map(({asked, ended}) => `${asked.source}${ended === null ? ' ?' : ''}`);

test('the next program sees the cells of the last one and the code of all, only its owner may read them', async () => {
	using folder = tempFolder();
	const path = folder.path;
	const first = openCellJournal(openServiceStorage(path, 'local'));
	await runCell(first, 1, 'a = 1');
	await runCell(first, 2, 'b = 2');
	const second = openCellJournal(openServiceStorage(path, 'local'));
	await runCell(second, 1, 'c = 3');
	await second.asked('welcome', {id: 2, source: 'a = 1', kernel: 'other', at: 9});
	expect(await sourcesIn(second)).toEqual(['a = 1', 'b = 2']);
	expect((await second.read('welcome')).rest).toBeNull();
	const third = await openCellJournal(openServiceStorage(path, 'local')).read('welcome');
	expect(third.cells.map(({asked, ended}) => [asked.source, asked.kernel, ended?.state])).toEqual([
		['a = 1', 'python3', 'done'],
		['b = 2', 'python3', 'done'],
		['c = 3', 'python3', 'done'],
		['a = 1', 'other', undefined],
	]);
	expect(third.history).toEqual(['b = 2', 'c = 3', 'a = 1']);
	expect(readdirSync(cellsIn(path)).map(name => statSync(join(cellsIn(path), name)).mode & 0o777)).toEqual([
		0o600, 0o600,
	]);
	expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('servers and services are kept separate, with any names', async () => {
	using folder = tempFolder();
	const local = openCellJournal(openServiceStorage(folder.path, 'local'));
	for (const name of ['a', 'A', '../a', '__proto__']) await runCell(local, 1, `of ${name}`, name);
	await runCell(
		openCellJournal(openServiceStorage(folder.path, 'https://other.example')),
		1,
		'elsewhere',
		'a',
	);
	const next = openCellJournal(openServiceStorage(folder.path, 'local'));
	for (const name of ['a', 'A', '../a', '__proto__'])
		expect(await sourcesIn(next, name)).toEqual([`of ${name}`]);
	expect(await sourcesIn(next, 'b')).toEqual([]);
});

test('a program that is killed at any byte of a line loses that line only', async () => {
	using folder = tempFolder();
	await runCell(openCellJournal(openServiceStorage(folder.path, 'local')), 1, 'whole');
	const file = join(
		cellsIn(folder.path),
		readdirSync(cellsIn(folder.path)).find(name => name.includes('asked'))!,
	);
	const before = readFileSync(file);
	await runCell(openCellJournal(openServiceStorage(folder.path, 'local')), 1, 'cut');
	const after = readFileSync(file);
	for (let size = before.length; size <= after.length; size += 7) {
		writeFileSync(file, after);
		truncateSync(file, size);
		const next = openCellJournal(openServiceStorage(folder.path, 'local'));
		await next.asked('welcome', {id: 1, source: 'next', kernel: 'python3', at: 5});
		const {history} = await openCellJournal(openServiceStorage(folder.path, 'local')).read('welcome');
		expect(history.filter(source => source !== 'cut')).toEqual(['whole', 'next']);
	}
});

test('foreign lines in the file are skipped and counted', async () => {
	using folder = tempFolder();
	await runCell(openCellJournal(openServiceStorage(folder.path, 'local')), 1, 'good');
	for (const name of readdirSync(cellsIn(folder.path)))
		appendFileSync(join(cellsIn(folder.path), name), 'nonsense\n{"session":1}\n[]\n');
	const {cells, unreadable} = await openCellJournal(openServiceStorage(folder.path, 'local')).read('welcome');
	expect(cells.map(({asked, ended}) => [asked.source, ended?.state])).toEqual([['good', 'done']]);
	expect(unreadable).toBe(6);
});

/** A file of the journal, as any process may have left it. */
const fileOf = (folder: string, kind: 'asked' | 'ended'): string =>
	join(
		folder,
		readdirSync(folder).find(name => name.endsWith(`${kind}.jsonl`))!,
	);
const askedLine = (session: string, id: number, at: number): string =>
	`\n${JSON.stringify({session, id, source: `${session} ${id}`, kernel: 'python3', at})}\n`;
const endedLine = (session: string, id: number, endedAt: number, text = ''): string =>
	`\n${JSON.stringify({session, id, state: 'done', startedAt: endedAt, endedAt, result: {session, id, text}, failure: null})}\n`;

test('each cell has the result of its own session, though numbers repeat and two programs ran side by side', async () => {
	using folder = tempFolder();
	await runCell(openCellJournal(openServiceStorage(folder.path, 'local')), 1, 'before');
	appendFileSync(
		fileOf(cellsIn(folder.path), 'asked'),
		askedLine('a', 1, 10) + askedLine('b', 1, 11) + askedLine('a', 2, 12) + askedLine('b', 2, 13),
	);
	appendFileSync(
		fileOf(cellsIn(folder.path), 'ended'),
		endedLine('b', 1, 14) + endedLine('a', 1, 15) + endedLine('b', 2, 16),
	);
	const {cells, rest} = await openCellJournal(openServiceStorage(folder.path, 'local')).read('welcome');
	expect(cells.map(({asked, ended}) => [asked.source, ended?.result])).toEqual([
		['before', {execution_count: 1}],
		['a 1', {session: 'a', id: 1, text: ''}],
		['a 2', undefined],
		['b 1', {session: 'b', id: 1, text: ''}],
		['b 2', {session: 'b', id: 2, text: ''}],
	]);
	expect(rest).toBeNull();
});

test('the newest 2,000 cells are read, and the path of older ones is given', async () => {
	using folder = tempFolder();
	await runCell(openCellJournal(openServiceStorage(folder.path, 'local')), 1, 'before');
	const ids = Array.from({length: 1000}, (_, index) => index + 1);
	for (const [at, session] of ['a', 'b', 'c'].entries()) {
		appendFileSync(
			fileOf(cellsIn(folder.path), 'asked'),
			ids.map(id => askedLine(session, id, at * 10_000 + id)).join(''),
		);
		appendFileSync(
			fileOf(cellsIn(folder.path), 'ended'),
			ids.map(id => endedLine(session, id, at * 10_000 + id)).join(''),
		);
	}
	const {cells, rest} = await openCellJournal(openServiceStorage(folder.path, 'local')).read('welcome');
	expect(cells.map(({asked, ended}) => [asked.source, ended?.state])).toEqual(
		['b', 'c'].flatMap(session => ids.map(id => [`${session} ${id}`, 'done'])),
	);
	expect(rest).toBe(fileOf(cellsIn(folder.path), 'asked').replace('asked', '*'));
});

test('4 MB of results are read; a cell whose result was not is not shown as having none', async () => {
	using folder = tempFolder();
	await runCell(openCellJournal(openServiceStorage(folder.path, 'local')), 1, 'before');
	// Cells submitted at the same time, like those of a notebook.
	const ids = Array.from({length: 100}, (_, index) => index + 1);
	appendFileSync(fileOf(cellsIn(folder.path), 'asked'), ids.map(id => askedLine('a', id, 10)).join(''));
	appendFileSync(
		fileOf(cellsIn(folder.path), 'ended'),
		ids.map(id => endedLine('a', id, 10 + id, 'é'.repeat(50_000))).join(''),
	);
	const {cells, rest} = await openCellJournal(openServiceStorage(folder.path, 'local')).read('welcome');
	expect(cells.length).toBeGreaterThan(70);
	expect(cells.length).toBeLessThan(90);
	expect(cells.every(({ended}) => ended !== null)).toBe(true);
	expect(cells.at(-1)?.asked.source).toBe('a 100');
	expect(rest).not.toBeNull();
	appendFileSync(fileOf(cellsIn(folder.path), 'asked'), askedLine('b', 1, 200) + askedLine('b', 2, 201));
	appendFileSync(fileOf(cellsIn(folder.path), 'ended'), endedLine('b', 2, 300, 'x'.repeat(5_000_000)));
	const next = await openCellJournal(openServiceStorage(folder.path, 'local')).read('welcome');
	expect(next.cells.map(({asked, ended}) => [asked.source, ended?.state])).toEqual([['b 2', 'done']]);
});

const allOf = async (lines: AsyncIterable<string>): Promise<readonly string[]> => {
	const all: string[] = [];
	for await (const line of lines) all.push(line);
	return all;
};

test('lines are read from the end, with any separators', async () => {
	using folder = tempFolder();
	const file = join(folder.path, 'lines');
	const lines = ['first', 'é'.repeat(300_000), 'x', '\u{1F600}'.repeat(100_000), 'last'];
	for (const text of [lines.join('\n'), `\n\n${lines.join('\n\n')}\n`]) {
		writeFileSync(file, text);
		expect(await allOf(readLinesBackwards(file))).toEqual(lines.toReversed());
	}
	writeFileSync(file, '');
	expect(await allOf(readLinesBackwards(file))).toEqual([]);
	expect(await allOf(readLinesBackwards(join(folder.path, 'none')))).toEqual([]);
});
