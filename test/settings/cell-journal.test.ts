import {appendFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openCellJournal, type CellJournal} from '../../src/settings/cell-journal.ts';
import {tempFolder} from '../support/temp-folder.ts';

const runCell = async (journal: CellJournal, id: number, source: string, server = 'welcome'): Promise<void> => {
	await journal.asked(server, {id, source, kernel: 'python3', at: id});
	await journal.ended(server, {id, state: 'done', startedAt: id, endedAt: id + 1, result: {execution_count: id}, failure: null});
};
const sourcesIn = async (journal: CellJournal, server = 'welcome'): Promise<readonly string[]> => (await journal.read(server)).cells.map(({asked, ended}) => `${asked.source}${ended === null ? ' ?' : ''}`);

test('the next program sees the cells of the last one and the code of all, only its owner may read them', async () => {
	using folder = tempFolder();
	const path = join(folder.path, 'cells');
	const first = openCellJournal(path, 'local');
	await runCell(first, 1, 'a = 1');
	await runCell(first, 2, 'b = 2');
	const second = openCellJournal(path, 'local');
	await runCell(second, 1, 'c = 3');
	await second.asked('welcome', {id: 2, source: 'a = 1', kernel: 'other', at: 9});
	expect(await sourcesIn(second)).toEqual(['a = 1', 'b = 2']);
	const third = await openCellJournal(path, 'local').read('welcome');
	expect(third.cells.map(({asked, ended}) => [asked.source, asked.kernel, ended?.state])).toEqual([['c = 3', 'python3', 'done'], ['a = 1', 'other', undefined]]);
	expect(third.history).toEqual(['b = 2', 'c = 3', 'a = 1']);
	expect(readdirSync(path).map(name => statSync(join(path, name)).mode & 0o777)).toEqual([0o600, 0o600]);
	expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('servers and services are kept apart, whatever they are called', async () => {
	using folder = tempFolder();
	const local = openCellJournal(folder.path, 'local');
	for (const name of ['a', 'A', '../a', '__proto__']) await runCell(local, 1, `of ${name}`, name);
	await runCell(openCellJournal(folder.path, 'https://other.example'), 1, 'elsewhere', 'a');
	const next = openCellJournal(folder.path, 'local');
	for (const name of ['a', 'A', '../a', '__proto__']) expect(await sourcesIn(next, name)).toEqual([`of ${name}`]);
	expect(await sourcesIn(next, 'b')).toEqual([]);
});

test('a program that is killed at any byte of a line loses that line only', async () => {
	using folder = tempFolder();
	await runCell(openCellJournal(folder.path, 'local'), 1, 'whole');
	const file = join(folder.path, readdirSync(folder.path).find(name => name.includes('asked'))!);
	const before = readFileSync(file);
	await runCell(openCellJournal(folder.path, 'local'), 1, 'cut');
	const after = readFileSync(file);
	for (let size = before.length; size <= after.length; size += 7) {
		writeFileSync(file, after);
		truncateSync(file, size);
		const next = openCellJournal(folder.path, 'local');
		await next.asked('welcome', {id: 1, source: 'next', kernel: 'python3', at: 5});
		const {history} = await openCellJournal(folder.path, 'local').read('welcome');
		expect(history.filter(source => source !== 'cut')).toEqual(['whole', 'next']);
	}
});

test('what somebody else has put into the file is left out and counted', async () => {
	using folder = tempFolder();
	await runCell(openCellJournal(folder.path, 'local'), 1, 'good');
	for (const name of readdirSync(folder.path)) appendFileSync(join(folder.path, name), 'nonsense\n{"session":1}\n[]\n');
	const {cells, unreadable} = await openCellJournal(folder.path, 'local').read('welcome');
	expect(cells.map(({asked, ended}) => [asked.source, ended?.state])).toEqual([['good', 'done']]);
	expect(unreadable).toBe(6);
});
