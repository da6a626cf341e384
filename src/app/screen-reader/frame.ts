// What a frame says, in words: rows without borders, marks and colours.
import {keyInWords} from '../../text/key-name.ts';
import {cellWidth, slice, withoutColours} from '../../text/width/width.ts';
import type {BoxRect} from '../../tui/core/frame/box-rect.ts';
import {paint, type Role} from '../../tui/core/theme/theme.ts';

const LINK = /\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)/g;
export const plain = (row: string): string => withoutColours(row).replaceAll(LINK, '');

/** Marks that say something, each with its words; the other marks only decorate. */
const WORDS: readonly (readonly [RegExp, string])[] = [
	[/■ ?/g, 'chosen: '],
	[/≥/g, 'at least'],
	[/≤/g, 'at most'],
	[/≠/g, '(another differs in letter case)'],
	[/⏎/g, keyInWords('enter')],
	[/↑ ?↓/g, 'Up and Down'],
	[/↑/g, 'Up'],
	[/↓/g, 'Down'],
	[/\besc\b/g, 'Esc'],
	[/\^([A-Z])\b/g, 'Ctrl-$1'],
	[/⇧/g, 'Shift-'],
	[/[─━│┃┆╭╮╰╯├┤┬┴┼▌▸▹▿●◌○◆□«»›✓✗↪]/g, ' '],
];

/** A row as a sentence would have it: cells that stand apart are divided by commas. */
export const rowAsSentence = (row: string): string =>
	WORDS.reduce((text, [mark, words]) => text.replaceAll(mark, words), plain(row))
		.trim()
		.replace(/^([a-z]\S*) {2,}(?=\S)/, '$1: ')
		.replaceAll(/\s{2,}(?![,.;:])/g, ', ')
		.replaceAll(/\s+/g, ' ');

/** Rows that differ in numbers only are one: a time that goes on is no news. */
export const withoutNumbers = (line: string): string => line.replaceAll(/\d[\d.,:]*/g, '#');

export type Area = {
	/** In the frame of a box; empty without one. */
	readonly title: string;
	/** With their colours. */
	readonly rows: readonly string[];
	/** Cell of the area's first row and column on the screen. */
	readonly x: number;
	readonly y: number;
};

/** What stands in the box of a dialog, which has its place on the screen. */
export const boxAt = (rows: readonly string[], {left, top, width, height}: BoxRect): Area => ({
	title: rowAsSentence(slice(plain(rows[top] ?? ''), left, width)),
	rows: rows.slice(top + 1, top + 1 + height).map(row => slice(row, left + 1, width - 2)),
	x: left + 1,
	y: top + 1,
});

/** A part of it is painted in this role. */
const has = (row: string, role: Role): boolean => row.includes(paint(role, ' ').split(' ')[0] ?? '');
/** The row under the cursor of a list. */
export const isChosen = (row: string): boolean => has(row, 'selected');
/** It says that something is wrong. */
export const isBad = (row: string): boolean => has(row, 'bad');

/** The line that is being typed at a cell of an area, and where in it the cursor is. */
export const typedAt = (row: string, x: number): {readonly text: string; readonly cursor: number} => {
	const line = plain(row);
	const before = slice(line, 0, x);
	const behind = slice(line, x, cellWidth(line)).trimEnd();
	// A field has its name before it, and spaces up to where all fields begin.
	const asLabel = (text: string): string => text.replace(/^[\s▸›▌│/]*/, '').replace(/^(\S+) +/, '$1: ');
	const isField = /^\s*▸ \S+ /.test(line);
	const left = isField ? asLabel(before) : before.replace(/^[\s▌│]+/, '').replace(/^› ?/, '> ');
	return {text: left + behind, cursor: left.length};
};

/** Whether a line that was sent is the one that was typed last, which stands behind its prompt. */
export const isTyped = (typed: string, line: string): boolean =>
	line.trim() !== '' && typed.replace(/^(?:>>>|\.\.\.|>)(?= |$)/, '').trim() === line.trim();
