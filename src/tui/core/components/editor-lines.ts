import type {Editor} from '../../../text/editor/editor.ts';
import {block} from '../../../text/safe.ts';
import {NO_STYLE, applySgr, closeStyle, openStyle} from '../../../text/width/sgr.ts';
import {cellWidth, eachToken, isColour} from '../../../text/width/width.ts';
import {paint} from '../theme/theme.ts';
import {keepInView} from './scroll.ts';

export type EditorLines = {
	readonly lines: readonly string[];
	/** Cell of the cursor, relative to the first of `lines`. */
	readonly cursor: {readonly x: number; readonly y: number};
};

type Options = {
	readonly width: number;
	/** Maximum number of rows; the rows around the cursor are shown. */
	readonly height: number;
	/** Prompts of the first and of the following lines; both have the same width. */
	readonly prompt: string;
	readonly more: string;
	readonly active: boolean;
	/** Returns the text's lines, coloured and safe to print. Each character keeps its cell. */
	readonly highlight?: (text: string) => readonly string[];
};

/**
 * Splits a line into rows that fit. Breaks at the width and not between words, because code keeps
 * its columns.
 */
const rowsOf = (line: string, room: number): string[] => {
	const rows: string[] = [];
	let row = '';
	let used = 0;
	let style = NO_STYLE;
	eachToken(line, (token, cells) => {
		if (used + cells > room) {
			rows.push(style === NO_STYLE ? row : closeStyle(row));
			row = openStyle(style);
			used = 0;
		}
		if (isColour(token)) style = applySgr(style, token.slice(2, -1)).style;
		row += token;
		used += cells;
	});
	return [...rows, row];
};

/**
 * An editor as rows of at most `width` cells, with the position of its cursor. Control characters
 * are drawn as visible text, which takes cells.
 */
export const editorLines = (
	{text, cursor}: Editor,
	{width, height, prompt, more, active, highlight}: Options,
): EditorLines => {
	const room = Math.max(4, width - cellWidth(prompt) - 1);
	const before = block(text.slice(0, cursor)).split('\n');
	const rows: string[] = [];
	let place = {x: 0, y: 0};
	const highlighted = highlight?.(text);
	for (const [index, raw] of text.split('\n').entries()) {
		const mark = index === 0 ? prompt : more;
		const pieces = rowsOf(highlighted?.[index] ?? block(raw), room);
		if (index === before.length - 1) {
			const upTo = rowsOf(before[index] ?? '', room);
			const x = cellWidth(upTo.at(-1) ?? '');
			const full = x >= room && upTo.length < pieces.length;
			place = {x: cellWidth(prompt) + (full ? 0 : x), y: rows.length + upTo.length - 1 + (full ? 1 : 0)};
		}
		rows.push(
			...pieces.map(
				(piece, part) =>
					`${paint(active ? 'accent' : 'dim', part === 0 ? mark : ' '.repeat(cellWidth(mark)))}${piece}`,
			),
		);
	}
	const from = keepInView(0, place.y, height, rows.length);
	return {lines: rows.slice(from, from + height), cursor: {x: place.x, y: place.y - from}};
};
