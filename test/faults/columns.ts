import {expect} from 'vitest';
import {cut} from '../../src/text/width.ts';
import {DISPUTED} from './hostile-cases.ts';
import {textOf, type Frame} from './watched-screen.ts';

/** Columns between two values of a table on the screen. */
const GAP = 3;

/** A safe text as far as it is shown in so many cells. */
export const beginning = (safe: string, cells: number): string => cut(safe, cells).replace(/…$/, '').trimEnd();

/** Where a text begins in a row, in cells; -1 where it is not. */
export const cellOf = (row: readonly string[], text: string): number => {
	const at = row.join('').indexOf(text);
	let length = 0;
	return at === -1 ? -1 : row.findIndex(cell => {
		length += cell.length;
		return length > at;
	});
};

export type Head = {readonly name: string; readonly right?: true};

/** The values of some rows of a table, by column. Fails when a value does not stand below its head: the cells between two columns are blank in every row. */
export const valuesBelow = (frame: Frame, headRow: number, rows: readonly number[], heads: readonly Head[], columns: number, gap = GAP): readonly (readonly string[])[] => {
	const head = frame[headRow] ?? [];
	const places = heads.map(({name, right}) => {
		const from = cellOf(head, name);
		expect(from, `the head ${name} in ${textOf(head)}`).toBeGreaterThanOrEqual(0);
		return {from, to: from + name.length, right};
	});
	// A column begins behind the gap that follows a right-aligned one, and ends before the gap that precedes a left-aligned one.
	const edges = places.map(({from, to, right}, index) => {
		const before = places[index - 1];
		const after = places[index + 1];
		return {
			start: right ? (before?.right ? before.to + gap : -1) : from,
			end: right ? to : after === undefined ? columns : after.right ? -1 : after.from - gap,
		};
	});
	return rows.map(y => {
		const row = frame[y] ?? [];
		for (const [index, {start, end}] of edges.entries()) {
			const blanks = [...(start === -1 ? [] : row.slice(Math.max(0, start - (index === 0 ? 1 : gap)), start)), ...(end === -1 || index === edges.length - 1 ? [] : row.slice(end, end + gap))];
			if (blanks.some(cell => cell !== ' ') && !DISPUTED.test(textOf(row))) expect.fail(`the column ${heads[index]?.name} is not aligned in row ${y}:\n${textOf(head)}\n${textOf(row)}`);
		}
		const values: string[] = [];
		for (const [index, {start, end}] of edges.entries()) {
			const after = edges[index + 1];
			// Between a left-aligned and a right-aligned column only the blanks say where one ends; the latter holds one word there.
			if (end === -1) values.push(...(/^(.*?) +(\S+)$/.exec(row.slice(start, after?.end).join('')) ?? ['', '', '']).slice(1).map(value => value.trim()));
			else if (start !== -1) values.push(row.slice(start, end).join('').trim());
		}
		return values;
	});
};

/** A line stands between two panes, in each of their rows at the same cell. */
export const expectDividers = (frame: Frame, panes: readonly {readonly x: number; readonly y: number; readonly height: number}[]): void => {
	for (const {x, y, height} of panes.slice(1)) {
		for (let row = y; row < y + height; row++) {
			const cells = frame[row] ?? [];
			if (cells[x - 1] !== '│' && !DISPUTED.test(textOf(cells))) expect.fail(`the divider is not in column ${x - 1} of row ${row}:\n${frame.map(textOf).join('\n')}`);
		}
	}
};

/** The frame of a dialog of this width stands upright in the middle: `│` at both sides of every row between its corners. Answers its rows, the title's first. */
export const insideBox = (frame: Frame, columns: number, width: number): readonly string[] => {
	const left = Math.floor((columns - width) / 2);
	const right = left + width - 1;
	const broken = (): never => expect.fail(`the dialog's frame is broken:\n${frame.map(textOf).join('\n')}`);
	const top = frame.findIndex(row => row.includes('╭'));
	const bottom = frame.findIndex(row => row.includes('╰'));
	if (top < 2 || bottom <= top) broken();
	const sides = frame.slice(top, bottom + 1).map((row, index, rows) => {
		const [first, last] = index === 0 ? '╭╮' : index === rows.length - 1 ? '╰╯' : '││';
		if ((row[left] !== first || row[right] !== last) && !DISPUTED.test(textOf(row))) broken();
		return row.slice(left, right + 1).join('');
	});
	return sides.slice(0, -1);
};
