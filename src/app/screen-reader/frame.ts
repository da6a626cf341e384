// Text of a frame: rows without borders, marks and colours.
import {keyText} from '../../text/key-name.ts';
import {cellWidth, slice, withoutColours} from '../../text/width/width.ts';
import type {BoxRect} from '../../tui/core/frame/box-rect.ts';
import {paint, type Role} from '../../tui/core/theme/theme.ts';

const LINK = /\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)/g;
export const plain = (row: string): string => withoutColours(row).replaceAll(LINK, '');

/** Marks with a meaning, and their text. All other marks are decoration. */
const WORDS: readonly (readonly [RegExp, string])[] = [
	[/■ ?/g, 'chosen: '],
	[/≥/g, 'at least'],
	[/≤/g, 'at most'],
	[/⏎/g, keyText('enter')],
	[/↑ ?↓/g, 'Up and Down'],
	[/↑/g, 'Up'],
	[/↓/g, 'Down'],
	[/\besc\b/g, 'Esc'],
	[/\^([A-Z])\b/g, 'Ctrl-$1'],
	[/⇧/g, 'Shift-'],
	[/[─━│┃┆╭╮╰╯├┤┬┴┼▌▸▹▿●◌○◆□«»›✓✗↪]/g, ' '],
];

/** Row as a sentence. Wide gaps between cells become commas. */
export const rowAsSentence = (row: string): string =>
	WORDS.reduce((text, [mark, words]) => text.replaceAll(mark, words), plain(row))
		.trim()
		.replace(/^([a-z]\S*) {2,}(?=\S)/, '$1: ')
		.replaceAll(/\s{2,}(?![,.;:])/g, ', ')
		.replaceAll(/\s+/g, ' ');

/**
 * Row with its numbers masked. Rows that differ only in numbers, such as a running time, are then
 * equal.
 */
export const withoutNumbers = (line: string): string => line.replaceAll(/\d[\d.,:]*/g, '#');

export type Area = {
	/** Title in the frame of a box. Empty if the area has no frame. */
	readonly title: string;
	/** Rows with their colours. */
	readonly rows: readonly string[];
	/** Screen position of the area's first cell: its column and row. */
	readonly x: number;
	readonly y: number;
};

/** Content of a dialog's box, and its position on the screen. */
export const boxAt = (rows: readonly string[], {left, top, width, height}: BoxRect): Area => ({
	title: rowAsSentence(slice(plain(rows[top] ?? ''), left, width)),
	rows: rows.slice(top + 1, top + 1 + height).map(row => slice(row, left + 1, width - 2)),
	x: left + 1,
	y: top + 1,
});

/** True if part of the row is painted in this role. */
const has = (row: string, role: Role): boolean => row.includes(paint(role, ' ').split(' ')[0] ?? '');
/** True for the row under the cursor of a list. */
export const isChosen = (row: string): boolean => has(row, 'selected');
/** True for a row that reports a problem. */
export const isBad = (row: string): boolean => has(row, 'bad');

/**
 * Line of an input field, and the cursor's position in it. `x`: column of the cursor in the row.
 */
export const typedAt = (row: string, x: number): {readonly text: string; readonly cursor: number} => {
	const line = plain(row);
	const before = slice(line, 0, x);
	const behind = slice(line, x, cellWidth(line)).trimEnd();
	// A row of a form starts with the field's name, padded to the column where all fields start.
	const asLabel = (text: string): string => text.replace(/^[\s▸›▌│/]*/, '').replace(/^(\S+) +/, '$1: ');
	const isField = /^\s*▸ \S+ /.test(line);
	const left = isField ? asLabel(before) : before.replace(/^[\s▌│]+/, '').replace(/^› ?/, '> ');
	return {text: left + behind, cursor: left.length};
};

/**
 * True if a submitted line is the same as the line that was typed last. `typed`: starts with a
 * prompt.
 */
export const isTyped = (typed: string, line: string): boolean =>
	line.trim() !== '' && typed.replace(/^(?:>>>|\.\.\.|>)(?= |$)/, '').trim() === line.trim();
