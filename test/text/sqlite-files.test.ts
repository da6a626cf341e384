import {mkdtempSync, rmSync, writeFileSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {readSqlite, sqliteTables} from '../../src/text/table/files/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-sqlite-'));
afterAll(() => rmSync(folder, {recursive: true}));
const found = process.getBuiltinModule('node:sqlite') as typeof import('node:sqlite') | undefined;

const file = (sql: string): string => {
	const path = join(folder, `${Math.random()}.db`);
	if (!found) return path;
	using database = new found.DatabaseSync(path);
	database.exec(sql);
	return path;
};

describe.runIf(found)('SQLite files', () => {
	test('tables and views, their types and values', () => {
		const path = file(
			`CREATE TABLE "a ""b" (id INTEGER, name TEXT, data BLOB);
			INSERT INTO "a ""b" VALUES (9007199254740993, '東京', x'00ff'), (NULL, NULL, NULL);
			CREATE VIEW twice AS SELECT id * 2 AS id, id FROM "a ""b"`,
		);
		expect(sqliteTables(path)).toEqual(['a "b', 'twice']);
		expect(readSqlite(path, 'a "b')).toEqual({
			names: ['id', 'name', 'data'],
			types: ['integer', 'text', 'blob'],
			numbers: [true, false, false],
			rows: [
				['9007199254740993', '東京', '0x00ff'],
				['', '', ''],
			],
			total: 2,
			columns: 3,
		});
		expect(readSqlite(path, 'twice').rows[0]).toEqual(['18014398509481986', '9007199254740993']);
	});

	test('a file that is broken, cut off or lies fails', () => {
		const path = file(
			`CREATE TABLE t (text TEXT);
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
			INSERT INTO t SELECT hex(randomblob(100)) FROM n`,
		);
		const whole = readFileSync(path);
		writeFileSync(path, whole.subarray(0, 6000));
		expect(() => readSqlite(path, 't')).toThrow();
		whole.fill(0xff, 4096 * 2);
		writeFileSync(path, whole);
		expect(() => readSqlite(path, 't')).toThrow();
		writeFileSync(path, 'no database at all, but longer than a header'.repeat(30));
		expect(() => sqliteTables(path)).toThrow('not a database');
	});
});

test.skipIf(found)('a Node without SQLite says which one has it', () => {
	expect(() => sqliteTables('any')).toThrow('has no SQLite: it needs Node 22.13');
});
