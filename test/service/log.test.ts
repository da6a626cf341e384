import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openLog} from '../../src/service/log.ts';
import {tempFolder} from '../support/temp-folder.ts';

test('the log of a service that runs for weeks stays small: one older file is kept', () => {
	using temp = tempFolder();
	const file = join(temp.path, 'service.log');
	const log = openLog(file, 1000);
	for (let line = 0; line < 100; line++) log.line(`line ${line}`);
	log.close();
	log.line('after the end');
	expect(statSync(file).size).toBeLessThan(1100);
	expect(statSync(`${file}.1`).size).toBeLessThan(1100);
	expect(readFileSync(file, 'utf8')).toMatch(/ line 99\n$/);
	expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a failure keeps its stack in the log, on lines of its own, under the number that the user sees', () => {
	using temp = tempFolder();
	const file = join(temp.path, 'service.log');
	const log = openLog(file);
	const id = log.failure(new Error('disk on fire'));
	log.close();
	expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`failure ${id}: Error: disk on fire\n +at `));
});
