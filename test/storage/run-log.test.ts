import {existsSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openServiceStorage} from '../../src/storage/service-storage.ts';
import {openRunningCells, removeStaleRecords} from '../../src/storage/run-log.ts';
import {tempFolder} from '../support/temp-folder.ts';

const DAY = 24 * 3600 * 1000;
const AT = {kernel: 'k', session: 's', request: 'r', source: 'x'};

test('leftovers of a dead program are removed after a month, those of a running one are not', async () => {
	using folder = tempFolder();
	const keeper = openServiceStorage(folder.path, 'local');
	const cells = keeper.folderOf('cells');
	const running = openRunningCells(keeper, 'session');
	running.record('mine', {id: 1, kernel: 'python3'}).begin(AT);
	const [mine = ''] = readdirSync(cells);
	const orphan = (name: string, days: number): string => {
		const file = join(cells, name);
		writeFileSync(file, readFileSync(join(cells, mine), 'utf8').replace(/"owner":"\d+/, '"owner":"4194305'));
		utimesSync(file, 0, (Date.now() - days * DAY) / 1000);
		return file;
	};
	const old = orphan('a.running-s-1.jsonl', 31);
	const young = orphan('b.running-s-2.jsonl', 29);
	const journal = orphan('c.ended.jsonl', 400);
	utimesSync(join(cells, mine), 0, (Date.now() - 60 * DAY) / 1000);
	await removeStaleRecords(cells, Date.now());
	expect([old, young, journal, join(cells, mine)].map(file => existsSync(file))).toEqual([
		false,
		true,
		true,
		true,
	]);
	await removeStaleRecords(join(folder.path, 'nowhere'), Date.now());
});
