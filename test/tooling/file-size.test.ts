import {readdirSync, readFileSync} from 'node:fs';
import {extname, join} from 'node:path';
import {expect, test} from 'vitest';

// The lint tells it of a file that is edited; here all are looked at, those in Python too.
const SOURCE = join(import.meta.dirname, '../../src');
const MOST = 250;
/** What a file says above its code. */
const HEAD = 6;

const files = readdirSync(SOURCE, {recursive: true, encoding: 'utf8'})
	.filter(name => ['.ts', '.tsx', '.py'].includes(extname(name)))
	.map(name => ({name, lines: readFileSync(join(SOURCE, name), 'utf8').trimEnd().split('\n')}));
/** Why a file is long, as its head says it. */
const reasonOf = (lines: readonly string[]): string | undefined =>
	/Over 250 lines(?: with its comments)?: (.{20,})/.exec(lines.slice(0, HEAD).join('\n'))?.[1];

test('a file of more than 250 lines says in its head why, and no other does', () => {
	expect(files.length).toBeGreaterThan(800);
	const long = files.filter(({lines}) => lines.length > MOST).map(({name}) => name);
	const reasoned = files.filter(({lines}) => reasonOf(lines) !== undefined).map(({name}) => name);
	expect(reasoned.toSorted()).toEqual(long.toSorted());
});
