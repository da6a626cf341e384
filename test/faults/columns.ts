import {expect} from 'vitest';
import {cut} from '../../src/text/width/width.ts';
import {DISPUTED} from './hostile-cases.ts';
import {textOf, type Frame} from './watched-screen.ts';

/** Smallest gap between two values of a table, in cells. */
const GAP = 2;

/** The part of a safe text that fits into this many cells. */
export const beginning = (safe: string, cells: number): string =>
	cut(safe, cells).replace(/…$/, '').trimEnd();

/** A text as it appears in an error's sentence, on one line. */
export const asReason = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 299);

/** Index of the cell where a text starts in a row, or -1. */
export const cellOf = (row: readonly string[], text: string): number => {
	const at = row.join('').indexOf(text);
	let length = 0;
	return at === -1
		? -1
		: row.findIndex(cell => {
				length += cell.length;
				return length > at;
			});
};

/** A column title and its cells: from `from` up to, but not including, `to`. */
type Head = {readonly name: string; readonly from: number; readonly to: number; readonly right: boolean};
/** Values by the text of their column title. */
type Values = Readonly<Record<string, string>>;

/**
 * The titles in a title row. A column counts as right-aligned if more of its values end below the
 * end of the title than start below its start.
 */
const headsOf = (head: readonly string[], rows: readonly (readonly string[])[]): readonly Head[] => {
	const text = head.map(cell => cell || ' ').join('');
	return [...text.matchAll(/\S+(?: \S+)*/g)].map(match => {
		const [from, to] = [match.index, match.index + match[0].length];
		const begin = rows.filter(row => row[from] !== ' ' && (row[from - 1] ?? ' ') === ' ').length;
		const end = rows.filter(row => row[to - 1] !== ' ' && (row[to] ?? ' ') === ' ').length;
		// A title of one letter is above a column of numbers.
		return {
			name: match[0].replaceAll(/[^A-Za-z /]/g, '').trim(),
			from,
			to,
			// An estimate leaves a cell after it free for a mark.
			right: end > begin || to - from === 1 || match[0] === 'Today',
		};
	});
};

/**
 * The values below a title row. Fails if a value is not below its title. The cells between two
 * columns must be blank in every row.
 */
export const valuesBelow = (
	head: readonly string[],
	rows: readonly (readonly string[])[],
	gap = GAP,
): readonly Values[] => {
	const heads = headsOf(head, rows);
	// A column starts after the gap behind a right-aligned column, and ends before the gap in front
	// of a left-aligned column.
	const edges = heads.map(({from, to, right}, index) => {
		const before = heads[index - 1];
		const after = heads[index + 1];
		return {
			start: right ? (before?.right ? before.to + gap : -1) : from,
			end: right ? to : after === undefined ? head.length : after.right ? -1 : after.from - gap,
		};
	});
	return rows.map(row => {
		for (const [index, {start, end}] of edges.entries()) {
			const blanks = [
				...(start === -1 ? [] : row.slice(Math.max(0, start - (index === 0 ? 1 : gap)), start)),
				...(end === -1 || end === head.length ? [] : row.slice(end, end + gap)),
			];
			if (blanks.some(cell => cell !== ' ') && !DISPUTED.test(textOf(row)))
				expect.fail(`the column ${heads[index]?.name} is not aligned:\n${textOf(head)}\n${textOf(row)}`);
		}
		const values: Record<string, string> = {};
		for (const [index, {start, end}] of edges.entries()) {
			const [name = '', next = ''] = [heads[index]?.name, heads[index + 1]?.name];
			// Only blanks separate a left-aligned column from a right-aligned one. A single blank
			// is part of a value.
			if (end === -1)
				[, values[name] = '', values[next] = ''] =
					/^(.*?) {2,}(\S.*)$/.exec(row.slice(start, edges[index + 1]?.end).join('')) ?? [];
			else if (start !== -1) values[name] = row.slice(start, end).join('');
		}
		return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
	});
};

/** Index of the row with the cursor, or -1. */
export const cursorRow = (frame: Frame): number => frame.findIndex(row => row.slice(0, 3).includes('▸'));

/**
 * The visible rows of the table with these titles, in order. `here` is the row that the cursor is
 * on.
 */
