import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src');
const MECHANISMS = readFileSync(join(SOURCE, 'mechanisms.md'), 'utf8');

/**
 * Files and folders that a row of a table mentions. A bare name is in the folder of the name before
 * it, or in the root.
 */
const placesIn = (row: string): readonly string[] => {
	let folder = '';
	return [...row.matchAll(/`([\w./-]+(?:\/|\.tsx?|\.py))`/g)].map(([, place = '']) => {
		if (place.includes('/')) folder = dirname(place);
		return place.includes('/') ? place : join(folder, place);
	});
};

test('the table of mechanisms names files that are there, and each rule once', () => {
	const rows = MECHANISMS.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| concern'));
	expect(rows.length).toBeGreaterThan(30);
	const missing = rows.flatMap(row => placesIn(row).filter(place => !existsSync(join(SOURCE, place))));
	expect(missing).toEqual([]);
	// A row without a file cannot be checked.
	expect(rows.filter(row => placesIn(row.split('|')[2] ?? '').length === 0)).toEqual([]);
	const rules = rows.map(row => row.split('|')[1]);
	expect(new Set(rules).size).toBe(rules.length);
});
