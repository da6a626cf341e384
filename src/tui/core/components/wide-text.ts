// Text in columns, such as a printed data frame. If the text is wider than the pane, it scrolls
// sideways by columns, as a table does.
import {layoutColumns, leftFor, type ColumnRoom} from '../../../text/table/layout.ts';
import {cut} from '../../../text/width/width.ts';
import {columnsRule} from './columns-rule.ts';

/** Fewest columns of a table. */
const LEAST_COLUMNS = 3;

/** Ends of the columns of lines: positions that are followed by a space in every line. */
const endsOf = (lines: readonly string[]): readonly number[] => {
	const longest = Math.max(...lines.map(({length}) => length));
	const isTaken = (at: number): boolean => lines.some(line => (line[at] ?? ' ') !== ' ');
	const ends: number[] = [];
	for (let at = 0; at < longest; at++) if (isTaken(at) && !isTaken(at + 1)) ends.push(at + 1);
	return ends;
};

/** Rows of a block of lines without a blank line, headers first. Null if it has no columns. */
const blockLines = (lines: readonly string[], width: number, left: number): readonly string[] | null => {
	const ends = endsOf(lines);
	if (ends.length < LEAST_COLUMNS) return null;
	const startOf = (column: number): number => (column === 0 ? 0 : (ends[column - 1] ?? 0));
	const all = ends.map((_, column) => column);
	const room: ColumnRoom = {
		frozen: all.slice(0, 1),
		columns: all.slice(1),
		width,
		gap: 0,
		widthOf: column => (ends[column] ?? 0) - startOf(column),
	};
	const {placed, before, after} = layoutColumns(room, Math.min(left, leftFor(room, 0, ends.length - 1)));
	const rows = lines.map(line =>
		placed
			.map(({column, width: each}) =>
				cut(line.slice(startOf(column), ends[column]).padEnd(each), each).padEnd(each),
			)
			.join('')
			.trimEnd(),
	);
	return [...rows.slice(0, 1), columnsRule({before, after}, width), ...rows.slice(1)];
};

/**
 * Text as rows of at most `width` cells. The first column stays; `left` is the index of the first
 * visible column after it. Null if the text fits, is not printable ASCII, or has no columns.
 */
export const wideTextLines = (text: string, width: number, left = 0): readonly string[] | null => {
	const lines = text.split('\n').map(line => line.trimEnd());
	if (lines.every(line => line.length <= width) || !/^[\x20-\x7E\n]*$/.test(text)) return null;
	const rows: string[] = [];
	for (let at = 0; at < lines.length;) {
		const blank = lines.indexOf('', at);
		const end = blank === -1 ? lines.length : blank;
		const block = lines.slice(at, end);
		if (block.every(line => line.length <= width)) rows.push(...block);
		else {
			const laid = blockLines(block, width, left);
			if (laid === null) return null;
			rows.push(...laid);
		}
		if (blank !== -1) rows.push('');
		at = end + 1;
	}
	return rows;
};
