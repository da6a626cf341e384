import {wrapLine} from './wrap.ts';

/** Width of the continuation mark and the space after it, in cells. */
const MARK = 2;

/**
 * Row of a line of code. `before`: cells before the continuation mark. Null if the row has no mark.
 */
type Hanging = {readonly before: number | null; readonly text: string};

/**
 * Wraps a line of code at spaces into rows of at most `cells` cells. All rows except the first have
 * the line's indentation and a mark of two cells.
 */
export const hanging = (line: string, cells: number): readonly Hanging[] => {
	const indent = /^ */.exec(line)?.[0].length ?? 0;
	const before = Math.max(0, Math.min(indent, Math.floor(cells / 2), cells - MARK * 2));
	const hang = Math.max(0, Math.min(before + MARK, cells - MARK));
	return wrapLine(line, cells, {hang}).map((row, index) =>
		index === 0 ? {before: null, text: row} : {before: hang - MARK, text: row.slice(hang)},
	);
};
