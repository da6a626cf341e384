import {wrapLine} from './wrap.ts';

/** Cells of the continuation mark, with the space after it. */
const MARK = 2;

/** Row of a line of code. `before`: cells before the continuation mark; null if none. */
type Hanging = {readonly before: number | null; readonly text: string};

/**
 * Wraps a line of code at spaces into rows of at most `cells` cells. All rows but the first start
 * below the line's indentation, after a mark of two cells.
 */
export const hanging = (line: string, cells: number): readonly Hanging[] => {
	const indent = /^ */.exec(line)?.[0].length ?? 0;
	const before = Math.max(0, Math.min(indent, Math.floor(cells / 2), cells - MARK * 2));
	const hang = Math.max(0, Math.min(before + MARK, cells - MARK));
	return wrapLine(line, cells, {hang}).map((row, index) =>
		index === 0 ? {before: null, text: row} : {before: hang - MARK, text: row.slice(hang)},
	);
};