export const readTable = (
	frame: Frame,
	head: string,
): {readonly rows: readonly Values[]; readonly here: Values} => {
	const at = frame.findIndex((row, y) => y > 1 && cellOf(row, head) >= 0);
	if (at === -1) expect.fail(`there is no table with the head ${head}:\n${frame.map(textOf).join('\n')}`);
	// Text right of the divider is not part of the table.
	const divider = frame[at]?.indexOf('│') ?? -1;
	const cells = frame.map(row =>
		(divider === -1 ? row : row.slice(0, divider)).map(cell => (cell === '┃' ? ' ' : cell)),
	);
	const blank = cells.findIndex((row, y) => y > at && /^─*$/.test(textOf(row)));
	const rows = valuesBelow(cells[at] ?? [], cells.slice(at + 1, blank));
	return {rows, here: rows[cursorRow(frame) - at - 1] ?? {}};
};

/** Checks that a cell shows the safe text, or as much of its start as fits. */
export const expectShown = (value: string | undefined, safe: string): void => {
	expect(
		value !== undefined && safe.trim().startsWith(value.replace(/…$/, '').trim()),
		`${value} for ${safe}`,
	).toBe(true);
};

/** Checks that a line separates two panes at the same cell in each of their rows. */
export const expectDividers = (
	frame: Frame,
	panes: readonly {readonly x: number; readonly y: number; readonly height: number}[],
): void => {
	for (const {x, y, height} of panes.slice(1)) {
		for (let row = y; row < y + height; row++) {
			const cells = frame[row] ?? [];
			if (!/^[│┬├]$/.test(cells[x - 1] ?? '') && !DISPUTED.test(textOf(cells)))
				expect.fail(`the divider is not in column ${x - 1} of row ${row}:\n${frame.map(textOf).join('\n')}`);
		}
	}
};

/**
 * The text right of the line that separates a list from the details of its row. The line must be at
 * the same cell in each row below the cursor.
 */
export const besideList = (frame: Frame): readonly string[] => {
	const at = cursorRow(frame);
	const x = frame[at]?.indexOf('│') ?? -1;
	if (x === -1) expect.fail(`there is no divider beside the cursor:\n${frame.map(textOf).join('\n')}`);
	expectDividers(frame, [
		{x: 0, y: 0, height: 0},
		{x: x + 1, y: at, height: frame.length - 2 - at},
	]);
	return frame
		.slice(2, -2)
		.filter(row => row[x] === '│')
		.map(row => textOf(row.slice(x + 1)).trim());
};

/**
 * Rows of a dialog, starting with its title. Fails if the frame is broken: each row between the
 * corners must have `│` at both sides. The command line only has a rule above it.
 */
export const insideBox = (frame: Frame): readonly string[] => {
	const strip = frame.findIndex(row => textOf(row).startsWith('── Command ─'));
	// The command line has no sides, so each row gets a blank instead.
	if (strip !== -1) return frame.slice(strip, -2).map(row => `${textOf(row)} `);
	const broken = (): never => expect.fail(`the dialog's frame is broken:\n${frame.map(textOf).join('\n')}`);
	const top = frame.findIndex(row => row.includes('╭'));
	const left = frame[top]?.indexOf('╭') ?? -1;
	const right = frame[top]?.lastIndexOf('╮') ?? -1;
	const bottom = frame.findIndex(row => row[left] === '╰');
	if (top < 2 || bottom <= top || right <= left) broken();
	return frame.slice(top, bottom).map((row, index) => {
		const [first, last] = index === 0 ? '╭╮' : '││';
		if (
			(row[left] !== first || row[right] !== last || frame[bottom]?.[right] !== '╯') &&
			!DISPUTED.test(textOf(row))
		)
			broken();
		return row.slice(left, right + 1).join('');
	});
};

/** The row of a form's field, and the row below it, which shows an error. */
export const fieldRows = (
	box: readonly string[],
	name: string,
): {readonly field: string; readonly error: string} => {
	const at = box.findIndex(row => new RegExp(`^│ +(?:▸ |[a-z] )?${name}(?: |$)`).test(row));
	if (at === -1) expect.fail(`there is no field ${name}:\n${box.join('\n')}`);
	return {field: box[at] ?? '', error: box[at + 1] ?? ''};
};
