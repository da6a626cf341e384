import {wrapLine} from './wrap.ts';

/** Cells of the mark before what goes on, with the space behind it. */
const MARK = 2;

/** A row of a line of code. `before`: cells before the mark that says that it goes on; null in the first row, which has none. */
type Hanging = {readonly before: number | null; readonly text: string};

/** A line of code as rows of at most `cells` cells, broken at spaces: what does not fit hangs below its own indentation, behind a mark of two cells. */
export const hanging = (line: string, cells: number): readonly Hanging[] => {
	const indent = /^ */.exec(line)?.[0].length ?? 0;
	const before = Math.max(0, Math.min(indent, Math.floor(cells / 2), cells - MARK * 2));
	const hang = Math.max(0, Math.min(before + MARK, cells - MARK));
	return wrapLine(line, cells, {hang}).map((row, index) =>
		index === 0 ? {before: null, text: row} : {before: hang - MARK, text: row.slice(hang)},
	);
};
