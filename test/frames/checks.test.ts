// What holds of every frame, whatever it shows.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {glyph} from '../../src/tui/core/theme/glyphs.ts';
import {brokenOff} from './cut-sentences.ts';
import {cutsIn, wordsOf} from './cut-words.ts';
import {faultsOf} from './invariants.ts';
import {SIZES} from './scene.ts';

const FRAMES = readdirSync(import.meta.dirname, {recursive: true, encoding: 'utf8'})
	.filter(path => path.endsWith('.txt'))
	.map(path => {
		const [, columns = '0', rows = '0'] = /(\d+)x(\d+)\.txt$/.exec(path) ?? [];
		const text = readFileSync(join(import.meta.dirname, path), 'utf8');
		return {
			path,
			columns: Number(columns),
			rows: Number(rows),
			text,
			lines: text.replace(/\n$/, '').split('\n'),
		};
	});

/** The names of frames of which something does not hold. */
const where = (isWrong: (frame: (typeof FRAMES)[number]) => boolean): readonly string[] =>
	FRAMES.filter(isWrong).map(({path}) => path);

test('there are frames of all sizes', () => {
	expect(FRAMES.length % SIZES.length).toBe(0);
	expect(FRAMES.length).toBeGreaterThan(150 * SIZES.length);
});

test('rows fit, footers are never empty nor have a key twice, text keeps clear of the sides of a box, whose keys are in view', () => {
	expect(
		FRAMES.flatMap(({path, lines, columns, rows}) =>
			faultsOf(lines, {columns, rows}).map(fault => `${path}: ${fault}`),
		),
	).toEqual([]);
});

test('every screen is a tab with its name', () => {
	const names =
		/1 (?:Servers|Srv).*2 (?:Compute|Cmp).*3 (?:Environments|Env).*4 Files.*5 REPL.*6 (?:Assistant|Chat)/;
	// A long state takes their names from 80 columns.
	const isLong = (header: string): boolean => header.includes('draining-connections');
	const hasRoom = (columns: number): boolean => columns >= 80;
	expect(
		where(({columns, lines: [header = '']}) => hasRoom(columns) && !names.test(header) && !isLong(header)),
	).toEqual([]);
	expect(where(({lines: [header = '']}) => !/1.*2.*3.*4.*5.*6/.test(header))).toEqual([]);
});

describe('where one is', () => {
	const marked = ({lines}: {readonly lines: readonly string[]}): readonly string[] =>
		lines.filter(line => line.includes(glyph.scroll));

	test('is told in numbers wherever a mark shows that there is more', () => {
		expect(FRAMES.filter(frame => marked(frame).length > 0).length).toBeGreaterThan(20);
		expect(where(frame => marked(frame).length > 0 && !/\d+\/\d+|\d+ more line/.test(frame.text))).toEqual(
			[],
		);
	});

	test('is told of every list with two rows', () => {
		const lists = FRAMES.filter(({path}) =>
			/^(?:servers|compute|environments)\/(?:full|not-renewed)-/.test(path),
		);
		expect(lists.length).toBeGreaterThan(10);
		expect(
			lists.filter(({lines}) => !/ row \d+\/\d+(?: |$)/.test(lines[2] ?? '')).map(({path}) => path),
		).toEqual([]);
	});
});

describe('nothing is cut without …', () => {
	const cuts = (change: (line: string) => string): readonly string[] => {
		const changed = FRAMES.map(frame => ({...frame, lines: frame.lines.map(change)}));
		const known = wordsOf(changed);
		return changed.flatMap(({path, lines}) =>
			cutsIn(lines, known).map(({row, text}) => `${path}:${row + 1}: ${text}`),
		);
	};

	test('every word at the end of what stands in a row is whole, or goes on in the next', () => {
		expect(cuts(line => line)).toEqual([]);
	});

	test('with the … taken out, many are found', () => {
		expect(cuts(line => line.replaceAll('…', '')).length).toBeGreaterThan(150);
	});

	test('no sentence breaks off between two words', () => {
		expect(brokenOff(FRAMES)).toEqual([]);
	});

	test('with the … and the word before it taken out, some are found', () => {
		const changed = FRAMES.map(frame => ({
			...frame,
			lines: frame.lines.map(line => line.replaceAll(/ ?\p{L}*…/gu, '')),
		}));
		expect(brokenOff(changed).length).toBeGreaterThan(15);
	});
});
