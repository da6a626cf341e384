// Finds words on a screen whose end is missing without a `…`: unknown words that are the start of a
// known word. Known are the words in the sources of the program and of the scenes, and words that
// another word follows on a screen.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {glyph} from '../../src/tui/core/theme/glyphs.ts';
import {boxOf, cellsOf} from './invariants.ts';

type Lines = {readonly lines: readonly string[]};

const WORD = /\p{L}+/gu;
const SOURCES = ['../../src/', '.'].map(path => join(import.meta.dirname, path));

/** Separators of columns and panes. */
const BETWEEN = new RegExp(
	`[${Object.values(glyph)
		.filter(each => /[─-▟]/.test(each))
		.join('')}]+| {2,}`,
);

/**
 * The rows to check. With a dialog these are only its rows, because it hides parts of the others.
 */
export const shownRows = (lines: readonly string[]): readonly string[] => {
	const box = boxOf(lines);
	if (box === undefined) return lines;
	const {top, bottom, left, right} = box;
	return lines.map((line, row) =>
		row < top || row > bottom
			? line
			: cellsOf(line)
					.slice(left + 1, right)
					.join(''),
	);
};

export const partsOf = (line: string): readonly string[] =>
	line
		.split(BETWEEN)
		.map(part => part.trim())
		.filter(part => part !== '');

const lower = (text: string): string => text.toLowerCase();
const wordsIn = (text: string): readonly string[] => lower(text).match(WORD) ?? [];

const wordsOfSources = (): readonly string[] =>
	SOURCES.flatMap(folder =>
		readdirSync(folder, {recursive: true, encoding: 'utf8'})
			.filter(path => /\.tsx?$/.test(path))
			.flatMap(path => wordsIn(readFileSync(join(folder, path), 'utf8'))),
	);

const wordsInside = (line: string): readonly string[] =>
	partsOf(line).flatMap(part => wordsIn(part.replace(/\p{L}+…?$/u, '')));

type Known = {readonly words: ReadonlySet<string>; readonly beginnings: ReadonlySet<string>};

/** All known words, and all their prefixes. */
export const wordsOf = (frames: readonly Lines[]): Known => {
	const words = new Set([
		...wordsOfSources(),
		...frames.flatMap(({lines}) => shownRows(lines).flatMap(wordsInside)),
	]);
	const beginnings = new Set(
		[...words].flatMap(word => [...word].map((_, at) => [...word].slice(0, at + 1).join(''))),
	);
	return {words, beginnings};
};

/** The words of a screen that are cut off without a mark. */
export const cutsIn = (
	lines: readonly string[],
	{words, beginnings}: Known,
): readonly {readonly row: number; readonly text: string}[] => {
	const rows = shownRows(lines).map(partsOf);
	/** True if the row below continues a word that is longer than a row. */
	const goesOn = (row: number, word: string): boolean =>
		(rows[row + 1] ?? []).some(part => {
			// Wrapped code continues after its mark.
			const [next = ''] =
				lower(part)
					.match(/^(?:↪ )?(\p{L}+)/u)
					?.slice(1) ?? [];
			return next !== '' && beginnings.has(word + next);
		});
	return rows.flatMap((parts, row) =>
		parts.flatMap(text => {
			const [word] = lower(text).match(/\p{L}+$/u) ?? [];
			const isCut = word !== undefined && !words.has(word) && beginnings.has(word);
			return isCut && !goesOn(row, word) ? [{row, text}] : [];
		}),
	);
};
