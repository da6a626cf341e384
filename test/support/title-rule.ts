import {cellWidth} from '../../src/text/width/width.ts';

/**
 * True for the row below the header, which is a rule over the whole width with the titles of the
 * panes.
 */
export const isTitleRule = (line: string, columns: number): boolean =>
	/^─.*─$/.test(line) && cellWidth(line) === columns;
